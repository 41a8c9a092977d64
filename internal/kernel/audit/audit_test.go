package audit_test

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/audit"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
	"viva/internal/kernel/table"
)

var fixture fs.FS = fstest.MapFS{"9000_book.sql": {Data: []byte(`-- +goose Up
CREATE TABLE book (
  id IDENTITY_KEY, tenant_id BIGINT NOT NULL, title TEXT NOT NULL, secret TEXT NOT NULL,
  creator TEXT NOT NULL, create_time BIGINT NOT NULL, updater TEXT NOT NULL, update_time BIGINT NOT NULL, deleted BOOLEAN NOT NULL, version INTEGER NOT NULL
);
`)}}

type book struct {
	ID     int64
	Title  string `json:"title"`
	Secret string `json:"secret" audit:"-"`
	table.Meta
}

var books = table.New[book]("book", "书")

func each(t *testing.T, test func(t *testing.T, db *store.DB)) {
	t.Helper()
	kerneltest.Each(t, test, fixture)
}

const (
	logRows = `SELECT * FROM audit_log WHERE tenant_id = :tenant ORDER BY id`
	tamper  = `UPDATE audit_log SET `
	ofRow   = ` WHERE tenant_id = :tenant AND id = :id`
)

func write(t testing.TB, ctx context.Context, fn func(ctx context.Context) error) {
	t.Helper()
	if err := store.Write(ctx, fn); err != nil {
		t.Fatal(err)
	}
}

func TestRecord_who(t *testing.T) {
	each(t, func(t *testing.T, db *store.DB) {
		ctx := kerneltest.As(db, kerneltest.User(1, 42))
		ctx = actor.WithRequest(ctx, actor.Request{ID: "trace", IP: "10.0.0.1", UserAgent: strings.Repeat("界", 400), Method: "POST", Path: "/admin-api/x"})
		if err := audit.Record(ctx, audit.Entry{Table: "book"}); !errors.Is(err, store.ErrNotInWrite) {
			t.Error(err)
		}
		write(t, ctx, func(ctx context.Context) error {
			return audit.Record(ctx, audit.Entry{Table: "book", Title: "书", RowID: 7, Op: audit.Event, Action: "借出", After: map[string]any{"to": "张三"}})
		})
		rows, err := store.Select[audit.Row](ctx, logRows, nil)
		if err != nil || len(rows) != 1 {
			t.Fatal(rows, err)
		}
		r := rows[0]
		if r.UserID != 42 || r.UserName != "user42" || r.ActorKind != int(actor.User) || r.UserType != actor.Teacher || r.TraceID != "trace" ||
			r.UserIP != "10.0.0.1" || len([]rune(r.UserAgent)) != 300 || r.Method != "POST" || r.URL != "/admin-api/x" || r.Entity != "book" ||
			r.BizID != 7 || r.SubType != "事件" || r.After != `{"to":"张三"}` || r.Before != "" || r.CreateTime == 0 || r.ChainNo != nil {
			t.Errorf("%+v", r)
		}
	})
}

// TestRecord_anotherTenant: a row that tells of another tenant belongs to that tenant.
func TestRecord_anotherTenant(t *testing.T) {
	each(t, func(t *testing.T, db *store.DB) {
		ctx := kerneltest.As(db, kerneltest.Admin(1))
		write(t, ctx, func(ctx context.Context) error {
			return audit.Record(ctx, audit.Entry{Table: "tenant", RowID: 2, Op: audit.Event, Tenant: 2})
		})
		mine, _ := store.Select[audit.Row](ctx, logRows, nil)
		theirs, err := store.Select[audit.Row](kerneltest.AsSystem(db, 2), logRows, nil)
		if err != nil || len(mine) != 0 || len(theirs) != 1 || theirs[0].UserID != 1001 || theirs[0].Reason != "" {
			t.Errorf("%+v %+v %v", mine, theirs, err)
		}
	})
}

