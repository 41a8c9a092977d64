package thesis

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"viva/internal/kernel/errs"
	"viva/internal/kernel/i18n"
)

// SubjectForm is what a student writes; ID and Version are those of the draft that was
// read, absent for the first save.
type SubjectForm struct {
	ID             int64   `json:"id" minimum:"0" doc:"编号|Id"`
	Version        int     `json:"version" minimum:"0" doc:"版本|Version"`
	TopicID        int64   `json:"topicId" minimum:"0" doc:"课题|Topic"`
	SelfProposed   bool    `json:"selfProposed" doc:"自拟题目|Own proposal"`
	TitleZh        string  `json:"titleZh" maxLength:"60" doc:"题目|Title"`
	TitleEn        string  `json:"titleEn" maxLength:"300" doc:"英文题目|English title"`
	ThesisType     int     `json:"thesisType" minimum:"0" maximum:"99" doc:"论文类型|Type"`
	ThesisSource   int     `json:"thesisSource" minimum:"0" maximum:"99" doc:"选题来源|Source"`
	SourceNo       string  `json:"sourceNo" maxLength:"60" doc:"项目编号|Project no."`
	Reason         string  `json:"reason" maxLength:"2000" doc:"选题理由|Reason"`
	ExpectedResult string  `json:"expectedResult" maxLength:"1000" doc:"预期成果|Expected result"`
	Attachments    []int64 `json:"attachments" maxItems:"3" doc:"附件|Attachments"`
}

// Lengths of the form at submit (characters).
const (
	titleMin     = 5
	titleMax     = 60
	reasonMin    = 100
	projectKinds = 6 // sources 1-6 are funded projects and need their number
)

// fill puts the form into the row, trimmed. A chosen topic fixes title, type and source.
func (f SubjectForm) fill(ctx context.Context, m mine, row *Subject) error {
	row.TopicID, row.SelfProposed = f.TopicID, f.SelfProposed
	row.TitleZh, row.TitleEn = strings.TrimSpace(f.TitleZh), strings.TrimSpace(f.TitleEn)
	row.ThesisType, row.ThesisSource, row.SourceNo = f.ThesisType, f.ThesisSource, strings.TrimSpace(f.SourceNo)
	row.Reason, row.ExpectedResult = strings.TrimSpace(f.Reason), strings.TrimSpace(f.ExpectedResult)
	row.Attachments.V = slices.Clone(f.Attachments)
	if row.Attachments.V == nil {
		row.Attachments.V = []int64{}
	}
	if f.TopicID == 0 {
		return nil
	}
	topic, err := topics.Get(ctx, f.TopicID)
	if err != nil || f.SelfProposed || !topic.fits(m.student) || topic.State == topicDraft {
		if err != nil && !errs.Is(err, errs.ErrNoRecord) {
			return err
		}
		return errs.Field("topicId", i18n.Pick(ctx, "请选择一个面向您的课题，或改为自拟题目", "choose a topic that is meant for you, or propose your own"))
	}
	row.TitleZh, row.ThesisType, row.ThesisSource, row.SourceNo = topic.Title, topic.ThesisType, topic.ThesisSource, topic.SourceNo
	return nil
}

// checkDraft refuses what may not even be stored.
func (s *Service) checkDraft(ctx context.Context, row Subject) error {
	var list []errs.FieldError
	for _, f := range []struct{ name, text string }{{"titleZh", row.TitleZh}, {"titleEn", row.TitleEn}, {"sourceNo", row.SourceNo}, {"reason", row.Reason}, {"expectedResult", row.ExpectedResult}} {
		multiline := f.name == "reason" || f.name == "expectedResult"
		if !storable(f.text, multiline) {
			list = append(list, errs.FieldError{Name: f.name, Msg: i18n.Pick(ctx, "含有无法保存的字符", "holds characters that cannot be stored")})
		}
	}
	seen := map[int64]bool{}
	for _, id := range row.Attachments.V {
		if id <= 0 || seen[id] {
			list = append(list, errs.FieldError{Name: "attachments", Msg: i18n.Pick(ctx, "附件不正确或重复", "a file is wrong or listed twice")})
			break
		}
		seen[id] = true
	}
	return errs.Fields(list)
}

func storable(text string, multiline bool) bool {
	if !utf8.ValidString(text) {
		return false
	}
	for _, r := range text {
		if unicode.IsControl(r) && !(multiline && (r == '\n' || r == '\r' || r == '\t')) {
			return false
		}
	}
	return true
}

