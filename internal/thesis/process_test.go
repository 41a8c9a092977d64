package thesis

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
	"viva/internal/workflow/engine"
)

// asked is a task of a process, as its table holds it.
type asked struct {
	Element    string
	AssigneeID int64
	Status     engine.TaskStatus
	EndedAt    int64
}

const (
	sqlTestAsked   = `SELECT element, assignee_id, status, ended_at FROM wf_task WHERE tenant_id = :tenant AND instance_id = :instance ORDER BY id`
	sqlTestResult  = `SELECT result FROM wf_instance WHERE tenant_id = :tenant AND id = :instance`
	sqlTestRunning = `SELECT COUNT(*) FROM wf_instance WHERE tenant_id = :tenant AND process_key = 'thesis_subject' AND status <> 2`
	sqlTestModel   = `SELECT id FROM bpm_model WHERE tenant_id = :tenant AND key = 'thesis_subject' AND deleted = false`
)

func (w *world) asked(instance string) []asked {
	w.t.Helper()
	list, err := store.Select[asked](w.system(1), sqlTestAsked, store.Args{"instance": instance})
	if err != nil {
		w.t.Fatal(err)
	}
	return list
}

// open are the elements that an instance waits at.
func (w *world) open(instance string) (list []string) {
	w.t.Helper()
	for _, k := range w.asked(instance) {
		if k.EndedAt == 0 {
			list = append(list, k.Element)
		}
	}
	return list
}