// TestCompleteness counts changed rows with triggers and compares with the audit rows.
func TestCompleteness(t *testing.T) {
	triggers := fstest.MapFS{
		"9001_count.sqlite.sql": {Data: []byte(`-- +goose Up
CREATE TABLE touched (entity TEXT NOT NULL, biz_id BIGINT NOT NULL);
-- +goose StatementBegin
CREATE TRIGGER book_i AFTER INSERT ON book BEGIN INSERT INTO touched VALUES ('book', NEW.id); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER book_u AFTER UPDATE ON book BEGIN INSERT INTO touched VALUES ('book', NEW.id); END;
-- +goose StatementEnd
`)},
		"9001_count.postgres.sql": {Data: []byte(`-- +goose Up
CREATE TABLE touched (entity TEXT NOT NULL, biz_id BIGINT NOT NULL);
-- +goose StatementBegin
CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO touched VALUES (TG_TABLE_NAME, NEW.id); RETURN NEW; END $$;
-- +goose StatementEnd
CREATE TRIGGER book_t AFTER INSERT OR UPDATE ON book FOR EACH ROW EXECUTE FUNCTION touch();
`)}}
	kerneltest.Each(t, func(t *testing.T, db *store.DB) {
		ctx := kerneltest.AsSystem(db, 1)
		for range 20 {
			write(t, ctx, func(ctx context.Context) error {
				b := book{Title: "a"}
				if err := books.Insert(ctx, &b); err != nil {
					return err
				}
				b.Title = "b"
				if err := books.Update(ctx, &b); err != nil {
					return err
				}
				if err := books.Update(ctx, &b); err != nil { // nothing differs: neither touched nor audited
					return err
				}
				return books.Delete(ctx, b.ID)
			})
			_ = store.Write(ctx, func(ctx context.Context) error {
				if err := books.Insert(ctx, &book{Title: "undone"}); err != nil {
					t.Error(err)
				}
				return errors.New("undo")
			})
		}
		const difference = `SELECT COUNT(*) FROM touched t FULL OUTER JOIN
 (SELECT ROW_NUMBER() OVER (PARTITION BY biz_id ORDER BY id) AS n, entity, biz_id FROM audit_log WHERE tenant_id = :tenant AND entity = 'book') a
 ON a.biz_id = t.biz_id WHERE a.biz_id IS NULL OR t.biz_id IS NULL`
		changed, _, err := store.Get[int64](ctx, `SELECT COUNT(*) FROM touched`, nil)
		if err != nil {
			t.Fatal(err)
		}
		audited, _, err := store.Get[int64](ctx, `SELECT COUNT(*) FROM audit_log WHERE tenant_id = :tenant AND entity = 'book'`, nil)
		if err != nil || changed != 60 || audited != changed {
			t.Errorf("%d rows changed, %d audited, %v", changed, audited, err)
		}
		if n, _, err := store.Get[int64](ctx, difference, nil); err != nil || n != 0 {
			t.Errorf("%d rows without a partner, %v", n, err)
		}
	}, fixture, triggers)
}

// TestUnaudited: no way around package table.
func TestUnaudited(t *testing.T) {
	each(t, func(t *testing.T, db *store.DB) {
		ctx := kerneltest.AsSystem(db, 1)
		for _, q := range []string{
			`DELETE FROM book WHERE tenant_id = :tenant`,
			`UPDATE book SET title = 'x' WHERE tenant_id = :tenant`,
			`UPDATE book AS b SET title = 'x' WHERE b.tenant_id = :tenant`,
			`INSERT INTO book (tenant_id, title) VALUES (:tenant, 'x')`,
			"WITH x AS (\nSELECT 1 AS one)\nUPDATE book SET title = 'x' WHERE tenant_id = :tenant",
			"WITH x AS (SELECT 1 FROM audit_log WHERE tenant_id = :tenant)\nDELETE FROM book WHERE tenant_id = :tenant",
		} {
			for _, c := range []context.Context{ctx, store.AcrossTenants(ctx, "test: by the back door")} {
				err := store.Write(c, func(ctx context.Context) error {
					_, err := store.Exec(ctx, store.Generated(q), nil)
					return err
				})
				if !errors.Is(err, store.ErrUnaudited) {
					t.Errorf("%s: %v", q, err)
				}
			}
		}
	})
}

func seal(t testing.TB, db *store.DB, want int) {
	t.Helper()
	n, err := audit.Seal(store.Use(context.Background(), db))
	if err != nil || n != want {
		t.Fatalf("sealed %d, want %d: %v", n, want, err)
	}
}

func verify(t testing.TB, ctx context.Context, rows, broken int64) {
	t.Helper()
	n, bad, err := audit.Verify(ctx)
	if err != nil || n != rows || bad != broken {
		t.Errorf("%d rows hold, row %d is broken, want %d and %d: %v", n, bad, rows, broken, err)
	}
}

func TestSeal(t *testing.T) {
	each(t, func(t *testing.T, db *store.DB) {
		add := func(tenant int64, n int) {
			write(t, kerneltest.AsSystem(db, tenant), func(ctx context.Context) error {
				for range n {
					if err := audit.Record(ctx, audit.Entry{Table: "book", Op: audit.Event, Action: "a"}); err != nil {
						return err
					}
				}
				return nil
			})
		}
		seal(t, db, 0)
		add(1, 1201)
		add(2, 3)
		add(0, 2) // what belongs to no tenant has its chain as well
		seal(t, db, 1206)
		seal(t, db, 0)
		add(1, 4)
		seal(t, db, 4)
		verify(t, kerneltest.AsSystem(db, 1), 1205, 0)
		verify(t, kerneltest.AsSystem(db, 2), 3, 0)
		verify(t, kerneltest.AsSystem(db, 0), 2, 0)
		verify(t, kerneltest.AsSystem(db, 3), 0, 0)
	})
}

