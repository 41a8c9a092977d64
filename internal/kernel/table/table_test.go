package table_test

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"viva/internal/kernel/audit"
	"viva/internal/kernel/clock"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
	"viva/internal/kernel/table"
)

const stamp = `creator TEXT NOT NULL, create_time BIGINT NOT NULL, updater TEXT NOT NULL, update_time BIGINT NOT NULL, deleted BOOLEAN NOT NULL, version INTEGER NOT NULL`

var fixture fs.FS = fstest.MapFS{"9000_table.sql": {Data: []byte(`-- +goose Up
CREATE TABLE account (id IDENTITY_KEY, tenant_id BIGINT NOT NULL, name TEXT NOT NULL, balance BIGINT NOT NULL, tags TEXT NOT NULL, ` + stamp + `);
CREATE UNIQUE INDEX uk_account ON account (tenant_id, name) WHERE deleted = false;
CREATE TABLE region (id IDENTITY_KEY, name TEXT NOT NULL, ` + stamp + `);
`)}}

type account struct {
	ID      int64                `json:"id"`
	Name    string               `json:"name"`
	Balance int64                `json:"balance"`
	Tags    store.JSON[[]string] `json:"tags"`
	Owner   string               `json:"owner" view:"owner.name"` // comes from a join
	table.Meta
}

type region struct {
	ID   int64
	Name string
	table.Stamp
}

var (
	accounts = table.New[account]("account", "账户")
	regions  = table.New[region]("region", "地区")
)

const auditRows = `SELECT * FROM audit_log WHERE tenant_id = :tenant AND entity = :entity ORDER BY id`

func each(t *testing.T, test func(t *testing.T, db *store.DB)) {
	t.Helper()
	kerneltest.Each(t, test, fixture)
}

func write(t testing.TB, ctx context.Context, fn func(ctx context.Context) error) {
	t.Helper()
	if err := store.Write(ctx, fn); err != nil {
		t.Fatal(err)
	}
}

func insert(t testing.TB, ctx context.Context, name string) account {
	t.Helper()
	a := account{Name: name, Tags: store.JSON[[]string]{V: []string{"x"}}}
	write(t, ctx, func(ctx context.Context) error { return accounts.Insert(ctx, &a) })
	return a
}

