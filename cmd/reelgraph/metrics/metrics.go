// Package metrics collects the metrics of /metrics: requests, jobs, rendered videos, the Go runtime and the database. New
// creates Metrics; Handler serves them with profiles and health checks at a separate address.
package metrics

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

// Metrics are the metrics of one process.
type Metrics struct {
	Registry *prometheus.Registry
	inFlight prometheus.Gauge
	duration *prometheus.HistogramVec
	Jobs     *prometheus.HistogramVec
	films    prometheus.Counter
}

// New creates the metrics of one process.
func New() *Metrics {
	f := &Metrics{
		Registry: prometheus.NewRegistry(),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "reelgraph_http_requests_in_flight", Help: "Requests in progress.",
		}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "reelgraph_http_request_duration_seconds", Help: "Time from the start of a request to the end of its response.",
			Buckets: prometheus.ExponentialBuckets(0.001, 4, 8),
		}, []string{"code", "method"}),
		Jobs: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "reelgraph_job_duration_seconds", Help: "Time a job took, by outcome.",
			Buckets: prometheus.ExponentialBuckets(0.005, 5, 8),
		}, []string{"kind", "outcome"}),
		films: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "reelgraph_rendered_seconds_total", Help: "Length of the rendered videos.",
		}),
	}
	f.Registry.MustRegister(
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		f.inFlight, f.duration, f.Jobs, f.films,
	)

	return f
}

// Watch adds the metrics of the database.
func (f *Metrics) Watch(db *sql.DB) {
	f.Registry.MustRegister(collectors.NewDBStatsCollector(db, "reelgraph"), backlog{db})
}

// Rendered adds the length of a rendered video to the total.
func (f *Metrics) Rendered(length time.Duration) { f.films.Add(length.Seconds()) }

// JobTimer measures how long every job takes.
type JobTimer struct {
	river.MiddlewareDefaults

	Jobs *prometheus.HistogramVec
}

// Work implements rivertype.WorkerMiddleware.
func (t *JobTimer) Work(ctx context.Context, job *rivertype.JobRow, work func(context.Context) error) error {
	began := time.Now()
	err := work(ctx)
	t.Jobs.WithLabelValues(job.Kind, outcome(err)).Observe(time.Since(began).Seconds())

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

// Count measures every request to next.
func (f *Metrics) Count(next http.Handler) http.Handler {
	return promhttp.InstrumentHandlerInFlight(f.inFlight, promhttp.InstrumentHandlerDuration(f.duration, next))
}

// Handler serves the metrics, profiles of the process, and the two health checks.
func (f *Metrics) Handler(alive, ready http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /healthz", alive)
	mux.Handle("GET /readyz", ready)
	mux.Handle("GET /metrics", promhttp.HandlerFor(f.Registry, promhttp.HandlerOpts{}))
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)

	return mux
}

// backlog counts the jobs in the database at every scrape.
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
	defer rows.Close() //nolint:errcheck // checked by Err

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
