package thesis

import (
	"context"
	"fmt"

	"viva/internal/academic"
	"viva/internal/kernel/actor"
	"viva/internal/kernel/crud"
	"viva/internal/kernel/store"
	"viva/internal/kernel/table"
	"viva/internal/kernel/web"
)

// Record is one thesis of a student: the truth about what was achieved. Title, type and
// source are those of the passed declaration.
type Record struct {
	ID            int64    `json:"id"`
	StudentID     int64    `json:"studentId" q:"eq"`
	StudentNo     string   `json:"studentNo" label:"学号|Student no." view:"join" q:"like"`
	StudentName   string   `json:"studentName" label:"姓名|Name" view:"join" q:"like"`
	DeptID        int64    `json:"deptId" db:"college_id" label:"学院|College" in:"-,kind=ref,ref=system_dept:/system/dept/list-all-simple" view:"join" q:"eq"`
	DeptName      string   `json:"deptName" label:"学院名称|College name" view:"join"`
	MajorID       int64    `json:"majorId" view:"join" q:"eq"`
	MajorName     string   `json:"majorName" label:"专业|Major" view:"join"`
	DegreeLevel   int      `json:"degreeLevel" label:"培养层次|Degree level" in:"-,dict=thesis_degree_level" view:"join" q:"eq"`
	EntryYear     int      `json:"entryYear" label:"入学年份|Entry year" view:"join" q:"eq"`
	AdvisorID     int64    `json:"advisorId" db:"main_advisor_id" label:"导师编号|Advisor id" in:"-,kind=ref,ref=thesis_advisor:/thesis/advisor/list-all-simple" view:"join" q:"eq"`
	AdvisorName   string   `json:"advisorName" label:"导师|Advisor" view:"join"`
	DegreeAttempt int      `json:"degreeAttempt"`
	RecordNo      string   `json:"recordNo" label:"论文编号|Record no." q:"like"`
	TitleZh       string   `json:"titleZh" label:"题目|Title" q:"like"`
	TitleEn       string   `json:"titleEn" label:"英文题目|English title"`
	ThesisType    int      `json:"thesisType" label:"论文类型|Type" in:"-,dict=thesis_type"`
	ThesisSource  int      `json:"thesisSource" label:"选题来源|Source" in:"-,dict=thesis_source"`
	SourceNo      string   `json:"sourceNo"`
	CurrentStep   StepCode `json:"currentStep" label:"当前环节|Step" in:"-,dict=thesis_step" q:"eq"`
	StepStatus    Status   `json:"stepStatus" label:"环节状态|Status" in:"-,dict=thesis_step_status" view:"join" q:"eq"`
	LifeState     int      `json:"lifeState" label:"学籍状态|State" in:"-,dict=thesis_life_state" q:"eq"`
	Flags         int      `json:"flags"`
	LatestEndDate string   `json:"latestEndDate" label:"最长年限至|Latest end"`
	Secrecy       int      `json:"secrecy"`
	crud.Meta
}

var records = table.New[Record]("thesis_record", "论文记录")

// peopleJoin adds the student (pe) with college, major and main advisor to a query whose
// rows t carry student_id. Its column names are unique, so that they can be filtered.
const (
	peopleColumns = `, pe.student_no, pe.student_name, pe.college_id, pe.major_id, pe.degree_level, pe.entry_year, COALESCE(dp.name, '') AS dept_name,
 COALESCE(mj.name, '') AS major_name, COALESCE(sv.main_advisor_id, 0) AS main_advisor_id, COALESCE(av.advisor_name, '') AS advisor_name`
	peopleJoin = ` JOIN (SELECT id AS pe_id, user_id AS pe_user, student_no, name AS student_name, dept_id AS college_id, major_id, degree_level, entry_year
 FROM thesis_student WHERE thesis_student.tenant_id = :tenant) pe ON pe.pe_id = t.student_id
 LEFT JOIN system_dept dp ON dp.id = pe.college_id AND dp.tenant_id = t.tenant_id
 LEFT JOIN thesis_major mj ON mj.id = pe.major_id AND mj.tenant_id = t.tenant_id
 LEFT JOIN (SELECT student_id AS sv_student, advisor_id AS main_advisor_id FROM thesis_supervision WHERE thesis_supervision.tenant_id = :tenant
 AND role = 1 AND end_date = '' AND deleted = false) sv ON sv.sv_student = t.student_id
 LEFT JOIN (SELECT id AS av_id, name AS advisor_name FROM thesis_advisor WHERE thesis_advisor.tenant_id = :tenant) av ON av.av_id = sv.main_advisor_id`
	peopleOwn   = ` AND pe.pe_user = :scope_user`
	peopleScope = ` AND (pe.college_id IN (:scope_depts) OR EXISTS (SELECT 1 FROM thesis_supervision os JOIN thesis_advisor oa ON oa.id = os.advisor_id
 AND oa.tenant_id = os.tenant_id WHERE os.tenant_id = :tenant AND os.student_id = t.student_id AND os.end_date = '' AND os.deleted = false AND oa.user_id = :scope_user))`
	recordColumns = peopleColumns + `, COALESCE(cs.step_status, 0) AS step_status`
	recordJoin    = peopleJoin + ` LEFT JOIN (SELECT record_id AS cs_record, step_code AS cs_code, status AS step_status FROM thesis_step
 WHERE thesis_step.tenant_id = :tenant AND latest = true AND deleted = false) cs ON cs.cs_record = t.id AND cs.cs_code = t.current_step`

	sqlRecordOfStudent = `SELECT * FROM thesis_record WHERE tenant_id = :tenant AND deleted = false AND student_id = :student ORDER BY degree_attempt DESC LIMIT 1`
)