// checkSubmit refuses a form that is not complete.
func (s *Service) checkSubmit(ctx context.Context, row Subject, rules Rules) error {
	var list []errs.FieldError
	refuse := func(name, zh, en string) {
		list = append(list, errs.FieldError{Name: name, Msg: i18n.Pick(ctx, zh, en)})
	}
	if row.TopicID == 0 && !row.SelfProposed {
		refuse("topicId", "请选择课题或自拟题目", "choose a topic or propose your own")
	}
	if n := utf8.RuneCountInString(row.TitleZh); n < titleMin || n > titleMax {
		refuse("titleZh", fmt.Sprintf("题目应为 %d-%d 个字，现在有 %d 个", titleMin, titleMax, n), fmt.Sprintf("the title needs %d-%d characters; it has %d", titleMin, titleMax, n))
	}
	if rules.TitleEnRequired && row.TitleEn == "" {
		refuse("titleEn", "请填写英文题目", "the English title is required")
	}
	if n := utf8.RuneCountInString(row.Reason); n < reasonMin {
		refuse("reason", fmt.Sprintf("选题理由至少 %d 个字，现在有 %d 个", reasonMin, n), fmt.Sprintf("the reason needs at least %d characters; it has %d", reasonMin, n))
	}
	for _, f := range []struct {
		name, dict string
		value      int
	}{{"thesisType", "thesis_type", row.ThesisType}, {"thesisSource", "thesis_source", row.ThesisSource}} {
		ok, err := s.inDict(ctx, f.dict, f.value)
		if err != nil {
			return err
		}
		if !ok {
			refuse(f.name, "请从列表中选择", "choose from the list")
		}
	}
	if row.ThesisSource >= 1 && row.ThesisSource <= projectKinds && row.SourceNo == "" {
		refuse("sourceNo", "该来源需要填写项目编号", "this source needs its project number")
	}
	return errs.Fields(list)
}

func (s *Service) inDict(ctx context.Context, dict string, value int) (bool, error) {
	if value <= 0 {
		return false, nil
	}
	if s.app.Dictionary == nil {
		return true, nil
	}
	labels, err := s.app.Dictionary(ctx, dict)
	if err != nil {
		return false, err
	}
	_, ok := labels[fmt.Sprint(value)]
	return ok, nil
}

// Saved answers a stored draft.
type Saved struct {
	ID         int64 `json:"id"`
	AuditState Audit `json:"auditState"`
	Version    int   `json:"version"`
}

func (s *Service) saveDraft(ctx context.Context, in SubjectForm) (Saved, error) {
	m, err := readMine(ctx, true)
	if err != nil {
		return Saved{}, err
	}
	f, err := s.factsOf(ctx, m)
	if err != nil {
		return Saved{}, err
	}
	if err := actNamed(actSave).obstacle(f, m.position(), speak(ctx)).err(f, m, speak(ctx)); err != nil {
		return Saved{}, err
	}
	row, err := s.store(ctx, in, m)
	if err != nil {
		return Saved{}, err
	}
	before := position{}.of(row, m.step)
	after, err := advance(before, EvSaveDraft)
	if err != nil {
		return Saved{}, err
	}
	if after != before { // the first save, or the first after a withdrawal
		if row, err = s.place(ctx, m, row, change{event: EvSaveDraft, before: before, after: after}); err != nil {
			return Saved{}, err
		}
	}
	return Saved{ID: row.ID, AuditState: row.AuditState, Version: row.Version}, nil
}

// store writes the content of the form into the row of this attempt.
func (s *Service) store(ctx context.Context, in SubjectForm, m mine) (Subject, error) {
	if in.ID != 0 && (!m.exists || in.ID != m.subject.ID) {
		return Subject{}, errs.ErrNoRecord.With()
	}
	if m.exists && (in.ID == 0 || in.Version != m.subject.Version) { // another tab saved meanwhile
		return Subject{}, errs.ErrStale.With()
	}
	row := m.subject
	if !m.exists {
		row = Subject{RecordID: m.record.ID, StudentID: m.student.ID, StepID: m.step.ID}
	}
	oldTopic, oldFiles := row.TopicID, row.Attachments.V
	if err := in.fill(ctx, m, &row); err != nil {
		return row, err
	}
	if err := s.checkDraft(ctx, row); err != nil {
		return row, err
	}
	if row.HoldsPlace && row.TopicID != oldTopic { // a returned form moves to another topic
		if err := releasePlace(ctx, oldTopic); err != nil {
			return row, err
		}
		row.HoldsPlace = false
	}
	var err error
	if m.exists {
		err = subjects.Update(ctx, &row)
	} else {
		err = subjects.Insert(ctx, &row)
	}
	if err != nil {
		return row, err
	}
	return row, s.attach(ctx, row, oldFiles)
}

// factsOf judges the caller's thesis now, with the files of the stored form.
func (s *Service) factsOf(ctx context.Context, m mine) (facts, error) {
	b, err := readBook(ctx)
	if err != nil {
		return facts{}, err
	}
	c, err := caseOf(ctx, m.record.ID, StepSubject)
	if err != nil {
		return facts{}, err
	}
	files, err := s.fileFacts(ctx, m.subject, m.step)
	return c.facts(b, StepSubject, files), err
}

var statusNames = map[Status][2]string{
	Locked: {"未开启", "not open yet"}, Open: {"可办理", "open"}, Draft: {"草稿", "draft"}, InApproval: {"审批中", "in approval"}, Returned: {"退回修改", "returned"},
	Running: {"进行中", "running"}, ResultPending: {"待确认结果", "result pending"}, Passed: {"已通过", "passed"}, PassedWithRevision: {"修改后通过", "passed with revision"},
	Failed: {"未通过", "failed"}, Expired: {"已逾期", "expired"}, Withdrawn: {"已撤回", "withdrawn"}, Waived: {"免做", "waived"},
}

func statusText(ctx context.Context, st Status) string {
	return i18n.Pick(ctx, statusNames[st][0], statusNames[st][1])
}
