package thesis

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"viva/internal/academic"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/kerneltest"
)

// TestRefusalsSpeakBothLanguages runs each refusal in Chinese and in English; the
// scenario runner checks the language of the message.
func TestRefusalsSpeakBothLanguages(t *testing.T) {
	eachWorld(t, func(w *world) {
		done := w.submitted("student1", nil)
		row, _ := subjects.Get(w.system(1), done.ID)
		rec, _, _ := recordOfStudent(w.system(1), w.ids["student1"])
		verdict := func(opinion string) map[string]any {
			return map[string]any{"id": done.ID, "version": row.Version, "opinion": opinion}
		}
		list := []kerneltest.Scenario{
			{Name: "in approval", Method: "POST", URL: submitURL, As: "student1", Body: form(map[string]any{"id": done.ID, "version": row.Version}), Code: errState.Num},
			{Name: "draft in approval", Method: "POST", URL: "/thesis/students-subject/save-draft", As: "student1", Body: form(map[string]any{"id": done.ID, "version": row.Version}), Code: errState.Num},
			{Name: "change too early", Method: "POST", URL: "/thesis/students-subject/change-title", As: "student1", Body: map[string]any{"id": done.ID, "titleZh": "一个新的研究题目", "reason": "研究内容有较大的调整"}, Code: errState.Num},
			{Name: "short title", Method: "POST", URL: submitURL, As: "student2", Body: form(map[string]any{"titleZh": "短"}), Code: errs.CodeInvalid},
			{Name: "no such topic", Method: "POST", URL: submitURL, As: "student2", Body: form(map[string]any{"topicId": 77, "selfProposed": nil}), Code: errs.CodeInvalid},
			{Name: "short opinion", Method: "PUT", URL: "/thesis/students-subject/return", As: "advisor1", Body: verdict("改"), Code: errs.CodeInvalid},
			{Name: "short rejection", Method: "PUT", URL: "/thesis/students-subject/reject", As: "advisor1", Body: verdict("不行不行"), Code: errs.CodeInvalid},
			{Name: "not her turn", Method: "PUT", URL: "/thesis/students-subject/approve", As: "secretary1", Body: verdict(""), Code: errState.Num},
			{Name: "not his student", Method: "PUT", URL: "/thesis/students-subject/approve", As: "advisor2", Body: verdict(""), Code: errs.ErrNoRecord.Num},
			{Name: "a student decides", Method: "PUT", URL: "/thesis/students-subject/approve", As: "student1", Body: verdict(""), Code: errs.CodeForbidden},
			{Name: "stale", Method: "PUT", URL: "/thesis/students-subject/approve", As: "advisor1", Body: map[string]any{"id": done.ID, "version": 77}, Code: errs.ErrStale.Num},
			{Name: "no version", Method: "PUT", URL: "/thesis/students-subject/approve", As: "advisor1", Body: map[string]any{"id": done.ID}, Code: errs.CodeInvalid},
			{Name: "override in the past", Method: "PUT", URL: "/thesis/record/override", As: "degree", Body: map[string]any{"recordId": rec.ID, "stepCode": 20, "until": 5, "reason": "实习在外地"}, Code: errs.CodeInvalid},
			{Name: "override of no step", Method: "PUT", URL: "/thesis/record/override", As: "degree", Body: map[string]any{"recordId": rec.ID, "stepCode": 25, "until": now() + day, "reason": "实习在外地"}, Code: errs.CodeInvalid},
			{Name: "ineligible of no step", URL: "/thesis/record/ineligible?step=25", As: "degree", Code: errs.CodeInvalid},
			{Name: "policy", Method: "POST", URL: "/thesis/policy/create", As: "degree", Body: map[string]any{"name": "规则", "body": `{"x":1}`, "status": 0}, Code: errPolicyBody.Num},
			{Name: "window", Method: "POST", URL: "/thesis/step-window/create", As: "training", Body: map[string]any{"semester": "2025-2026-1", "stepCode": 20, "openAt": 2, "closeAt": 1, "lateMode": 1}, Code: errs.CodeInvalid},
			{Name: "copy of nothing", Method: "POST", URL: "/thesis/step-window/copy-semester", As: "training", Body: map[string]any{"from": "2020-2021-1", "to": "2025-2026-1"}, Code: errs.CodeInvalid},
			{Name: "feedback", Method: "POST", URL: "/thesis/feedback/create", As: "student1", Body: map[string]any{"kind": 1, "title": "问题", "content": "   短   内容  "}, Code: errs.CodeInvalid},
			{Name: "a topic without advisor", Method: "POST", URL: "/thesis/topic/create", As: "secretary1", Body: map[string]any{"title": "没有导师的研究课题", "summary": "简介", "thesisType": 1, "thesisSource": 8, "maxStudents": 1}, Code: errs.CodeInvalid},
		}
		for _, s := range list {
			s.As = w.tokens[s.As]
			for _, lang := range []string{"zh", "en"} {
				s.Lang = lang
				t.Run(s.Name+" "+lang, func(t *testing.T) { s.Run(t, w.h) })
			}
		}
	})
}