// scopePeople limits a query with peopleJoin to the caller: students to their own rows,
// staff to their data scope and the students they supervise.
func scopePeople(ctx context.Context, q *store.Query) {
	if !academic.Scoped(ctx, q) {
		return
	}
	if actor.From(ctx).UserType == actor.Student {
		q.Add(peopleOwn)
		return
	}
	q.Add(peopleScope)
}

func (s *Service) mountRecords(m *web.Module) {
	r := crud.Mount[Record](m, "record", "论文记录|Thesis record", crud.Without("create", "update", "delete", "delete-list"))
	r.View = crud.View{Columns: recordColumns, Joins: recordJoin}
	r.Scope = scopePeople
	s.records = r
	web.Get(m, "/record/my-progress", web.Self, s.myProgress, web.Title("我的论文进度"))
	web.Get(m, "/record/my-history", web.Self, s.myHistory, web.Title("我的办理记录"))
	web.Get(m, "/record/history", web.Staff, s.history, web.Title("办理记录"))
	web.Get(m, "/record/overview", web.Perm("thesis:record:query"), s.overview, web.Title("论文总览"))
	web.Get(m, "/record/ineligible", web.Perm("thesis:record:query"), s.ineligible, web.Title("尚不能办理的学生及原因"))
	web.Put(m, "/record/override", web.Perm("thesis:record:override"), s.override, web.Title("为学生延长办理时间"))
	web.Put(m, "/record/waive", web.Perm("thesis:record:waive"), s.waive, web.Title("免做环节"))
}

// recordOfStudent gives the newest record; ok is false when there is none.
func recordOfStudent(ctx context.Context, studentID int64) (Record, bool, error) {
	return store.Get[Record](ctx, sqlRecordOfStudent, store.Args{"student": studentID})
}

// studentChanged keeps the record in step with the student: it is made with the first
// save, and follows state and study limit. Steps that became possible open.
func (s *Service) studentChanged(ctx context.Context, studentID int64) error {
	st, err := academic.StudentByID(ctx, studentID)
	if err != nil {
		return err
	}
	rec, found, err := recordOfStudent(ctx, studentID)
	if err != nil {
		return err
	}
	if !found {
		rec = newRecord(st)
		if err := records.Insert(ctx, &rec); err != nil {
			return err
		}
	} else if rec.LifeState != st.LifeState || rec.LatestEndDate != st.LatestEnd() {
		_, err = records.Change(ctx, rec.ID, func(r *Record) error {
			r.LifeState, r.LatestEndDate = st.LifeState, st.LatestEnd()
			return nil
		})
		if err != nil {
			return err
		}
	}
	return s.openSteps(ctx, rec.ID)
}

func newRecord(st academic.Student) Record {
	return Record{StudentID: st.ID, DegreeAttempt: 1, RecordNo: fmt.Sprintf("%d%02d%06d", st.EntryYear, st.DeptID%100, st.ID),
		CurrentStep: StepPlan, LifeState: st.LifeState, LatestEndDate: st.LatestEnd()}
}

func (s *Service) studentInUse(ctx context.Context, studentID int64) (bool, error) {
	rec, found, err := recordOfStudent(ctx, studentID)
	return found && rec.CurrentStep > StepPlan, err
}
