package store_test

import (
	"context"
	"errors"
	"testing"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
)

// admitted statements bind every tenant table; refused ones leave one open.
var admitted = []string{
	`SELECT * FROM note WHERE tenant_id = :tenant`,
	`SELECT * FROM note WHERE :tenant = tenant_id AND done`,
	`SELECT * FROM country`,
	`SELECT n.title FROM note AS n WHERE n.tenant_id = :tenant`,
	`SELECT n.title FROM note n JOIN reply r ON r.note_id = n.id AND r.tenant_id = n.tenant_id WHERE n.tenant_id = :tenant`,
	`SELECT n.title FROM note n LEFT JOIN reply r ON r.tenant_id = :tenant AND r.note_id = n.id WHERE n.tenant_id = :tenant`,
	`SELECT n.title FROM note n, reply r, country WHERE n.tenant_id = :tenant AND r.tenant_id = n.tenant_id`,
	`SELECT title FROM note WHERE tenant_id = :tenant AND id IN (SELECT note_id FROM reply WHERE tenant_id = :tenant)`,
	`SELECT title FROM note WHERE tenant_id = :tenant AND EXISTS (SELECT 1 FROM reply WHERE reply.tenant_id = note.tenant_id AND reply.note_id = note.id)`,
	`SELECT title FROM note WHERE tenant_id IN (0, :tenant)`,
	`SELECT title FROM note WHERE (tenant_id = :tenant OR tenant_id = 0) AND (title = 'a' OR title = 'b')`,
	`WITH mine AS (SELECT * FROM note WHERE tenant_id = :tenant) SELECT mine.title FROM mine`,
	`SELECT title FROM note WHERE tenant_id = :tenant UNION SELECT text FROM reply WHERE tenant_id = :tenant`,
	"SELECT title -- FROM reply, an apostrophe ' and :x\nFROM note WHERE tenant_id = :tenant",
	`INSERT INTO note (title, tenant_id) VALUES ('a', :tenant)`,
	`INSERT INTO note (title, tenant_id) VALUES ('a', :tenant), ('b', :tenant)`,
	`INSERT INTO reply (tenant_id, note_id, text) SELECT tenant_id, id, title FROM note WHERE tenant_id = :tenant`,
	`INSERT INTO reply (tenant_id, note_id, text) SELECT :tenant, 1, name FROM country`,
	`INSERT INTO note (tenant_id, title) VALUES (:tenant, 'a') ON CONFLICT (tenant_id, title) DO UPDATE SET title = excluded.title`,
	`UPDATE note SET title = 'x' WHERE tenant_id = :tenant AND id = 1`,
	`UPDATE note SET body = (SELECT text FROM reply WHERE tenant_id = :tenant LIMIT 1) WHERE tenant_id = :tenant`,
	`DELETE FROM note WHERE tenant_id = :tenant AND id = 1`,
}

