package thesis

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"viva/internal/academic"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
)

// passedTopic brings student1's declaration to its end and gives its id.
func (w *world) passedTopic() int64 {
	w.t.Helper()
	done := w.submitted("student1", nil)
	w.verdict("advisor1", "approve", done.ID, "同意", 0)
	w.verdict("secretary1", "approve", done.ID, "同意", 0)
	return done.ID
}

func TestWithdraw(t *testing.T) {
	eachWorld(t, func(w *world) {
		topic := w.topic(1)
		done := w.submitted("student1", map[string]any{"selfProposed": nil, "topicId": topic})
		w.call("student2", http.MethodPost, submitURL, form(map[string]any{"selfProposed": nil, "topicId": topic}), errTopicFull.Num)
		w.call("student1", http.MethodPut, fmt.Sprintf("/thesis/students-subject/withdraw?id=%d&version=1", done.ID), nil, errs.ErrStale.Num)
		w.call("student1", http.MethodPut, fmt.Sprintf("/thesis/students-subject/withdraw?id=%d", done.ID), nil, 0)
		if row, _ := topics.Get(w.system(1), topic); row.TakenCount != 0 || w.got(uAdvisor1, msgWithdrawn) != 1 {
			t.Fatalf("place %d, messages %+v", row.TakenCount, w.inbox)
		}
		p := w.my("student1")
		if p.Form.AuditState != AuditWithdrawn || p.Step.Status != Draft || !p.Editable {
			t.Fatalf("withdrawn: %+v", p.Step)
		}
		again := w.submitted("student1", map[string]any{"id": p.Form.ID, "version": p.Form.Version})
		w.verdict("advisor1", "approve", again.ID, "", 0)
		a := w.call("student1", http.MethodPut, fmt.Sprintf("/thesis/students-subject/withdraw?id=%d", done.ID), nil, errState.Num)
		if !strings.Contains(a.Msg, "advisor1") {
			t.Errorf("who decided: %s", a.Msg)
		}
	})
}

func TestThirdLevel(t *testing.T) {
	eachWorld(t, func(w *world) {
		w.call("student3", http.MethodPost, submitURL, form(map[string]any{"titleEn": nil}), errs.CodeInvalid)
		done := w.submitted("student3", nil)
		w.verdict("advisor1", "approve", done.ID, "同意", 0)
		w.verdict("secretary1", "reject", done.ID, "不符合培养方向的要求", errState.Num)
		w.verdict("secretary1", "approve", done.ID, "同意", 0)
		if w.got(uDegree, msgTaskNew) != 1 {
			t.Errorf("the degree office is not told: %+v", w.inbox)
		}
		w.verdict("secretary1b", "approve", done.ID, "同意", errState.Num)
		w.verdict("degree", "approve", done.ID, "已备案", 0)
		if p := w.my("student3"); p.Form.AuditState != AuditPassed {
			t.Errorf("state %d", p.Form.AuditState)
		}
	})
}

func TestTitleChange(t *testing.T) {
	eachWorld(t, func(w *world) {
		id := w.passedTopic()
		body := map[string]any{"id": id, "titleZh": "面向边缘设备的模型蒸馏方法研究", "reason": "研究方法由模型压缩改为模型蒸馏", "titleEn": "Distillation"}
		w.call("student1", http.MethodPost, "/thesis/students-subject/change-title", map[string]any{"id": id, "titleZh": form(nil)["titleZh"], "titleEn": form(nil)["titleEn"], "reason": "研究方法由模型压缩改为模型蒸馏"}, errs.CodeInvalid)
		w.call("student1", http.MethodPost, "/thesis/students-subject/change-title", body, 0)
		w.call("student1", http.MethodPost, "/thesis/students-subject/change-title", body, errState.Num)
		w.verdict("advisor1", "return", id, "变更理由不够充分", 0)
		p := w.my("student1")
		if p.Form.AuditState != AuditPassed || p.Form.TitleZh != form(nil)["titleZh"] || w.got(uStudent1, msgTitleOld) != 1 {
			t.Fatalf("refused change: %+v", p.Form)
		}
		w.call("student1", http.MethodPost, "/thesis/students-subject/change-title", body, 0)
		w.call("student1", http.MethodPut, fmt.Sprintf("/thesis/students-subject/withdraw?id=%d", id), nil, 0)
		body["major"] = true
		w.call("student1", http.MethodPost, "/thesis/students-subject/change-title", body, 0)
		w.verdict("advisor1", "approve", id, "同意", 0)
		w.verdict("secretary1", "approve", id, "同意", 0)
		rec, _, _ := recordOfStudent(w.system(1), w.ids["student1"])
		if rec.TitleZh != body["titleZh"] || rec.TitleEn != "Distillation" || rec.CurrentStep != StepProposal {
			t.Fatalf("record %+v", rec)
		}
		if ok, _ := VerifyHistory(w.system(1), rec.ID); !ok {
			t.Error("history is broken")
		}
	})
}

