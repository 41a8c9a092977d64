// Package app puts the modules together in rank order and does nothing else.
package app

import (
	"context"
	"fmt"
	"io/fs"
	"net/netip"

	"viva/internal/academic"
	"viva/internal/identity"
	"viva/internal/infra"
	"viva/internal/kernel/audit"
	"viva/internal/kernel/blob"
	"viva/internal/kernel/event"
	"viva/internal/kernel/job"
	"viva/internal/kernel/module"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
	"viva/internal/system"
	"viva/internal/thesis"
	"viva/internal/workflow"
)

// Options of the composed application.
type Options struct {
	CaptchaOff       bool
	CaptchaThrottled bool
	// SignInFailures is how many sign-ins of one address may fail in 15 minutes; 0 is the default.
	SignInFailures int
	TrustedProxies []netip.Prefix
	UserRate       float64
	Version        string
	// NoDocument is web.Options.NoDocument.
	NoDocument bool
	// TenantName names the first tenant of an empty database; empty leaves the default.
	TenantName string
}

// App is the composed application over one database and one blob store.
type App struct {
	Web      *web.App
	Queue    *job.Queue
	Bus      *event.Bus
	Identity *identity.Service
	System   *system.Service
	Workflow *workflow.Service
	School   *academic.Service
	Thesis   *thesis.Service
	modules  []*module.Module
	db       *store.DB
}

// New composes the modules; it does not touch the database.
func New(db *store.DB, blobs *blob.Store, o Options) *App {
	a := &App{db: db, Web: web.New(db, web.Options{UserRate: o.UserRate, Version: o.Version, TrustedProxies: o.TrustedProxies, NoDocument: o.NoDocument})}
	a.Queue = job.New(job.Options{})
	a.Bus = event.NewBus(a.Queue)
	a.Identity = identity.New(a.Web, identity.Options{CaptchaOff: o.CaptchaOff, CaptchaThrottled: o.CaptchaThrottled, IPFailures: o.SignInFailures, TenantName: o.TenantName})
	a.System = system.New(a.Web, a.Modules)
	files := infra.New(a.Web, blobs, a.Queue)
	files.Modules = a.Modules
	a.Identity.InitialPassword, a.Identity.StoreAvatar = files.InitialPassword, files.StoreAvatar
	a.Workflow = workflow.New()
	a.Workflow.ConfigValue = infra.ConfigValue
	a.workflowFiles()
	a.School = academic.New(a.Web, academic.Deps{Account: a.account})
	a.Thesis = thesis.New(a.Web, a.School, a.thesisDeps())
	a.Identity.OnPermissionInfo(a.completeSession)
	a.modules = []*module.Module{a.Identity.Module(), a.System.Module(), files.Module(), a.Workflow.Module(), a.School.Module(), a.Thesis.Module()}
	for _, m := range a.modules {
		if m.Mount != nil {
			m.Mount(a.Web)
		}
		if m.Work != nil {
			m.Work(a.Queue, a.Bus)
		}
	}
	return a
}

// Modules lists the modules in rank order.
func (a *App) Modules() []*module.Module { return a.modules }

// Migrate brings the schema up to this program.
func (a *App) Migrate(ctx context.Context) error {
	files := []fs.FS{audit.Migrations, web.Migrations, event.Migrations, job.Migrations}
	for _, m := range a.modules {
		files = append(files, m.Migrations...)
	}
	return a.db.Migrate(ctx, files...)
}

// Prepare migrates the database and seeds what every installation needs.
func (a *App) Prepare(ctx context.Context) error {
	if err := a.Migrate(ctx); err != nil {
		return err
	}
	if err := a.Identity.Seed(store.Use(ctx, a.db), a.modules); err != nil {
		return fmt.Errorf("seed: %w", err)
	}
	return nil
}

// SystemTenant is the tenant that a new installation starts with; its administrators
// manage the platform.
const SystemTenant = web.Operator

// Start begins the background work; Stop ends it.
func (a *App) Start(ctx context.Context) error {
	ctx = store.Use(ctx, a.db)
	if err := a.Workflow.InstallStandards(ctx); err != nil {
		return fmt.Errorf("standard processes: %w", err)
	}
	if err := a.Queue.Start(ctx); err != nil {
		return err
	}
	a.Bus.Start(ctx)
	return nil
}

// Stop finishes running jobs within the context's time.
func (a *App) Stop(ctx context.Context) error {
	a.Bus.Stop()
	a.Identity.Close()
	return a.Queue.Stop(ctx)
}
