package workflow

import (
	"testing"

	"viva/internal/kernel/store"
)

// TestCopy_read: each receiver reads for himself; unread copies come first.
func TestCopy_read(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		w.publish("p", line(w.task("a", StrategyUser, "{ann}")))
		var ids []string
		for range 3 {
			id := w.start("p", nil)
			ids = append(ids, id)
			w.act("ann", "copy", w.taskOf(id, "a", "ann"), body{"copyUserIds": w.ids("bob", "cid")}, 0)
		}
		page := func(who, query string) (list []CopyView) {
			t.Helper()
			return into[store.Page[CopyView]](w.office, w.call(who, "GET", "/process-instance/copy/page"+query, nil, 0)).List
		}
		unread := func(who string, want int) {
			t.Helper()
			if n := len(page(who, "?unread=true")); n != want {
				t.Errorf("%s has %d unread, want %d", who, n, want)
			}
		}
		unread("bob", 3)
		w.call("bob", "PUT", "/process-instance/copy/read?processInstanceId="+ids[2], nil, 0)
		w.call("bob", "PUT", "/process-instance/copy/read?processInstanceId="+ids[2], nil, 0)
		w.call("ann", "PUT", "/process-instance/copy/read", nil, 0)
		w.call("alien", "PUT", "/process-instance/copy/read", nil, 0)
		unread("bob", 2)
		unread("cid", 3)
		list := page("bob", "")
		if len(list) != 3 || !list[0].Unread || list[0].ProcessInstanceID != ids[1] || list[2].Unread || list[2].ProcessInstanceID != ids[2] {
			t.Errorf("order %+v", list)
		}
		w.call("bob", "PUT", "/process-instance/copy/read", nil, 0)
		unread("bob", 0)
		unread("cid", 3)
	})
}