// TestTitleChangeKeepsEnglish: a change that names no English title leaves the recorded one.
func TestTitleChangeKeepsEnglish(t *testing.T) {
	eachWorld(t, func(w *world) {
		id := w.passedTopic()
		body := map[string]any{"id": id, "titleZh": form(nil)["titleZh"], "reason": "研究方法由模型压缩改为模型蒸馏"}
		w.call("student1", http.MethodPost, "/thesis/students-subject/change-title", body, errs.CodeInvalid) // nothing would change
		body["titleZh"] = "面向边缘设备的模型蒸馏方法研究"
		w.call("student1", http.MethodPost, "/thesis/students-subject/change-title", body, 0)
		w.verdict("advisor1", "approve", id, "同意", 0)
		w.verdict("secretary1", "approve", id, "同意", 0)
		rec, _, _ := recordOfStudent(w.system(1), w.ids["student1"])
		if form := w.my("student1").Form; rec.TitleZh != body["titleZh"] || rec.TitleEn != "Model compression" || form.TitleEn != "Model compression" {
			t.Errorf("record %q / %q, form %q", rec.TitleZh, rec.TitleEn, form.TitleEn)
		}
	})
}

func TestTamperedHistoryIsNoticed(t *testing.T) {
	eachWorld(t, func(w *world) {
		w.passedTopic()
		rec, _, _ := recordOfStudent(w.system(1), w.ids["student1"])
		for _, sql := range []string{
			`UPDATE thesis_transition SET reason = 'x' WHERE tenant_id = :tenant AND event = 'approveTask'`,
			`DELETE FROM thesis_transition WHERE tenant_id = :tenant AND event = 'submit'`,
		} {
			if ok, err := VerifyHistory(w.system(1), rec.ID); err != nil || !ok {
				t.Fatalf("before: %v %v", ok, err)
			}
			tamper(w, rec.ID, sql)
		}
	})
}

func tamper(w *world, record int64, sql string) {
	w.t.Helper()
	err := store.Write(w.system(1), func(ctx context.Context) error {
		if _, err := store.Exec(ctx, store.Generated(sql), nil); err != nil {
			w.t.Log(err)
			return err
		}
		ok, err := VerifyHistory(ctx, record)
		if err != nil || ok {
			w.t.Errorf("%s: noticed %v, %v", sql, !ok, err)
		}
		return errTried
	})
	if err != errTried {
		w.t.Fatal(err)
	}
}

