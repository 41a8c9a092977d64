package thesis

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"viva/internal/kernel/clock"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/i18n"
)

// Submitted answers a submit: the receipt and where the step stands.
type Submitted struct {
	ID                int64         `json:"id"`
	ProcessInstanceID string        `json:"processInstanceId"`
	AuditState        Audit         `json:"auditState"`
	SubmitNo          int           `json:"submitNo"`
	Version           int           `json:"version"`
	ReceiptNo         string        `json:"receiptNo"`
	SubmittedAt       int64         `json:"submittedAt"`
	Digest            string        `json:"digest"`
	LateFlag          int           `json:"lateFlag"`
	Step              SubmittedStep `json:"step"`
}

// SubmittedStep is the step after a submit.
type SubmittedStep struct {
	StepCode StepCode `json:"stepCode"`
	Status   Status   `json:"status"`
	DueAt    int64    `json:"dueAt"`
}

// submit stores the form, judges it with the server's clock of this transaction, takes
// the topic's place, binds the files and hands it to the advisor.
func (s *Service) submit(ctx context.Context, in SubjectForm) (Submitted, error) {
	m, err := readMine(ctx, true)
	if err != nil {
		return Submitted{}, err
	}
	if err := s.submittable(ctx, m, in); err != nil {
		return Submitted{}, err
	}
	row, err := s.store(ctx, in, m)
	if err != nil {
		return Submitted{}, err
	}
	m.subject, m.exists = row, true
	f, err := s.factsOf(ctx, m)
	if err != nil {
		return Submitted{}, err
	}
	if err := actNamed(actSubmit).obstacle(f, m.position(), speak(ctx)).err(f, m, speak(ctx)); err != nil {
		return Submitted{}, err
	}
	if err := s.checkSubmit(ctx, row, f.rules); err != nil {
		return Submitted{}, err
	}
	sub, err := s.bindSubmission(ctx, row, f)
	if err != nil {
		return Submitted{}, err
	}
	row, err = s.decide(ctx, Decision{SubjectID: row.ID, Event: EvSubmit, submission: sub})
	if err != nil {
		return Submitted{}, err
	}
	step, err := steps.Get(ctx, row.StepID)
	if err != nil {
		return Submitted{}, err
	}
	return Submitted{ID: row.ID, ProcessInstanceID: step.ProcessInstanceID, AuditState: row.AuditState, SubmitNo: row.SubmitNo,
		Version: row.Version, ReceiptNo: row.ReceiptNo, SubmittedAt: row.SubmittedAt, Digest: row.Digest, LateFlag: row.LateFlag,
		Step: SubmittedStep{StepCode: StepSubject, Status: step.Status, DueAt: f.deadline.closeAt}}, nil
}

// submittable answers before anything is stored: a form in approval is not touched, a
// closed step says why.
func (s *Service) submittable(ctx context.Context, m mine, in SubjectForm) error {
	if m.exists && in.ID != 0 && in.ID != m.subject.ID {
		return errs.ErrNoRecord.With()
	}
	if _, err := advance(m.position(), EvSubmit); err == nil {
		return nil
	}
	f, err := s.factsOf(ctx, m)
	if err != nil {
		return err
	}
	return actNamed(actSubmit).obstacle(f, m.position(), speak(ctx)).err(f, m, speak(ctx))
}

// bindSubmission takes the place, freezes the files and draws the receipt.
func (s *Service) bindSubmission(ctx context.Context, row Subject, f facts) (*submission, error) {
	sub := &submission{at: f.now, late: f.deadline.flag(f.now)}
	if row.TopicID > 0 && !row.HoldsPlace {
		if err := takePlace(ctx, row.TopicID); err != nil {
			return nil, err
		}
		sub.place = true
	}
	var err error
	if sub.files, err = s.freeze(ctx, row, f.now); err != nil {
		return nil, err
	}
	sub.digest = digestOf(row, sub.files)
	sub.receipt = fmt.Sprintf("XT%s%06d%02d", time.UnixMilli(f.now).In(clock.Shanghai).Format("20060102"), row.ID, row.SubmitNo+1)
	return sub, nil
}