var refused = []string{
	`SELECT * FROM note`,
	`SELECT * FROM note WHERE id = 1`,
	`SELECT tenant_id FROM note WHERE :tenant > 0`,
	`SELECT 'tenant_id = :tenant' FROM note WHERE 1 < :tenant`,
	"SELECT * FROM note -- WHERE tenant_id = :tenant",
	`SELECT * FROM note /* tenant_id = :tenant */ WHERE 0 < :tenant`,
	`SELECT * FROM "note" WHERE 0 < :tenant`,
	`SELECT * FROM NOTE WHERE 0 < :tenant`,
	`SELECT * FROM note WHERE tenant_id <> :tenant`,
	`SELECT * FROM note WHERE tenant_id > :tenant`,
	`SELECT * FROM note WHERE NOT id = 2 AND tenant_id = :tenant OR id = 1`,
	`SELECT * FROM note WHERE id = 1 OR tenant_id = :tenant`,
	`SELECT * FROM note WHERE (done OR tenant_id = :tenant)`,
	`SELECT * FROM note WHERE tenant_id = tenant_id AND 0 < :tenant`,
	`SELECT * FROM note n JOIN reply r ON r.note_id = n.id WHERE n.tenant_id = :tenant`,
	`SELECT * FROM note n JOIN reply r ON r.tenant_id = n.tenant_id WHERE 0 < :tenant`,
	`SELECT * FROM note n, reply r WHERE n.tenant_id = :tenant AND r.note_id = n.id`,
	`SELECT * FROM country c JOIN country d ON d.code = c.code, note WHERE 0 < :tenant`,
	`SELECT * FROM country, public.note WHERE 0 < :tenant`,
	`SELECT * FROM main.note WHERE 0 < :tenant`,
	`SELECT title FROM note WHERE tenant_id = :tenant AND id IN (SELECT note_id FROM reply)`,
	`SELECT title FROM note WHERE tenant_id = :tenant AND id IN (SELECT id FROM note)`,
	`SELECT title FROM note WHERE note.tenant_id = :tenant AND id IN (SELECT note.id FROM note)`,
	`SELECT (SELECT COUNT(*) FROM reply) FROM note WHERE tenant_id = :tenant`,
	`SELECT title FROM note WHERE tenant_id = :tenant UNION SELECT text FROM reply`,
	`WITH x AS (SELECT * FROM note) SELECT x.title FROM x WHERE x.tenant_id = :tenant`,
	`INSERT INTO note (title, tenant_id) VALUES (:tenant, 2)`,
	`INSERT INTO note (title, tenant_id) VALUES ('a', :tenant), ('b', 2)`,
	`INSERT INTO note (title) VALUES (:tenant)`,
	`INSERT INTO note VALUES (1, :tenant)`,
	`INSERT INTO reply (tenant_id, note_id, text) SELECT :tenant, id, title FROM note`,
	`INSERT INTO reply (tenant_id, note_id, text) SELECT id, id, title FROM note WHERE tenant_id = :tenant`,
	`UPDATE note SET title = 'x' WHERE id = 1`,
	`UPDATE note SET tenant_id = :tenant WHERE id = 1`,
	`UPDATE note SET title = 'x', tenant_id = :tenant WHERE tenant_id = :tenant`,
	`UPDATE note SET tenant_id = 2 WHERE tenant_id = :tenant`,
	`UPDATE note SET body = (SELECT text FROM reply LIMIT 1) WHERE tenant_id = :tenant`,
	`DELETE FROM note`,
	`DELETE FROM note WHERE id = 1 AND 0 < :tenant`,
	`DELETE FROM country USING note WHERE 0 < :tenant`,
	`TRUNCATE note`,
	`DROP TABLE note`,
}

func TestGuard(t *testing.T) {
	db := kerneltest.Open(t, fixture)
	ctx := kerneltest.AsSystem(db, 1)
	rollback := errors.New("only tried")
	try := func(ctx context.Context, q string) error {
		return store.Write(ctx, func(ctx context.Context) error {
			if _, err := store.Exec(ctx, store.Generated(q), nil); err != nil {
				return err
			}
			return rollback
		})
	}
	for _, q := range admitted {
		if err := try(ctx, q); !errors.Is(err, rollback) {
			t.Errorf("refused: %s\n  %v", q, err)
		}
	}
	for _, q := range refused {
		if err := try(ctx, q); !errors.Is(err, store.ErrUnscoped) && !errors.Is(err, store.ErrMoves) {
			t.Errorf("admitted: %s\n  %v", q, err)
		}
		if err := try(store.AcrossTenants(ctx, "test: the wall is down"), q); errors.Is(err, store.ErrUnscoped) || errors.Is(err, store.ErrMoves) {
			t.Errorf("refused across tenants: %s\n  %v", q, err)
		}
	}
}

// FuzzGuard: whatever the text, the guard neither panics nor admits a text that reads the
// table and never says :tenant.
func FuzzGuard(f *testing.F) {
	for _, q := range append(append([]string{}, admitted...), refused...) {
		f.Add(q)
	}
	db := kerneltest.Open(f, fixture)
	f.Fuzz(func(t *testing.T, q string) {
		_, _, _ = store.Get[string](canceled(kerneltest.AsSystem(db, 1)), store.Generated(q), nil)
	})
}

func TestGuard_noTenant(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, db *store.DB) {
		nobody := store.Use(context.Background(), db)
		if _, err := store.Select[note](nobody, allNotes, nil); !errors.Is(err, store.ErrNoTenant) {
			t.Error(err)
		}
		ctx := kerneltest.AsSystem(db, 1)
		other := store.Args{"tenant": int64(2)}
		if _, err := store.Select[note](ctx, allNotes, other); !errors.Is(err, store.ErrUnscoped) {
			t.Errorf("another tenant by argument: %v", err)
		}
		if _, err := store.Select[note](ctx, allNotes, store.Args{"tenant": int64(1)}); err != nil {
			t.Error(err)
		}
		if _, err := store.Select[note](store.AcrossTenants(ctx, "test: by argument"), allNotes, other); err != nil {
			t.Error(err)
		}
	}, fixture)
}

