package workflow

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"viva/internal/kernel/clock"
	"viva/internal/kernel/kerneltest"
)

// TestClean: all instances of a process go, running ones after a proper end; those of
// other processes and those that start afterwards stay.
func TestClean(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		one := fmt.Sprintf(oneTask, w.task("a", StrategyUser, "{ann}"))
		w.publish("gone", one)
		model := w.count("SELECT id FROM bpm_model WHERE key = 'gone'")
		w.publish("stays", one)
		var ids []string
		for range 3 {
			ids = append(ids, w.start("gone", nil))
		}
		kept := w.start("stays", nil)
		w.approve("ann", ids[0], "a")
		ctx := kerneltest.AsSystem(w.db, 1)
		w.call("bob", "DELETE", "/model/clean?id="+fmt.Sprint(model), nil, 403)
		w.call("admin", "DELETE", "/model/clean?id="+fmt.Sprint(model), nil, 0)
		if n := w.count("SELECT COUNT(*) FROM job_run WHERE name = '" + cleanWork + "'"); n != 1 {
			t.Errorf("%d jobs", n)
		}
		before := clock.Millis()
		time.Sleep(5 * time.Millisecond)
		later := w.start("gone", nil)
		for _, want := range []int{3, 0} {
			if n, err := w.s.clean(ctx, cleanJob{Key: "gone", Before: before, Who: "甲"}); err != nil || n != want {
				t.Fatalf("%d, want %d: %v", n, want, err)
			}
		}
		list := "'" + strings.Join(ids, "', '") + "'"
		for _, table := range []string{"wf_instance WHERE id", "wf_task WHERE instance_id", "wf_event WHERE instance_id", "bpm_comment WHERE instance_id"} {
			if n := w.count("SELECT COUNT(*) FROM " + table + " IN (" + list + ")"); n != 0 {
				t.Errorf("%d rows left of %s", n, table)
			}
		}
		w.view(kept)
		w.view(later)
		w.s.Own(Business{Process: "gone"})
		w.call("admin", "DELETE", "/model/clean?id="+fmt.Sprint(model), nil, errCleanOwned.Num)
		w.sound()
	})
}
