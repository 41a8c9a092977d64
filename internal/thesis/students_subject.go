package thesis

import (
	"context"

	"viva/internal/academic"
	"viva/internal/kernel/actor"
	"viva/internal/kernel/crud"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/store"
	"viva/internal/kernel/table"
	"viva/internal/kernel/web"
)

// Subject is a topic declaration: the form of step SUBJECT, one per attempt.
type Subject struct {
	ID             int64               `json:"id"`
	RecordID       int64               `json:"recordId"`
	StudentID      int64               `json:"studentId" q:"eq"`
	StudentNo      string              `json:"studentNo" label:"学号|Student no." view:"join" q:"like"`
	StudentName    string              `json:"studentName" label:"姓名|Name" view:"join" q:"like"`
	DeptID         int64               `json:"deptId" db:"college_id" label:"学院|College" in:"-,kind=ref,ref=system_dept:/system/dept/list-all-simple" view:"join" q:"eq"`
	DeptName       string              `json:"deptName" label:"学院名称|College name" view:"join"`
	MajorID        int64               `json:"majorId" view:"join" q:"eq"`
	MajorName      string              `json:"majorName" label:"专业|Major" view:"join"`
	DegreeLevel    int                 `json:"degreeLevel" label:"培养层次|Degree level" in:"-,dict=thesis_degree_level" view:"join" q:"eq"`
	EntryYear      int                 `json:"entryYear" label:"入学年份|Entry year" view:"join" q:"eq"`
	AdvisorID      int64               `json:"advisorId" db:"main_advisor_id" view:"join" q:"eq"`
	AdvisorName    string              `json:"advisorName" label:"导师|Advisor" view:"join"`
	StepID         int64               `json:"stepId"`
	TopicID        int64               `json:"topicId" q:"eq"`
	SelfProposed   bool                `json:"selfProposed" label:"自拟题目|Own proposal" q:"eq"`
	TitleZh        string              `json:"titleZh" label:"题目|Title" q:"like"`
	TitleEn        string              `json:"titleEn" label:"英文题目|English title"`
	ThesisType     int                 `json:"thesisType" label:"论文类型|Type" in:"-,dict=thesis_type" q:"eq"`
	ThesisSource   int                 `json:"thesisSource" label:"选题来源|Source" in:"-,dict=thesis_source" q:"eq"`
	SourceNo       string              `json:"sourceNo" label:"项目编号|Project no."`
	Reason         string              `json:"reason" label:"选题理由|Reason" in:"-,kind=longtext"`
	ExpectedResult string              `json:"expectedResult" label:"预期成果|Expected result" in:"-,kind=longtext"`
	Attachments    store.JSON[[]int64] `json:"attachments" in:"-,kind=files"`
	AuditState     Audit               `json:"auditState" label:"审核状态|State" in:"-,dict=student_subject_audit_state" q:"eq"`
	Level          Level               `json:"level"`
	SubmitNo       int                 `json:"submitNo" label:"提交次数|Submissions"`
	SubmittedAt    int64               `json:"submittedAt" label:"提交时间|Submitted" in:"-,kind=time" q:"range"`
	WaitingSince   int64               `json:"waitingSince" in:"-,kind=time"`
	LateFlag       int                 `json:"lateFlag" label:"逾期标记|Late" in:"-,dict=thesis_late_flag" q:"eq"`
	HoldsPlace     bool                `json:"holdsPlace"`
	NeedNewFile    bool                `json:"needNewFile"`
	NewTitleZh     string              `json:"newTitleZh"`
	NewTitleEn     string              `json:"newTitleEn"`
	ChangeReason   string              `json:"changeReason"`
	ChangeMajor    bool                `json:"changeMajor"`
	ReceiptNo      string              `json:"receiptNo" label:"回执号|Receipt"`
	Digest         string              `json:"digest"`
	crud.Meta
}

var subjects = table.New[Subject]("thesis_students_subject", "选题申报")