func TestExpireAndReopen(t *testing.T) {
	eachWorld(t, func(w *world) {
		topic := w.topic(2)
		w.submitted("student2", map[string]any{"selfProposed": nil, "topicId": topic})
		row, _, _ := store.Get[Subject](w.system(1), `SELECT * FROM thesis_students_subject WHERE tenant_id = :tenant AND student_id = :s`, store.Args{"s": w.ids["student2"]})
		w.verdict("advisor1", "return", row.ID, "请补充研究基础", 0)
		win := w.window(func(x *StepWindow) { x.CloseAt = now() + minute })
		run := func() {
			if err := w.s.ExpireSteps(store.Use(context.Background(), w.db)); err != nil {
				t.Fatal(err)
			}
		}
		run()
		if p := w.my("student1"); p.Step.Status != Open {
			t.Fatalf("too early: %+v", p.Step)
		}
		w.at(win.CloseAt + 10*minute + 1000)
		run() // what arrived in time may still be on its way
		if p := w.my("student1"); p.Step.Status != Open {
			t.Fatalf("too early: %+v", p.Step)
		}
		w.at(win.CloseAt + 12*minute)
		run()
		run()
		if p := w.my("student1"); p.Step.Status != Expired || p.Editable {
			t.Fatalf("not expired: %+v", p.Step)
		}
		if p := w.my("student2"); p.Step.Status != Returned || !p.Editable {
			t.Fatalf("a returned form has its days: %+v", p.Step)
		}
		w.at(win.CloseAt + 9*day)
		run()
		if p := w.my("student2"); p.Step.Status != Expired || w.got(uStudent2, msgExpired) != 1 {
			t.Fatalf("not expired: %+v", p.Step)
		}
		if x, _ := topics.Get(w.system(1), topic); x.TakenCount != 0 {
			t.Errorf("an expired form keeps its place: %d", x.TakenCount)
		}
		w.call("student1", http.MethodPost, submitURL, form(nil), errTooLate.Num)
		rec, _, _ := recordOfStudent(w.system(1), w.ids["student1"])
		w.call("secretary1", http.MethodPut, "/thesis/record/override", map[string]any{"recordId": rec.ID, "stepCode": 20, "until": now() + day, "reason": "因病住院治疗"}, 0)
		if done := w.submitted("student1", nil); done.LateFlag != onTime {
			t.Errorf("flag %d", done.LateFlag)
		}
	})
}

func TestTodoAndBatch(t *testing.T) {
	eachWorld(t, func(w *world) {
		a := w.submitted("student1", nil)
		b := w.submitted("student2", map[string]any{"titleZh": "另一个完全不同的研究题目"})
		list := into[store.Page[Todo]](w, w.call("advisor1", http.MethodGet, "/thesis/students-subject/todo-page", nil, 0))
		if list.Total != 2 || list.List[0].ID != a.ID || list.List[1].ID != b.ID || list.List[0].StudentName != "student1" {
			t.Fatalf("oldest first: %+v", list)
		}
		if n := into[int64](w, w.call("advisor1", http.MethodGet, "/thesis/students-subject/todo-count", nil, 0)); n != 2 {
			t.Errorf("count %d", n)
		}
		for _, who := range []string{"advisor2", "secretary1", "degree", "nobody"} {
			if n := into[int64](w, w.call(who, http.MethodGet, "/thesis/students-subject/todo-count", nil, 0)); n != 0 {
				t.Errorf("%s has %d", who, n)
			}
		}
		items := []map[string]any{}
		for _, x := range list.List {
			items = append(items, map[string]any{"id": x.ID, "version": x.Version})
		}
		items = append(items, map[string]any{"id": 4711, "version": 1})
		body := map[string]any{"items": items, "opinion": "同意", "dryRun": true}
		tried := into[[]BatchResult](w, w.call("advisor1", http.MethodPut, "/thesis/students-subject/batch-approve", body, 0))
		if !tried[0].OK || !tried[1].OK || tried[2].OK || tried[2].Code != errs.ErrNoRecord.Num || w.historyLen(EvApprove) != 0 {
			t.Fatalf("dry run: %+v", tried)
		}
		body["dryRun"] = false
		done := into[[]BatchResult](w, w.call("advisor1", http.MethodPut, "/thesis/students-subject/batch-approve", body, 0))
		if !done[0].OK || done[0].AuditState != AuditCollege || done[2].OK || w.historyLen(EvApprove) != 2 {
			t.Fatalf("batch: %+v", done)
		}
		students := into[store.Page[MyStudent]](w, w.call("advisor1", http.MethodGet, "/thesis/advisor/my-students", nil, 0))
		if students.Total != 3 || students.List[0].WaitingForMe {
			t.Errorf("my students: %+v", students)
		}
		w.call("student1", http.MethodGet, "/thesis/students-subject/todo-page", nil, errs.CodeForbidden)
		for _, x := range into[store.Page[Subject]](w, w.call("secretary1", http.MethodGet, "/thesis/students-subject/page?auditState=2&studentName=student1", nil, 0)).List {
			if x.StudentName != "student1" || x.AdvisorName != "advisor1" {
				t.Errorf("filter: %+v", x)
			}
		}
		w.call("secretary1", http.MethodGet, "/thesis/students-subject/export-excel?auditState=2", nil, -1)
		o := into[Overview](w, w.call("secretary1", http.MethodGet, "/thesis/record/overview", nil, 0))
		if o.Total != 3 || len(o.Audit) != 1 || o.Audit[0].N != 2 || len(o.Depts) != 1 {
			t.Errorf("overview %+v", o)
		}
	})
}

