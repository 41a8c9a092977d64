package thesis

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"viva/internal/academic"
	"viva/internal/kernel/actor"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/store"
)

// replace gives a user of the world other rights, under a new session.
func (w *world) replace(name string, change func(*actor.Actor)) {
	a := w.users[name]
	change(&a)
	w.users[name], w.tokens[name] = a, w.auth.Add(a)
}

// TestAdvisorNeedsNoRole: supervision alone lets an advisor read and decide; a data scope
// without the permission opens nothing.
func TestAdvisorNeedsNoRole(t *testing.T) {
	eachWorld(t, func(w *world) {
		bare := func(a *actor.Actor) { a.Roles, a.Perms = nil, nil }
		w.replace("advisor1", bare)
		w.replace("advisor2", bare)
		w.replace("nobody", func(a *actor.Actor) { a.Scope = actor.Scope{Depts: []int64{w.college["信息学院"]}} })
		w.file(7, uStudent1, "sha")
		done := w.submitted("student1", map[string]any{"attachments": []int64{7}})
		rec, _, _ := recordOfStudent(w.system(1), w.ids["student1"])
		w.write(1, func(ctx context.Context) error { // a co-advisor reads, and does not decide
			return w.school.Assign(ctx, w.ids["student1"], w.ids["advisor2"], 2, "协助指导")
		})
		for who, code := range map[string]int{"advisor1": 0, "advisor2": 0, "secretary1": 0, "training": 0, "nobody": errs.ErrNoRecord.Num, "secretary2": errs.ErrNoRecord.Num} {
			w.call(who, http.MethodGet, fmt.Sprintf("/thesis/students-subject/get?id=%d", done.ID), nil, code)
			w.call(who, http.MethodGet, fmt.Sprintf("/thesis/students-subject/receipt?id=%d", done.ID), nil, code)
			w.call(who, http.MethodGet, fmt.Sprintf("/thesis/record/history?id=%d", rec.ID), nil, code)
			if ok, err := w.s.fileAccess(w.ctx(w.users[who]), rec.ID); err != nil || ok != (code == 0) {
				t.Errorf("%s reads the files: %v, %v", who, ok, err)
			}
		}
		w.verdict("advisor2", "approve", done.ID, "同意", errs.ErrNoRecord.Num)
		w.verdict("advisor1", "approve", done.ID, "同意", 0)
	})
}

// TestFourEyes: whoever approved on one level does not decide on another, also when the
// supervision by which he approved has ended; a new submission begins anew.
func TestFourEyes(t *testing.T) {
	eachWorld(t, func(w *world) {
		w.replace("advisor1", func(a *actor.Actor) { a.Roles = []string{roleTeacher, roleSecretary} })
		w.replace("secretary1", func(a *actor.Actor) { a.Roles = []string{roleSecretary, roleDegree} })
		done := w.submitted("student3", nil) // three levels
		w.verdict("advisor1", "approve", done.ID, "同意", 0)
		w.write(1, func(ctx context.Context) error {
			return w.school.Assign(ctx, w.ids["student3"], w.ids["advisor2"], academic.RoleMain, "调整导师")
		})
		a := w.verdict("advisor1", "approve", done.ID, "同意", errDecided.Num)
		if !strings.Contains(a.Msg, "学院秘书（2 人）") {
			t.Errorf("who can instead: %s", a.Msg)
		}
		d := into[SubjectDetail](w, w.call("advisor1", http.MethodGet, fmt.Sprintf("/thesis/students-subject/get?id=%d", done.ID), nil, 0))
		if len(d.Actions) != 0 || d.LockReason != a.Msg || d.Locks["approve"] != a.Msg {
			t.Errorf("the page offers %v and says %q, the call %q", d.Actions, d.LockReason, a.Msg)
		}
		if n := into[int64](w, w.call("advisor1", http.MethodGet, "/thesis/students-subject/todo-count", nil, 0)); n != 0 {
			t.Errorf("his list holds %d", n)
		}
		w.inbox = nil
		w.verdict("secretary1", "approve", done.ID, "同意", 0)
		if w.got(uSecretary1, msgTaskNew) != 0 || w.got(uDegree, msgTaskNew) != 1 {
			t.Errorf("who is told of the third level: %+v", w.inbox)
		}
		delete(w.users, "degree")
		a = w.verdict("secretary1", "approve", done.ID, "同意", errDecided.Num)
		if !strings.Contains(a.Msg, "请联系管理员指定") {
			t.Errorf("nobody else: %s", a.Msg)
		}
		w.verdict("degree", "return", done.ID, "请补充研究基础", 0)
		row, _ := subjects.Get(w.system(1), done.ID)
		w.submitted("student3", map[string]any{"id": done.ID, "version": row.Version})
		w.verdict("advisor2", "approve", done.ID, "同意", 0)
		w.verdict("advisor1", "approve", done.ID, "同意", 0) // this time as secretary only
	})
}

