package academic

import (
	"context"
	"time"

	"viva/internal/kernel/clock"
	"viva/internal/kernel/crud"
	"viva/internal/kernel/store"
	"viva/internal/kernel/table"
	"viva/internal/kernel/web"
)

// RoleMain is the supervision role of the main advisor; 2 is a co-advisor, 3 one from
// industry (dictionary thesis_supervision_role).
const RoleMain = 1

// Supervision says that an advisor supervises a student from a day on. The row stays
// when it ends: conflicts of interest are read from the history.
type Supervision struct {
	ID          int64  `json:"id"`
	StudentID   int64  `json:"studentId" label:"学生|Student" in:"required,ref=thesis_student:/thesis/students/page" q:"eq"`
	StudentNo   string `json:"studentNo" label:"学号|Student no." view:"join" q:"like"`
	StudentName string `json:"studentName" label:"学生姓名|Student name" view:"join" q:"like"`
	DeptID      int64  `json:"deptId" db:"college_id" label:"学院|College" in:"-,kind=ref,ref=system_dept:/system/dept/list-all-simple" view:"join" q:"eq"`
	AdvisorID   int64  `json:"advisorId" label:"导师|Advisor" in:"required,ref=thesis_advisor:/thesis/advisor/list-all-simple" q:"eq"`
	AdvisorName string `json:"advisorName" label:"导师姓名|Advisor name" view:"join" q:"like"`
	Role        int    `json:"role" label:"关系|Role" in:"required,dict=thesis_supervision_role" q:"eq"`
	StartDate   string `json:"startDate" label:"开始日期|From" in:"kind=date"`
	EndDate     string `json:"endDate" label:"结束日期|To" in:"-,kind=date"`
	Reason      string `json:"reason" label:"说明|Reason" in:"max=200"`
	crud.Meta
}

var supervisions = table.New[Supervision]("thesis_supervision", "师生关系")

const (
	supervisionView = `, st.student_no, st.student_name, st.college_id, av.advisor_name`
	supervisionJoin = ` JOIN (SELECT id AS st_id, student_no, name AS student_name, dept_id AS college_id, user_id AS st_user FROM thesis_student
 WHERE thesis_student.tenant_id = :tenant) st ON st.st_id = t.student_id
 JOIN (SELECT id AS av_id, name AS advisor_name, user_id AS av_user FROM thesis_advisor WHERE thesis_advisor.tenant_id = :tenant) av ON av.av_id = t.advisor_id`
	supervisionScope = ` AND (st.college_id IN (:scope_depts) OR av.av_user = :scope_user OR st.st_user = :scope_user)`

	sqlSupervisionActive = `SELECT * FROM thesis_supervision WHERE tenant_id = :tenant AND deleted = false AND student_id = :student AND role = :role AND end_date = ''`
	sqlMainAdvisor       = `SELECT a.* FROM thesis_supervision s JOIN thesis_advisor a ON a.id = s.advisor_id AND a.tenant_id = s.tenant_id AND a.deleted = false
 WHERE s.tenant_id = :tenant AND s.deleted = false AND s.student_id = :student AND s.role = 1 AND s.end_date = ''`
	sqlSupervises = `SELECT COUNT(*) FROM thesis_supervision s JOIN thesis_advisor a ON a.id = s.advisor_id AND a.tenant_id = s.tenant_id
 WHERE s.tenant_id = :tenant AND s.deleted = false AND s.student_id = :student AND s.end_date = '' AND a.user_id = :user AND a.user_id > 0`
)

// MainAdvisor gives the active main advisor of a student; ok is false when there is none.
func MainAdvisor(ctx context.Context, studentID int64) (Advisor, bool, error) {
	return store.Get[Advisor](ctx, sqlMainAdvisor, store.Args{"student": studentID})
}

// Supervises reports whether the user is an active advisor of the student in any role:
// the test of the separation of duty.
func Supervises(ctx context.Context, userID, studentID int64) (bool, error) {
	n, _, err := store.Get[int64](ctx, sqlSupervises, store.Args{"user": userID, "student": studentID})
	return n > 0, err
}

func (s *Service) mountSupervisions(m *web.Module) {
	r := crud.Mount[Supervision](m, "supervision", "师生关系|Supervision", crud.Without("update", "delete", "delete-list"))
	r.View = crud.View{Columns: supervisionView, Joins: supervisionJoin}
	r.Scope = func(ctx context.Context, q *store.Query) {
		if Scoped(ctx, q) {
			q.Add(supervisionScope)
		}
	}
	r.BeforeSave = func(ctx context.Context, _, row *Supervision) error { return s.beforeSupervision(ctx, row) }
	r.AfterSave = func(ctx context.Context, _, row *Supervision) error { return s.changed(ctx, row.StudentID) }
	web.Put(m, "/supervision/end", web.Perm("thesis:supervision:update"), s.endSupervision, web.Title("结束师生关系"))
	s.supervisions = r
	web.Get(m, "/supervision/my-mentor", web.Self, s.myMentor, web.Title("我的导师"))
}

