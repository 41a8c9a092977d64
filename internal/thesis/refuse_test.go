package thesis

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"viva/internal/academic"
	"viva/internal/kernel/clock"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
)

const submitURL = "/thesis/students-subject/submit"

// at moves the clock for the rest of the test.
func (w *world) at(ms int64) {
	w.t.Cleanup(clock.Set(func() time.Time { return time.UnixMilli(ms) }))
}

func (w *world) window(change func(*StepWindow)) StepWindow {
	w.t.Helper()
	row, _, err := store.Get[StepWindow](w.system(1), sqlWindowsAll, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	w.write(1, func(ctx context.Context) error {
		row, err = windows.Change(ctx, row.ID, func(x *StepWindow) error { change(x); return nil })
		return err
	})
	return row
}

// TestDeadline: opened before the close, handed in around it (scenarios 2 and 3).
func TestDeadline(t *testing.T) {
	eachWorld(t, func(w *world) {
		win := w.window(func(x *StepWindow) { x.CloseAt = now() + minute; x.GraceMinutes = 10 })
		saved := into[Saved](w, w.call("student1", http.MethodPost, "/thesis/students-subject/save-draft", form(nil), 0))
		w.at(win.CloseAt + 10*minute + 1000)
		a := w.call("student1", http.MethodPost, submitURL, form(map[string]any{"id": saved.ID, "version": saved.Version, "titleZh": "另一个更晚写下的题目"}), errTooLate.Num)
		data := into[refusal](w, a)
		if !data.DraftKept || data.CloseAt != win.CloseAt || !strings.Contains(a.Msg, clockText(win.CloseAt)) {
			t.Errorf("refusal %+v %s", data, a.Msg)
		}
		if p := w.my("student1"); p.Form.TitleZh != form(nil)["titleZh"] || p.Editable || p.LockReason == "" || len(p.Actions) != 0 {
			t.Errorf("draft after the refusal: %+v", p.Step)
		}
		w.call("student1", http.MethodPost, "/thesis/students-subject/save-draft", form(map[string]any{"id": saved.ID, "version": saved.Version}), errTooLate.Num)
		w.at(win.CloseAt + 10*minute - 1000)
		done := w.submitted("student1", map[string]any{"id": saved.ID, "version": saved.Version})
		if done.LateFlag != inGrace {
			t.Errorf("flag %d", done.LateFlag)
		}
		w.at(win.OpenAt - minute)
		w.call("student2", http.MethodPost, submitURL, form(nil), errNotOpen.Num)
		w.window(func(x *StepWindow) { x.LateMode = lateAccept })
		w.at(win.CloseAt + 5*day)
		if done := w.submitted("student2", nil); done.LateFlag != isLate {
			t.Errorf("flag %d", done.LateFlag)
		}
	})
}

// TestGuards: each condition alone refuses, says why, and the page and the list say the same.
func TestGuards(t *testing.T) {
	eachWorld(t, func(w *world) {
		student := func(change func(*academic.Student)) {
			w.write(1, func(ctx context.Context) error { return w.school.ChangeStudent(ctx, w.ids["student1"], change) })
		}
		for _, c := range []struct {
			name    string
			break_  func()
			restore func()
			code    int
			guard   string
		}{
			{"real name", func() { student(func(s *academic.Student) { s.RealNameState = 0 }) }, func() { student(func(s *academic.Student) { s.RealNameState = 1 }) }, errNotOpen.Num, codeRealName},
			{"life state", func() { student(func(s *academic.Student) { s.LifeState = 2 }) }, func() { student(func(s *academic.Student) { s.LifeState = 1 }) }, errNotActive.Num, codeActive},
			{"study limit", func() { student(func(s *academic.Student) { s.EntryYear = 2005 }) }, func() { student(func(s *academic.Student) { s.EntryYear = clock.Now().Year() - 1 }) }, errNotOpen.Num, codeStudyLimit},
			{"window", func() { w.window(func(x *StepWindow) { x.StepCode = StepProposal }) }, func() { w.window(func(x *StepWindow) { x.StepCode = StepSubject }) }, errNotOpen.Num, codeWindow},
		} {
			c.break_()
			if c.name == "window" { // the pinned window counts by id
				w.write(1, func(ctx context.Context) error {
					_, err := steps.Change(ctx, w.my("student1").stepID(w), func(x *Step) error { x.WindowID = 0; return nil })
					return err
				})
			}
			a := w.call("student1", http.MethodPost, submitURL, form(nil), c.code)
			g, failed := firstFailed(into[refusal](w, a).Guards)
			if !failed || g.Code != c.guard || g.Text == "" {
				t.Errorf("%s: %+v", c.name, g)
			}
			page := w.my("student1")
			if page.LockReason != g.Text {
				t.Errorf("%s: the page says %q, the call %q", c.name, page.LockReason, g.Text)
			}
			list := into[store.Page[Ineligible]](w, w.call("degree", http.MethodGet, "/thesis/record/ineligible?step=20&pageSize=50", nil, 0))
			found := false
			for _, x := range list.List {
				found = found || x.StudentNo == "2025000000" && x.Guards[0].Text == g.Text
			}
			if !found {
				t.Errorf("%s: not in the list of the not yet eligible: %+v", c.name, list)
			}
			c.restore()
		}
		w.submitted("student1", nil)
	})
}

func (p MySubject) stepID(w *world) int64 {
	w.t.Helper()
	rec, _, err := recordOfStudent(w.system(1), w.ids["student1"])
	if err != nil {
		w.t.Fatal(err)
	}
	st, err := stepOf(w.system(1), rec.ID, StepSubject)
	if err != nil {
		w.t.Fatal(err)
	}
	return st.ID
}

// TestBadContent: what a form may not hold, each alone.
func TestBadContent(t *testing.T) {
	eachWorld(t, func(w *world) {
		w.file(1, uStudent1, "a")
		w.file(2, uStudent2, "b")
		for id, slot := range map[int64]string{3: "image", 4: "avatar", 5: ""} {
			w.file(id, uStudent1, "c")
			f := w.files[id]
			f.Slot = slot
			w.files[id] = f
		}
		w.files[6], w.owners[6] = w.files[3], uStudent2
		for name, c := range map[string]struct {
			change map[string]any
			code   int
			field  string
		}{
			"short title":        {map[string]any{"titleZh": "短题目"}, errs.CodeInvalid, "titleZh"},
			"long title":         {map[string]any{"titleZh": strings.Repeat("题", 61)}, errs.CodeInvalid, "titleZh"},
			"short reason":       {map[string]any{"reason": "太短"}, errs.CodeInvalid, "reason"},
			"no type":            {map[string]any{"thesisType": nil}, errs.CodeInvalid, "thesisType"},
			"no project number":  {map[string]any{"thesisSource": 2}, errs.CodeInvalid, "sourceNo"},
			"neither":            {map[string]any{"selfProposed": false}, errs.CodeInvalid, "topicId"},
			"four files":         {map[string]any{"attachments": []int{1, 2, 3, 4}}, errs.CodeInvalid, "attachments"},
			"a file twice":       {map[string]any{"attachments": []int{1, 1}}, errs.CodeInvalid, "attachments"},
			"a file of another":  {map[string]any{"attachments": []int{2}}, errs.ErrNoRecord.Num, ""},
			"a picture":          {map[string]any{"attachments": []int{1, 3}}, errs.CodeInvalid, "attachments"},
			"an avatar":          {map[string]any{"attachments": []int{4}}, errs.CodeInvalid, "attachments"},
			"a file of no use":   {map[string]any{"attachments": []int{5}}, errs.CodeInvalid, "attachments"},
			"another's picture":  {map[string]any{"attachments": []int{6}}, errs.ErrNoRecord.Num, ""},
			"no such file":       {map[string]any{"attachments": []int{99}}, errs.ErrNoRecord.Num, ""},
			"no such topic":      {map[string]any{"topicId": 999, "selfProposed": false}, errs.CodeInvalid, "topicId"},
			"control characters": {map[string]any{"titleZh": "题目里有\u0000空字符的"}, errs.CodeInvalid, "titleZh"},
			"line break":         {map[string]any{"titleZh": "题目里有\n换行符的"}, errs.CodeInvalid, "titleZh"},
			"foreign id":         {map[string]any{"id": 12345, "version": 1}, errs.ErrNoRecord.Num, ""},
		} {
			a := w.call("student1", http.MethodPost, submitURL, form(c.change), c.code)
			if c.field != "" && (len(a.Fields) == 0 || !strings.HasPrefix(a.Fields[0].Name, c.field)) {
				t.Errorf("%s: fields %+v", name, a.Fields)
			}
		}
		if p := w.my("student1"); p.Form != nil || p.Step.Status != Open {
			t.Errorf("something was stored: %+v", p.Form)
		}
		payload := `=cmd|' /C calc'!A0<script>alert(1)</script>'; DROP TABLE thesis_record;--`
		done := w.submitted("student1", map[string]any{"titleZh": payload[:55], "reason": strings.Repeat(payload, 3)})
		row := into[SubjectDetail](w, w.call("student1", http.MethodGet, fmt.Sprintf("/thesis/students-subject/get?id=%d", done.ID), nil, 0))
		if row.TitleZh != payload[:55] {
			t.Errorf("text is data: %q", row.TitleZh)
		}
	})
}

// TestOpinions: who may say what, and how long it must be.
func TestOpinions(t *testing.T) {
	eachWorld(t, func(w *world) {
		done := w.submitted("student1", nil)
		w.verdict("advisor1", "return", done.ID, "再改改", errs.CodeInvalid)
		w.verdict("advisor1", "reject", done.ID, "不太合适吧", errs.CodeInvalid)
		for _, who := range []string{"advisor2", "secretary2", "nobody", "training"} {
			w.verdict(who, "approve", done.ID, "同意", errs.ErrNoRecord.Num)
		}
		w.verdict("student1", "approve", done.ID, "同意", errs.CodeForbidden)
		w.verdict("secretary1", "approve", done.ID, "同意", errState.Num) // not her turn yet
		w.call("advisor1", http.MethodPut, "/thesis/students-subject/approve", map[string]any{"id": done.ID, "version": 99, "opinion": ""}, errs.ErrStale.Num)
		w.verdict("advisor1", "return", done.ID, "请缩小研究范围", 0)
		if w.got(uStudent1, msgReturned) != 1 {
			t.Error("the student is not told")
		}
		w.verdict("advisor1", "approve", done.ID, "同意", errState.Num)
		p := w.my("student1")
		if !p.Editable || p.Step.Status != Returned || p.Form.AuditState != AuditReturned {
			t.Fatalf("returned: %+v", p.Step)
		}
		again := w.submitted("student1", map[string]any{"id": p.Form.ID, "version": p.Form.Version, "titleZh": "缩小范围之后的研究题目"})
		if again.SubmitNo != 2 || again.ReceiptNo == done.ReceiptNo || again.Digest == done.Digest {
			t.Errorf("second submission %+v after %+v", again, done)
		}
		w.verdict("advisor1", "reject", done.ID, "与已有工作重复，请重新选题。", 0)
		p = w.my("student1")
		if p.Step.AttemptNo != 2 || p.Step.Status != Open || p.Form != nil || len(p.Attempts) != 1 || !p.Editable {
			t.Errorf("after the rejection: %+v", p)
		}
		fresh := w.submitted("student1", nil)
		if fresh.ID == done.ID {
			t.Error("a new attempt has a new form")
		}
	})
}

// TestSeparationOfDuty: an advisor who is the secretary decides as advisor only.
func TestSeparationOfDuty(t *testing.T) {
	eachWorld(t, func(w *world) {
		both := w.users["advisor1"]
		both.Roles = []string{"teacher", roleSecretary}
		w.users["advisor1"] = both
		w.tokens["advisor1"] = w.auth.Add(both)
		done := w.submitted("student1", nil)
		w.verdict("advisor1", "approve", done.ID, "同意", 0)
		if w.got(uAdvisor1, msgTaskNew) != 1 {
			t.Errorf("the advisor is asked twice: %+v", w.inbox)
		}
		w.verdict("advisor1", "approve", done.ID, "同意", errOwnStudent.Num)
		page := into[store.Page[Todo]](w, w.call("advisor1", http.MethodGet, "/thesis/students-subject/todo-page", nil, 0))
		if page.Total != 0 {
			t.Errorf("his list holds %d", page.Total)
		}
		rec, _, _ := recordOfStudent(w.system(1), w.ids["student1"])
		w.call("secretary1", http.MethodPut, "/thesis/record/override", map[string]any{"recordId": rec.ID, "stepCode": 20, "until": now() + 9*day, "reason": "实习在外地"}, errs.CodeInvalid)
		w.call("secretary1", http.MethodPut, "/thesis/record/override", map[string]any{"recordId": rec.ID, "stepCode": 20, "until": now() + 5*day, "reason": "实习在外地"}, 0)
		w.verdict("secretary1", "approve", done.ID, "同意", 0)
	})
}

// TestForeignRows: ids of another tenant and of others answer like ids that do not exist.
func TestForeignRows(t *testing.T) {
	eachWorld(t, func(w *world) {
		done := w.submitted("student1", nil)
		rec, _, _ := recordOfStudent(w.system(1), w.ids["student1"])
		for _, who := range []string{"student2", "foreigner", "admin2", "secretary2"} {
			for _, url := range []string{"/thesis/students-subject/get?id=%d", "/thesis/students-subject/receipt?id=%d"} {
				a := kerneltest.Scenario{URL: fmt.Sprintf(url, done.ID), As: w.tokens[who], Lang: "zh"}.Call(t, w.h)
				b := kerneltest.Scenario{URL: fmt.Sprintf(url, 999999), As: w.tokens[who], Lang: "zh"}.Call(t, w.h)
				if a.Code != errs.ErrNoRecord.Num || string(a.Raw) != string(b.Raw) {
					t.Errorf("%s %s: %s, for an unknown id %s", who, url, a.Raw, b.Raw)
				}
			}
		}
		w.call("student2", http.MethodPut, fmt.Sprintf("/thesis/students-subject/withdraw?id=%d", done.ID), nil, errs.ErrNoRecord.Num)
		w.call("secretary2", http.MethodGet, fmt.Sprintf("/thesis/record/history?id=%d", rec.ID), nil, errs.ErrNoRecord.Num)
		w.call("secretary2", http.MethodGet, fmt.Sprintf("/thesis/record/get?id=%d", rec.ID), nil, errs.ErrNoRecord.Num)
		w.call("student2", http.MethodGet, fmt.Sprintf("/thesis/record/my-history?recordId=%d", rec.ID), nil, errs.ErrNoRecord.Num)
		for _, who := range []string{"student1", "secretary1", "degree", "advisor1", "secretary2"} {
			a := w.call(who, http.MethodGet, "/thesis/students-subject/page?pageSize=100", nil, 0)
			kerneltest.NoMarker(t, kerneltest.MarkerB, who, a.Raw)
			want := int64(1)
			if who == "secretary2" {
				want = 0
			}
			if n := into[store.Page[Subject]](w, a).Total; n != want {
				t.Errorf("%s sees %d declarations", who, n)
			}
		}
		if n := into[store.Page[Subject]](w, w.call("admin2", http.MethodGet, "/thesis/students-subject/page", nil, 0)).Total; n != 0 {
			t.Errorf("the other tenant sees %d", n)
		}
		for _, bad := range []string{"pageSize=501", "sortingFields[0].field=reasonX&sortingFields[0].order=asc", "sourceNo=1"} {
			w.call("secretary1", http.MethodGet, "/thesis/students-subject/page?"+bad, nil, errs.CodeInvalid)
		}
		w.call("student1", http.MethodGet, "/thesis/students-subject/export-excel", nil, errs.CodeForbidden)
	})
}
