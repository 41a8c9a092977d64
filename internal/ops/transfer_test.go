package ops

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
)

func TestTransfer(t *testing.T) {
	from, to := kerneltest.Open(t, fixture), kerneltest.OpenPostgres(t, fixture)
	seed(t, from)
	// The newest row goes; its id must not come back.
	const removeLast = `DELETE FROM detail WHERE tenant_id = :tenant AND id = 40`
	two := kerneltest.AsSystem(from, 2)
	err := store.Write(two, func(ctx context.Context) error {
		n, err := store.Exec(ctx, removeLast, nil)
		if n != 1 {
			t.Errorf("%d rows", n)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Transfer(context.Background(), from, to)
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]int64{}
	for _, m := range r.Tables {
		rows[m.Name] = m.Rows
	}
	if rows["thing"] != 40 || rows["detail"] != 39 || rows["audit_log"] != 40 || rows["plain"] != 1 || !strings.Contains(r.String(), "every checksum agrees") {
		t.Errorf("%v\n%s", rows, r)
	}
	for tenant := int64(1); tenant <= 2; tenant++ {
		a, err := store.Select[thing](kerneltest.AsSystem(from, tenant), thingRows, nil)
		if err != nil {
			t.Fatal(err)
		}
		b, err := store.Select[thing](kerneltest.AsSystem(to, tenant), thingRows, nil)
		if err != nil || len(a) != 20 || len(b) != 20 {
			t.Fatalf("%d and %d rows, %v", len(a), len(b), err)
		}
		for i := range a {
			if show(a[i]) != show(b[i]) {
				t.Errorf("%s arrived as %s", show(a[i]), show(b[i]))
			}
		}
	}
	// It works on: numbering continues, both walls and the foreign key stand.
	one := kerneltest.AsSystem(to, 1)
	if err := addThing(one, 100); err != nil {
		t.Fatal(err)
	}
	if id, _ := store.One[int64](one, `SELECT MAX(id) FROM detail WHERE tenant_id = :tenant`, nil); id != 41 {
		t.Errorf("the next detail has id %d", id)
	}
	const lie = `SELECT COUNT(*) FROM thing WHERE (tenant_id = :tenant OR tenant_id <> 0)`
	if n, _ := store.One[int64](one, lie, nil); n != 21 {
		t.Errorf("row-level security shows %d rows", n)
	}
	err = store.Write(one, func(ctx context.Context) error {
		_, err := store.Exec(ctx, insertDetail, store.Args{"thing": 4711, "n": 1})
		if err == nil {
			t.Error("the foreign key is gone, or deferred")
		}
		return err
	})
	if err == nil {
		t.Error("committed")
	}
	if _, err := Transfer(context.Background(), from, to); err == nil || !strings.Contains(err.Error(), "worked in") {
		t.Errorf("a second transfer: %v", err)
	}
}

const thingRows = `SELECT id, title, cents, share, open, tags, tenant_id, creator, create_time, updater, update_time, deleted, version
 FROM thing WHERE tenant_id = :tenant ORDER BY id`

// TestTransfer_refuses: nothing is kept of a transfer that cannot be complete.
func TestTransfer_refuses(t *testing.T) {
	more := fstest.MapFS{"9300_more.sql": {Data: []byte("-- +goose Up\nCREATE TABLE more (id IDENTITY_KEY);\n")}}
	nul := func(ctx context.Context) error {
		_, err := store.Exec(ctx, `INSERT INTO plain (code, name) VALUES ('nul', :name)`, store.Args{"name": "a\x00b"})
		return err
	}
	wrongType := func(ctx context.Context) error {
		_, err := store.Exec(ctx, `INSERT INTO detail (tenant_id, thing_id, n) VALUES (:tenant, 1, 'many')`, nil)
		return err
	}
	for _, c := range []struct {
		name, want string
		from, to   *store.DB
		spoil      func(ctx context.Context) error
	}{
		{name: "another schema", want: "schemas differ", from: kerneltest.Open(t, fixture, more), to: kerneltest.OpenPostgres(t, fixture)},
		{name: "wrong direction", want: "from SQLite to PostgreSQL", from: kerneltest.OpenPostgres(t, fixture), to: kerneltest.Open(t, fixture)},
		{name: "a text PostgreSQL cannot hold", want: "plain", from: kerneltest.Open(t, fixture), to: kerneltest.OpenPostgres(t, fixture), spoil: nul},
		{name: "a value of the wrong type", want: "column n holds", from: kerneltest.Open(t, fixture), to: kerneltest.OpenPostgres(t, fixture), spoil: wrongType},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.from.Dialect() == store.SQLite {
				seed(t, c.from)
			}
			if c.spoil != nil {
				if err := store.Write(kerneltest.AsSystem(c.from, 1), c.spoil); err != nil {
					t.Fatal(err)
				}
			}
			r, err := Transfer(context.Background(), c.from, c.to)
			if err == nil || !strings.Contains(err.Error(), c.want) || len(r.Tables) != 0 {
				t.Errorf("%v", err)
			}
			if c.to.Dialect() == store.Postgres {
				n, _, err := store.Get[int64](store.AcrossTenants(kerneltest.AsSystem(c.to, 1), "test: counts"), `SELECT COUNT(*) FROM thing`, nil)
				if err != nil || n != 0 {
					t.Errorf("%d rows were kept, %v", n, err)
				}
			}
		})
	}
}

func TestDigest(t *testing.T) {
	columns := []column{{name: "a", kind: plainText}, {name: "b", kind: plainText}}
	sum := func(rows ...[]any) digest {
		var d digest
		for _, r := range rows {
			d.add(columns, r)
		}
		return d
	}
	if sum([]any{"x", "y"}, []any{"z", nil}) != sum([]any{"z", nil}, []any{"x", "y"}) {
		t.Error("the order counts")
	}
	for name, other := range map[string]digest{
		"shifted": sum([]any{"xy", ""}), "null": sum([]any{"x", nil}), "missing": sum(), "twice": sum([]any{"x", "y"}, []any{"x", "y"}),
	} {
		if other == sum([]any{"x", "y"}) {
			t.Errorf("%s goes unseen", name)
		}
	}
}
