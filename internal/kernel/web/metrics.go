package web

import (
	"net/http"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics are the figures of the edge; other packages add theirs through Registry.
type metrics struct {
	registry *prometheus.Registry
	seconds  *prometheus.HistogramVec
	codes    *prometheus.CounterVec
	foreign  prometheus.Counter
	inFlight prometheus.Gauge
}

// observer counts the answers of one call. Its series come with the first answer:
// hundreds of calls of which nobody asked for one would fill memory and every scrape.
type observer struct {
	metrics *metrics
	name    string
	begin   sync.Once
	seconds prometheus.Observer
	ok      prometheus.Counter
}

func newMetrics() *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "viva_call_seconds", Help: "Time of answered calls.", Buckets: []float64{.001, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10},
		}, []string{"call"}),
		codes:    prometheus.NewCounterVec(prometheus.CounterOpts{Name: "viva_call_total", Help: "Answered calls by outcome."}, []string{"call", "outcome"}),
		foreign:  prometheus.NewCounter(prometheus.CounterOpts{Name: "viva_foreign_tenant_total", Help: "Calls with another tenant's id; any is worth a look."}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{Name: "viva_calls_in_flight", Help: "Calls being answered."}),
	}
	m.registry.MustRegister(m.seconds, m.codes, m.foreign, m.inFlight, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

func (m *metrics) of(c *Call) *observer { return &observer{metrics: m, name: c.Name()} }

// done counts an answer by its envelope's code, which is the outcome also where the HTTP
// status is 200; without an envelope the status counts.
func (o *observer) done(status, code int, took time.Duration) {
	if o == nil {
		return
	}
	o.begin.Do(func() {
		o.seconds = o.metrics.seconds.WithLabelValues(o.name)
		o.ok = o.metrics.codes.WithLabelValues(o.name, "ok")
	})
	o.seconds.Observe(took.Seconds())
	if code == 0 && status >= 400 {
		code = status
	}
	if code == 0 {
		o.ok.Inc()
		return
	}
	o.metrics.codes.WithLabelValues(o.name, itoa(int64(code))).Inc()
}

// Registry is where other packages register their figures.
func (app *App) Registry() *prometheus.Registry { return app.metrics.registry }

// MetricsHandler serves the figures; it belongs on a listener of its own.
func (app *App) MetricsHandler() http.Handler {
	return promhttp.HandlerFor(app.metrics.registry, promhttp.HandlerOpts{})
}
