package thesis

import (
	"context"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
)

// MyStudent is one student of the calling advisor with the state of the thesis.
type MyStudent struct {
	StudentID    int64    `json:"studentId"`
	StudentNo    string   `json:"studentNo"`
	StudentName  string   `json:"studentName"`
	DeptName     string   `json:"deptName"`
	MajorName    string   `json:"majorName"`
	DegreeLevel  int      `json:"degreeLevel"`
	EntryYear    int      `json:"entryYear"`
	LifeState    int      `json:"lifeState"`
	Role         int      `json:"role"`
	RecordID     int64    `json:"recordId"`
	TitleZh      string   `json:"titleZh"`
	CurrentStep  StepCode `json:"currentStep"`
	StepStatus   Status   `json:"stepStatus"`
	SubjectID    int64    `json:"subjectId"`
	AuditState   int      `json:"auditState"`
	WaitingForMe bool     `json:"waitingForMe"`
	LastActivity int64    `json:"lastActivity"`
	IdleDays     int64    `json:"idleDays" db:"-"`
	DueAt        int64    `json:"dueAt" db:"-"`
}

type myStudentsIn struct {
	store.Paging
	Keyword string   `query:"keyword" maxLength:"60" doc:"关键词|Keyword"`
	Step    StepCode `query:"step" minimum:"0" maximum:"110" doc:"环节|Step"`
}

const (
	sqlMyStudents = `FROM thesis_supervision sv
 JOIN thesis_advisor a ON a.id = sv.advisor_id AND a.tenant_id = sv.tenant_id AND a.deleted = false
 JOIN thesis_student s ON s.id = sv.student_id AND s.tenant_id = sv.tenant_id AND s.deleted = false
 JOIN thesis_record r ON r.student_id = s.id AND r.tenant_id = sv.tenant_id AND r.deleted = false
 LEFT JOIN system_dept d ON d.id = s.dept_id AND d.tenant_id = sv.tenant_id
 LEFT JOIN thesis_major mj ON mj.id = s.major_id AND mj.tenant_id = sv.tenant_id
 LEFT JOIN thesis_step st ON st.record_id = r.id AND st.tenant_id = sv.tenant_id AND st.step_code = r.current_step AND st.latest = true AND st.deleted = false
 LEFT JOIN thesis_step ss ON ss.record_id = r.id AND ss.tenant_id = sv.tenant_id AND ss.step_code = 20 AND ss.latest = true AND ss.deleted = false
 LEFT JOIN thesis_students_subject x ON x.step_id = ss.id AND x.tenant_id = sv.tenant_id AND x.deleted = false
 WHERE sv.tenant_id = :tenant AND sv.deleted = false AND sv.end_date = '' AND a.user_id = :me`
	sqlMyStudentColumns = `s.id AS student_id, s.student_no, s.name AS student_name, COALESCE(d.name, '') AS dept_name, COALESCE(mj.name, '') AS major_name,
 s.degree_level, s.entry_year, s.life_state, sv.role, r.id AS record_id, COALESCE(NULLIF(r.title_zh, ''), x.title_zh, '') AS title_zh, r.current_step,
 COALESCE(st.status, 0) AS step_status, COALESCE(x.id, 0) AS subject_id, COALESCE(x.audit_state, -1) AS audit_state,
 (sv.role = 1 AND COALESCE(x.level, 0) = 1) AS waiting_for_me,
 COALESCE((SELECT MAX(h.create_time) FROM thesis_transition h WHERE h.tenant_id = :tenant AND h.record_id = r.id), r.create_time) AS last_activity`
)

// myStudents lists the students of the caller, by relation: nobody else's.
func (s *Service) myStudents(ctx context.Context, in myStudentsIn) (store.Page[MyStudent], error) {
	b, err := readBook(ctx)
	if err != nil {
		return store.Page[MyStudent]{}, err
	}
	q := store.Build(sqlMyStudents, store.Args{"me": actor.From(ctx).UserID})
	q.If(in.Keyword != "", ` AND (s.name LIKE :keyword ESCAPE '\' OR s.student_no LIKE :keyword ESCAPE '\')`, "keyword", store.Contains(in.Keyword)).
		If(in.Step > 0, " AND r.current_step = :step", "step", in.Step)
	page, err := store.SelectPage[MyStudent](ctx, sqlMyStudentColumns, q, "waiting_for_me DESC, s.student_no", in.Paging)
	if err != nil {
		return page, err
	}
	for i := range page.List {
		x := &page.List[i]
		x.IdleDays = (b.now - x.LastActivity) / day
		if c, err := caseOf(ctx, x.RecordID, x.CurrentStep); err != nil {
			return page, err
		} else if !c.StepStatus.Final() {
			x.DueAt = c.facts(b, x.CurrentStep, fileFacts{}).deadline.closeAt
		}
	}
	return page, nil
}

func (s *Service) mountMyStudents(m *web.Module) {
	web.Get(m, "/advisor/my-students", web.Staff, s.myStudents, web.Title("我的学生"))
}
