package main

import (
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// target is one database to measure on.
type target struct{ name, data, url string }

func (t target) serve(binary string) (*process, error) {
	args := []string{"serve", "--demo", "--captcha", "off", "--user-rate=-1", "--data", t.data, "--log", filepath.Join(t.data, "viva.log")}
	if err := os.MkdirAll(t.data, 0o755); err != nil {
		return nil, err
	}
	if t.url != "" {
		args = append(args, "--db", t.url)
	}
	return startProcess("/readyz", binary, append(args, "--addr")...)
}

func (t target) floor() (*process, error) {
	db := t.url
	if db == "" {
		db = filepath.Join(t.data, "viva.db")
	} else {
		db = strings.Replace(db, "viva@", "postgres@", 1) // the floor has no tenant wall
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return startProcess("/hash", self, "-floor", db, "-addr")
}

// fill writes the measured rows straight into the table while the server is down.
func (t target) fill(ctx context.Context, rows int, tenants int) error {
	driver, source := "sqlite", "file:"+filepath.Join(t.data, "viva.db")+"?_pragma=synchronous(OFF)"
	if t.url != "" {
		driver, source = "pgx", strings.Replace(t.url, "viva@", "postgres@", 1)
	}
	db, err := sql.Open(driver, source)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	const series = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
 INSERT INTO system_post (tenant_id, name, code, sort, status, remark, creator, create_time, updater, update_time)
 SELECT 1 + i %% %d, 'bench ' || i, 'bench-' || i, i %% 100, CASE WHEN i %% 7 = 0 THEN 1 ELSE 0 END, 'row of the measurement', '1', 1700000000000 + i, '1', 1700000000000 + i FROM n`
	if _, err := db.ExecContext(ctx, fmt.Sprintf(series, rows, tenants)); err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, "ANALYZE")
	return err
}

// measure runs the whole list on one database.
func (p plan) measure(ctx context.Context, t *table, on target) error {
	first, err := on.serve(p.binary)
	if err != nil {
		return err
	}
	first.stop()
	if err := on.fill(ctx, p.rows, 1); err != nil {
		return err
	}
	ours, err := on.serve(p.binary)
	if err != nil {
		return err
	}
	defer ours.stop()
	time.Sleep(500 * time.Millisecond)
	idle, _ := memory(ours.pid())
	token, err := login(ours.base, "admin")
	if err != nil {
		return err
	}
	base, err := on.floor()
	if err != nil {
		return err
	}
	defer base.stop()
	p.compare(t, on.name, base, ours, token)
	_, peak := memory(ours.pid())
	ours.stop()
	if err := p.createWithOutbox(t, on, base); err != nil {
		return err
	}
	t.fact(on.name, "start on an existing database", fmt.Sprintf("%d ms", ours.start.Milliseconds()), "< 300 ms", ours.start < 300*time.Millisecond)
	t.fact(on.name, "idle memory", fmt.Sprintf("%.0f MB", idle), "< 60 MB", idle < 60)
	t.fact(on.name, "memory under load (peak)", fmt.Sprintf("%.0f MB", peak), "< 250 MB", peak < 250)
	return nil
}

func (p plan) compare(t *table, db string, base, ours *process, token string) {
	authorised := func(method, path, body string) (*http.Request, error) {
		req, err := http.NewRequest(method, ours.base+"/admin-api"+path, strings.NewReader(body))
		if err == nil {
			req.Header.Set("Authorization", "Bearer "+token)
			req.Header.Set("tenant-id", "1")
			req.Header.Set("Content-Type", "application/json")
		}
		return req, err
	}
	plain := func(method, path, body string) (*http.Request, error) {
		return http.NewRequest(method, base.base+path, strings.NewReader(body))
	}
	id := func(n int64) int64 { return 100 + (n*7919)%int64(p.rows-200) }
	no := func(n int64) int64 { return 1 + n%50 }
	f := fire(p.workers, p.seconds, base.pid(), func(n int64) (*http.Request, error) { return plain("GET", fmt.Sprintf("/get?id=%d", id(n)), "") })
	o := fire(p.workers, p.seconds, ours.pid(), func(n int64) (*http.Request, error) {
		return authorised("GET", fmt.Sprintf("/system/post/get?id=%d", id(n)), "")
	})
	t.ratio(db, "get by id", f, o, 0.65)
	f = fire(p.workers, p.seconds, base.pid(), func(n int64) (*http.Request, error) { return plain("GET", fmt.Sprintf("/page?pageNo=%d", no(n)), "") })
	o = fire(p.workers, p.seconds, ours.pid(), func(n int64) (*http.Request, error) {
		return authorised("GET", fmt.Sprintf("/system/post/page?status=0&pageNo=%d&pageSize=20", no(n)), "")
	})
	t.ratio(db, "page of 20, filter, total", f, o, 0.80)
	f = fire(p.workers, p.seconds, base.pid(), func(int64) (*http.Request, error) { return plain("GET", "/bootstrap", "") })
	o = fire(p.workers, p.seconds, ours.pid(), func(n int64) (*http.Request, error) { return p.bootstrap(authorised, n) })
	t.ratio(db, "bootstrap (permissions or dictionaries)", f, o, 2)
	p.signIn(t, db, base, ours, authorised)
	f = fire(64, p.seconds, base.pid(), func(n int64) (*http.Request, error) {
		return plain("POST", "/create", fmt.Sprintf(`{"name":"floor %d","code":"f-%d"}`, n, n))
	})
	o = fire(64, p.seconds, ours.pid(), func(n int64) (*http.Request, error) {
		req, err := authorised("POST", "/system/post/create", fmt.Sprintf(`{"name":"ours %d","code":"o-%d","sort":1,"status":1}`, n, n))
		if err == nil {
			req.Header.Set("Idempotency-Key", fmt.Sprintf("bench-%d", n))
		}
		return req, err
	})
	t.ratio(db, "create with audit and key, 64 clients", f, o, createGate(db))
}

// createGate is what a durable create must reach of the floor's one commit each.
func createGate(db string) float64 {
	if db == "PostgreSQL" {
		return 0.35
	}
	return 0.90
}

// bootstrap alternates the two calls that a page load makes, compressed.
func (p plan) bootstrap(authorised func(string, string, string) (*http.Request, error), n int64) (*http.Request, error) {
	path := "/system/auth/get-permission-info"
	if n%2 == 0 {
		path = "/system/dict-data/list-all-simple"
	}
	req, err := authorised("GET", path, "")
	if err == nil {
		req.Header.Set("Accept-Encoding", "gzip")
	}
	return req, err
}

// signIn compares sign-ins with bare hashes and watches other requests meanwhile. Both
// servers have the same neighbour, a reader of 100 calls a second: one without a pace
// takes as much of the cores as it gets, and the ratio would tell of the reader.
func (p plan) signIn(t *table, db string, base, ours *process, authorised func(string, string, string) (*http.Request, error)) {
	beside := func(server *process, read, act shot, workers int) (acts, others result) {
		neighbour := make(chan result)
		go func() { neighbour <- fire(1, p.seconds, server.pid(), paced(10*time.Millisecond, read)) }()
		acts = fire(workers, p.seconds, server.pid(), act)
		return acts, <-neighbour
	}
	f, _ := beside(base, func(n int64) (*http.Request, error) {
		return http.NewRequest("GET", fmt.Sprintf("%s/get?id=%d", base.base, 100+n%1000), nil)
	}, func(int64) (*http.Request, error) { return http.NewRequest("GET", base.base+"/hash", nil) }, 2)
	o, others := beside(ours, func(n int64) (*http.Request, error) {
		return authorised("GET", fmt.Sprintf("/system/post/get?id=%d", 100+n%1000), "")
	}, func(n int64) (*http.Request, error) {
		req, err := http.NewRequest("POST", ours.base+"/admin-api/system/auth/login", strings.NewReader(`{"username":"student0`+fmt.Sprint(1+n%5)+`","password":"Viva@2026"}`))
		if err == nil {
			req.Header.Set("tenant-id", "1")
			req.Header.Set("Content-Type", "application/json")
		}
		return req, err
	}, 4)
	t.ratio(db, "sign-in against bare hashes", f, o, 0.85)
	t.fact(db, "others' p99 during sign-ins", others.p99.Round(100*time.Microsecond).String(), "< 100 ms", others.p99 < 100*time.Millisecond && others.failures == 0)
}

// measureMillion reads pages over a million rows in fifty tenants.
func (p plan) measureMillion(ctx context.Context, t *table, data string) error {
	on := target{name: "SQLite", data: data}
	first, err := on.serve(p.binary)
	if err != nil {
		return err
	}
	first.stop()
	if err := on.fill(ctx, 1_000_000, 50); err != nil {
		return err
	}
	ours, err := on.serve(p.binary)
	if err != nil {
		return err
	}
	defer ours.stop()
	token, err := login(ours.base, "admin")
	if err != nil {
		return err
	}
	o := fire(p.workers, p.seconds, ours.pid(), func(n int64) (*http.Request, error) {
		req, err := http.NewRequest("GET", fmt.Sprintf("%s/admin-api/system/post/page?status=0&pageNo=%d&pageSize=20", ours.base, 1+n%50), nil)
		if err == nil {
			req.Header.Set("Authorization", "Bearer "+token)
		}
		return req, err
	})
	t.fact("SQLite", "page of 20, 1,000,000 rows in 50 tenants, p99", fmt.Sprintf("%s at %.0f/s", o.p99.Round(100*time.Microsecond), o.perSecond), "< 50 ms", o.p99 < 50*time.Millisecond && o.failures == 0)
	return nil
}
