package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"viva/internal/app"
	"viva/internal/kernel/blob"
	"viva/internal/kernel/crud"
	"viva/internal/kernel/event"
	"viva/internal/kernel/store"
	entity "viva/internal/kernel/table"
)

// post is the measured entity once more. Nothing in the product publishes an event when a
// plain row is created, so the full write is measured with an entity that does.
type post struct {
	ID     int64  `json:"id"`
	Name   string `json:"name" label:"岗位名称|Post name" in:"required,max=50"`
	Code   string `json:"code" label:"岗位编码|Post code" in:"required,max=64"`
	Sort   int    `json:"sort" label:"岗位排序|Order" in:"min=0,max=99999"`
	Status int    `json:"status" label:"状态|Status" in:"min=0,max=1"`
	Remark string `json:"remark" label:"备注|Remark" in:"max=500"`
	entity.Meta
}

// serveOutbox serves the whole product on an existing database, and beside it
// /bench/post/create, whose transaction holds the row, its audit row, an outbox row and
// the idempotency key. Nobody consumes the events: deliveries are jobs of their own, and
// the write is what is measured.
func serveOutbox(data, url, addr string) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	slog.SetDefault(slog.New(slog.NewJSONHandler(io.Discard, nil))) // written, as in the product, but kept nowhere
	db, err := store.Open(ctx, store.Config{URL: url, Dir: data})
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	blobs, err := blob.Open(filepath.Join(data, "blobs"))
	if err != nil {
		return err
	}
	defer func() { _ = blobs.Close() }()
	a := app.New(db, blobs, app.Options{CaptchaOff: true, UserRate: -1})
	posts := crud.Mount[post](a.Web.Module("bench"), "post", "岗位|Post", crud.Table("system_post"))
	posts.AfterSave = func(ctx context.Context, old, row *post) error {
		return event.Publish(ctx, "bench.post.created", map[string]any{"id": row.ID, "name": row.Name})
	}
	if err := a.Prepare(ctx); err != nil {
		return err
	}
	if err := a.Start(ctx); err != nil {
		return err
	}
	server, err := a.Web.Listen(addr, "/")
	if err != nil {
		return err
	}
	go func() { <-ctx.Done(); _ = server.Stop(0) }()
	return server.Serve()
}

// createWithOutbox compares the full write with the floor's one insert.
func (p plan) createWithOutbox(t *table, on target, base *process) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	ours, err := startProcess("/readyz", self, "-outbox", on.data, "-url", on.url, "-addr")
	if err != nil {
		return err
	}
	defer ours.stop()
	token, err := login(ours.base, "admin")
	if err != nil {
		return err
	}
	f := fire(64, p.seconds, base.pid(), func(n int64) (*http.Request, error) {
		return http.NewRequest("POST", base.base+"/create", strings.NewReader(fmt.Sprintf(`{"name":"outbox floor %d","code":"g-%d"}`, n, n)))
	})
	o := fire(64, p.seconds, ours.pid(), func(n int64) (*http.Request, error) {
		req, err := http.NewRequest("POST", ours.base+"/admin-api/bench/post/create", strings.NewReader(fmt.Sprintf(`{"name":"outbox ours %d","code":"p-%d","sort":1,"status":1}`, n, n)))
		if err == nil {
			req.Header.Set("Authorization", "Bearer "+token)
			req.Header.Set("Content-Type", "application/json")
			req.Header.Set("Idempotency-Key", fmt.Sprintf("outbox-%d", n))
		}
		return req, err
	})
	t.ratio(on.name, "create with audit, outbox and key, 64 clients", f, o, createGate(on.name))
	return nil
}
