package workflow

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"viva/internal/kernel/errs"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
)

// editions are two versions of a process: in the second, step a has a new successor and
// step b is called b2; with two instances at a, one at b and one suspended at a.
type editions struct {
	*desk
	v1, v2   string
	atA, atB string
	standing string
}

func twoEditions(w *desk) editions {
	a, b := w.task("a", StrategyUser, "{ann}"), w.task("b", StrategyUser, "{bob}")
	e := editions{desk: w, v1: w.publish("p", line(a, b))}
	e.atA, e.atB, e.standing = w.start("p", nil), w.start("p", nil), w.start("p", nil)
	w.approve("ann", e.atB, "a")
	w.call("admin", "PUT", "/process-instance/update-state", body{"id": e.standing, "state": 2, "reason": "核查"}, 0)
	model := into[store.Page[ModelView]](w.office, w.call("admin", "GET", "/model/page?key=p", nil, 0)).List[0]
	w.call("admin", "PUT", "/model/update-bpmn", body{"id": model.ID, "bpmnXml": diagram("p", "流程 p", line(a, w.task("x", StrategyUser, "{cid}"), strings.ReplaceAll(b, `id="b"`, `id="b2"`)))}, 0)
	w.call("admin", "POST", fmt.Sprintf("/model/deploy?id=%v", model.ID), nil, 0)
	e.v2 = into[DefinitionDetail](w.office, w.call("admin", "GET", "/process-definition/get?key=p", nil, 0)).ID
	return e
}

func (e editions) plan(more ...body) body {
	in := body{"sourceDefinitionId": e.v1, "targetDefinitionId": e.v2, "reason": "新制度"}
	for _, m := range more {
		in = changes(m).on(in)
	}
	return in
}

func (e editions) check(more ...body) MigrationReport {
	e.t.Helper()
	return into[MigrationReport](e.office, e.call("admin", "POST", "/migration/check", e.plan(more...), 0))
}

func (e editions) migrate(more ...body) int64 {
	e.t.Helper()
	return into[int64](e.office, e.call("admin", "POST", "/migration/create", e.plan(more...), 0))
}

func (e editions) progress(id int64) MigrationView {
	e.t.Helper()
	return into[MigrationView](e.office, e.call("admin", "GET", fmt.Sprint("/migration/get?id=", id), nil, 0))
}

func (e editions) versionOf(instance string) int { return e.manage(instance).Version }

// TestMigration: the trial says who goes and why not; those who fit go, each alone, the
// others stay and are listed; with a map they go too.
func TestMigration(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		pass := w.travel()
		e := twoEditions(w)
		report := e.check()
		if report.Total != 3 || report.Checked != 3 || report.Fit != 2 || len(report.List) != 3 {
			t.Fatalf("%+v", report)
		}
		bad := report.List[0]
		if bad.ProcessInstanceID != e.atB || len(bad.Problems) != 1 || bad.Problems[0].ElementName != "任务 b" || bad.Problems[0].Text != "新版本中没有对应的节点" {
			t.Errorf("%+v", bad)
		}
		lead := map[string]MigrationElement{}
		for _, x := range report.Elements {
			lead[x.ElementID] = x
		}
		if lead["a"].TargetID != "a" || lead["a"].Instances != 2 || lead["b"].TargetID != "" || lead["b"].Instances != 1 {
			t.Errorf("%+v", lead)
		}
		if e.versionOf(e.atA) != 1 {
			t.Error("the trial migrated")
		}
		id := e.migrate()
		if m := e.progress(id); m.Status != migrationRunning || m.Total != 3 || m.Done+m.Failed != 0 {
			t.Errorf("%+v", m)
		}
		e.call("admin", "POST", "/migration/create", e.plan(), errMigrateTwice.Num)
		pass(time.Second)
		if m := e.progress(id); m.Status != migrationDone || m.Done != 2 || m.Failed != 1 || m.EndTime == nil {
			t.Errorf("%+v", m)
		}
		items := into[store.Page[MigrationItem]](w.office, w.call("admin", "GET", fmt.Sprint("/migration/item-page?migrationId=", id), nil, 0))
		if items.Total != 3 || items.List[0].ProcessInstanceID != e.atB || items.List[0].Migrated || items.List[0].Problems[0].Text != bad.Problems[0].Text || !items.List[1].Migrated {
			t.Errorf("%+v", items)
		}
		if n := into[store.Page[MigrationItem]](w.office, w.call("admin", "GET", fmt.Sprint("/migration/item-page?failedOnly=true&migrationId=", id), nil, 0)).Total; n != 1 {
			t.Errorf("%d failed items", n)
		}
		if e.versionOf(e.atA) != 2 || e.versionOf(e.standing) != 2 || e.versionOf(e.atB) != 1 {
			t.Error("versions", e.versionOf(e.atA), e.versionOf(e.standing), e.versionOf(e.atB))
		}
		mapped := body{"elementMap": body{"b": "b2"}}
		if r := e.check(mapped); r.Fit != 1 || r.Total != 1 {
			t.Errorf("%+v", r)
		}
		e.migrate(mapped)
		pass(time.Second)
		w.want("mapped", w.state(e.atB), "b2 bob")
		w.approve("ann", e.atA, "a")
		w.want("the new way", w.state(e.atA), "x cid")
		w.approve("bob", e.atB, "b2")
		w.want("ended", w.state(e.atB), "ended 2")
		e.call("admin", "POST", "/migration/create", e.plan(), errMigrateNone.Num)
		if n := into[store.Page[MigrationView]](w.office, w.call("admin", "GET", "/migration/page?processDefinitionKey=p&status=2", nil, 0)).Total; n != 2 {
			t.Errorf("%d migrations", n)
		}
		w.sound()
	})
}

