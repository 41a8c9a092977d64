package store_test

import (
	"context"
	"testing"
	"testing/fstest"
	"time"

	"viva/internal/kernel/clock"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
)

var totalSchema = fstest.MapFS{"9101_total.sql": {Data: []byte(`-- +goose Up
CREATE TABLE test_total (id IDENTITY_KEY, tenant_id BIGINT NOT NULL, kind INTEGER NOT NULL);
`)}}

const (
	sqlFillTotal = `INSERT INTO test_total (tenant_id, kind) VALUES (:tenant, :kind)`
	sqlTotalFrom = `FROM test_total t WHERE t.tenant_id = :tenant AND t.kind = :kind`
)

// Short lists are counted each time; long ones may be two seconds old, per tenant and filter.
func TestTotals(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, db *store.DB) {
		now := time.Now()
		t.Cleanup(clock.Set(func() time.Time { return now }))
		one, two := kerneltest.AsSystem(db, 1), kerneltest.AsSystem(db, 2)
		fill(t, one, 1, 1001)
		fill(t, one, 2, 5)
		fill(t, two, 1, 3)
		want := func(ctx context.Context, kind int, total int64) {
			t.Helper()
			page, err := store.SelectPage[int64](ctx, "t.id", store.Build(sqlTotalFrom, store.Args{"kind": kind}), "t.id", store.Paging{PageNo: 1, PageSize: 1})
			if err != nil || page.Total != total {
				t.Errorf("kind %d: total %d, want %d (%v)", kind, page.Total, total, err)
			}
		}
		want(one, 1, 1001)
		want(one, 2, 5)
		want(two, 1, 3)
		fill(t, one, 1, 1)
		fill(t, one, 2, 1)
		want(one, 1, 1001)
		want(one, 2, 6)
		now = now.Add(3 * time.Second)
		want(one, 1, 1002)
	}, totalSchema)
}

func fill(t *testing.T, ctx context.Context, kind, n int) {
	t.Helper()
	err := store.Write(ctx, func(ctx context.Context) error {
		for range n {
			if _, err := store.Exec(ctx, sqlFillTotal, store.Args{"kind": kind}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A statement read often is kept prepared and still sees new rows.
func TestPrepared(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, db *store.DB) {
		ctx := kerneltest.AsSystem(db, 1)
		for i := range 60 {
			fill(t, ctx, 7, 1)
			n, _, err := store.Get[int64](ctx, `SELECT COUNT(*) FROM test_total t WHERE t.tenant_id = :tenant AND t.kind = :kind`, store.Args{"kind": 7})
			if err != nil || n != int64(i+1) {
				t.Fatalf("read %d of %d: %v", n, i+1, err)
			}
		}
	}, totalSchema)
}