// TestPagesInEnglish: guards, timeline and lock reasons follow the reader's language.
func TestPagesInEnglish(t *testing.T) {
	eachWorld(t, func(w *world) {
		done := w.submitted("student1", nil)
		kerneltest.Run(t, w.h,
			kerneltest.Scenario{URL: "/thesis/students-subject/my", As: w.tokens["student1"], Lang: "en", Contains: []string{"Waiting for your advisor", "Submitted"}},
			kerneltest.Scenario{URL: "/thesis/record/my-progress", As: w.tokens["student2"], Lang: "en", Contains: []string{"Open until", "Identity verified", "Certificate"}},
			kerneltest.Scenario{URL: "/thesis/record/my-progress", As: w.tokens["student2"], Lang: "zh", Contains: []string{"办理时间至", "已完成实名认证", "证书"}},
			kerneltest.Scenario{URL: fmt.Sprintf("/thesis/students-subject/get?id=%d", done.ID), As: w.tokens["advisor1"], Lang: "en", Contains: []string{`"actions":["approve","return","reject"]`}},
			kerneltest.Scenario{URL: fmt.Sprintf("/thesis/students-subject/get?id=%d", done.ID), As: w.tokens["secretary1"], Lang: "en", Contains: []string{`"actions":[]`, "Waiting for your advisor"}},
			kerneltest.Scenario{URL: fmt.Sprintf("/thesis/students-subject/get?id=%d", done.ID), As: w.tokens["student2"], Code: errs.ErrNoRecord.Num},
			kerneltest.Scenario{URL: "/thesis/record/my-history", As: w.tokens["student1"], Lang: "en", Contains: []string{"Passed by policy", "Submitted", "System"}},
			kerneltest.Scenario{URL: "/thesis/record/page", As: w.tokens["secretary1"], Contains: []string{"student1", "student2"}},
		)
	})
}

// TestNobodyToDecide: a task without an approver is reported to the administrators.
func TestNobodyToDecide(t *testing.T) {
	eachWorld(t, func(w *world) {
		for _, name := range []string{"secretary1", "secretary1b"} {
			delete(w.users, name)
		}
		admin := kerneltest.User(1, 777)
		admin.Roles = []string{roleTenantAdmin}
		w.user("boss", admin)
		done := w.submitted("student1", nil)
		w.verdict("advisor1", "approve", done.ID, "同意", 0)
		if w.got(777, msgUnassigned) != 1 || w.got(uSecretary2, msgTaskNew) != 0 {
			t.Errorf("messages: %+v", w.inbox)
		}
	})
}

