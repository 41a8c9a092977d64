package kerneltest

import (
	"context"
	"fmt"
	"sync"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/store"
)

// Auth is an authenticator for tests of the kernel: whoever was added is signed in,
// tenants 1 and 2 exist.
type Auth struct {
	lock    sync.Mutex
	actors  map[string]actor.Actor
	refused map[int64]bool
}

// NewAuth makes an empty one.
func NewAuth() *Auth { return &Auth{actors: map[string]actor.Actor{}, refused: map[int64]bool{}} }

// Add signs an actor in and gives the token.
func (a *Auth) Add(who actor.Actor) string {
	a.lock.Lock()
	defer a.lock.Unlock()
	token := fmt.Sprintf("token-%d", len(a.actors)+1)
	a.actors[token] = who
	return token
}

// Refuse closes a tenant.
func (a *Auth) Refuse(tenant int64) {
	a.lock.Lock()
	defer a.lock.Unlock()
	a.refused[tenant] = true
}

// Actor implements web.Authenticator.
func (a *Auth) Actor(_ context.Context, token string) (actor.Actor, error) {
	a.lock.Lock()
	defer a.lock.Unlock()
	if who, ok := a.actors[token]; ok {
		return who, nil
	}
	return actor.Actor{}, errs.ErrUnauthenticated.With()
}

// Tenant implements web.Authenticator.
func (a *Auth) Tenant(_ context.Context, id int64) error {
	a.lock.Lock()
	defer a.lock.Unlock()
	if id < 1 || id > 2 || a.refused[id] {
		return errs.ErrInvalid.With("tenant")
	}
	return nil
}

// Admin is a super administrator of a tenant.
func Admin(tenant int64) actor.Actor {
	return actor.Actor{Kind: actor.User, UserID: tenant*1000 + 1, UserType: actor.Teacher, TenantID: tenant, Username: "admin",
		Roles: []string{"super_admin"}, Perms: map[string]bool{actor.Super: true}, Scope: actor.Scope{All: true}}
}

// User is an ordinary member of staff with the permissions given.
func User(tenant, id int64, perms ...string) actor.Actor {
	held := map[string]bool{}
	for _, p := range perms {
		held[p] = true
	}
	return actor.Actor{Kind: actor.User, UserID: id, UserType: actor.Teacher, TenantID: tenant, Username: fmt.Sprint("user", id), Perms: held}
}

// Student is a student of a tenant.
func Student(tenant, id int64) actor.Actor {
	who := User(tenant, id)
	who.UserType = actor.Student
	return who
}

// As gives a context with the database and an actor.
func As(db *store.DB, who actor.Actor) context.Context {
	return actor.With(store.Use(context.Background(), db), who)
}

// AsSystem gives a context with the database and the system in a tenant.
func AsSystem(db *store.DB, tenant int64) context.Context {
	return actor.AsSystem(store.Use(context.Background(), db), tenant)
}
