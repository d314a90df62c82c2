package main

import (
	"context"
	"database/sql"
	"errors"
	"net/http"
	"net/http/pprof"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// figures are what /metrics says.
type figures struct {
	registry *prometheus.Registry
	inFlight prometheus.Gauge
	duration *prometheus.HistogramVec
	jobs     *prometheus.HistogramVec
	films    prometheus.Counter
}

func newFigures() *figures {
	f := &figures{
		registry: prometheus.NewRegistry(),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "reelgraph_http_requests_in_flight", Help: "Requests being answered.",
		}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "reelgraph_http_request_duration_seconds", Help: "Time from a request to the end of its answer, and so how many were answered.",
			Buckets: prometheus.ExponentialBuckets(0.001, 4, 8),
		}, []string{"code", "method"}),
		jobs: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "reelgraph_job_duration_seconds", Help: "Time a job took, by what became of it.",
			Buckets: prometheus.ExponentialBuckets(0.005, 5, 8),
		}, []string{"kind", "outcome"}),
		films: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "reelgraph_rendered_seconds_total", Help: "Length of the films that were rendered.",
		}),
	}
	f.registry.MustRegister(
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		f.inFlight, f.duration, f.jobs, f.films,
	)

	return f
}

// watch has the figures of the database told too.
func (f *figures) watch(db *sql.DB) {
	f.registry.MustRegister(collectors.NewDBStatsCollector(db, "reelgraph"), backlog{db})
}

// rendered counts a film.
func (f *figures) rendered(length time.Duration) { f.films.Add(length.Seconds()) }

// timing measures every job.
type timing struct {
	river.MiddlewareDefaults

	jobs *prometheus.HistogramVec
}

// Work implements rivertype.WorkerMiddleware.
func (t *timing) Work(ctx context.Context, job *rivertype.JobRow, work func(context.Context) error) error {
	began := time.Now()
	err := work(ctx)
	t.jobs.WithLabelValues(job.Kind, outcome(err)).Observe(time.Since(began).Seconds())

	return err
}

func outcome(err error) string {
	var (
		later    *rivertype.JobSnoozeError
		canceled *rivertype.JobCancelError
	)

	switch {
	case err == nil:
		return "done"
	case errors.As(err, &later):
		return "put off"
	case errors.As(err, &canceled), errors.Is(err, context.Canceled):
		return "canceled"
	default:
		return "failed"
	}
}

// count has every request of a handler counted.
func (f *figures) count(next http.Handler) http.Handler {
	return promhttp.InstrumentHandlerInFlight(f.inFlight, promhttp.InstrumentHandlerDuration(f.duration, next))
}

// handler serves what operators see, at an address of its own: the figures, profiles of the process, and
// its health.
func (f *figures) handler(h *health) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /healthz", h.alive())
	mux.Handle("GET /readyz", h.ready())
	mux.Handle("GET /metrics", promhttp.HandlerFor(f.registry, promhttp.HandlerOpts{}))
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
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