// TestVerify_tamper: every column a reader relies on is covered by the chain.
func TestVerify_tamper(t *testing.T) {
	each(t, func(t *testing.T, db *store.DB) {
		ctx := kerneltest.AsSystem(db, 1)
		write(t, ctx, func(ctx context.Context) error {
			for range 5 {
				if err := audit.Record(ctx, audit.Entry{Table: "book", Title: "书", RowID: 1, Op: audit.Updated, Before: map[string]any{"a": 1}, After: map[string]any{"a": 2}}); err != nil {
					return err
				}
			}
			return nil
		})
		seal(t, db, 5)
		verify(t, ctx, 5, 0)
		undo := errors.New("undo")
		for _, change := range []string{
			"create_time = create_time + 1", "actor_kind = 1", "user_id = 9", "user_type = 9", "user_name = 'x'", "trace_id = 'x'", "user_ip = 'x'",
			"user_agent = 'x'", "method = 'x'", "url = 'x'", "entity = 'x'", "type = 'x'", "sub_type = 'x'", "op = 4", "biz_id = 9", "action = 'x'",
			"before = 'x'", "after = 'x'", "reason = 'x'", "prev_hash = 'x'", "hash = 'x'", "chain_no = 99",
			"before = '{\"a\":1}{', after = '\"a\":2}'", // moved between columns
		} {
			err := store.Write(ctx, func(ctx context.Context) error {
				if _, err := store.Exec(ctx, store.Generated(tamper+change+ofRow), store.Args{"id": 3}); err != nil {
					return err
				}
				if n, broken, err := audit.Verify(ctx); err != nil || broken == 0 || n > 3 {
					t.Errorf("%s goes unseen: %d rows, broken %d, %v", change, n, broken, err)
				}
				return undo
			})
			if !errors.Is(err, undo) {
				t.Errorf("%s: %v", change, err)
			}
		}
		for name, q := range map[string]string{
			"removed": `DELETE FROM audit_log` + ofRow,
			"swapped": `UPDATE audit_log SET chain_no = CASE chain_no WHEN 3 THEN -3 ELSE chain_no END` + ofRow,
		} {
			_ = store.Write(ctx, func(ctx context.Context) error {
				if _, err := store.Exec(ctx, store.Generated(q), store.Args{"id": 3}); err != nil {
					t.Error(err)
				}
				if _, broken, err := audit.Verify(ctx); err != nil || broken == 0 {
					t.Errorf("%s goes unseen: %v", name, err)
				}
				return undo
			})
		}
		verify(t, ctx, 5, 0)
	})
}

// TestSeal_twoNodes: two nodes that seal at once cannot fork the chain.
func TestSeal_twoNodes(t *testing.T) {
	each(t, func(t *testing.T, db *store.DB) {
		ctx := kerneltest.AsSystem(db, 1)
		write(t, ctx, func(ctx context.Context) error {
			for range 900 {
				if err := audit.Record(ctx, audit.Entry{Table: "book", Op: audit.Event}); err != nil {
					return err
				}
			}
			return nil
		})
		done := make(chan error, 4)
		for range 4 {
			go func() {
				_, err := audit.Seal(store.Use(context.Background(), db))
				done <- err
			}()
		}
		for range 4 {
			if err := <-done; err != nil && !errors.Is(err, store.ErrUnique) {
				t.Error(err)
			}
		}
		if _, err := audit.Seal(store.Use(context.Background(), db)); err != nil {
			t.Error(err)
		}
		verify(t, ctx, 900, 0)
	})
}

func TestRecord_secrets(t *testing.T) {
	each(t, func(t *testing.T, db *store.DB) {
		ctx := kerneltest.AsSystem(db, 1)
		write(t, ctx, func(ctx context.Context) error {
			b := book{Title: "a", Secret: "hunter2"}
			if err := books.Insert(ctx, &b); err != nil {
				return err
			}
			b.Secret = "hunter3"
			if err := books.Update(ctx, &b); err != nil {
				return err
			}
			return books.Delete(ctx, b.ID)
		})
		rows, err := store.Select[audit.Row](ctx, logRows, nil)
		if err != nil || len(rows) != 3 {
			t.Fatal(rows, err)
		}
		for _, r := range rows {
			if strings.Contains(r.Before+r.After, "hunter") {
				t.Errorf("%+v", r)
			}
		}
		if rows[1].After != `{"secret":"***"}` {
			t.Error(rows[1].After)
		}
	})
}
