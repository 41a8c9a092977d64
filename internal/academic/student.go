package academic

import (
	"context"
	"regexp"
	"time"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/clock"
	"viva/internal/kernel/crud"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/store"
	"viva/internal/kernel/table"
	"viva/internal/kernel/web"
)

// Life states of a student (dictionary thesis_life_state).
const (
	LifeActive    = 1
	LifeSuspended = 2
	LifeOverdue   = 3
	LifeEnded     = 4
)

// Degree levels (dictionary thesis_degree_level).
const (
	LevelDoctor = 2
	LevelMaster = 3
)

// Real-name states of a student.
const (
	RealNameNone   = 0
	RealNamePassed = 1
	RealNameFailed = 2
)

// Student is a graduate student: the academic side of a system user of type 1.
type Student struct {
	ID            int64  `json:"id"`
	UserID        int64  `json:"userId" label:"账号|Account" in:"-" q:"eq"`
	StudentNo     string `json:"studentNo" label:"学号|Student no." in:"required,max=20" q:"like" unique:"tenant"`
	Name          string `json:"name" label:"姓名|Name" in:"required,max=40" q:"like"`
	Pinyin        string `json:"pinyin" label:"拼音|Pinyin" in:"max=80"`
	Sex           int    `json:"sex" label:"性别|Sex" in:"required,dict=system_user_sex" q:"eq"`
	Mobile        string `json:"mobile" label:"手机|Mobile" in:"kind=mobile,max=20"`
	Email         string `json:"email" label:"邮箱|E-mail" in:"kind=email,max=100"`
	DeptID        int64  `json:"deptId" label:"学院|College" in:"required,ref=system_dept:/system/dept/list-all-simple" q:"eq"`
	DeptName      string `json:"deptName" label:"学院名称|College name" view:"join"`
	MajorID       int64  `json:"majorId" label:"专业|Major" in:"required,ref=thesis_major:/thesis/major/list-all-simple" q:"eq"`
	MajorName     string `json:"majorName" label:"专业名称|Major name" view:"join"`
	DegreeLevel   int    `json:"degreeLevel" label:"培养层次|Degree level" in:"required,dict=thesis_degree_level" q:"eq"`
	DegreeType    int    `json:"degreeType" label:"学位类型|Degree type" in:"required,dict=thesis_degree_type" q:"eq"`
	StudyMode     int    `json:"studyMode" label:"学习方式|Study mode" in:"required,dict=thesis_study_mode" q:"eq"`
	EntryYear     int    `json:"entryYear" label:"入学年份|Entry year" in:"required,min=2000,max=2100" q:"eq"`
	EntrySemester string `json:"entrySemester" label:"入学学期|Entry term" in:"max=11"`
	BaseMonths    int    `json:"baseMonths" label:"基本学制(月)|Regular length (months)" in:"required,min=12,max=120"`
	MaxMonths     int    `json:"maxMonths" label:"最长年限(月)|Longest length (months)" in:"required,min=12,max=144"`
	SuspendedDays int    `json:"suspendedDays" label:"休学天数|Days on leave" in:"-"`
	LifeState     int    `json:"lifeState" label:"学籍状态|State" in:"required,dict=thesis_life_state" q:"eq"`
	ResearchField string `json:"researchField" label:"研究方向|Research field" in:"max=30"`
	RealNameState int    `json:"realNameState" label:"实名认证|Real name" in:"-,dict=thesis_real_name_state" q:"eq"`
	FeeCleared    bool   `json:"feeCleared" label:"费用结清|Fees cleared" in:"optional"`
	AdvisorID     int64  `json:"advisorId" label:"导师|Advisor" in:"-,kind=ref,ref=thesis_advisor:/thesis/advisor/list-all-simple" q:"eq" view:"join"`
	AdvisorName   string `json:"advisorName" label:"导师姓名|Advisor name" view:"join"`
	crud.Meta
}

var students = table.New[Student]("thesis_student", "学生")

// LatestEnd is the last day of the longest study time, leaves included.
func (s Student) LatestEnd() string {
	entry := time.Date(s.EntryYear, time.September, 1, 0, 0, 0, 0, clock.Shanghai)
	return entry.AddDate(0, s.MaxMonths, s.SuspendedDays).Format(time.DateOnly)
}

const (
	studentView = `, COALESCE(d.name, '') AS dept_name, COALESCE(mj.name, '') AS major_name, COALESCE(sv.advisor_id, 0) AS advisor_id, COALESCE(av.name, '') AS advisor_name`
	studentJoin = ` LEFT JOIN system_dept d ON d.id = t.dept_id AND d.tenant_id = t.tenant_id
 LEFT JOIN thesis_major mj ON mj.id = t.major_id AND mj.tenant_id = t.tenant_id
 LEFT JOIN thesis_supervision sv ON sv.student_id = t.id AND sv.tenant_id = t.tenant_id AND sv.role = 1 AND sv.end_date = '' AND sv.deleted = false
 LEFT JOIN thesis_advisor av ON av.id = sv.advisor_id AND av.tenant_id = t.tenant_id`
	studentOwn   = ` AND t.user_id = :scope_user`
	studentScope = ` AND (t.dept_id IN (:scope_depts) OR EXISTS (SELECT 1 FROM thesis_supervision os JOIN thesis_advisor oa ON oa.id = os.advisor_id
 AND oa.tenant_id = os.tenant_id WHERE os.tenant_id = :tenant AND os.student_id = t.id AND os.end_date = '' AND os.deleted = false AND oa.user_id = :scope_user))`

	sqlStudentOfUser = `SELECT * FROM thesis_student WHERE tenant_id = :tenant AND deleted = false AND user_id = :user`
	sqlStudentByNo   = `SELECT * FROM thesis_student WHERE tenant_id = :tenant AND deleted = false AND student_no = :no`
	sqlMajorOfDept   = `SELECT COUNT(*) FROM thesis_major WHERE tenant_id = :tenant AND deleted = false AND id = :major AND dept_id = :dept`
)