func (w *world) result(instance string) engine.Result {
	w.t.Helper()
	r, err := store.One[engine.Result](w.system(1), sqlTestResult, store.Args{"instance": instance})
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

func (w *world) number(q func() (int64, error)) int64 {
	w.t.Helper()
	n, err := q()
	if err != nil {
		w.t.Fatal(err)
	}
	return n
}

func (w *world) running() int64 {
	return w.number(func() (int64, error) { return store.One[int64](w.system(1), sqlTestRunning, nil) })
}

// redraw deploys another diagram in the place of the standard one.
func (w *world) redraw(change func(xml string) string) {
	w.t.Helper()
	w.user("admin1", kerneltest.Admin(1))
	if err := w.flow.InstallStandards(w.system(1)); err != nil {
		w.t.Fatal(err)
	}
	id := w.number(func() (int64, error) { return store.One[int64](w.system(1), sqlTestModel, nil) })
	w.call("admin1", http.MethodPut, "/bpm/model/update-bpmn", map[string]any{"id": fmt.Sprint(id), "bpmnXml": change(subjectDiagram)}, 0)
	w.call("admin1", http.MethodPost, fmt.Sprint("/bpm/model/deploy?id=", id), nil, 0)
}

// TestProcessFollows: the process and the form walk together, and the process knows who
// decided.
func TestProcessFollows(t *testing.T) {
	eachWorld(t, func(w *world) {
		done := w.submitted("student3", nil) // a doctor: three levels
		id := done.ProcessInstanceID
		if at := w.open(id); !slices.Equal(at, []string{"advisor"}) || w.my("student3").Step.ProcessInstanceID != id {
			t.Fatalf("submitted: %s at %v", id, at)
		}
		w.verdict("advisor1", "return", done.ID, "请补充研究方法", 0)
		if w.result(id) != engine.Cancelled || w.asked(id)[0].Status != engine.TaskReturned || w.running() != 0 {
			t.Fatalf("returned: %v %v", w.result(id), w.asked(id))
		}
		row, _ := subjects.Get(w.system(1), done.ID)
		again := w.submitted("student3", map[string]any{"id": row.ID, "version": row.Version})
		second := again.ProcessInstanceID
		for _, step := range []struct{ who, at string }{{"advisor1", "advisor"}, {"secretary1", "secretary"}, {"degree", "degree"}} {
			if at := w.open(second); !slices.Equal(at, []string{step.at}) {
				t.Fatalf("at %v, want %s", at, step.at)
			}
			w.verdict(step.who, "approve", done.ID, "同意", 0)
		}
		if second == id || w.result(second) != engine.Approved || w.my("student3").Form.AuditState != AuditPassed {
			t.Fatalf("passed: %v %+v", w.result(second), w.my("student3").Form)
		}
		var who []int64
		for _, k := range w.asked(second) {
			who = append(who, k.AssigneeID)
		}
		if !slices.Equal(who, []int64{uAdvisor1, uSecretary1, uDegree}) {
			t.Errorf("decided by %v", who)
		}
		w.call("student3", http.MethodPost, "/thesis/students-subject/change-title", map[string]any{"id": done.ID, "titleZh": "面向边缘设备的模型剪枝方法研究",
			"titleEn": "Model pruning", "reason": "导师建议收窄研究范围，突出剪枝"}, 0)
		change := w.my("student3").Step.ProcessInstanceID
		if change == second || !slices.Equal(w.open(change), []string{"advisor"}) {
			t.Fatalf("change: %s at %v", change, w.open(change))
		}
		w.verdict("advisor1", "return", done.ID, "维持原题目即可", 0)
		if w.result(change) != engine.Cancelled || w.my("student3").Form.AuditState != AuditPassed {
			t.Errorf("refused change: %v", w.result(change))
		}
	})
}

// TestProcessRejected: a rejection ends both.
func TestProcessRejected(t *testing.T) {
	eachWorld(t, func(w *world) {
		done := w.submitted("student1", nil)
		w.verdict("advisor1", "reject", done.ID, "题目超出本学科范围，不予通过", 0)
		if w.result(done.ProcessInstanceID) != engine.Rejected || w.running() != 0 {
			t.Fatalf("%v", w.result(done.ProcessInstanceID))
		}
		other := w.submitted("student2", nil)
		w.call("student2", http.MethodPut, fmt.Sprint("/thesis/students-subject/withdraw?id=", other.ID), nil, 0)
		if w.result(other.ProcessInstanceID) != engine.Cancelled || w.running() != 0 {
			t.Errorf("withdrawn: %v", w.result(other.ProcessInstanceID))
		}
	})
}

// TestProcessMovedOutside: what an administrator does to the process happens to the form,
// and what he may not do happens to neither.
func TestProcessMovedOutside(t *testing.T) {
	eachWorld(t, func(w *world) {
		w.user("admin1", kerneltest.Admin(1))
		done := w.submitted("student1", nil)
		id := done.ProcessInstanceID
		w.verdict("advisor1", "approve", done.ID, "同意", 0)
		tasks := into[store.Page[struct{ ID string }]](w, w.call("admin1", http.MethodGet, "/bpm/task/manager-page?pageNo=1&pageSize=10&status=1", nil, 0))
		if len(tasks.List) != 1 {
			t.Fatalf("tasks: %+v", tasks)
		}
		const ownStep = 1009005050
		for _, call := range []string{"approve-by-admin", "reject-by-admin", "assign-by-admin"} {
			a := w.call("admin1", http.MethodPut, "/bpm/task/"+call, map[string]any{"id": tasks.List[0].ID, "reason": "代办", "assigneeUserId": uSecretary1}, ownStep)
			if !strings.Contains(a.Msg, "选题审核") {
				t.Errorf("%s: %s", call, a.Msg)
			}
		}
		detail := into[struct{ Places []struct{ ID string } }](w, w.call("admin1", http.MethodGet, "/bpm/process-instance/get-manage-detail?id="+id, nil, 0))
		if len(detail.Places) != 1 {
			t.Fatalf("places: %+v", detail)
		}
		w.call("admin1", http.MethodPut, "/bpm/process-instance/move", map[string]any{"id": id, "from": []string{detail.Places[0].ID}, "to": "advisor", "reason": "导师误点"}, 0)
		if row, _ := subjects.Get(w.system(1), done.ID); row.Level != LevelAdvisor || row.AuditState != AuditAdvisor || w.got(uAdvisor1, msgTaskNew) != 2 {
			t.Fatalf("moved: level %d, audit %d, %d messages", row.Level, row.AuditState, w.got(uAdvisor1, msgTaskNew))
		}
		w.verdict("advisor1", "approve", done.ID, "同意", 0)
		w.call("admin1", http.MethodDelete, "/bpm/process-instance/cancel-by-admin", map[string]any{"id": id, "reason": "学院要求重新申报"}, 0)
		page := w.my("student1")
		if page.Form.AuditState != AuditWithdrawn || page.Step.Status != Draft || !page.Editable || w.got(uStudent1, msgCancelled) != 1 || w.result(id) != engine.Cancelled {
			t.Fatalf("cancelled: %+v", page.Step)
		}
		again := w.submitted("student1", map[string]any{"id": page.Form.ID, "version": page.Form.Version})
		if again.SubmitNo != 2 || w.running() != 1 {
			t.Errorf("again: %+v", again)
		}
	})
}

// TestProcessUnknown: an approval from before the process goes on at its level.
func TestProcessUnknown(t *testing.T) {
	eachWorld(t, func(w *world) {
		done := w.submitted("student1", nil)
		w.verdict("advisor1", "approve", done.ID, "同意", 0)
		w.write(1, func(ctx context.Context) error {
			if _, err := w.flow.End(ctx, done.ProcessInstanceID, "测试"); err != nil {
				return err
			}
			row, err := subjects.Get(ctx, done.ID)
			if err == nil {
				_, err = steps.Change(ctx, row.StepID, func(st *Step) error { st.ProcessInstanceID = "thesis_students_subject:1:1"; return nil })
			}
			return err
		})
		w.verdict("secretary1", "approve", done.ID, "", 0)
		now := w.my("student1").Step.ProcessInstanceID
		if w.my("student1").Form.AuditState != AuditPassed || w.result(now) != engine.Approved || len(w.asked(now)) != 2 {
			t.Errorf("%s: %v %v", now, w.result(now), w.asked(now))
		}
	})
}

// TestFirstSubmissionsAtOnce: a tenant without the process gets it once.
func TestFirstSubmissionsAtOnce(t *testing.T) {
	eachWorld(t, func(w *world) {
		var calls []func() kerneltest.Answer
		for _, who := range []string{"student1", "student2", "student3"} {
			calls = append(calls, w.later(who, http.MethodPost, "/thesis/students-subject/submit", form(nil), ""))
		}
		answers, codes := together(calls...)
		if codes[0] != 3 || w.running() != 3 {
			t.Fatalf("%v, %d running: %s", codes, w.running(), answers[0].Raw)
		}
		if err := w.flow.InstallStandards(w.system(1)); err != nil {
			t.Error(err)
		}
	})
}

// TestDiagramAsksNobody: a school that wants no approval gets none.
func TestDiagramAsksNobody(t *testing.T) {
	eachWorld(t, func(w *world) {
		w.redraw(func(string) string {
			return `<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" targetNamespace="t"><process id="thesis_subject" name="选题审批" isExecutable="true">
 <startEvent id="s"/><sequenceFlow id="f" sourceRef="s" targetRef="e"/><endEvent id="e"/></process></definitions>`
		})
		done := w.submitted("student1", nil)
		if page := w.my("student1"); page.Form.AuditState != AuditPassed || page.Step.Status != Passed || done.AuditState != AuditPassed || w.got(uStudent1, msgPassed) != 1 {
			t.Errorf("%+v", page.Step)
		}
	})
}

// TestDiagramWithoutCollege: the levels are those of the diagram.
func TestDiagramWithoutCollege(t *testing.T) {
	eachWorld(t, func(w *world) {
		w.redraw(func(xml string) string { return strings.Replace(xml, `targetRef="secretary"`, `targetRef="level"`, 1) })
		done := w.submitted("student3", nil)
		w.verdict("advisor1", "approve", done.ID, "同意", 0)
		if row, _ := subjects.Get(w.system(1), done.ID); row.Level != LevelGraduate || row.AuditState != AuditGraduate {
			t.Fatalf("after the advisor: %+v", row.Level)
		}
		w.verdict("degree", "approve", done.ID, "同意", 0)
		if w.my("student3").Form.AuditState != AuditPassed {
			t.Error("not passed")
		}
	})
}

// TestNoHandStart: the process begins with a submission only.
func TestNoHandStart(t *testing.T) {
	eachWorld(t, func(w *world) {
		w.redraw(func(xml string) string { return xml + "\n" })
		list := into[[]struct{ ID, Key string }](w, w.call("admin1", http.MethodGet, "/bpm/process-definition/list?suspensionState=1", nil, 0))
		for _, d := range list {
			w.call("admin1", http.MethodPost, "/bpm/process-instance/create", map[string]any{"processDefinitionId": d.ID}, 1009004005)
		}
		if len(list) == 0 {
			t.Error("nothing to start")
		}
	})
}

// TestReconcile: a form without its process gets it back at its level, a process without a
// form ends, and agreement is left alone.
func TestReconcile(t *testing.T) {
	eachWorld(t, func(w *world) {
		lost, kept, stray := w.submitted("student1", nil), w.submitted("student2", nil), w.submitted("student3", nil)
		w.verdict("advisor1", "approve", lost.ID, "同意", 0)
		w.write(1, func(ctx context.Context) error {
			if _, err := w.flow.End(ctx, lost.ProcessInstanceID, "测试"); err != nil {
				return err
			}
			row, err := subjects.Change(ctx, stray.ID, func(x *Subject) error { x.AuditState, x.Level = AuditWithdrawn, LevelNone; return nil })
			if err == nil {
				_, err = steps.Change(ctx, row.StepID, func(st *Step) error { st.Status = Draft; return nil })
			}
			return err
		})
		for range 2 {
			if err := w.s.Reconcile(store.Use(context.Background(), w.db)); err != nil {
				t.Fatal(err)
			}
			now := w.my("student1").Step.ProcessInstanceID
			if now == lost.ProcessInstanceID || !slices.Equal(w.open(now), []string{"secretary"}) || w.result(stray.ProcessInstanceID) != engine.Cancelled || w.running() != 2 ||
				w.my("student2").Step.ProcessInstanceID != kept.ProcessInstanceID {
				t.Fatalf("%s at %v, stray %v, %d running", now, w.open(now), w.result(stray.ProcessInstanceID), w.running())
			}
		}
		w.verdict("secretary1", "approve", lost.ID, "", 0)
	})
}