// TestMigration_once: runs that overlap, and one that takes over what another left, treat
// every instance once; a stop leaves the rest.
func TestMigration_once(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		e := twoEditions(w)
		id := e.migrate(body{"elementMap": body{"b": "b2"}})
		system := kerneltest.AsSystem(w.db, 1)
		if more, err := w.s.migrateNext(system, id); err != nil || !more {
			t.Fatal(more, err)
		}
		if m := e.progress(id); m.Done != 1 || m.Status != migrationRunning {
			t.Errorf("%+v", m)
		}
		// The run breaks between the move of an instance and its entry: neither stays.
		w.raw("ALTER TABLE bpm_migration_item RENAME TO elsewhere")
		if _, err := w.s.migrateNext(system, id); err == nil {
			t.Error("an instance was migrated without its entry")
		}
		w.raw("ALTER TABLE elsewhere RENAME TO bpm_migration_item")
		if v := e.versionOf(e.atB) + e.versionOf(e.standing); v != 2 {
			t.Errorf("versions add up to %d", v)
		}
		var group sync.WaitGroup
		for range 3 {
			group.Go(func() {
				for more := true; more; {
					var err error
					if more, err = w.s.migrateNext(system, id); err != nil {
						t.Error(err)
					}
				}
			})
		}
		group.Wait()
		if m := e.progress(id); m.Done != 3 || m.Failed != 0 || m.Status != migrationDone {
			t.Errorf("%+v", m)
		}
		w.call("admin", "PUT", "/migration/stop", body{"id": id, "reason": "x"}, errMigrationOver.Num)
		w.sound()
	})
}

// TestMigration_refused: what is no plan, who may not, and whose it is not.
func TestMigration_refused(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		e := twoEditions(w)
		other := w.publish("q", line(w.task("a", StrategyUser, "{ann}")))
		for _, bad := range []struct {
			in   body
			code int
		}{
			{body{"targetDefinitionId": e.v1}, errMigrateWhere.Num}, {body{"targetDefinitionId": other}, errMigrateWhere.Num}, {body{"sourceDefinitionId": "p:9:x"}, errDefinitionMissing.Num},
			{body{"elementMap": body{"b": "nowhere"}}, errs.CodeInvalid}, {body{"elementMap": body{"nowhere": "b2"}}, errs.CodeInvalid},
		} {
			e.call("admin", "POST", "/migration/check", e.plan(bad.in), bad.code)
			e.call("admin", "POST", "/migration/create", e.plan(bad.in), bad.code)
		}
		e.call("admin", "POST", "/migration/create", e.plan(body{"reason": "  "}), errs.CodeInvalid)
		kinds := e.check(body{"elementMap": body{"b": "e"}})
		if kinds.Fit != 2 || !strings.Contains(kinds.List[0].Problems[0].Text, "endEvent") {
			t.Errorf("%+v", kinds.List)
		}
		id := e.migrate()
		for who, code := range map[string]int{"bob": errs.CodeForbidden, "alien": errs.CodeForbidden, "": errs.CodeUnauthenticated, "admin2": errDefinitionMissing.Num} {
			e.call(who, "POST", "/migration/check", e.plan(), code)
			e.call(who, "POST", "/migration/create", e.plan(), code)
			if who == "admin2" {
				code = errs.ErrNoRecord.Num
			}
			e.call(who, "GET", fmt.Sprint("/migration/get?id=", id), nil, code)
			e.call(who, "GET", fmt.Sprint("/migration/item-page?migrationId=", id), nil, code)
			e.call(who, "PUT", "/migration/stop", body{"id": id, "reason": "x"}, code)
		}
		if n := into[store.Page[MigrationView]](w.office, w.call("admin2", "GET", "/migration/page", nil, 0)).Total; n != 0 {
			t.Errorf("another tenant sees %d migrations", n)
		}
		e.call("admin", "PUT", "/migration/stop", body{"id": id, "reason": "先不迁"}, 0)
		if more, err := w.s.migrateNext(kerneltest.AsSystem(w.db, 1), id); more || err != nil {
			t.Error(more, err)
		}
		if m := e.progress(id); m.Status != migrationStopped || m.Done != 0 || e.versionOf(e.atA) != 1 {
			t.Errorf("%+v", m)
		}
		w.sound()
	})
}
