package main

import (
	"context"
	"database/sql"
	"net/http"
	"net/http/pprof"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// figures are what /metrics says.
type figures struct {
	registry *prometheus.Registry
	inFlight prometheus.Gauge
	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
}

func newFigures(db *sql.DB) *figures {
	f := &figures{
		registry: prometheus.NewRegistry(),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "reelgraph_http_requests_in_flight", Help: "Requests being answered.",
		}),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "reelgraph_http_requests_total", Help: "Requests answered.",
		}, []string{"code", "method"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "reelgraph_http_request_duration_seconds", Help: "Time from a request to the end of its answer.",
			Buckets: prometheus.ExponentialBuckets(0.001, 4, 8),
		}, []string{"method"}),
	}
	f.registry.MustRegister(
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		collectors.NewDBStatsCollector(db, "reelgraph"), f.inFlight, f.requests, f.duration, backlog{db},
	)

	return f
}

// count has every request of a handler counted.
func (f *figures) count(next http.Handler) http.Handler {
	return promhttp.InstrumentHandlerInFlight(f.inFlight,
		promhttp.InstrumentHandlerDuration(f.duration, promhttp.InstrumentHandlerCounter(f.requests, next)))
}

// handler serves what operators see, at an address of its own: the figures, and profiles of the process.
func (f *figures) handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(f.registry, promhttp.HandlerOpts{}))
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)

	return mux
}

// backlog counts the jobs of the whole product, in the database, when it is asked.
type backlog struct{ db *sql.DB }

const scrapeTimeout = 5 * time.Second

func (backlog) desc() *prometheus.Desc {
	return prometheus.NewDesc("reelgraph_jobs", "Jobs by queue and state.", []string{"queue", "state"}, nil)
}

// Describe implements prometheus.Collector.
func (b backlog) Describe(to chan<- *prometheus.Desc) { to <- b.desc() }

// Collect implements prometheus.Collector.
func (b backlog) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), scrapeTimeout)
	defer cancel()

	rows, err := b.db.QueryContext(ctx, "SELECT queue, state::text, count(*) FROM river_job WHERE finalized_at IS NULL GROUP BY 1, 2")
	if err != nil {
		to <- prometheus.NewInvalidMetric(b.desc(), err)

		return
	}
	defer rows.Close() //nolint:errcheck // Err tells

	for rows.Next() {
		var (
			queue, state string
			jobs         float64
		)

		if err := rows.Scan(&queue, &state, &jobs); err != nil {
			to <- prometheus.NewInvalidMetric(b.desc(), err)

			return
		}

		to <- prometheus.MustNewConstMetric(b.desc(), prometheus.GaugeValue, jobs, queue, state)
	}

	if err := rows.Err(); err != nil {
		to <- prometheus.NewInvalidMetric(b.desc(), err)
	}
}
