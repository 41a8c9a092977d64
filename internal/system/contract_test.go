package system

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/module"
	"viva/internal/kernel/store"
)

// calls are the addresses of the wire contract that this module answers.
var calls = []string{
	"POST /system/dict-type/create", "PUT /system/dict-type/update", "DELETE /system/dict-type/delete", "DELETE /system/dict-type/delete-list", "GET /system/dict-type/page",
	"GET /system/dict-type/get", "GET /system/dict-type/list-all-simple", "GET /system/dict-type/simple-list", "GET /system/dict-type/export-excel", "GET /system/dict-type/export",
	"POST /system/dict-data/create", "PUT /system/dict-data/update", "DELETE /system/dict-data/delete", "DELETE /system/dict-data/delete-list", "GET /system/dict-data/page",
	"GET /system/dict-data/get", "GET /system/dict-data/list-all-simple", "GET /system/dict-data/simple-list", "GET /system/dict-data/export-excel", "GET /system/dict-data/export",
	"GET /system/dict-data/type/{type}",
	"POST /system/notice/create", "PUT /system/notice/update", "DELETE /system/notice/delete", "DELETE /system/notice/delete-list", "GET /system/notice/page", "GET /system/notice/get", "POST /system/notice/push",
	"POST /system/notify-template/create", "PUT /system/notify-template/update", "DELETE /system/notify-template/delete", "DELETE /system/notify-template/delete-list", "GET /system/notify-template/get",
	"GET /system/notify-template/page", "GET /system/notify-template/list-all-simple", "GET /system/notify-template/simple-list", "POST /system/notify-template/send-notify",
	"GET /system/notify-message/get", "GET /system/notify-message/page", "GET /system/notify-message/my-page", "PUT /system/notify-message/update-read", "PUT /system/notify-message/update-all-read",
	"GET /system/notify-message/get-unread-list", "GET /system/notify-message/get-unread-count",
	"GET /system/operate-log/get", "GET /system/operate-log/page", "GET /system/operate-log/export-excel", "GET /system/operate-log/export", "GET /system/operate-log/verify-chain",
	"GET /thesis/system-config/get", "PUT /thesis/system-config/update",
}

// TestCalls: every call of the contract is there, and every permission that a call asks
// for hangs in the menu tree, so that it can be granted.
func TestCalls(t *testing.T) {
	r := open(t, kerneltest.Open(t, migrations, identityTables))
	granted := map[string]bool{}
	collect(menus, granted)
	declared := map[string]bool{}
	for _, c := range r.app.Calls() {
		declared[c.Name()] = true
		for _, p := range c.Access.Permissions() {
			if !granted[p] {
				t.Errorf("%s asks for %s, which no menu carries", c.Name(), p)
			}
		}
	}
	for _, name := range calls {
		if !declared[name] {
			t.Errorf("%s is missing", name)
		}
	}
}

func collect(list []module.Menu, granted map[string]bool) {
	for _, m := range list {
		for _, p := range append(m.Perms, m.Permission) {
			granted[p] = true
		}
		collect(m.Children, granted)
	}
}

// TestPlans: what every page polls, and the lists of large tables, use their indexes.
func TestPlans(t *testing.T) {
	r := open(t, kerneltest.Open(t, migrations, identityTables))
	for q, index := range map[string]string{
		sqlUnreadCount: "ix_system_notify_message_unread",
		sqlUnreadList:  "ix_system_notify_message_unread",
		"SELECT " + messageColumns + " " + sqlMyMessages + " ORDER BY m.id DESC LIMIT 20": "ix_system_notify_message_user",
		"SELECT " + messageColumns + " " + sqlMessages + " ORDER BY m.id DESC LIMIT 20":   "ix_system_notify_message",
		"SELECT " + logColumns + " " + sqlLogs + " ORDER BY a.id DESC LIMIT 20":           "ix_audit_tenant",
		"SELECT n.id " + sqlShown + " ORDER BY n.id DESC LIMIT 20":                        "ix_system_notice",
		sqlEnabledEntries: "system_dict_data",
	} {
		for _, name := range []string{":tenant", ":me", ":size"} {
			q = strings.ReplaceAll(q, name, "1")
		}
		rows, err := r.db.Pool().Query("EXPLAIN QUERY PLAN " + q)
		if err != nil {
			t.Fatalf("%s: %v", q, err)
		}
		plan := ""
		for rows.Next() {
			var id, parent, unused int
			var detail string
			if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
				t.Fatal(err)
			}
			plan += detail + "; "
		}
		_ = rows.Close()
		if !strings.Contains(plan, index) || strings.Contains(plan, "TEMP B-TREE FOR ORDER BY") && !strings.Contains(q, "dict_data") {
			t.Errorf("%.80s…: %s", q, plan)
		}
	}
}

// TestDictionaryRace: many readers while entries change; in the end everybody sees the
// last change.
func TestDictionaryRace(t *testing.T) {
	each(t, func(t *testing.T, r *rig) {
		ctx := kerneltest.AsSystem(r.db, 1)
		var page struct{ List []DictData }
		r.call(t, r.admin, "GET", "/system/dict-data/page?dictType=thesis_extra", nil, 0).Decode(t, &page)
		stop := make(chan bool)
		var readers sync.WaitGroup
		for range 4 {
			readers.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
					}
					if labels, err := r.s.dict.labels(ctx, "thesis_extra"); err != nil || len(labels) != 1 {
						t.Errorf("%v %v", labels, err)
						return
					}
				}
			})
		}
		last := ""
		for i := range 25 {
			last = fmt.Sprint("第", i, "版")
			r.call(t, r.admin, "PUT", "/system/dict-data/update", map[string]any{"id": page.List[0].ID, "label": last}, 0)
			if labels, err := r.s.dict.labels(ctx, "thesis_extra"); err != nil || labels["1"] != last {
				t.Fatalf("after its own change: %v %v, want %s", labels, err, last)
			}
		}
		close(stop)
		readers.Wait()
	})
}

// TestEverybody: more users than one round reads.
func TestEverybody(t *testing.T) {
	each(t, func(t *testing.T, r *rig) {
		var ids []int64
		for id := int64(5000); id < 5601; id++ {
			ids = append(ids, id)
		}
		people(t, r.db, 1, ids...)
		start := time.Now()
		sent := 0
		err := store.Write(kerneltest.AsSystem(r.db, 1), func(ctx context.Context) (err error) {
			sent, err = notifyEverybody(ctx, pushTemplate.Code, map[string]any{"title": "全员"})
			return err
		})
		if err != nil || sent != len(ids)+4 {
			t.Errorf("%d messages, %v", sent, err)
		}
		t.Logf("%d messages in %s", sent, time.Since(start))
		if n := r.call(t, r.foreign, "GET", "/system/notify-message/get-unread-count", nil, 0); string(n.Data) != "0" {
			t.Errorf("the other tenant got %s", n.Data)
		}
	})
}

// TestTemplatesOfModules: what modules declare is sent with the parameters it names.
func TestTemplatesOfModules(t *testing.T) {
	row := templateOf(module.Template{Code: "c", Name: "n", Nickname: "s", Content: "{a}与{b}", Type: 2})
	if !slices.Equal(row.Params.V, []string{"a", "b"}) || row.Type != 2 || row.Status != 0 {
		t.Errorf("%+v", row)
	}
}
