package store_test

import (
	"context"
	"io/fs"
	"testing"
	"testing/fstest"

	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
)

// fixture is a small schema: two tables of tenants and one of everybody.
var fixture fs.FS = fstest.MapFS{"9000_fixture.sql": {Data: []byte(`-- +goose Up
CREATE TABLE note (
  id IDENTITY_KEY,
  tenant_id BIGINT NOT NULL,
  title TEXT NOT NULL,
  body TEXT NOT NULL DEFAULT '',
  done BOOLEAN NOT NULL DEFAULT false,
  cents BIGINT,
  tags TEXT NOT NULL DEFAULT '[]'
);
CREATE UNIQUE INDEX uk_note_title ON note (tenant_id, title);
CREATE TABLE reply (
  id IDENTITY_KEY,
  tenant_id BIGINT NOT NULL,
  note_id BIGINT NOT NULL,
  text TEXT NOT NULL
);
CREATE TABLE country (
  code TEXT PRIMARY KEY,
  name TEXT NOT NULL
);
`)}}

type note struct {
	ID       int64
	TenantID int64
	Title    string
	Body     string
	Done     bool
	Cents    *int64
	Tags     store.JSON[[]string]
}

const (
	insertNote  = `INSERT INTO note (tenant_id, title) VALUES (:tenant, :title) RETURNING id`
	countNotes  = `SELECT COUNT(*) FROM note WHERE tenant_id = :tenant`
	countTitles = `SELECT COUNT(*) FROM note WHERE tenant_id = :tenant AND title = :title`
)

func addNote(ctx context.Context, title string) error {
	_, _, err := store.Get[int64](ctx, insertNote, store.Args{"title": title})
	return err
}

func mustWrite(t testing.TB, ctx context.Context, fn func(ctx context.Context) error) {
	t.Helper()
	if err := store.Write(ctx, fn); err != nil {
		t.Fatal(err)
	}
}

func count(t testing.TB, ctx context.Context) int64 {
	t.Helper()
	n, _, err := store.Get[int64](ctx, countNotes, nil)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func each(t *testing.T, test func(t *testing.T, ctx context.Context)) {
	t.Helper()
	kerneltest.Each(t, func(t *testing.T, db *store.DB) { test(t, kerneltest.AsSystem(db, 1)) }, fixture)
}
