package job

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"time"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/clock"
	"viva/internal/kernel/store"
)

// Migrations creates the tables of jobs, schedules and logs.
//
//go:embed migrations/*.sql
var Migrations embed.FS

// State is where a run stands. Waiting → Running → Done, Dead, or Waiting again;
// Dead → Waiting by Retry.
type State int

// The states.
const (
	Waiting State = 0
	Running State = 1
	Done    State = 2
	Dead    State = 3
)

// Opts adjust one job; the zero value means now, once, ten tries.
type Opts struct {
	// At is the earliest start.
	At time.Time
	// Key, unless empty, keeps a second job of the same name, tenant and key from being
	// enqueued while one is waiting or running.
	Key string
	// MaxTries is the number of starts before the job is dead; 0 means DefaultTries.
	MaxTries int
	// Pause is the time between tries; 0 means 1 s, 2 s, 4 s … up to ten minutes.
	Pause time.Duration

	schedule int64
}

// DefaultTries is the number of starts when Opts say nothing.
const DefaultTries = 10

// topic is signalled when work arrives.
const topic = "job"

const sqlEnqueue = `INSERT INTO job_run (tenant_id, name, payload, dedupe, schedule_id, run_at, max_tries, retry_ms, create_time)
 VALUES (:tenant, :name, :payload, :key, :schedule, :at, :max, :retry, :now) ON CONFLICT DO NOTHING RETURNING id`

// Enqueue writes a job into the current transaction for the actor's tenant (0 for work
// that belongs to no tenant). payload becomes JSON. The id is 0 when Key found a job
// that has not ended yet.
func Enqueue(ctx context.Context, name string, payload any, o Opts) (id int64, err error) {
	body, err := json.Marshal(payload)
	if err != nil {
		return 0, fmt.Errorf("job: payload of %s: %w", name, err)
	}
	now := clock.Millis()
	at := now
	if !o.At.IsZero() {
		at = o.At.UnixMilli()
	}
	if o.MaxTries <= 0 {
		o.MaxTries = DefaultTries
	}
	id, _, err = store.Get[int64](ctx, sqlEnqueue, store.Args{
		"tenant": actor.From(ctx).TenantID, "name": name, "payload": string(body), "key": o.Key, "schedule": o.schedule,
		"at": at, "max": o.MaxTries, "retry": o.Pause.Milliseconds(), "now": now,
	})
	if err != nil || at > now {
		return id, err
	}
	return id, store.Wake(ctx, topic)
}

// Enqueue is the function of the same name, for callers that hold a queue.
func (q *Queue) Enqueue(ctx context.Context, name string, payload any, o Opts) (int64, error) {
	return Enqueue(ctx, name, payload, o)
}

// sqlCancel repeats the condition of the index of keys, without which SQLite reads all
// waiting jobs of the tenant.
const sqlCancel = `DELETE FROM job_run WHERE tenant_id = :tenant AND name = :name AND dedupe = :key AND state = 0 AND dedupe <> '' AND state < 2`

// Cancel removes the waiting job of that name and key from the actor's tenant; done is
// false when there is none or it runs already.
func Cancel(ctx context.Context, name, key string) (done bool, err error) {
	n, err := store.Exec(ctx, sqlCancel, store.Args{"tenant": actor.From(ctx).TenantID, "name": name, "key": key})
	return n > 0, err
}
