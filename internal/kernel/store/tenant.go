package store

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"viva/internal/kernel/actor"
)

// onConn gives fn a PostgreSQL connection whose row-level-security settings fit ctx.
// The settings stay on the connection and are changed only when the tenant differs.
func (db *DB) onConn(ctx context.Context, fn func(*pgx.Conn) error) error {
	conn, err := db.readers.Conn(ctx)
	if err != nil {
		return classify(err)
	}
	defer func() { _ = conn.Close() }()
	want := wallOf(ctx)
	return conn.Raw(func(dc any) error {
		c := dc.(*stdlib.Conn).Conn()
		if data := c.PgConn().CustomData(); data["tenant"] != want {
			low, high, _ := strings.Cut(want, "-")
			if _, err := c.Exec(ctx, setTenant, pgx.QueryExecModeExec, low, high); err != nil {
				return classify(err)
			}
			data["tenant"] = want
		}
		return fn(c)
	})
}

// wallOf is the span of tenants that ctx may touch, "low-high".
func wallOf(ctx context.Context) string {
	if AcrossReason(ctx) != "" {
		return fmt.Sprint(0, "-", int64(math.MaxInt64))
	}
	tenant := actor.From(ctx).TenantID
	return fmt.Sprint(tenant, "-", tenant)
}

// align moves the wall inside a PostgreSQL transaction when ctx has another span than
// before: a nested call may act in another tenant or across tenants. It goes with the
// next statement and ends with the transaction.
func (t *tx) align(ctx context.Context) {
	want := wallOf(ctx)
	if t.wall == want {
		return
	}
	low, high, _ := strings.Cut(want, "-")
	t.late = append(t.late, plain(setTenantLocal, low, high))
	t.wall = want
}

const setTenantLocal = `SELECT set_config('app.tenant_low', $1, true), set_config('app.tenant_high', $2, true)`

const setTenant = `SELECT set_config('app.tenant_low', $1, false), set_config('app.tenant_high', $2, false)`

// The bounds are read once per statement through sub-selects, which PostgreSQL
// evaluates as init plans; an OR for the all-tenants case would cost an index scan.
const (
	dropPolicy   = `DROP POLICY IF EXISTS tenant_wall ON %s`
	createPolicy = `CREATE POLICY tenant_wall ON %s USING (
 tenant_id >= (SELECT nullif(current_setting('app.tenant_low', true), '')::bigint) AND
 tenant_id <= (SELECT nullif(current_setting('app.tenant_high', true), '')::bigint))`
	enablePolicy = `ALTER TABLE %s ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY`
)

// raiseWall puts row-level security on every tenant table that lacks it.
func (db *DB) raiseWall(ctx context.Context) error {
	if db.dialect != Postgres {
		return nil
	}
	for _, table := range db.TenantTables() {
		var has bool
		const q = `SELECT EXISTS (SELECT 1 FROM pg_policies WHERE tablename = $1 AND policyname = 'tenant_wall')`
		if err := db.readers.QueryRowContext(ctx, q, table).Scan(&has); err != nil {
			return err
		}
		if has {
			continue
		}
		for _, ddl := range []string{dropPolicy, createPolicy, enablePolicy} {
			if _, err := db.readers.ExecContext(ctx, fmt.Sprintf(ddl, table)); err != nil {
				return fmt.Errorf("store: tenant wall on %s: %w", table, err)
			}
		}
	}
	return nil
}
