package crash

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"sync"
	"sync/atomic"
	"testing/fstest"

	"viva/internal/kernel/errs"
	"viva/internal/kernel/event"
	"viva/internal/kernel/store"
	"viva/internal/kernel/table"
)

// schema is the table of the harness.
var schema fs.FS = fstest.MapFS{"9100_submission.sql": {Data: []byte(`-- +goose Up
CREATE TABLE submission (
  id IDENTITY_KEY,
  tenant_id BIGINT NOT NULL,
  mark TEXT NOT NULL,
  body TEXT NOT NULL,
  creator TEXT NOT NULL,
  create_time BIGINT NOT NULL,
  updater TEXT NOT NULL,
  update_time BIGINT NOT NULL,
  deleted BOOLEAN NOT NULL,
  version INTEGER NOT NULL
);
CREATE UNIQUE INDEX uk_submission_mark ON submission (tenant_id, mark);
CREATE TABLE effect (id IDENTITY_KEY, tenant_id BIGINT NOT NULL, consumer TEXT NOT NULL, event_id BIGINT NOT NULL);
`)}}

type submission struct {
	ID   int64
	Mark string
	Body string
	table.Meta
}

var submissions = table.New[submission]("submission", "提交")

// submit is the write under test: a business row, its audit row and an event.
func submit(ctx context.Context, mark, body string) error {
	return store.Write(ctx, func(ctx context.Context) error {
		row := submission{Mark: mark, Body: body}
		if err := submissions.Insert(ctx, &row); err != nil {
			return err
		}
		return event.Publish(ctx, "submitted", map[string]any{"id": row.ID, "mark": mark})
	})
}

// load submits from several goroutines until stop, and writes each mark to acks after
// its commit. Errors go to failed.
type load struct {
	prefix  string
	body    string
	workers int
	acks    io.Writer
	failed  func(error)
	next    atomic.Int64
	lock    sync.Mutex
}

func (l *load) run(ctx context.Context, stop <-chan struct{}) {
	var wg sync.WaitGroup
	for range l.workers {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				mark := fmt.Sprintf("%s-%d", l.prefix, l.next.Add(1))
				if err := submit(ctx, mark, l.body); err != nil {
					l.failed(err)
					continue
				}
				l.lock.Lock()
				_, _ = fmt.Fprintln(l.acks, mark)
				l.lock.Unlock()
			}
		})
	}
	wg.Wait()
}

const (
	sqlRows   = `SELECT id, mark FROM submission WHERE tenant_id = :tenant AND id > :after ORDER BY id`
	sqlAudits = `SELECT biz_id FROM audit_log WHERE tenant_id = :tenant AND entity = 'submission' AND biz_id > :after ORDER BY biz_id`
	sqlTotals = `SELECT (SELECT COUNT(*) FROM submission WHERE tenant_id = :tenant) - (SELECT COUNT(*) FROM outbox_event WHERE tenant_id = :tenant)`
)

// verdict compares the database with the acknowledged marks of one round: the rows whose
// id is beyond the last of the round before. It gives the last id.
func verdict(ctx context.Context, acked []string, after int64) (last int64, err error) {
	type row struct {
		ID   int64
		Mark string
	}
	rows, err := store.Select[row](ctx, sqlRows, store.Args{"after": after})
	if err != nil {
		return after, err
	}
	last = after
	there, ids := make(map[string]bool, len(rows)), make([]int64, 0, len(rows))
	for _, r := range rows {
		there[r.Mark], last, ids = true, r.ID, append(ids, r.ID)
	}
	lost := 0
	for _, m := range acked {
		if !there[m] {
			lost++
		}
	}
	audits, err := store.Select[int64](ctx, sqlAudits, store.Args{"after": after})
	if err != nil {
		return after, err
	}
	surplus, err := store.One[int](ctx, sqlTotals, nil)
	if err != nil {
		return after, err
	}
	if lost > 0 || surplus != 0 || !slices.Equal(ids, audits) {
		return after, fmt.Errorf("%d of %d acknowledged writes are lost; %d rows, %d audit rows; %d rows more than events", lost, len(acked), len(ids), len(audits), surplus)
	}
	return last, nil
}

func isUnavailable(err error) bool { return errs.Is(err, errs.ErrUnavailable) }
