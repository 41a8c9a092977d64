package academic

import (
	"context"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
)

// Mentor is one advisor as the student sees him.
type Mentor struct {
	Role             int                  `json:"role"`
	AdvisorID        int64                `json:"advisorId"`
	Name             string               `json:"name"`
	TitleRank        int                  `json:"titleRank"`
	DeptName         string               `json:"deptName"`
	Email            string               `json:"email"`
	ResearchKeywords store.JSON[[]string] `json:"researchKeywords"`
	OfficeHours      string               `json:"officeHours"`
	StartDate        string               `json:"startDate"`
	EndDate          string               `json:"endDate"`
}

// MyMentor is the answer of the page "my supervisor".
type MyMentor struct {
	Current []Mentor `json:"current"`
	History []Mentor `json:"history"`
	// Hint says why Current is empty and what happens next.
	Hint string `json:"hint"`
}

const sqlMentors = `SELECT s.role, s.advisor_id, s.start_date, s.end_date, a.name, a.title_rank, a.email, a.research_keywords, a.office_hours,
 COALESCE(d.name, '') AS dept_name
 FROM thesis_supervision s
 JOIN thesis_advisor a ON a.id = s.advisor_id AND a.tenant_id = s.tenant_id
 LEFT JOIN system_dept d ON d.id = a.dept_id AND d.tenant_id = s.tenant_id
 WHERE s.tenant_id = :tenant AND s.deleted = false AND s.student_id = :student ORDER BY s.role, s.id DESC`

func (s *Service) myMentor(ctx context.Context, _ web.None) (MyMentor, error) {
	out := MyMentor{Current: []Mentor{}, History: []Mentor{}}
	me, found, err := StudentOfUser(ctx, actor.From(ctx).UserID)
	if err != nil {
		return out, err
	}
	if !found {
		return out, errs.ErrNoRecord.With()
	}
	list, err := store.Select[Mentor](ctx, sqlMentors, store.Args{"student": me.ID})
	for _, m := range list {
		if m.EndDate == "" {
			out.Current = append(out.Current, m)
		} else {
			out.History = append(out.History, m)
		}
	}
	if len(out.Current) == 0 {
		out.Hint = text(ctx, "尚未分配导师，由学院分配后会显示在这里；如有疑问请通过问题反馈联系学院", "No advisor yet: your college assigns one. Ask through the feedback page if in doubt")
	}
	return out, err
}