// digestOf is the SHA-256 over the content of a form and of its files.
func digestOf(row Subject, files []FileVersion) string {
	type fileSum struct{ Name, Sha256 string }
	sums := []fileSum{}
	for _, f := range files {
		sums = append(sums, fileSum{f.Name, f.Sha256})
	}
	body, _ := json.Marshal([]any{row.RecordID, row.TopicID, row.SelfProposed, row.TitleZh, row.TitleEn, row.ThesisType, row.ThesisSource, row.SourceNo,
		row.Reason, row.ExpectedResult, sums}) // plain values always marshal
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:])
}

// withdraw takes a declaration (or a change of its title) back while nobody has decided.
func (s *Service) withdraw(ctx context.Context, in idVersion) (bool, error) {
	m, err := readMine(ctx, true)
	if err != nil {
		return false, err
	}
	if !m.exists || m.subject.ID != in.ID {
		return false, errs.ErrNoRecord.With()
	}
	if m.subject.Level > LevelAdvisor { // says by whom
		return false, s.handled(ctx, m.subject)
	}
	act := actNamed(actWithdraw)
	if m.subject.AuditState == AuditChanging {
		act = actNamed(actWithdrawChange)
	}
	f := facts{} // a withdrawal has no conditions beside the state
	if err := act.obstacle(f, m.position(), speak(ctx)).err(f, m, speak(ctx)); err != nil {
		return false, err
	}
	_, err = s.decide(ctx, Decision{SubjectID: in.ID, Version: in.Version, Event: act.event})
	return err == nil, err
}

// TitleChange asks for another title of a passed declaration. Without an English title
// the recorded one stays. Major means that the subject itself changes: the proposal has
// to be repeated.
type TitleChange struct {
	ID      int64  `json:"id" required:"true" minimum:"1" doc:"编号|Id"`
	Version int    `json:"version" minimum:"0" doc:"版本|Version"`
	TitleZh string `json:"titleZh" required:"true" minLength:"5" maxLength:"60" doc:"新题目|New title"`
	TitleEn string `json:"titleEn" maxLength:"300" doc:"新英文题目|New English title"`
	Reason  string `json:"reason" required:"true" minLength:"10" maxLength:"500" doc:"变更理由|Reason"`
	Major   bool   `json:"major" doc:"重大变更|Major change"`
}

func (s *Service) changeTitle(ctx context.Context, in TitleChange) (Saved, error) {
	m, err := readMine(ctx, true)
	if err != nil {
		return Saved{}, err
	}
	if !m.exists || m.subject.ID != in.ID {
		return Saved{}, errs.ErrNoRecord.With()
	}
	f, err := s.factsOf(ctx, m)
	if err != nil {
		return Saved{}, err
	}
	if err := actNamed(actChangeTitle).obstacle(f, m.position(), speak(ctx)).err(f, m, speak(ctx)); err != nil {
		return Saved{}, err
	}
	title := newTitle{zh: strings.TrimSpace(in.TitleZh), en: strings.TrimSpace(in.TitleEn), reason: strings.TrimSpace(in.Reason), major: in.Major}
	if err := checkTitle(ctx, title, m.subject, m.step.Policy.V); err != nil {
		return Saved{}, err
	}
	row, err := s.decide(ctx, Decision{SubjectID: in.ID, Version: in.Version, Event: EvChange, title: &title})
	return Saved{ID: row.ID, AuditState: row.AuditState, Version: row.Version}, err
}

func checkTitle(ctx context.Context, t newTitle, old Subject, rules Rules) error {
	var list []errs.FieldError
	refuse := func(name, zh, en string) {
		list = append(list, errs.FieldError{Name: name, Msg: i18n.Pick(ctx, zh, en)})
	}
	if utf8.RuneCountInString(t.zh) < titleMin || !storable(t.zh, false) {
		refuse("titleZh", "新题目至少 5 个字，且不能含有控制字符", "the new title needs at least 5 printable characters")
	}
	if t.zh == old.TitleZh && (t.en == "" || t.en == old.TitleEn) {
		refuse("titleZh", "新题目与原题目相同", "the new title is the old one")
	}
	if rules.TitleEnRequired && t.en == "" {
		refuse("titleEn", "请填写英文题目", "the English title is required")
	}
	if !storable(t.en, false) || !storable(t.reason, true) {
		refuse("reason", "含有无法保存的字符", "holds characters that cannot be stored")
	}
	return errs.Fields(list)
}