func TestSimilarTitles(t *testing.T) {
	eachWorld(t, func(w *world) {
		w.submitted("student1", nil)
		ask := func(who, title string) []SimilarTitle {
			return into[[]SimilarTitle](w, w.call(who, http.MethodGet, "/thesis/students-subject/similar-titles?title="+url.QueryEscape(title), nil, 0))
		}
		if near := ask("student2", "面向边缘设备的模型压缩方法的研究"); len(near) != 1 || near[0].Score < similarAt || near[0].Score >= 1 {
			t.Errorf("near: %+v", near)
		}
		if far := ask("student2", "唐代边塞诗的意象演变研究"); len(far) != 0 {
			t.Errorf("far: %+v", far)
		}
		if own := ask("student1", form(nil)["titleZh"].(string)); len(own) != 0 {
			t.Errorf("own: %+v", own)
		}
	})
}

func TestNewFileIsDemanded(t *testing.T) {
	eachWorld(t, func(w *world) {
		w.file(1, uStudent1, "first")
		w.file(2, uStudent1, "first") // the same content under another id
		w.file(3, uStudent1, "second")
		done := w.submitted("student1", map[string]any{"attachments": []int{1}})
		row, _ := subjects.Get(w.system(1), done.ID)
		w.call("advisor1", http.MethodPut, "/thesis/students-subject/return", map[string]any{"id": done.ID, "version": row.Version, "opinion": "请更新论证材料", "needNewFile": true}, 0)
		row, _ = subjects.Get(w.system(1), done.ID)
		for _, file := range []int{1, 2} {
			w.call("student1", http.MethodPost, submitURL, form(map[string]any{"id": done.ID, "version": row.Version, "attachments": []int{file}}), errNeedUpload.Num)
		}
		w.submitted("student1", map[string]any{"id": done.ID, "version": row.Version, "attachments": []int{3}})
	})
}

func TestTopics(t *testing.T) {
	eachWorld(t, func(w *world) {
		id := w.topic(2)
		topic := map[string]any{"title": "别人名下的研究课题", "summary": "简介", "thesisType": 2, "thesisSource": 8, "maxStudents": 6}
		w.call("advisor1", http.MethodPost, "/thesis/topic/create", topic, errs.CodeInvalid)
		topic["maxStudents"], topic["advisorId"] = 2, w.ids["advisor2"]
		w.call("advisor1", http.MethodPost, "/thesis/topic/create", topic, errs.CodeInvalid)
		w.call("advisor2", http.MethodPut, "/thesis/topic/update", map[string]any{"id": id, "title": "改成我的研究课题"}, errs.ErrNoRecord.Num)
		w.call("advisor2", http.MethodPut, fmt.Sprintf("/thesis/topic/close?id=%d", id), nil, errs.ErrNoRecord.Num)
		open := func() store.Page[OpenTopic] {
			return into[store.Page[OpenTopic]](w, w.call("student1", http.MethodGet, "/thesis/topic/open-page", nil, 0))
		}
		if p := open(); p.Total != 1 || p.List[0].Remaining != 2 || !p.List[0].OwnAdvisor {
			t.Fatalf("open: %+v", p)
		}
		w.submitted("student1", map[string]any{"selfProposed": nil, "topicId": id})
		if p := open(); p.List[0].Remaining != 1 {
			t.Errorf("remaining: %+v", p)
		}
		w.call("advisor1", http.MethodPut, "/thesis/topic/update", map[string]any{"id": id, "maxStudents": 1}, 0)
		if p := open(); p.Total != 0 {
			t.Errorf("a full topic is offered: %+v", p)
		}
		w.call("advisor1", http.MethodDelete, fmt.Sprintf("/thesis/topic/delete?id=%d", id), nil, errTopicInUse.Num)
		w.call("advisor1", http.MethodPut, "/thesis/topic/update", map[string]any{"id": id, "maxStudents": 2}, 0)
		w.call("advisor1", http.MethodPut, fmt.Sprintf("/thesis/topic/close?id=%d", id), nil, 0)
		w.call("student2", http.MethodPost, submitURL, form(map[string]any{"selfProposed": nil, "topicId": id}), errTopicShut.Num)
	})
}

