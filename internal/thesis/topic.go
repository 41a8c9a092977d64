package thesis

import (
	"context"

	"viva/internal/academic"
	"viva/internal/kernel/actor"
	"viva/internal/kernel/crud"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/i18n"
	"viva/internal/kernel/store"
	"viva/internal/kernel/table"
	"viva/internal/kernel/web"
)

// Topic states (dictionary thesis_topic_state).
const (
	topicDraft     = 0
	topicPublished = 1
	topicClosed    = 2
)

// Topic is a subject that an advisor offers to a number of students.
type Topic struct {
	ID           int64               `json:"id"`
	AdvisorID    int64               `json:"advisorId" label:"导师|Advisor" in:"kind=ref,ref=thesis_advisor:/thesis/advisor/list-all-simple" q:"eq"`
	AdvisorName  string              `json:"advisorName" label:"导师姓名|Advisor name" view:"join" q:"like"`
	DeptID       int64               `json:"deptId" db:"college_id" label:"学院|College" in:"-,kind=ref,ref=system_dept:/system/dept/list-all-simple" view:"join" q:"eq"`
	Title        string              `json:"title" label:"课题名称|Title" in:"required,min=5,max=60" q:"like"`
	Summary      string              `json:"summary" label:"简介|Summary" in:"required,kind=longtext,max=1000"`
	ThesisType   int                 `json:"thesisType" label:"论文类型|Type" in:"required,dict=thesis_type" q:"eq"`
	ThesisSource int                 `json:"thesisSource" label:"选题来源|Source" in:"required,dict=thesis_source" q:"eq"`
	SourceNo     string              `json:"sourceNo" label:"项目编号|Project no." in:"max=60"`
	DegreeLevel  int                 `json:"degreeLevel" label:"培养层次(0 不限)|Degree level (0 any)" in:"min=0,max=3" q:"eq"`
	MajorIDs     store.JSON[[]int64] `json:"majorIds" db:"major_ids" label:"面向专业|Majors" in:"kind=refs,ref=thesis_major:/thesis/major/list-all-simple,max=50"`
	Semester     string              `json:"semester" label:"学年学期|Semester" in:"max=11" q:"eq"`
	MaxStudents  int                 `json:"maxStudents" label:"名额|Places" in:"required,min=1,max=5"`
	TakenCount   int                 `json:"takenCount" label:"已选|Taken" in:"-"`
	State        int                 `json:"state" label:"状态|State" in:"-,dict=thesis_topic_state" q:"eq"`
	crud.Meta
}

var topics = table.New[Topic]("thesis_topic", "课题")

const (
	topicColumns = `, av.advisor_name, av.college_id`
	topicJoin    = ` JOIN (SELECT id AS av_id, user_id AS av_user, name AS advisor_name, dept_id AS college_id FROM thesis_advisor
 WHERE thesis_advisor.tenant_id = :tenant) av ON av.av_id = t.advisor_id`
	topicScope = ` AND (av.college_id IN (:scope_depts) OR av.av_user = :scope_user)`

	sqlTopicSame  = `SELECT COUNT(*) FROM thesis_topic WHERE tenant_id = :tenant AND deleted = false AND id <> :id AND advisor_id = :advisor AND title = :title`
	sqlTopicTaken = `SELECT COUNT(*) FROM thesis_students_subject WHERE tenant_id = :tenant AND deleted = false AND topic_id = :topic`
)

var (
	errTopicFull  = errs.Define(1070002001, errs.Conflict, "课题名额已满，请选择其他课题", "This topic has no place left; choose another")
	errTopicShut  = errs.Define(1070002002, errs.Conflict, "课题未发布或已关闭，请选择其他课题", "This topic is not open; choose another")
	errTopicInUse = errs.Define(1070002003, errs.Conflict, "已有学生选择该课题，不能删除；可以关闭", "Students chose this topic; close it instead of deleting")
)