func today() string { return clock.Now().In(clock.Shanghai).Format(time.DateOnly) }

func (s *Service) beforeSupervision(ctx context.Context, row *Supervision) error {
	if row.StartDate == "" {
		row.StartDate = today()
	}
	if _, err := s.students.Read(ctx, row.StudentID); err != nil {
		return err
	}
	advisor, err := AdvisorByID(ctx, row.AdvisorID)
	if err != nil || advisor.IsEnable != 1 {
		return orField(err, "advisorId", text(ctx, "该导师已停用", "this advisor is disabled"))
	}
	_, found, err := store.Get[Supervision](ctx, sqlSupervisionActive, store.Args{"student": row.StudentID, "role": row.Role})
	if err != nil || found {
		return orField(err, "role", text(ctx, "该学生已有这种关系的导师，请使用“指定导师”更换", "the student has an advisor of this role; use \"assign advisor\" to change"))
	}
	return nil
}

type endIn struct {
	ID     int64  `json:"id" required:"true" minimum:"1" doc:"师生关系|Supervision"`
	Reason string `json:"reason" required:"true" minLength:"2" maxLength:"200" doc:"原因|Reason"`
}

func (s *Service) endSupervision(ctx context.Context, in endIn) (bool, error) {
	row, err := s.supervisions.Read(ctx, in.ID)
	if err != nil {
		return false, err
	}
	if row.EndDate != "" {
		return true, nil
	}
	if err := end(ctx, row.ID, in.Reason); err != nil {
		return false, err
	}
	return true, s.changed(ctx, row.StudentID)
}

func end(ctx context.Context, id int64, reason string) error {
	_, err := supervisions.Change(ctx, id, func(row *Supervision) error {
		row.EndDate = today()
		if reason != "" {
			row.Reason = reason
		}
		return nil
	})
	return err
}

type assignIn struct {
	StudentID int64  `json:"studentId" required:"true" minimum:"1" doc:"学生|Student"`
	AdvisorID int64  `json:"advisorId" required:"true" minimum:"1" doc:"导师|Advisor"`
	Role      int    `json:"role" minimum:"0" maximum:"3" doc:"关系|Role"`
	Reason    string `json:"reason" maxLength:"200" doc:"原因|Reason"`
}

func (s *Service) assignOne(ctx context.Context, in assignIn) (bool, error) {
	return true, s.Assign(ctx, in.StudentID, in.AdvisorID, max(in.Role, RoleMain), in.Reason)
}

type assignManyIn struct {
	StudentIDs []int64 `json:"studentIds" required:"true" minItems:"1" maxItems:"500" doc:"学生|Students"`
	AdvisorID  int64   `json:"advisorId" required:"true" minimum:"1" doc:"导师|Advisor"`
	Reason     string  `json:"reason" maxLength:"200" doc:"原因|Reason"`
}

func (s *Service) assignMany(ctx context.Context, in assignManyIn) (int, error) {
	for _, id := range in.StudentIDs {
		if err := s.Assign(ctx, id, in.AdvisorID, RoleMain, in.Reason); err != nil {
			return 0, err
		}
	}
	return len(in.StudentIDs), nil
}

// Assign makes an advisor the one of a student for a role: an existing relation ends
// today, the new one begins. It does nothing when the advisor has that role already.
func (s *Service) Assign(ctx context.Context, studentID, advisorID int64, role int, reason string) error {
	if _, err := students.Lock(ctx, studentID); err != nil { // two assignments wait for each other
		return err
	}
	old, found, err := store.Get[Supervision](ctx, sqlSupervisionActive, store.Args{"student": studentID, "role": role})
	if err != nil || found && old.AdvisorID == advisorID {
		return err
	}
	if found {
		if err := end(ctx, old.ID, reason); err != nil {
			return err
		}
	}
	row := Supervision{StudentID: studentID, AdvisorID: advisorID, Role: role, Reason: reason}
	return s.supervisionSave(ctx, &row)
}

func (s *Service) supervisionSave(ctx context.Context, row *Supervision) error {
	if err := s.beforeSupervision(ctx, row); err != nil {
		return err
	}
	if err := supervisions.Insert(ctx, row); err != nil {
		return err
	}
	return s.changed(ctx, row.StudentID)
}
