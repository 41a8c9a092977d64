package ops

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"viva/internal/kernel/event"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
	"viva/internal/kernel/table"
)

// fixture has a column of every kind that migrations use, a foreign key against the
// order of the names, and a table that belongs to no tenant.
var fixture fs.FS = fstest.MapFS{"9200_ops.sql": {Data: []byte(`-- +goose Up
CREATE TABLE thing (
  id IDENTITY_KEY,
  tenant_id BIGINT NOT NULL,
  title TEXT NOT NULL,
  cents BIGINT,
  share DOUBLE PRECISION,
  open BOOLEAN NOT NULL DEFAULT true,
  tags TEXT NOT NULL DEFAULT '[]',
  creator TEXT NOT NULL, create_time BIGINT NOT NULL, updater TEXT NOT NULL, update_time BIGINT NOT NULL,
  deleted BOOLEAN NOT NULL, version INTEGER NOT NULL
);
CREATE TABLE detail (id IDENTITY_KEY, tenant_id BIGINT NOT NULL, thing_id BIGINT NOT NULL REFERENCES thing (id), n INTEGER);
CREATE TABLE plain (code TEXT PRIMARY KEY, name TEXT NOT NULL);
INSERT INTO plain VALUES ('zh', '中文');
`)}}

type thing struct {
	ID    int64
	Title string
	Cents *int64
	Share *float64
	Open  bool
	Tags  store.JSON[[]string]
	table.Meta
}

var things = table.New[thing]("thing", "物")

const insertDetail = `INSERT INTO detail (tenant_id, thing_id, n) VALUES (:tenant, :thing, :n)`

// addThing writes a thing, its detail, its audit row and an event, all in one Write.
func addThing(ctx context.Context, n int) error {
	return store.Write(ctx, func(ctx context.Context) error {
		cents, share := int64(n)*100, float64(n)/7
		row := thing{Title: fmt.Sprintf("物 %d 'x' 😀", n), Open: n%2 == 0, Tags: store.JSON[[]string]{V: []string{"a", "乙"}}}
		if n%3 > 0 {
			row.Cents, row.Share = &cents, &share
		}
		if err := things.Insert(ctx, &row); err != nil {
			return err
		}
		if _, err := store.Exec(ctx, insertDetail, store.Args{"thing": row.ID, "n": n}); err != nil {
			return err
		}
		return event.Publish(ctx, "thing", n)
	})
}

func seed(t testing.TB, db *store.DB) {
	t.Helper()
	for n := range 40 {
		if err := addThing(kerneltest.AsSystem(db, int64(1+n%2)), n); err != nil {
			t.Fatal(err)
		}
	}
}

// dataDir fills a data directory as a running server would.
func dataDir(t testing.TB, dir string) {
	t.Helper()
	for name, text := range map[string]string{
		"secret.key": "key", "blobs/objects/ab/cd/abcd": strings.Repeat("blob", 10_000), "blobs/objects/ab/ef/abef": "中文",
		"blobs/uploads/x.part": "half", "viva.db-extra": "not ours",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// sums gives the checksum of every table up to an id, over all tenants.
func sums(t testing.TB, db *store.DB, cut int64) map[string]string {
	t.Helper()
	pool, err := db.OpenWhole()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = pool.Close() }()
	columns, err := columnsOf(context.Background(), pool, db.Dialect())
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for name, list := range columns {
		if name == gooseTable {
			continue
		}
		where := ""
		if list[0] == "id" && cut > 0 {
			where = fmt.Sprint(" WHERE id <= ", cut)
		}
		rows, err := pool.Query("SELECT * FROM " + quote(name) + where)
		if err != nil {
			t.Fatal(err)
		}
		columns := make([]column, len(list))
		s := &stream{rows: rows, columns: columns}
		for i := range columns {
			columns[i] = column{name: list[i], kind: 0}
		}
		for rows.Next() {
			values, into := make([]any, len(list)), make([]any, len(list))
			for i := range values {
				into[i] = &values[i]
			}
			if err := rows.Scan(into...); err != nil {
				t.Fatal(err)
			}
			s.digest.add(columns, values)
		}
		_ = rows.Close()
		out[name] = s.digest.String()
	}
	return out
}
