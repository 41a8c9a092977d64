package crash

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"viva/internal/kernel/event"
	"viva/internal/kernel/job"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
)

const (
	insertEffect = `INSERT INTO effect (tenant_id, consumer, event_id) VALUES (:tenant, :consumer, :event)`
	sqlEffects   = `SELECT (SELECT COUNT(*) FROM effect WHERE tenant_id = :tenant AND consumer = :consumer) AS total,
 (SELECT COUNT(DISTINCT event_id) FROM effect WHERE tenant_id = :tenant AND consumer = :consumer) AS distinct_events`
)

var consumers = []string{"a", "b"}

// work starts a queue and a bus whose consumers leave one row per event.
func work(ctx context.Context) (stop func(), err error) {
	q := job.New(job.Options{Poll: 10 * time.Millisecond})
	b := event.NewBus(q)
	for _, name := range consumers {
		b.Handle("submitted", name, func(ctx context.Context, e event.Event) error {
			_, err := store.Exec(ctx, insertEffect, store.Args{"consumer": name, "event": e.ID})
			return err
		})
	}
	if err := q.Start(ctx); err != nil {
		return nil, err
	}
	b.Start(ctx)
	return func() { b.Stop(); _ = q.Stop(ctx) }, nil
}

func deliverUntilKilled(dir string) {
	db, err := store.Open(context.Background(), store.Config{Dir: dir})
	if err == nil {
		err = db.RefreshCatalogue(context.Background())
	}
	if err == nil {
		_, err = work(kerneltest.AsSystem(db, 1))
	}
	if err != nil {
		_, _ = fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
	time.Sleep(time.Minute)
}

// TestKill_deliveries kills a process that delivers events; every event has its effect
// once per consumer in the end, none is lost.
func TestKill_deliveries(t *testing.T) {
	quiet(t)
	db := kerneltest.Open(t, schema)
	dir, ctx := filepath.Dir(db.Path()), kerneltest.AsSystem(db, 1)
	const events = 400
	for i := range events {
		if err := submit(ctx, fmt.Sprint("e", i), ""); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	kills := 0
	for ; kills < 40; kills++ {
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), childEnv+"=deliver:"+dir)
		child.Stderr = os.Stderr
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(40+rand.IntN(80)) * time.Millisecond)
		_ = child.Process.Kill()
		_ = child.Wait()
	}
	db, err := store.Open(context.Background(), store.Config{Dir: dir})
	if err == nil {
		err = db.RefreshCatalogue(context.Background())
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	ctx = kerneltest.AsSystem(db, 1)
	early := effects(t, ctx, "a").Total
	stop, err := work(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if effects(t, ctx, "a").Total >= events && effects(t, ctx, "b").Total >= events {
			break
		}
	}
	for _, c := range consumers {
		if e := effects(t, ctx, c); e.Total != events || e.DistinctEvents != events {
			t.Errorf("consumer %s: %+v for %d events", c, e, events)
		}
	}
	if early == 0 {
		t.Error("nothing happened before the last kill: the test proves little")
	}
	t.Logf("%d kills, %d of %d effects before the last", kills, early, events)
}

type tally struct{ Total, DistinctEvents int }

func effects(t *testing.T, ctx context.Context, consumer string) tally {
	t.Helper()
	n, err := store.One[tally](ctx, sqlEffects, store.Args{"consumer": consumer})
	if err != nil {
		t.Fatal(err)
	}
	return n
}
