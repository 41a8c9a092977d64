package thesis

import (
	"context"
	"fmt"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
)

// Todo is a declaration that waits for the caller.
type Todo struct {
	ID           int64  `json:"id"`
	Version      int    `json:"version"`
	AuditState   Audit  `json:"auditState"`
	Level        Level  `json:"level"`
	TitleZh      string `json:"titleZh"`
	NewTitleZh   string `json:"newTitleZh"`
	ChangeReason string `json:"changeReason"`
	StudentNo    string `json:"studentNo"`
	StudentName  string `json:"studentName"`
	DeptName     string `json:"deptName"`
	MajorName    string `json:"majorName"`
	AdvisorName  string `json:"advisorName"`
	SubmitNo     int    `json:"submitNo"`
	SubmittedAt  int64  `json:"submittedAt"`
	LateFlag     int    `json:"lateFlag"`
	WaitingSince int64  `json:"waitingSince"`
	WaitingHours int64  `json:"waitingHours" db:"-"`
}

type todoIn struct {
	store.Paging
	Keyword string `query:"keyword" maxLength:"60" doc:"关键词|Keyword"`
	Level   Level  `query:"level" minimum:"0" maximum:"3" doc:"审批级别|Level"`
}

const (
	sqlTodoFrom = `FROM thesis_students_subject t JOIN thesis_student s ON s.id = t.student_id AND s.tenant_id = t.tenant_id AND s.deleted = false
 LEFT JOIN system_dept d ON d.id = s.dept_id AND d.tenant_id = t.tenant_id
 LEFT JOIN thesis_major mj ON mj.id = s.major_id AND mj.tenant_id = t.tenant_id
 LEFT JOIN thesis_supervision sv ON sv.student_id = s.id AND sv.tenant_id = t.tenant_id AND sv.role = 1 AND sv.end_date = '' AND sv.deleted = false
 LEFT JOIN thesis_advisor a ON a.id = sv.advisor_id AND a.tenant_id = t.tenant_id
 WHERE t.tenant_id = :tenant AND t.deleted = false AND t.level > 0 AND ((t.level = 1 AND a.user_id = :me)
 OR ((t.level = 2 AND s.dept_id IN (:colleges) OR t.level = :office) AND NOT EXISTS (SELECT 1 FROM thesis_supervision os JOIN thesis_advisor oa
 ON oa.id = os.advisor_id AND oa.tenant_id = os.tenant_id WHERE os.tenant_id = :tenant AND os.student_id = s.id AND os.end_date = '' AND os.deleted = false AND oa.user_id = :me)))
 AND NOT EXISTS (SELECT 1 FROM thesis_transition tr WHERE tr.tenant_id = :tenant AND tr.form_id = t.id AND tr.actor_user_id = :me AND ` + decidedSince + `)`
	sqlTodoColumns = `t.id, t.version, t.audit_state, t.level, t.title_zh, t.new_title_zh, t.change_reason, s.student_no, s.name AS student_name,
 COALESCE(d.name, '') AS dept_name, COALESCE(mj.name, '') AS major_name, COALESCE(a.name, '') AS advisor_name, t.submit_no, t.submitted_at, t.late_flag, t.waiting_since`
)

// todo is the query of what waits for the caller: the rule of rightsOn and barred in SQL.
func (s *Service) todo(ctx context.Context) (*store.Query, error) {
	me := actor.From(ctx)
	colleges, err := s.colleges(ctx)
	if err != nil {
		return nil, err
	}
	office := Level(-1)
	if holds(me, roleDegree) {
		office = LevelGraduate
	}
	return store.Build(sqlTodoFrom, store.Args{"me": me.UserID, "colleges": colleges, "office": office}), nil
}

func (s *Service) todoPage(ctx context.Context, in todoIn) (store.Page[Todo], error) {
	q, err := s.todo(ctx)
	if err != nil {
		return store.Page[Todo]{}, err
	}
	q.If(in.Keyword != "", ` AND (t.title_zh LIKE :keyword ESCAPE '\' OR s.name LIKE :keyword ESCAPE '\' OR s.student_no LIKE :keyword ESCAPE '\')`, "keyword", store.Contains(in.Keyword)).
		If(in.Level > 0, " AND t.level = :level", "level", in.Level)
	page, err := store.SelectPage[Todo](ctx, sqlTodoColumns, q, "t.waiting_since, t.id", in.Paging)
	for i := range page.List {
		page.List[i].WaitingHours = (now() - page.List[i].WaitingSince) / (60 * minute)
	}
	return page, err
}

// todoCount counts what waits for the caller, at most store.MaxTotal.
func (s *Service) todoCount(ctx context.Context, _ web.None) (int64, error) {
	q, err := s.todo(ctx)
	if err != nil {
		return 0, err
	}
	page, err := store.SelectPage[Todo](ctx, sqlTodoColumns, q, "t.id", store.Paging{PageNo: 1, PageSize: 1})
	return page.Total, err
}

// majorPattern finds a number in a JSON list whose brackets became commas.
func majorPattern(id int64) string { return fmt.Sprintf("%%,%d,%%", id) }
