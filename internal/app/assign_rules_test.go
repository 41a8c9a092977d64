package app

import (
	"slices"
	"testing"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
	"viva/internal/workflow"
)

// TestThesisRules: the deployed topic process of the demo asks the advisor, the secretary
// of the college and, of doctors, the degree office.
func TestThesisRules(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, db *store.DB) {
		u := demo(t, db)
		ctx := kerneltest.As(db, actor.Actor{Kind: actor.User, TenantID: 1, UserID: u.userID("student02")})
		if _, err := u.Workflow.Start(ctx, workflow.StartIn{Process: "thesis_subject", BusinessID: "900001", Vars: map[string]any{"thirdLevel": true}}); err != nil {
			t.Fatal(err)
		}
		if have := u.asked("thesis_subject"); !slices.Equal(have, []int64{u.userID("advisor01")}) {
			t.Errorf("asked %v, want advisor01", have)
		}
	})
}

// TestLeaveInDemo: the deployed leave process of the demo asks the head of the applicant's
// department.
func TestLeaveInDemo(t *testing.T) {
	u := demo(t, kerneltest.Open(t))
	a := u.call(u.signIn(1, "admin"), "POST", "/bpm/oa/leave/create", `{"startTime":1760000000000,"endTime":1760600000000,"type":1,"reason":"看病"}`)
	if a.Code != 0 {
		t.Fatalf("%s", a.Raw)
	}
	if have := u.asked("oa_leave"); !slices.Equal(have, []int64{u.userID("degree01")}) {
		t.Errorf("asked %v, want degree01", have)
	}
}

// asked are the assignees of the open tasks of the newest instance of a process, in the
// first tenant.
func (u university) asked(process string) (ids []int64) {
	u.t.Helper()
	rows, err := u.raw().Query("SELECT assignee_id FROM wf_task WHERE tenant_id = 1 AND ended_at = 0 AND instance_id = " +
		"(SELECT MAX(id) FROM wf_instance WHERE tenant_id = 1 AND process_key = '" + process + "') ORDER BY created_at")
	if err != nil {
		u.t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			u.t.Fatal(err)
		}
		ids = append(ids, id)
	}
	return ids
}

func (u university) userID(username string) (id int64) {
	u.t.Helper()
	if err := u.raw().QueryRow("SELECT id FROM system_users WHERE tenant_id = 1 AND username = '" + username + "'").Scan(&id); err != nil {
		u.t.Fatalf("%s: %v", username, err)
	}
	return id
}