func (s *Service) mountTopics(m *web.Module) {
	r := crud.Mount[Topic](m, "topic", "课题|Topic")
	r.View = crud.View{Columns: topicColumns, Joins: topicJoin}
	r.Scope = func(ctx context.Context, q *store.Query) {
		if academic.Scoped(ctx, q) {
			q.Add(topicScope)
		}
	}
	r.BeforeSave = checkTopic
	r.BeforeDelete = func(ctx context.Context, row Topic) error {
		n, _, err := store.Get[int64](ctx, sqlTopicTaken, store.Args{"topic": row.ID})
		if err == nil && n > 0 {
			return errTopicInUse.With()
		}
		return err
	}
	s.topics = r
	web.Put(m, "/topic/publish", web.Perm("thesis:topic:update"), func(ctx context.Context, in idVersion) (bool, error) {
		return s.setTopicState(ctx, in, topicPublished)
	}, web.Title("发布课题"))
	web.Put(m, "/topic/close", web.Perm("thesis:topic:update"), func(ctx context.Context, in idVersion) (bool, error) {
		return s.setTopicState(ctx, in, topicClosed)
	}, web.Title("关闭课题"))
	web.Get(m, "/topic/open-page", web.Perm("thesis:students-subject:query"), openTopics, web.Title("可选课题"))
}

// idVersion names a row and, optionally, the version the caller saw.
type idVersion struct {
	ID      int64 `query:"id" required:"true" minimum:"1" doc:"编号|Id"`
	Version int   `query:"version" minimum:"0" doc:"版本|Version"`
}

// checkTopic derives the advisor from the caller unless staff set one inside their scope.
func checkTopic(ctx context.Context, old, row *Topic) error {
	a := actor.From(ctx)
	own, isAdvisor, err := academic.AdvisorOfUser(ctx, a.UserID)
	if err != nil {
		return err
	}
	if row.AdvisorID == 0 && isAdvisor {
		row.AdvisorID = own.ID
	}
	if row.AdvisorID == 0 {
		return errs.Field("advisorId", i18n.Pick(ctx, "请选择导师", "choose an advisor"))
	}
	if old == nil || old.AdvisorID != row.AdvisorID {
		if err := mayOffer(ctx, row.AdvisorID, own.ID); err != nil {
			return err
		}
	}
	if row.MaxStudents < row.TakenCount {
		return errs.Field("maxStudents", i18n.Pick(ctx, "名额不能少于已选人数", "places cannot be fewer than those taken"))
	}
	n, _, err := store.Get[int64](ctx, sqlTopicSame, store.Args{"id": row.ID, "advisor": row.AdvisorID, "title": row.Title})
	if err == nil && n > 0 {
		return errs.Field("title", i18n.Pick(ctx, "该导师已有同名课题", "this advisor offers a topic of this title already"))
	}
	return err
}

// mayOffer: teachers offer topics of their own; staff those of advisors in their scope.
func mayOffer(ctx context.Context, advisorID, own int64) error {
	a := actor.From(ctx)
	if academic.WholeTenant(a) || advisorID == own && own > 0 {
		return nil
	}
	advisor, err := academic.AdvisorByID(ctx, advisorID)
	if err != nil {
		return err
	}
	for _, d := range a.Scope.Depts {
		if d == advisor.DeptID {
			return nil
		}
	}
	return errs.Field("advisorId", i18n.Pick(ctx, "只能为本人或数据范围内的导师发布课题", "topics may be offered for yourself or advisors in your scope only"))
}

func (s *Service) setTopicState(ctx context.Context, in idVersion, state int) (bool, error) {
	if _, err := s.topics.Read(ctx, in.ID); err != nil {
		return false, err
	}
	_, err := topics.Change(ctx, in.ID, func(t *Topic) error {
		if in.Version > 0 && in.Version != t.Version {
			return errs.ErrStale.With()
		}
		t.State = state
		return nil
	})
	return err == nil, err
}

// takePlace takes a place for a student, or refuses. The row stays locked until the
// transaction ends, so that the last place is given once.
func takePlace(ctx context.Context, topicID int64) error {
	_, err := topics.Change(ctx, topicID, func(t *Topic) error {
		if t.State != topicPublished {
			return errTopicShut.With()
		}
		if t.TakenCount >= t.MaxStudents {
			return errTopicFull.With()
		}
		t.TakenCount++
		return nil
	})
	return err
}

// releasePlace gives a place back, also on a closed topic.
func releasePlace(ctx context.Context, topicID int64) error {
	_, err := topics.Change(ctx, topicID, func(t *Topic) error {
		t.TakenCount = max(t.TakenCount-1, 0)
		return nil
	})
	return err
}