// TestGuard_everyTableHasAWall: wall 2 stands on each table with a tenant column.
func TestGuard_everyTableHasAWall(t *testing.T) {
	db := kerneltest.OpenPostgres(t, fixture)
	ctx := kerneltest.AsSystem(db, 1)
	for _, table := range db.TenantTables() {
		n, _, err := store.Get[int](ctx, `SELECT COUNT(*) FROM pg_class c JOIN pg_policy p ON p.polrelid = c.oid
 WHERE c.relname = :table AND c.relrowsecurity AND c.relforcerowsecurity`, store.Args{"table": table})
		if err != nil || n != 1 {
			t.Errorf("%s: %d policies, %v", table, n, err)
		}
	}
	if len(db.TenantTables()) < 5 {
		t.Error("too few tenant tables:", db.TenantTables())
	}
}

// TestGuard_secondWall sends statements that lie to the first wall.
func TestGuard_secondWall(t *testing.T) {
	db := kerneltest.OpenPostgres(t, fixture)
	one, two := kerneltest.AsSystem(db, 1), kerneltest.AsSystem(db, 2)
	seed(t, one, "one")
	seed(t, two, kerneltest.MarkerB)
	const lie = `SELECT title FROM note WHERE (tenant_id = :tenant OR tenant_id <> 0)`
	got, err := store.Select[string](one, lie, nil)
	if err != nil || len(got) != 1 || got[0] != "one" {
		t.Errorf("read: %v, %v", got, err)
	}
	err = store.Write(one, func(ctx context.Context) error {
		n, err := store.Exec(ctx, `UPDATE note SET body = 'hacked' WHERE (tenant_id = :tenant OR tenant_id <> 0)`, nil)
		if n != 1 {
			t.Errorf("updated %d rows", n)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	err = store.Write(one, func(ctx context.Context) error {
		_, err := store.Exec(ctx, `INSERT INTO note (tenant_id, title) SELECT t.tenant_id, 'x' FROM (SELECT :tenant + 1 AS tenant_id) t`, nil)
		return err
	})
	if err == nil {
		t.Error("a row was written into another tenant")
	}
	if got, err := store.Select[note](two, allNotes, nil); err != nil || len(got) != 1 || got[0].Body != "" {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestGuard_wallMovesInside: inside one transaction a nested call may act in another
// tenant, or across them, and the wall follows it there and back.
func TestGuard_wallMovesInside(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, db *store.DB) {
		one := kerneltest.AsSystem(db, 1)
		mustWrite(t, one, func(ctx context.Context) error {
			if err := addNote(ctx, "one"); err != nil {
				return err
			}
			two := actor.AsSystem(ctx, 2)
			if err := addNote(two, "two"); err != nil {
				return err
			}
			if a, b := count(t, ctx), count(t, two); a != 1 || b != 1 {
				t.Errorf("tenant 1 has %d, tenant 2 has %d", a, b)
			}
			all, _, err := store.Get[int64](store.AcrossTenants(ctx, "test: everything"), `SELECT COUNT(*) FROM note`, nil)
			if all != 2 {
				t.Errorf("across: %d", all)
			}
			return err
		})
		if a := count(t, one); a != 1 {
			t.Errorf("after the transaction: %d", a)
		}
	}, fixture)
}

func TestGuard_changes(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, db *store.DB) {
		ctx := kerneltest.AsSystem(db, 1)
		if _, err := store.Exec(ctx, `DELETE FROM country`, nil); !errors.Is(err, store.ErrNotInWrite) {
			t.Error(err)
		}
		for _, q := range []string{`DELETE FROM country RETURNING code`, "WITH x AS (\nSELECT 1)\nINSERT INTO country (code, name) VALUES ('a', 'b') RETURNING code",
			`UPDATE country SET name = 'x' RETURNING code`} {
			if _, err := store.Select[string](ctx, store.Generated(q), nil); !errors.Is(err, store.ErrNotInWrite) {
				t.Errorf("%s: %v", q, err)
			}
		}
	}, fixture)
}
