package web

import (
	"strings"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/errs"
)

// Access is who may make a call. The zero value admits nobody.
type Access struct {
	kind  accessKind
	perms []string
}

type accessKind int

const (
	denied accessKind = iota
	public
	publicNoTenant
	signedIn
	student
	teacher
	permission
)

// The access rules without a permission string.
var (
	// Public needs no session but a valid tenant.
	Public = Access{kind: public}
	// PublicNoTenant needs neither; for calls made before the tenant is known.
	PublicNoTenant = Access{kind: publicNoTenant}
	// SignedIn needs any session.
	SignedIn = Access{kind: signedIn}
	// Self admits students to calls that touch own rows only (the design's @self).
	Self = Access{kind: student}
	// Staff admits everybody but students; what they may see follows from relations.
	Staff = Access{kind: teacher}
)

// Perm needs the permission string; several mean any of them.
func Perm(perms ...string) Access { return Access{kind: permission, perms: perms} }

// String is the rule as the OpenAPI document and the matrix show it.
func (a Access) String() string {
	switch a.kind {
	case public:
		return "public"
	case publicNoTenant:
		return "public (no tenant)"
	case signedIn:
		return "signed in"
	case student:
		return "student (own rows)"
	case teacher:
		return "staff (by relation)"
	case permission:
		return strings.Join(a.perms, " | ")
	}
	return "denied"
}

// Permissions lists the strings of a Perm rule.
func (a Access) Permissions() []string { return a.perms }

func (a Access) anonymous() bool { return a.kind == public || a.kind == publicNoTenant }

// check is the one authorisation function.
func (a Access) check(who actor.Actor) error {
	if a.anonymous() {
		return nil
	}
	if who.Kind != actor.User || a.kind == denied {
		return errs.ErrUnauthenticated.With()
	}
	switch a.kind {
	case signedIn:
		return nil
	case student:
		if who.UserType == actor.Student {
			return nil
		}
	case teacher:
		if who.UserType != actor.Student {
			return nil
		}
	case permission:
		for _, p := range a.perms {
			if who.Can(p) {
				return nil
			}
		}
	}
	return errs.ErrForbidden.With()
}
