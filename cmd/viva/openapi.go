package main

import (
	"context"
	"os"

	"viva/internal/app"
	"viva/internal/kernel/blob"
	"viva/internal/kernel/store"
)

type openapiCommand struct {
	Root string `help:"Root of the source tree." default:"." type:"path"`
}

// Run writes docs/openapi.json, docs/calls.md and the entity descriptions of the web
// application. It needs no data.
func (c *openapiCommand) Run() error {
	dir, err := os.MkdirTemp("", "viva-openapi")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	ctx := context.Background()
	db, err := store.Open(ctx, store.Config{Dir: dir})
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	blobs, err := blob.Open(dir + "/blobs")
	if err != nil {
		return err
	}
	defer func() { _ = blobs.Close() }()
	return app.New(db, blobs, app.Options{Version: "1"}).WriteDocuments(c.Root)
}
