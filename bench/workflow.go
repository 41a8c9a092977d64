package main

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// figures are the metrics of Go benchmarks: name (without the number of cores) → unit → value.
type figures map[string]map[string]float64

// goBench runs benchmarks of a package. They live beside the code they measure; here they
// become rows of the one table.
func goBench(pkg, pattern, times string) (figures, error) {
	cmd := exec.Command("go", "test", pkg, "-run", "^$", "-bench", pattern, "-benchtime", times, "-timeout", "30m")
	cmd.Env = append(os.Environ(), "VIVA_TEST_POSTGRES=required")
	out, err := cmd.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", pkg, err, out)
	}
	f := figures{}
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		words := strings.Fields(lines.Text())
		if len(words) < 4 || !strings.HasPrefix(words[0], "Benchmark") {
			continue
		}
		name := strings.TrimPrefix(words[0], "Benchmark")
		if cores := strings.LastIndexByte(name, '-'); cores > 0 {
			name = name[:cores]
		}
		f[name] = map[string]float64{}
		for i := 2; i+1 < len(words); i += 2 {
			f[name][words[i+1]], _ = strconv.ParseFloat(words[i], 64)
		}
	}
	return f, nil
}

// result of a benchmark that reports instances.
func (f figures) result(name string) result {
	m := f[name]
	return result{perSecond: m["instances/s"], cpu: time.Duration(m["cpu-µs/instance"]) * time.Microsecond}
}

const (
	enginePackage  = "./internal/workflow/engine"
	runtimePackage = "./internal/workflow/runtime"
)

// workflow measures the process engine: start and three completes with history and a
// business row, durable, by 16 clients, against a loop of the same statements without an
// engine; then its extremes.
func (p plan) workflow(ctx context.Context, t *table, data string) error {
	f, err := goBench(runtimePackage, "^Benchmark(Instance|Reference)$", "3000x")
	if err != nil {
		return err
	}
	for _, on := range []struct {
		db, key string
		least   float64
	}{{"SQLite", "sqlite", 600}, {"PostgreSQL", "postgres", 500}} {
		ours := f.result("Instance/" + on.key)
		t.ratio(on.db, "process: start and 3 completes, 16 clients", f.result("Reference/"+on.key), ours, 0.60)
		t.fact(on.db, "process: instances a second", fmt.Sprintf("%.0f/s", ours.perSecond), fmt.Sprintf(">= %.0f/s", on.least), ours.perSecond >= on.least)
	}
	full, empty := f["Instance/sqlite-full"]["cpu-µs/instance"], f["Instance/sqlite"]["cpu-µs/instance"]
	t.fact("SQLite", "process: beside 100,000 open and 1,000,000 ended", fmt.Sprintf("%+.0f%% CPU", 100*(full/empty-1)), "<= +15%", full <= 1.15*empty)
	if f, err = goBench(runtimePackage, "^BenchmarkTimers$", "10000x"); err != nil {
		return err
	}
	drained := 10_000 / f["Timers"]["timers/s"]
	t.fact("SQLite", "process: 10,000 timers due at once", fmt.Sprintf("%.1f s", drained), "<= 30 s", drained <= 30)
	if f, err = goBench(runtimePackage, "^BenchmarkItems$", "3x"); err != nil {
		return err
	}
	items := time.Duration(f["Items"]["ns/op"])
	t.fact("SQLite", "process: one task decided by 100 people", items.Round(time.Millisecond).String(), "<= 3 s", items <= 3*time.Second)
	if f, err = goBench(enginePackage, "^BenchmarkThreeTasks$", "3s"); err != nil {
		return err
	}
	core := f["ThreeTasks"]["instances/s"]
	t.fact("memory", "process: start and 3 completes in the core", fmt.Sprintf("%.0f/s", core), ">= 50000/s", core >= 50_000)
	return p.todo(ctx, t, data)
}

// todoTasks wait for one person, ten to an instance.
const todoTasks = 500_000

// fillTodo hands the tasks to the administrator of the demo while the server is down.
func fillTodo(ctx context.Context, file string) error {
	db, err := sql.Open("sqlite", "file:"+file+"?_pragma=synchronous(OFF)")
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	for _, text := range []string{
		`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ` + strconv.Itoa(todoTasks/10) + `)
 INSERT INTO wf_instance (tenant_id, id, definition_id, process_key, root_id, name, starter_id, status, result, rev, next_seq, next_id, started_at, vars, state)
 SELECT 1, 'bench-' || i, d.id, d.key, 'bench-' || i, '请假 ' || i, 2, 1, 1, 1, 9, 8, 1700000000000 + i, '{}', ''
 FROM n, (SELECT id, key FROM wf_definition WHERE tenant_id = 1 ORDER BY id LIMIT 1) d`,
		`WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ` + strconv.Itoa(todoTasks-1) + `)
 INSERT INTO wf_task (tenant_id, instance_id, id, token_id, element, name, assignee_id, status, created_at)
 SELECT 1, 'bench-' || (1 + i / 10), 1 + i % 10, 3, 'a', '审批', u.id, 1, 1700000000000 + i
 FROM n, (SELECT id FROM system_users WHERE tenant_id = 1 AND username = 'admin') u`,
		"ANALYZE", // the product never does, but an administrator may
	} {
		if _, err := db.ExecContext(ctx, text); err != nil {
			return err
		}
	}
	return nil
}

// todo reads pages of the administrator's own list over HTTP.
func (p plan) todo(ctx context.Context, t *table, data string) error {
	on := target{name: "SQLite", data: data}
	first, err := on.serve(p.binary)
	if err != nil {
		return err
	}
	first.stop()
	if err := fillTodo(ctx, filepath.Join(data, "viva.db")); err != nil {
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
	o := fire(2, p.seconds, ours.pid(), func(n int64) (*http.Request, error) {
		req, err := http.NewRequest("GET", fmt.Sprintf("%s/admin-api/bpm/task/todo-page?pageNo=%d&pageSize=20", ours.base, 1+n%20), nil)
		if err == nil {
			req.Header.Set("Authorization", "Bearer "+token)
		}
		return req, err
	})
	t.fact("SQLite", "process: page of 500,000 tasks to do, p99", fmt.Sprintf("%s at %.0f/s", o.p99.Round(100*time.Microsecond), o.perSecond), "<= 30 ms", o.p99 <= 30*time.Millisecond && o.failures == 0)
	if o.failures > 0 {
		return fmt.Errorf("to-do list: %d failed: %s", o.failures, o.first)
	}
	return nil
}
