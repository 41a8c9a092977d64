package store

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/clock"
)

// totals keeps the totals of long lists for a moment: counting ten thousand rows costs
// more than reading the page, and nobody can tell 8,431 rows from 8,432. Totals up to
// keepAbove are always counted.
type totals struct {
	lock sync.Mutex
	kept map[string]keptTotal
}

type keptTotal struct {
	n     int64
	until time.Time
}

const (
	keepAbove  = 1000
	keepFor    = 2 * time.Second
	maxTotals  = 5000
	totalsWord = "\x00"
)

func (db *DB) total(ctx context.Context, q constSQL, args Args) (int64, error) {
	if InWrite(ctx) { // a change must see itself
		n, _, err := Get[int64](ctx, q, args)
		return n, err
	}
	key, now := totalKey(ctx, q, args), clock.Now()
	db.totals.lock.Lock()
	kept, found := db.totals.kept[key]
	db.totals.lock.Unlock()
	if found && now.Before(kept.until) {
		return kept.n, nil
	}
	n, _, err := Get[int64](ctx, q, args)
	if err != nil || n <= keepAbove {
		return n, err
	}
	db.totals.lock.Lock()
	defer db.totals.lock.Unlock()
	if db.totals.kept == nil || len(db.totals.kept) >= maxTotals {
		db.totals.kept = map[string]keptTotal{}
	}
	db.totals.kept[key] = keptTotal{n: n, until: now.Add(keepFor)}
	return n, nil
}

// totalKey tells tenants, statements and values apart.
func totalKey(ctx context.Context, q constSQL, args Args) string {
	var key strings.Builder
	fmt.Fprint(&key, actor.From(ctx).TenantID, AcrossReason(ctx) != "", q)
	for _, name := range slices.Sorted(maps.Keys(args)) {
		if name != "page_size" && name != "page_offset" {
			fmt.Fprintf(&key, "%s%s%s%v", totalsWord, name, totalsWord, args[name])
		}
	}
	return key.String()
}
