package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"sort"
	"sync"
	"time"
)

// shot is one request of a load; n counts over all workers.
type shot func(n int64) (*http.Request, error)

// result of one load.
type result struct {
	perSecond float64
	cpu       time.Duration // of the server process per operation
	p50, p99  time.Duration
	failures  int64
	first     string
}

var client = &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 256, MaxConnsPerHost: 256, DisableCompression: true}}

// fire runs the load for the time with closed-loop workers against process pid, after
// a short warm-up.
func fire(workers int, long time.Duration, pid int, next shot) result {
	burst(workers, long/5, 0, next)
	before := cpuTime(pid)
	r, all := burst(workers, long, 1<<40, next)
	used := cpuTime(pid) - before
	if len(all) == 0 {
		return r
	}
	sort.Slice(all, func(i, j int) bool { return all[i] < all[j] })
	r.perSecond = float64(len(all)) / long.Seconds()
	r.cpu = used / time.Duration(len(all))
	r.p50, r.p99 = all[len(all)/2], all[len(all)*99/100]
	return r
}

func burst(workers int, long time.Duration, base int64, next shot) (result, []time.Duration) {
	var (
		lock  sync.Mutex
		r     result
		all   []time.Duration
		group sync.WaitGroup
	)
	end := time.Now().Add(long)
	for w := range workers {
		group.Go(func() {
			var mine []time.Duration
			var failed int64
			var first string
			for n := base + int64(w)<<32; time.Now().Before(end); n++ {
				took, err := once(next, n)
				if err != nil {
					if failed++; first == "" {
						first = err.Error()
					}
					continue
				}
				mine = append(mine, took)
			}
			lock.Lock()
			defer lock.Unlock()
			all = append(all, mine...)
			r.failures += failed
			if r.first == "" {
				r.first = first
			}
		})
	}
	group.Wait()
	return r, all
}

// once sends one request and says how long its answer took.
func once(next shot, n int64) (time.Duration, error) {
	req, err := next(n)
	if err != nil {
		return 0, err
	}
	start := time.Now()
	res, err := client.Do(req)
	if err != nil {
		return 0, err
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return 0, err
	}
	took := time.Since(start)
	zipped := res.Header.Get("Content-Encoding") != ""
	if res.StatusCode != http.StatusOK || !zipped && !bytes.HasPrefix(body, []byte(`{"code":0,`)) {
		return 0, fmt.Errorf("%s %s: %d %.200s", req.Method, req.URL.Path, res.StatusCode, body)
	}
	return took, nil
}

// paced lets a worker send a request at most every so often.
func paced(every time.Duration, next shot) shot {
	tick := time.NewTicker(every)
	return func(n int64) (*http.Request, error) {
		<-tick.C
		return next(n)
	}
}
