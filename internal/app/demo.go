package app

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"viva/internal/academic"
	"viva/internal/identity"
	"viva/internal/kernel/actor"
	"viva/internal/kernel/clock"
	"viva/internal/kernel/password"
	"viva/internal/kernel/store"
	"viva/internal/system"
)

// DemoPassword is the password of every account of the demo university. It exists only
// in databases that were filled with --demo.
const DemoPassword = "Viva@2026"

// DemoTenant is the first of the demo universities: the name that an empty database gives
// its first tenant when it is to be filled with --demo.
const DemoTenant = "青岚大学"

// demoTenants are the two universities; the second is small and proves the tenant wall.
var demoTenants = []string{DemoTenant, "临川理工"}

// Demo fills an empty database with the demo universities, deterministically but for the
// dates, which lie around now. A database with users is left as it is. Everything is one
// transaction: a process that dies on the way leaves the database empty, and the next
// start fills it. The text tells the accounts.
func (a *App) Demo(ctx context.Context) (string, error) {
	ctx = actor.AsSystem(ctx, SystemTenant)
	if _, found, err := a.Identity.UserIDByName(ctx, "admin"); err != nil || found {
		return demoAccounts, err
	}
	hash, err := password.Hash(ctx, DemoPassword)
	if err != nil {
		return "", err
	}
	err = store.Write(ctx, func(ctx context.Context) error { return a.demoUniversities(ctx, hash) })
	return demoAccounts, err
}

func (a *App) demoUniversities(ctx context.Context, hash string) (err error) {
	for i, t := range demoTenants {
		tenant := int64(SystemTenant)
		if i > 0 {
			if tenant, err = a.demoTenant(ctx, t, hash); err != nil {
				return fmt.Errorf("tenant %s: %w", t, err)
			}
		}
		if err := a.demoUniversity(actor.AsSystem(ctx, tenant), i, hash); err != nil {
			return fmt.Errorf("%s: %w", t, err)
		}
	}
	return nil
}

func (a *App) demoTenant(ctx context.Context, name, hash string) (int64, error) {
	pack, err := a.Identity.StandardPackage(ctx)
	if err != nil {
		return 0, err
	}
	in := identity.NewTenant{Username: "admin", PasswordHash: hash}
	in.Name, in.ContactName, in.PackageID, in.AccountCount = name, name, pack, 10_000
	in.ExpireTime = clock.Now().AddDate(10, 0, 0).UnixMilli()
	return a.Identity.CreateTenant(ctx, in)
}

func (a *App) demoUniversity(ctx context.Context, index int, hash string) error {
	people := academic.NewDemo(index)
	plan := people.Organisation()
	plan.PasswordHash = hash
	if index == 0 {
		plan.Users = append(plan.Users, identity.PlanUser{Username: "admin", Nickname: "系统管理员", Dept: "研究生院", Roles: []string{"super_admin"}})
	}
	org, err := a.Identity.DemoOrganisation(ctx, plan)
	if err != nil {
		return fmt.Errorf("organisation: %w", err)
	}
	if err := a.Workflow.DemoSeed(ctx, org); err != nil {
		return fmt.Errorf("workflow: %w", err)
	}
	if err := a.Workflow.DemoModels(ctx); err != nil {
		return fmt.Errorf("process models: %w", err)
	}
	if err := a.Workflow.InstallStandards(ctx); err != nil {
		return fmt.Errorf("standard processes: %w", err)
	}
	if err := a.Workflow.DemoLeaves(ctx, org); err != nil {
		return fmt.Errorf("leave: %w", err)
	}
	if err := a.School.DemoSeed(ctx, people, org); err != nil {
		return fmt.Errorf("school: %w", err)
	}
	if err := a.Thesis.DemoSeed(ctx, people); err != nil {
		return fmt.Errorf("theses: %w", err)
	}
	return a.welcome(ctx, demoTenants[index], org)
}

// welcome writes the notices and greets everybody.
func (a *App) welcome(ctx context.Context, university string, org identity.Organisation) error {
	if err := a.System.DemoNotices(ctx, university); err != nil {
		return err
	}
	names := slices.Sorted(maps.Keys(org.Users)) // the order decides the ids
	ids := make([]int64, 0, len(names))
	for _, name := range names {
		ids = append(ids, org.Users[name])
	}
	return system.Notify(ctx, ids, system.WelcomeTemplate, map[string]any{"university": university})
}

var demoAccounts = strings.TrimLeft(`
Demo university `+DemoTenant+`. Every account has the password `+DemoPassword+`
  admin                    administrator            sign in at /login
  secretary01              college secretary        /login
  degree01, training01     graduate school          /login
  advisor01, advisor02     advisors                 /login
  student01 … student05    students                 /studentLogin
  second tenant 临川理工:  admin, student01
`, "\n")