// TestUnassignedReachesAdministrators: of either kind, when a level has nobody.
func TestUnassignedReachesAdministrators(t *testing.T) {
	eachWorld(t, func(w *world) {
		w.user("super", actor.Actor{UserID: 502, UserType: actor.Teacher, Roles: []string{roleSuperAdmin}})
		w.user("tenantadmin", actor.Actor{UserID: 501, UserType: actor.Teacher, Roles: []string{roleTenantAdmin, roleSuperAdmin}})
		delete(w.users, "secretary1")
		delete(w.users, "secretary1b")
		done := w.submitted("student1", nil)
		w.verdict("advisor1", "approve", done.ID, "同意", 0)
		if w.got(501, msgUnassigned) != 1 || w.got(502, msgUnassigned) != 1 {
			t.Errorf("told: %+v", w.inbox)
		}
	})
}

// TestFilesAreLetGo: a file that leaves the draft is free again, one that was handed in
// stays with the thesis.
func TestFilesAreLetGo(t *testing.T) {
	eachWorld(t, func(w *world) {
		for id := range int64(4) {
			w.file(id, uStudent1, fmt.Sprint("content ", id))
		}
		bound := func(want ...int64) {
			t.Helper()
			var got []int64
			for id := range w.bound {
				got = append(got, id)
			}
			if slices.Sort(got); !slices.Equal(got, want) {
				t.Errorf("bound are %v, want %v", got, want)
			}
		}
		save := func(s Saved, files ...int64) Saved {
			change := map[string]any{"attachments": files}
			if s.ID > 0 {
				change["id"], change["version"] = s.ID, s.Version
			}
			return into[Saved](w, w.call("student1", http.MethodPost, "/thesis/students-subject/save-draft", form(change), 0))
		}
		saved := save(Saved{}, 1, 2)
		bound(1, 2)
		saved = save(saved, 2, 3)
		bound(2, 3)
		done := w.submitted("student1", map[string]any{"id": saved.ID, "version": saved.Version, "attachments": []int64{2}})
		bound(2)
		w.verdict("advisor1", "return", done.ID, "请更新论证材料", 0)
		row, _ := subjects.Get(w.system(1), done.ID)
		saved = save(Saved{ID: row.ID, Version: row.Version}, 3)
		bound(2, 3)
		save(saved)
		bound(2)
	})
}

// locksOf pairs actions and locks: together they name every action, none twice.
func locksOf(t *testing.T, what string, all, actions []string, locks map[string]string) {
	t.Helper()
	for _, name := range all {
		reason, locked := locks[name]
		if locked == slices.Contains(actions, name) || locked && reason == "" {
			t.Errorf("%s: %s is in actions %v and locked by %q", what, name, actions, reason)
		}
	}
	if len(actions)+len(locks) != len(all) {
		t.Errorf("%s: actions %v, locks %v", what, actions, locks)
	}
}

var ownActs = []string{actSave, actSubmit, actWithdraw, actChangeTitle, actWithdrawChange}