var studentNoForm = regexp.MustCompile(`^[A-Za-z0-9]{6,20}$`)

// StudentOfUser finds the student row of a user; ok is false when there is none.
func StudentOfUser(ctx context.Context, userID int64) (Student, bool, error) {
	if userID <= 0 {
		return Student{}, false, nil
	}
	return store.Get[Student](ctx, sqlStudentOfUser, store.Args{"user": userID})
}

// StudentByID reads a student of the tenant.
func StudentByID(ctx context.Context, id int64) (Student, error) { return students.Get(ctx, id) }

func (s *Service) mountStudents(m *web.Module) {
	r := crud.Mount[Student](m, "students", "学生|Student", crud.Table("thesis_student"), crud.Order("t.student_no"))
	r.View = crud.View{Columns: studentView, Joins: studentJoin}
	r.Scope = scopeStudents
	r.BeforeSave = s.beforeStudent
	r.AfterSave = func(ctx context.Context, _, row *Student) error { return s.changed(ctx, row.ID) }
	r.BeforeDelete = s.beforeStudentDelete
	s.students = r
	web.Put(m, "/students/assign-advisor", web.Perm("thesis:supervision:update"), s.assignOne, web.Title("为学生指定导师"))
	web.Post(m, "/students/batch-assign", web.Perm("thesis:supervision:update"), s.assignMany, web.Title("批量指定导师"))
	web.Put(m, "/students/set-real-name", web.Perm("thesis:students:update"), s.setRealName, web.Title("登记实名认证结果"))
	s.mountImport(m)
}

func scopeStudents(ctx context.Context, q *store.Query) {
	if !Scoped(ctx, q) {
		return
	}
	if actor.From(ctx).UserType == actor.Student {
		q.Add(studentOwn)
		return
	}
	q.Add(studentScope)
}

func (s *Service) beforeStudent(ctx context.Context, old, row *Student) error {
	var list []errs.FieldError
	refuse := func(name, zh, en string) {
		list = append(list, errs.FieldError{Name: name, Msg: text(ctx, zh, en)})
	}
	if !studentNoForm.MatchString(row.StudentNo) {
		refuse("studentNo", "学号应为 6-20 位字母或数字", "a student number has 6-20 letters or digits")
	}
	if row.MaxMonths < row.BaseMonths {
		refuse("maxMonths", "最长年限不能短于基本学制", "the longest length must not be below the regular one")
	}
	if n, _, err := store.Get[int64](ctx, sqlMajorOfDept, store.Args{"major": row.MajorID, "dept": row.DeptID}); err != nil {
		return err
	} else if n == 0 {
		refuse("majorId", "该专业不属于所选学院", "this major does not belong to the college")
	}
	if err := errs.Fields(list); err != nil {
		return err
	}
	if old == nil || old.DeptID != row.DeptID {
		if err := inScope(ctx, row.DeptID); err != nil {
			return err
		}
	}
	if row.UserID != 0 || s.deps.Account == nil {
		return nil
	}
	id, err := s.deps.Account(ctx, Account{Username: row.StudentNo, Nickname: row.Name, DeptID: row.DeptID, UserType: actor.Student, Sex: row.Sex, Mobile: row.Mobile, Email: row.Email})
	if err != nil {
		return err
	}
	if other, found, err := StudentOfUser(ctx, id); err != nil || found && other.ID != row.ID {
		return orField(err, "studentNo", text(ctx, "与学号同名的账号已属于另一名学生", "the account of this number belongs to another student"))
	}
	row.UserID = id
	return nil
}

var errStudentBusy = errs.Define(1070008004, errs.Conflict, "该学生已有论文记录，不能删除；请办理学籍异动", "This student has a thesis record; change the student's state instead of deleting")

func (s *Service) beforeStudentDelete(ctx context.Context, row Student) error {
	for _, busy := range s.inUse {
		used, err := busy(ctx, row.ID)
		if err != nil {
			return err
		}
		if used {
			return errStudentBusy.With()
		}
	}
	return nil
}

type realNameIn struct {
	ID    int64 `json:"id" required:"true" minimum:"1" doc:"学生|Student"`
	State int   `json:"state" required:"true" minimum:"0" maximum:"2" doc:"实名认证|Real name"`
}

func (s *Service) setRealName(ctx context.Context, in realNameIn) (bool, error) {
	if _, err := s.students.Read(ctx, in.ID); err != nil {
		return false, err
	}
	_, err := students.Change(ctx, in.ID, func(row *Student) error { row.RealNameState = in.State; return nil })
	if err != nil {
		return false, err
	}
	return true, s.changed(ctx, in.ID)
}