func trail(t testing.TB, ctx context.Context, entity string) []audit.Row {
	t.Helper()
	rows, err := store.Select[audit.Row](ctx, auditRows, store.Args{"entity": entity})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestInsert_stamp(t *testing.T) {
	each(t, func(t *testing.T, db *store.DB) {
		ctx := kerneltest.As(db, kerneltest.User(1, 42))
		before := clock.Millis()
		a := account{ID: 999, Name: "a"}
		a.TenantID, a.Creator, a.Version, a.CreateTime, a.Deleted = 2, "mallory", 50, 1, true // none of it is the caller's to set
		write(t, ctx, func(ctx context.Context) error { return accounts.Insert(ctx, &a) })
		got, err := accounts.Get(ctx, a.ID)
		if err != nil || a.ID == 999 || got.TenantID != 1 || got.Creator != "42" || got.Updater != "42" || got.Version != 1 || got.Deleted ||
			got.CreateTime < before || got.UpdateTime != got.CreateTime || got.Version != a.Version || got.TenantID != a.TenantID {
			t.Errorf("%+v\n%+v\n%v", a, got, err)
		}
		if _, err := accounts.Get(kerneltest.AsSystem(db, 2), a.ID); !errs.Is(err, errs.ErrNoRecord) {
			t.Errorf("another tenant reads it: %v", err)
		}
		err = store.Write(store.Use(context.Background(), db), func(ctx context.Context) error { return accounts.Insert(ctx, &account{Name: "b"}) })
		if !errors.Is(err, store.ErrNoTenant) {
			t.Errorf("without a tenant: %v", err)
		}
	})
}

func TestUpdate_version(t *testing.T) {
	each(t, func(t *testing.T, db *store.DB) {
		ctx := kerneltest.As(db, kerneltest.User(1, 42))
		a := insert(t, ctx, "a")
		mine, theirs := a, a
		theirs.Balance = 5
		write(t, kerneltest.As(db, kerneltest.User(1, 43)), func(ctx context.Context) error { return accounts.Update(ctx, &theirs) })
		mine.Name = "b"
		err := store.Write(ctx, func(ctx context.Context) error { return accounts.Update(ctx, &mine) })
		if !errs.Is(err, errs.ErrStale) {
			t.Errorf("a stale row was written: %v", err)
		}
		got, _ := accounts.Get(ctx, a.ID)
		if got.Name != "a" || got.Balance != 5 || got.Version != 2 || theirs.Version != 2 || got.Updater != "43" || got.Creator != "42" || got.CreateTime != a.CreateTime {
			t.Errorf("%+v", got)
		}
		theirs.Creator, theirs.CreateTime, theirs.Balance = "mallory", 1, 6
		write(t, ctx, func(ctx context.Context) error { return accounts.Update(ctx, &theirs) })
		if got, _ := accounts.Get(ctx, a.ID); got.Creator != "42" || got.CreateTime != a.CreateTime || got.Version != 3 {
			t.Errorf("%+v", got)
		}
		for name, row := range map[string]account{"missing": {ID: 4711}, "zero": {}} {
			err := store.Write(ctx, func(ctx context.Context) error { return accounts.Update(ctx, &row) })
			if !errs.Is(err, errs.ErrNoRecord) {
				t.Errorf("%s: %v", name, err)
			}
		}
		err = store.Write(kerneltest.AsSystem(db, 2), func(ctx context.Context) error { row := got; return accounts.Update(ctx, &row) })
		if !errs.Is(err, errs.ErrNoRecord) {
			t.Errorf("another tenant writes it: %v", err)
		}
	})
}

func TestUpdate_diff(t *testing.T) {
	each(t, func(t *testing.T, db *store.DB) {
		ctx := kerneltest.As(db, kerneltest.User(1, 42))
		a := insert(t, ctx, "a")
		for range 2 { // the second changes nothing and leaves no trace
			a.Balance = 7
			a.Tags.V = []string{"x", "乙"}
			write(t, ctx, func(ctx context.Context) error { return accounts.Update(ctx, &a) })
		}
		rows := trail(t, ctx, "account")
		if len(rows) != 2 || rows[0].Op != int(audit.Created) || rows[0].After != `{"balance":0,"name":"a","tags":["x"]}` || rows[0].Type != "账户" ||
			rows[1].Op != int(audit.Updated) || rows[1].Before != `{"balance":0,"tags":["x"]}` || rows[1].After != `{"balance":7,"tags":["x","乙"]}` {
			t.Errorf("%+v", rows)
		}
		if a.Version != 2 {
			t.Errorf("version %d", a.Version)
		}
	})
}

func TestDelete(t *testing.T) {
	each(t, func(t *testing.T, db *store.DB) {
		ctx := kerneltest.As(db, kerneltest.User(1, 42))
		a := insert(t, ctx, "a")
		err := store.Write(kerneltest.AsSystem(db, 2), func(ctx context.Context) error { return accounts.Delete(ctx, a.ID) })
		if !errs.Is(err, errs.ErrNoRecord) {
			t.Errorf("another tenant deletes it: %v", err)
		}
		write(t, ctx, func(ctx context.Context) error { return accounts.Delete(ctx, a.ID) })
		if _, err := accounts.Get(ctx, a.ID); !errs.Is(err, errs.ErrNoRecord) {
			t.Error(err)
		}
		err = store.Write(ctx, func(ctx context.Context) error { return accounts.Delete(ctx, a.ID) })
		if !errs.Is(err, errs.ErrNoRecord) {
			t.Errorf("twice: %v", err)
		}
		rows := trail(t, ctx, "account")
		if last := rows[len(rows)-1]; last.Op != int(audit.Deleted) || !strings.Contains(last.Before, `"name":"a"`) || last.After != "" {
			t.Errorf("%+v", last)
		}
		insert(t, ctx, "a") // the name is free again
		err = store.Write(ctx, func(ctx context.Context) error { return accounts.Insert(ctx, &account{Name: "a"}) })
		if !table.IsDuplicate(err) {
			t.Errorf("%v", err)
		}
	})
}

// TestChange_concurrent: a read-modify-write under Change never loses an update.
func TestChange_concurrent(t *testing.T) {
	each(t, func(t *testing.T, db *store.DB) {
		ctx := kerneltest.As(db, kerneltest.User(1, 42))
		a := insert(t, ctx, "a")
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				for range 10 {
					err := store.Write(ctx, func(ctx context.Context) error {
						_, err := accounts.Change(ctx, a.ID, func(a *account) error { a.Balance++; return nil })
						return err
					})
					if err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		got, err := accounts.Get(ctx, a.ID)
		if err != nil || got.Balance != 200 || got.Version != 201 || len(trail(t, ctx, "account")) != 201 {
			t.Errorf("%+v, %v, %d audit rows", got, err, len(trail(t, ctx, "account")))
		}
		no := errors.New("no")
		err = store.Write(ctx, func(ctx context.Context) error {
			_, err := accounts.Change(ctx, a.ID, func(a *account) error { a.Balance = 0; return no })
			return err
		})
		if got, _ := accounts.Get(ctx, a.ID); !errors.Is(err, no) || got.Balance != 200 {
			t.Errorf("%+v, %v", got, err)
		}
	})
}

func TestUnscoped(t *testing.T) {
	each(t, func(t *testing.T, db *store.DB) {
		ctx := kerneltest.As(db, kerneltest.User(1, 42))
		r := region{Name: "北京"}
		write(t, ctx, func(ctx context.Context) error { return regions.Insert(ctx, &r) })
		if got, err := regions.Get(kerneltest.AsSystem(db, 2), r.ID); err != nil || got.Name != "北京" {
			t.Errorf("%+v, %v", got, err)
		}
		if regions.Scoped() || !accounts.Scoped() || len(trail(t, ctx, "region")) != 1 {
			t.Error("scope")
		}
		if c := strings.Join(accounts.Columns(), " "); c != "name balance tags creator create_time updater update_time deleted version" {
			t.Error(c)
		}
	})
}

func TestNew_refuses(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a struct without ID or stamp was accepted")
		}
	}()
	table.New[struct{ Name string }]("nothing", "")
}