func TestPolicyIsPinned(t *testing.T) {
	eachWorld(t, func(w *world) {
		body := map[string]any{"name": "硕士也报研究生院", "degreeLevel": academic.LevelMaster, "status": policyActive, "body": `{"subject.third_level": true, "plan.requird": false}`}
		w.call("degree", http.MethodPost, "/thesis/policy/create", body, errPolicyBody.Num)
		body["body"] = `{"subject.third_level": true}`
		id := into[int64](w, w.call("degree", http.MethodPost, "/thesis/policy/create", body, 0))
		w.passedTopic() // the step was open before: two levels
		w.call("degree", http.MethodPut, "/thesis/policy/update", map[string]any{"id": id, "body": `{}`}, errPolicyFixed.Num)
		b, err := readBook(w.system(1))
		if err != nil {
			t.Fatal(err)
		}
		if rules, by := b.rules(scopeOf{degreeLevel: academic.LevelMaster}); !rules.ThirdLevel || by != id {
			t.Errorf("rules %+v by %d", rules, by)
		}
		if rules, _ := b.rules(scopeOf{degreeLevel: academic.LevelDoctor}); !rules.ThirdLevel || rules.FilesMax != maxFiles {
			t.Errorf("defaults %+v", rules)
		}
		w.call("degree", http.MethodPut, "/thesis/policy/update", map[string]any{"id": id, "status": policyRetired}, 0)
	})
}

func TestWaive(t *testing.T) {
	eachWorld(t, func(w *world) {
		rec, _, _ := recordOfStudent(w.system(1), w.ids["student1"])
		w.call("secretary1", http.MethodPut, "/thesis/record/waive", map[string]any{"recordId": rec.ID, "stepCode": 20, "reason": "已有成果代替"}, errs.CodeForbidden)
		w.call("degree", http.MethodPut, "/thesis/record/waive", map[string]any{"recordId": rec.ID, "stepCode": 30, "reason": "已有成果代替"}, errState.Num)
		w.call("degree", http.MethodPut, "/thesis/record/waive", map[string]any{"recordId": rec.ID, "stepCode": 20, "reason": "已有成果代替"}, 0)
		if p := into[Progress](w, w.call("student1", http.MethodGet, "/thesis/record/my-progress", nil, 0)); p.Steps[1].Status != Waived || p.Steps[2].Status != Open {
			t.Errorf("progress %+v", p.Steps[:3])
		}
	})
}

func TestWindowsOfAColleges(t *testing.T) {
	eachWorld(t, func(w *world) {
		win := map[string]any{"semester": "2025-2026-2", "stepCode": 20, "deptId": w.college["信息学院"], "openAt": now() - day, "closeAt": now() - 2*day, "lateMode": 1}
		w.call("secretary1", http.MethodPost, "/thesis/step-window/create", win, errs.CodeInvalid)
		win["closeAt"] = now() - minute*60
		w.call("secretary2", http.MethodPost, "/thesis/step-window/create", win, errs.CodeInvalid)
		w.call("secretary1", http.MethodPost, "/thesis/step-window/create", win, 0)
		w.call("secretary1", http.MethodPost, "/thesis/step-window/create", win, errs.CodeInvalid)
		all := map[string]any{"semester": "2025-2026-1", "stepCode": 20, "openAt": 1, "closeAt": 2, "lateMode": 1}
		w.call("secretary1", http.MethodPost, "/thesis/step-window/create", all, errs.CodeInvalid)
		if n := into[int](w, w.call("training", http.MethodPost, "/thesis/step-window/copy-semester", map[string]any{"from": "2025-2026-2", "to": "2026-2027-1", "shiftDays": 180}, 0)); n != 2 {
			t.Errorf("copied %d", n)
		}
		a := kerneltest.Scenario{URL: "/thesis/step-window/page?semester=2026-2027-1", As: w.tokens["secretary2"]}.Call(t, w.h)
		if n := into[store.Page[StepWindow]](w, a).Total; n != 1 {
			t.Errorf("another college sees %d windows", n)
		}
	})
}
