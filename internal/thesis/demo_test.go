package thesis

import (
	"context"
	"testing"
	"time"

	"viva/internal/academic"
	"viva/internal/identity"
	"viva/internal/kernel/store"
)

// organisation gives every name of a plan an id, as module identity would.
func organisation(p *academic.DemoPlan, first int64) identity.Organisation {
	o := identity.Organisation{Depts: map[string]int64{}, Users: map[string]int64{}}
	plan := p.Organisation()
	for i, d := range plan.Depts {
		o.Depts[d.Name] = first + int64(i)
	}
	for i, u := range plan.Users {
		o.Users[u.Username] = first + 1000 + int64(i)
	}
	return o
}

func TestDemo(t *testing.T) {
	eachWorld(t, func(w *world) {
		const tenant = 3 // empty, unlike those of the world
		plan := academic.NewDemo(0)
		started := time.Now()
		ctx := w.system(tenant)
		if err := w.school.DemoSeed(ctx, plan, organisation(plan, 5000)); err != nil {
			t.Fatal(err)
		}
		if err := w.s.DemoSeed(ctx, plan); err != nil {
			t.Fatal(err)
		}
		took := time.Since(started)
		if took > 8*time.Second {
			t.Errorf("the demo took %s", took)
		}
		t.Logf("demo in %s", took)
		w.checkDemo(ctx, plan)
		if err := w.s.DemoSeed(ctx, plan); err != nil {
			t.Fatalf("a second run: %v", err)
		}
	})
}

func (w *world) checkDemo(ctx context.Context, plan *academic.DemoPlan) {
	w.t.Helper()
	all, err := store.Select[Record](ctx, `SELECT * FROM thesis_record WHERE tenant_id = :tenant`, nil)
	if err != nil || len(all) != 300 {
		w.t.Fatalf("%d records, %v", len(all), err)
	}
	for _, r := range all {
		if ok, err := VerifyHistory(ctx, r.ID); err != nil || !ok {
			w.t.Fatalf("history of record %d: %v, %v", r.ID, ok, err)
		}
	}
	counts := map[Audit]int{}
	forms, err := store.Select[Subject](ctx, `SELECT * FROM thesis_students_subject WHERE tenant_id = :tenant`, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	held := map[int64]int{}
	for _, f := range forms {
		counts[f.AuditState]++
		if f.HoldsPlace {
			held[f.TopicID]++
		}
		if f.SubmittedAt > now() || f.SubmitNo > 0 && f.ReceiptNo == "" {
			w.t.Errorf("form %d: %+v", f.ID, f)
		}
	}
	for _, state := range []Audit{AuditDraft, AuditAdvisor, AuditCollege, AuditGraduate, AuditPassed, AuditReturned, AuditRejected, AuditWithdrawn, AuditChanging} {
		if counts[state] == 0 {
			w.t.Errorf("nobody is in state %d: %v", state, counts)
		}
	}
	list, err := store.Select[Topic](ctx, `SELECT * FROM thesis_topic WHERE tenant_id = :tenant`, nil)
	if err != nil || len(list) != 60 {
		w.t.Fatalf("%d topics, %v", len(list), err)
	}
	for _, x := range list {
		if x.TakenCount != held[x.ID] || x.TakenCount > x.MaxStudents {
			w.t.Errorf("topic %d: taken %d of %d, held %d", x.ID, x.TakenCount, x.MaxStudents, held[x.ID])
		}
	}
	w.checkNamed(ctx, plan)
}

func (w *world) checkNamed(ctx context.Context, plan *academic.DemoPlan) {
	w.t.Helper()
	want := map[string]int{"student01": -1, "student02": 1, "student03": 2, "student04": 5, "student05": 4}
	for _, s := range plan.Students[:5] {
		state, found, err := store.Get[int](ctx, `SELECT audit_state FROM thesis_students_subject WHERE tenant_id = :tenant AND student_id = :id`, store.Args{"id": s.ID})
		if err != nil {
			w.t.Fatal(err)
		}
		if !found {
			state = -1
		}
		if state != want[s.Username] {
			w.t.Errorf("%s is in state %d, want %d", s.Username, state, want[s.Username])
		}
		if s.College != 0 || s.Username <= "student03" && s.Advisor != 0 || s.Username > "student03" && s.Advisor != 1 {
			w.t.Errorf("%+v", s)
		}
	}
}

func TestDemoIsTheSameEveryTime(t *testing.T) {
	for _, index := range []int{0, 1} {
		a, b := academic.NewDemo(index), academic.NewDemo(index)
		if len(a.Students) != len(b.Students) {
			t.Fatal("sizes differ")
		}
		for i := range a.Students {
			if a.Students[i] != b.Students[i] {
				t.Fatalf("tenant %d, student %d: %+v, %+v", index, i, a.Students[i], b.Students[i])
			}
		}
	}
}
