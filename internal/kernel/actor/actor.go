// Package actor says on whose behalf code runs. The zero Actor may do nothing;
// the system itself is an explicit kind, never the absence of a user.
package actor

import (
	"context"
	"strconv"
)

// Kind tells users from the system.
type Kind int

// The kinds of actor. Nobody is the zero value.
const (
	Nobody Kind = iota
	User
	System
)

// User types of the product (specification §1): students and everybody else.
const (
	Student = 1
	Teacher = 2
)

// Scope is the data scope of a user over departments, already united over the
// roles (contract system.md §6.3). All wins; otherwise rows of Depts, and own
// rows when Self is set.
type Scope struct {
	All   bool
	Depts []int64
	Self  bool
}

// Actor is the resolved caller of one request or job.
type Actor struct {
	Kind      Kind
	UserID    int64
	UserType  int
	TenantID  int64
	Username  string
	Nickname  string
	DeptID    int64
	Roles     []string
	Perms     map[string]bool
	Scope     Scope
	SessionID int64
}

// Super is the permission that stands for all.
const Super = "*:*:*"

// Can reports whether the actor holds the exact permission or the super one.
func (a Actor) Can(perm string) bool {
	if a.Kind == System {
		return true
	}
	return a.Kind == User && perm != "" && (a.Perms[perm] || a.Perms[Super])
}

// HasRole reports whether the actor holds the role code or is a super administrator.
func (a Actor) HasRole(code string) bool {
	for _, r := range a.Roles {
		if r == code || r == "super_admin" {
			return true
		}
	}
	return false
}

// Name is what creator and updater columns hold: the user's id, or "system".
func (a Actor) Name() string {
	if a.Kind == User {
		return strconv.FormatInt(a.UserID, 10)
	}
	return "system"
}

type key struct{}

// With puts the actor into the context.
func With(ctx context.Context, a Actor) context.Context { return context.WithValue(ctx, key{}, a) }

// From gives the actor, or the zero Actor.
func From(ctx context.Context) Actor {
	a, _ := ctx.Value(key{}).(Actor)
	return a
}

// AsSystem makes the system act inside one tenant.
func AsSystem(ctx context.Context, tenant int64) context.Context {
	return With(ctx, Actor{Kind: System, TenantID: tenant, Username: "system"})
}

// Request describes the call for audit rows and logs. Received is the server's clock, in
// milliseconds, when the head of the request had arrived; deadlines are judged by it, not
// by when a busy server got to the work. It is 0 outside requests.
type Request struct {
	ID        string
	Received  int64
	IP        string
	UserAgent string
	Method    string
	Path      string
	Call      string
}

type requestKey struct{}

// WithRequest puts the request description into the context.
func WithRequest(ctx context.Context, r Request) context.Context {
	return context.WithValue(ctx, requestKey{}, r)
}

// RequestOf gives the request description, zero outside requests.
func RequestOf(ctx context.Context) Request {
	r, _ := ctx.Value(requestKey{}).(Request)
	return r
}