// TestLocksAreTheCallsRefusals: an action in the list goes through, every other is refused
// by the call with the text of the lock.
func TestLocksAreTheCallsRefusals(t *testing.T) {
	eachWorld(t, func(w *world) {
		const base = "/thesis/students-subject/"
		check := func(state string) {
			t.Helper()
			p := w.my("student1")
			locksOf(t, state, ownActs, p.Actions, p.Locks)
			change := map[string]any{}
			id := int64(0)
			if p.Form != nil {
				id = p.Form.ID
				change["id"], change["version"] = id, p.Form.Version
			}
			title := map[string]any{"id": max(id, 1), "titleZh": "面向边缘设备的模型蒸馏方法研究", "reason": "研究方法由模型压缩改为模型蒸馏"}
			for name, call := range map[string]func(code int) string{
				actSave: func(code int) string {
					return w.call("student1", http.MethodPost, base+actSave, form(change), code).Msg
				},
				actSubmit: func(code int) string {
					return w.call("student1", http.MethodPost, base+actSubmit, form(change), code).Msg
				},
				actChangeTitle: func(code int) string {
					return w.call("student1", http.MethodPost, base+actChangeTitle, title, code).Msg
				},
			} {
				lock, locked := p.Locks[name]
				if !locked || id == 0 && name == actChangeTitle {
					continue
				}
				code := errState.Num
				if p.Step.Status == Expired {
					code = errTooLate.Num
				}
				if p.Step.Status == Passed && name == actChangeTitle && p.Form.AuditState == AuditPassed {
					code = errNotActive.Num
				}
				if msg := call(code); code == errState.Num && !strings.Contains(msg, lock) {
					t.Errorf("%s: the page says %q, the call of %s %q", state, lock, name, msg)
				}
			}
		}
		check("open")
		done := w.submitted("student1", nil)
		check("with the advisor")
		if p := w.my("student1"); !slices.Contains(p.Actions, actWithdraw) {
			t.Errorf("a submitted form can be taken back: %v", p.Actions)
		}
		w.verdict("advisor1", "approve", done.ID, "同意", 0)
		check("with the college")
		if p := w.my("student1"); !strings.Contains(p.Locks[actWithdraw], "导师已经同意") {
			t.Errorf("locks %v", p.Locks)
		}
		w.verdict("secretary1", "approve", done.ID, "同意", 0)
		check("passed")
		w.write(1, func(ctx context.Context) error {
			return w.school.ChangeStudent(ctx, w.ids["student1"], func(s *academic.Student) { s.LifeState = academic.LifeSuspended })
		})
		if p := w.my("student1"); slices.Contains(p.Actions, actChangeTitle) || !strings.Contains(p.Locks[actChangeTitle], "暂停") {
			t.Errorf("on leave a title does not change: %v, %v", p.Actions, p.Locks)
		}
		check("on leave")
	})
}

// TestVerdictLocks: every verdict is either offered or says why not, in both languages.
func TestVerdictLocks(t *testing.T) {
	eachWorld(t, func(w *world) {
		verdicts := []string{string(Approve), string(Return), string(Reject)}
		done := w.submitted("student3", nil)
		get := func(who string) SubjectDetail {
			t.Helper()
			d := into[SubjectDetail](w, w.call(who, http.MethodGet, fmt.Sprintf("/thesis/students-subject/get?id=%d", done.ID), nil, 0))
			locksOf(t, who, verdicts, d.Actions, d.Locks)
			return d
		}
		if d := get("advisor1"); len(d.Actions) != 3 || d.LockReason != "" {
			t.Errorf("the advisor: %v, %q", d.Actions, d.LockReason)
		}
		if d := get("secretary1"); len(d.Actions) != 0 || d.Locks["return"] != "正在等待导师审批" {
			t.Errorf("not her turn: %v, %v", d.Actions, d.Locks)
		}
		w.verdict("advisor1", "approve", done.ID, "同意", 0)
		d := get("secretary1")
		a := w.verdict("secretary1", "reject", done.ID, "不符合培养方向的要求", errState.Num)
		if !slices.Equal(d.Actions, verdicts[:2]) || d.Locks["reject"] != a.Msg {
			t.Errorf("the middle level: %v, %v, the call says %q", d.Actions, d.Locks, a.Msg)
		}
		if d := get("training"); d.Locks["approve"] != "正在等待学院秘书审批" {
			t.Errorf("a reader: %v", d.Locks)
		}
		if p := into[store.Page[Subject]](w, w.call("secretary1", http.MethodGet, "/thesis/students-subject/page", nil, 0)); p.Total != 1 {
			t.Errorf("%d declarations", p.Total)
		}
	})
}