// TestAdvisorLeaves: with the supervision the right to decide goes to the next advisor.
func TestAdvisorLeaves(t *testing.T) {
	eachWorld(t, func(w *world) {
		done := w.submitted("student1", nil)
		w.write(1, func(ctx context.Context) error {
			return w.school.Assign(ctx, w.ids["student1"], w.ids["advisor2"], academic.RoleMain, "导师调动")
		})
		w.verdict("advisor1", "approve", done.ID, "同意", errs.ErrNoRecord.Num)
		w.verdict("advisor2", "approve", done.ID, "同意", 0)
		a := w.call("advisor1", http.MethodGet, "/thesis/advisor/my-students", nil, 0)
		if strings.Contains(string(a.Raw), "student1") {
			t.Error("the former advisor still sees the student")
		}
	})
}

// TestFileAccess: who may read the files of a thesis.
func TestFileAccess(t *testing.T) {
	eachWorld(t, func(w *world) {
		rec, _, _ := recordOfStudent(w.system(1), w.ids["student1"])
		for who, want := range map[string]bool{"student1": true, "student2": false, "advisor1": true, "advisor2": false, "secretary1": true, "secretary2": false,
			"degree": true, "nobody": false, "foreigner": false, "admin2": false} {
			got, err := w.s.fileAccess(w.ctx(w.users[who]), rec.ID)
			if err != nil || got != want {
				t.Errorf("%s: %v, %v", who, got, err)
			}
		}
		if got, err := w.s.fileAccess(w.ctx(w.users["degree"]), 4711); err != nil || got {
			t.Errorf("an unknown record: %v, %v", got, err)
		}
	})
}

// TestStudentWithoutRecord: an account of type student without a student row gets a clear
// answer everywhere.
func TestStudentWithoutRecord(t *testing.T) {
	eachWorld(t, func(w *world) {
		lost := kerneltest.Student(1, 888)
		lost.Perms = held(studentPerms)
		w.user("lost", lost)
		for _, url := range []string{"/thesis/students-subject/my", "/thesis/record/my-progress", "/thesis/record/my-history", "/thesis/topic/open-page"} {
			w.call("lost", http.MethodGet, url, nil, errs.ErrNoRecord.Num)
		}
		w.call("lost", http.MethodPost, submitURL, form(nil), errs.ErrNoRecord.Num)
		w.call("lost", http.MethodPost, "/thesis/students-subject/save-draft", form(nil), errs.ErrNoRecord.Num)
	})
}

// TestOpenerWaitsForTheAdvisor: the plan passes and the declaration opens with the
// assignment of an advisor, once, however often the job runs.
func TestOpenerWaitsForTheAdvisor(t *testing.T) {
	eachWorld(t, func(w *world) {
		var id int64
		w.write(1, func(ctx context.Context) (err error) {
			id, err = w.school.AddStudent(ctx, academic.Student{UserID: 555, StudentNo: "2025000077", Name: "新生", Sex: 1, DeptID: w.college["信息学院"], MajorID: 1, DegreeLevel: 3,
				DegreeType: 1, StudyMode: 1, EntryYear: 2025, BaseMonths: 36, MaxMonths: 60, LifeState: 1}, 0)
			return err
		})
		rec, found, _ := recordOfStudent(w.system(1), id)
		if !found || rec.CurrentStep != StepPlan {
			t.Fatalf("record %+v", rec)
		}
		w.write(1, func(ctx context.Context) error {
			return w.school.Assign(ctx, id, w.ids["advisor2"], academic.RoleMain, "")
		})
		for range 3 {
			if err := w.s.OpenSteps(w.system(1)); err != nil {
				t.Fatal(err)
			}
		}
		rec, _, _ = recordOfStudent(w.system(1), id)
		if rec.CurrentStep != StepSubject || w.got(555, msgStepOpen) != 1 {
			t.Errorf("record %+v, %d messages", rec, w.got(555, msgStepOpen))
		}
	})
}
