package actor

import (
	"context"
	"testing"
)

// The zero Actor may do nothing; a failed authentication must never be all-powerful.
func TestZeroActorCannot(t *testing.T) {
	var nobody Actor
	for _, perm := range []string{"", "a:b:c", Super} {
		if nobody.Can(perm) {
			t.Errorf("nobody can %q", perm)
		}
	}
	if nobody.HasRole("student") || From(context.Background()).Kind != Nobody {
		t.Error("nobody has a role")
	}
	nobody.Perms = map[string]bool{Super: true} // rights without a user count for nothing
	if nobody.Can("a:b:c") {
		t.Error("rights without a user")
	}
}

func TestCan(t *testing.T) {
	a := Actor{Kind: User, Perms: map[string]bool{"a:b:c": true}, Roles: []string{"student"}}
	if !a.Can("a:b:c") || a.Can("a:b") || a.Can("a:b:c:d") || a.Can("") || a.Can(Super) {
		t.Error("exact permissions only")
	}
	if a.Perms[Super] = true; !a.Can("x:y:z") {
		t.Error("the super permission stands for all")
	}
	if !a.HasRole("student") || a.HasRole("teacher") || !(Actor{Roles: []string{"super_admin"}}).HasRole("teacher") {
		t.Error("roles")
	}
}

func TestContext(t *testing.T) {
	ctx := AsSystem(context.Background(), 7)
	if a := From(ctx); a.Kind != System || a.TenantID != 7 || a.Name() != "system" || !a.Can("x") {
		t.Errorf("%+v", a)
	}
	ctx = WithRequest(With(ctx, Actor{Kind: User, UserID: 5}), Request{ID: "r"})
	if From(ctx).Name() != "5" || RequestOf(ctx).ID != "r" || RequestOf(context.Background()).ID != "" {
		t.Error("context")
	}
}
