package thesis

import (
	"context"

	"viva/internal/academic"
	"viva/internal/kernel/actor"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/store"
)

// OpenTopic is a topic a student may choose now.
type OpenTopic struct {
	ID           int64  `json:"id"`
	Title        string `json:"title"`
	Summary      string `json:"summary"`
	ThesisType   int    `json:"thesisType"`
	ThesisSource int    `json:"thesisSource"`
	SourceNo     string `json:"sourceNo"`
	AdvisorID    int64  `json:"advisorId"`
	AdvisorName  string `json:"advisorName"`
	DeptName     string `json:"deptName"`
	MaxStudents  int    `json:"maxStudents"`
	Remaining    int    `json:"remaining"`
	// OwnAdvisor marks the topics of the student's own advisor.
	OwnAdvisor bool `json:"ownAdvisor"`
}

type openTopicsIn struct {
	store.Paging
	Keyword    string `query:"keyword" maxLength:"60" doc:"关键词|Keyword"`
	AdvisorID  int64  `query:"advisorId" minimum:"0" doc:"导师|Advisor"`
	ThesisType int    `query:"thesisType" minimum:"0" doc:"论文类型|Type"`
}

const (
	sqlOpenTopics = `FROM thesis_topic t JOIN thesis_advisor a ON a.id = t.advisor_id AND a.tenant_id = t.tenant_id AND a.deleted = false
 LEFT JOIN system_dept d ON d.id = a.dept_id AND d.tenant_id = t.tenant_id
 WHERE t.tenant_id = :tenant AND t.deleted = false AND t.state = 1 AND t.taken_count < t.max_students
 AND (t.degree_level = 0 OR t.degree_level = :level) AND (t.major_ids = '[]' OR t.major_ids = 'null'
 OR REPLACE(REPLACE(t.major_ids, '[', ','), ']', ',') LIKE :major)`
	sqlOpenTopicColumns = `t.id, t.title, t.summary, t.thesis_type, t.thesis_source, t.source_no, t.advisor_id, a.name AS advisor_name, COALESCE(d.name, '') AS dept_name,
 t.max_students, t.max_students - t.taken_count AS remaining, (t.advisor_id = :own) AS own_advisor`
)

// openTopics lists what the student may choose: open, with places, for his level and major.
func openTopics(ctx context.Context, in openTopicsIn) (store.Page[OpenTopic], error) {
	me, found, err := academic.StudentOfUser(ctx, actor.From(ctx).UserID)
	if err != nil {
		return store.Page[OpenTopic]{}, err
	}
	if !found {
		return store.Page[OpenTopic]{}, errs.ErrNoRecord.With()
	}
	advisor, _, err := academic.MainAdvisor(ctx, me.ID)
	if err != nil {
		return store.Page[OpenTopic]{}, err
	}
	q := store.Build(sqlOpenTopics, store.Args{"level": me.DegreeLevel, "major": majorPattern(me.MajorID), "own": advisor.ID})
	q.If(in.Keyword != "", ` AND (t.title LIKE :keyword ESCAPE '\' OR t.summary LIKE :keyword ESCAPE '\' OR a.name LIKE :keyword ESCAPE '\')`, "keyword", store.Contains(in.Keyword)).
		If(in.AdvisorID > 0, " AND t.advisor_id = :advisor", "advisor", in.AdvisorID).
		If(in.ThesisType > 0, " AND t.thesis_type = :type", "type", in.ThesisType)
	return store.SelectPage[OpenTopic](ctx, sqlOpenTopicColumns, q, "own_advisor DESC, t.id DESC", in.Paging)
}

// fits reports whether a topic is meant for a student of this level and major.
func (t Topic) fits(st academic.Student) bool {
	if t.DegreeLevel != 0 && t.DegreeLevel != st.DegreeLevel {
		return false
	}
	if len(t.MajorIDs.V) == 0 {
		return true
	}
	for _, id := range t.MajorIDs.V {
		if id == st.MajorID {
			return true
		}
	}
	return false
}
