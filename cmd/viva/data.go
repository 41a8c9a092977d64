package main

import (
	"context"
	"fmt"

	"viva/internal/app"
	"viva/internal/kernel/actor"
	"viva/internal/kernel/id"
	"viva/internal/kernel/store"
	"viva/internal/ops"
)

type migrateCommand struct{ dataFlags }

// Run migrates and seeds.
func (c *migrateCommand) Run() error {
	ctx := context.Background()
	db, blobs, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close(); _ = blobs.Close() }()
	return app.New(db, blobs, app.Options{}).Prepare(ctx)
}

type backupCommand struct {
	dataFlags
	To string `help:"Directory that receives the backup." required:"" type:"path"`
}

// Run writes a backup into a new directory below To and prints its name. It only reads
// the data directory, which a server may be working on.
func (c *backupCommand) Run() error {
	ctx := context.Background()
	db, err := store.Open(ctx, store.Config{URL: c.DB, Dir: c.Data, ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	name, err := ops.Backup(ctx, db, c.Data, c.To)
	if err == nil {
		fmt.Println(name)
	}
	return err
}

type restoreCommand struct {
	dataFlags
	From  string `arg:"" help:"Backup directory." type:"path"`
	Check bool   `help:"Only verify the backup and count its rows."`
}

// Run verifies the backup and, without --check, swaps it in; the server must be stopped.
func (c *restoreCommand) Run() error {
	report, err := ops.Restore(context.Background(), ops.RestoreOptions{From: c.From, Data: c.Data, DB: c.DB, CheckOnly: c.Check})
	if err == nil {
		fmt.Print(report)
	}
	return err
}

type transferCommand struct {
	dataFlags
	To string `help:"Address of the empty PostgreSQL database." required:""`
}

// Run copies table by table and compares checksums.
func (c *transferCommand) Run() error {
	ctx := context.Background()
	from, blobs, err := dataFlags{Data: c.Data}.open(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = from.Close(); _ = blobs.Close() }()
	to, err := store.Open(ctx, store.Config{URL: c.To})
	if err != nil {
		return err
	}
	defer func() { _ = to.Close() }()
	if err := app.New(to, blobs, app.Options{}).Migrate(ctx); err != nil {
		return err
	}
	report, err := ops.Transfer(ctx, from, to)
	if err == nil {
		fmt.Print(report)
	}
	return err
}

type userCommand struct {
	dataFlags
	Username string `arg:"" help:"Name of the administrator."`
	Tenant   int64  `help:"Tenant of the administrator." default:"1"`
}

// Run creates the administrator or resets his password; the new one is printed once.
func (c *userCommand) Run() error {
	ctx := context.Background()
	db, blobs, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close(); _ = blobs.Close() }()
	a := app.New(db, blobs, app.Options{})
	if err := a.Prepare(ctx); err != nil {
		return err
	}
	secret := id.Token(9)
	ctx = actor.AsSystem(store.Use(ctx, db), c.Tenant)
	if _, err = a.Identity.SetAdministrator(ctx, c.Username, secret); err == nil {
		fmt.Printf("%s may sign in with the password %s\n", c.Username, secret)
	}
	return err
}