const sqlSubjectOfStep = `SELECT * FROM thesis_students_subject WHERE tenant_id = :tenant AND deleted = false AND step_id = :step`

const (
	// ownerRecord owns the files of a thesis, as module infra knows it.
	ownerRecord = "thesis_record"
	// tableSubject begins the business key of an approval.
	tableSubject = "thesis_students_subject"
)

// maxFiles is the number of attachments of a declaration.
const maxFiles = 3

func (p position) of(s Subject, st Step) position {
	return position{status: st.Status, audit: s.AuditState, level: s.Level}
}

func (s *Service) mountSubjects(m *web.Module) {
	r := crud.Mount[Subject](m, "students-subject", "选题申报|Topic declaration", crud.Without("get", "create", "update", "delete", "delete-list"))
	r.View = crud.View{Columns: peopleColumns, Joins: peopleJoin}
	r.Scope = scopePeople
	s.subjects = r
	query, submit := web.Perm("thesis:students-subject:query"), web.Perm("thesis:students-subject:submit")
	web.Get(m, "/students-subject/my", query, s.mySubject, web.Title("我的选题申报"))
	web.Get(m, "/students-subject/get", web.SignedIn, s.getSubject, web.Title("选题申报详情"))
	web.Get(m, "/students-subject/receipt", web.SignedIn, s.receipt, web.Title("选题申报回执"))
	web.Get(m, "/students-subject/similar-titles", query, s.similarTitles, web.Title("相似题目"))
	web.Post(m, "/students-subject/save-draft", submit, s.saveDraft, web.Title("保存选题草稿"))
	web.Post(m, "/students-subject/submit", submit, s.submit, web.Title("提交选题申报"))
	web.Put(m, "/students-subject/withdraw", submit, s.withdraw, web.Title("撤回选题申报"))
	web.Post(m, "/students-subject/change-title", submit, s.changeTitle, web.Title("申请变更题目"))
	web.Get(m, "/students-subject/todo-page", web.Staff, s.todoPage, web.Title("待我审批的选题"))
	web.Get(m, "/students-subject/todo-count", web.Staff, s.todoCount, web.Title("待我审批的数量"))
	web.Put(m, "/students-subject/approve", web.Staff, s.approve, web.Title("同意选题"))
	web.Put(m, "/students-subject/return", web.Staff, s.giveBack, web.Title("退回选题"))
	web.Put(m, "/students-subject/reject", web.Staff, s.reject, web.Title("不通过选题"))
	web.Put(m, "/students-subject/batch-approve", web.Staff, s.batchApprove, web.Title("批量同意选题"), web.NoTx)
}

// mine is the caller's own thesis at the declaration step.
type mine struct {
	student academic.Student
	record  Record
	step    Step
	subject Subject
	exists  bool // the form of this attempt has a row
}

// position is where the declaration of this attempt stands.
func (m mine) position() position { return position{}.of(m.subject, m.step) }

// readMine finds the caller's thesis; lock keeps others from changing it meanwhile.
func readMine(ctx context.Context, lock bool) (mine, error) {
	var m mine
	st, found, err := academic.StudentOfUser(ctx, actor.From(ctx).UserID)
	if err != nil {
		return m, err
	}
	if !found || actor.From(ctx).UserType != actor.Student {
		return m, errs.ErrNoRecord.With()
	}
	m.student = st
	rec, found, err := recordOfStudent(ctx, st.ID)
	if err != nil {
		return m, err
	}
	if !found {
		return m, errs.ErrNoRecord.With()
	}
	m.record = rec
	if lock {
		if m.record, err = records.Lock(ctx, rec.ID); err != nil {
			return m, err
		}
	}
	return m, m.readForm(ctx)
}

func (m *mine) readForm(ctx context.Context) (err error) {
	if m.step, err = stepOf(ctx, m.record.ID, StepSubject); err != nil || m.step.ID == 0 {
		return err
	}
	m.subject, m.exists, err = store.Get[Subject](ctx, sqlSubjectOfStep, store.Args{"step": m.step.ID})
	return err
}
