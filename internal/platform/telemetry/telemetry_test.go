package telemetry_test

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"
	collectmetrics "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	collecttrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	tracev1 "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/platform/telemetry"
	"github.com/reelgraph/reelgraph/test/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// collector receives traces and metrics, as any OTLP collector would.
type collector struct {
	*httptest.Server

	mu      sync.Mutex
	spans   map[string]*tracev1.Span
	figures map[string]bool
}

func newCollector(t *testing.T) *collector {
	t.Helper()

	c := &collector{spans: map[string]*tracev1.Span{}, figures: map[string]bool{}}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err == nil && r.Header.Get("Authorization") != "Basic of-the-collector" {
			err = errors.New("no credentials")
		}

		if err == nil {
			err = c.receive(r.URL.Path, body)
		}

		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
		}
	}))
	t.Cleanup(c.Close)

	return c
}

func (c *collector) receive(path string, body []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()

	if path == "/v1/metrics" {
		var request collectmetrics.ExportMetricsServiceRequest
		if err := proto.Unmarshal(body, &request); err != nil {
			return err
		}

		for _, resource := range request.GetResourceMetrics() {
			for _, scope := range resource.GetScopeMetrics() {
				for _, m := range scope.GetMetrics() {
					c.figures[m.GetName()] = true
				}
			}
		}

		return nil
	}

	var request collecttrace.ExportTraceServiceRequest
	if err := proto.Unmarshal(body, &request); err != nil {
		return err
	}

	for _, resource := range request.GetResourceSpans() {
		for _, scope := range resource.GetScopeSpans() {
			for _, span := range scope.GetSpans() {
				c.spans[span.GetName()] = span
			}
		}
	}

	return nil
}

func (c *collector) open(t *testing.T, ratio float64) telemetry.Telemetry {
	t.Helper()

	endpoint, err := url.Parse(c.URL)
	require.NoError(t, err)

	figures := prometheus.NewRegistry()
	figures.MustRegister(prometheus.NewCounter(prometheus.CounterOpts{Name: "reelgraph_test_total", Help: "What is exported."}))

	to, err := telemetry.Open(t.Context(), telemetry.Settings{
		Endpoint: endpoint, Headers: map[string]string{"Authorization": "Basic of-the-collector"}, Service: "reelgraph",
		Attributes: map[string]string{"deployment.environment.name": "test"}, Ratio: ratio, Figures: figures, Log: slog.New(slog.DiscardHandler),
	})
	require.NoError(t, err)

	return to
}

// A request, its statements and the job that it inserts are one trace.
func TestOneTrace(t *testing.T) {
	t.Parallel()

	c := newCollector(t)
	to := c.open(t, 1)

	s, err := store.Open(t.Context(), testkit.Database(t), store.Options{Trace: true})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })

	one := func(*sql.Rows) error { return nil }
	job := &rivertype.JobRow{ID: 7, Kind: "render", Queue: "render", Attempt: 1}
	link := to.Middleware()[0].(interface {
		rivertype.JobInsertMiddleware
		rivertype.WorkerMiddleware
	})

	h := to.Handler(func(*http.Request) bool { return false })(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = s.Query(r.Context(), one, "SELECT $1::text", "a secret argument")
		_ = s.InTx(r.Context(), func(ctx context.Context) error {
			return s.Query(ctx, one, "WITH x AS (SELECT 1 AS n) SELECT n FROM x")
		})

		params := &rivertype.JobInsertParams{Metadata: []byte(`{"kept":1}`)}
		_, _ = link.InsertMany(r.Context(), []*rivertype.JobInsertParams{params}, func(context.Context) ([]*rivertype.JobInsertResult, error) {
			return nil, nil
		})
		job.Metadata = params.Metadata

		w.WriteHeader(http.StatusTeapot)
	}))

	r := httptest.NewRequest(http.MethodGet, "/v1/videos/vid_01JD00000000000000/clips", nil)
	r.Header.Set("Traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00") // of an untrusted caller that asks for no trace
	h.ServeHTTP(httptest.NewRecorder(), r)

	require.Contains(t, string(job.Metadata), `"kept":1`)

	failed := link.Work(t.Context(), job, func(ctx context.Context) error {
		_, end := telemetry.Start(ctx, "render draw")
		end(nil)

		return errors.New("no picture")
	})
	require.Error(t, failed)
	require.NoError(t, to.Close(t.Context()))

	root := c.spans["GET /v1/videos/{id}/clips"]
	require.NotNil(t, root, "%v", c.spans)
	require.Empty(t, root.GetParentSpanId())

	for name, parent := range map[string]string{
		"sql select": root.GetName(), "sql with": root.GetName(), "job render": root.GetName(), "render draw": "job render",
	} {
		require.NotNil(t, c.spans[name], name)
		require.Equal(t, root.GetTraceId(), c.spans[name].GetTraceId(), name)
		require.Equal(t, c.spans[parent].GetSpanId(), c.spans[name].GetParentSpanId(), name)
		require.NotContains(t, c.spans[name].String(), "a secret argument")
	}

	require.Equal(t, tracev1.Status_STATUS_CODE_ERROR, c.spans["job render"].GetStatus().GetCode())
	require.True(t, c.figures["reelgraph_test_total"], "%v", c.figures)
}

// Traces from our own proxies are continued; those of other callers are ignored.
func TestWhoseTracesGoOn(t *testing.T) {
	t.Parallel()

	for _, trusted := range []bool{true, false} {
		c := newCollector(t)
		to := c.open(t, 0) // keeps no traces of its own
		h := to.Handler(func(*http.Request) bool { return trusted })(http.NotFoundHandler())

		r := httptest.NewRequest(http.MethodGet, "/anything/a-stranger/likes", nil)
		r.Header.Set("Traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
		h.ServeHTTP(httptest.NewRecorder(), r)
		require.NoError(t, to.Close(t.Context()))

		require.Equal(t, trusted, c.spans["GET"] != nil, "named by the method, as the route is unknown")
	}
}

func TestOff(t *testing.T) {
	t.Parallel()

	to, err := telemetry.Open(t.Context(), telemetry.Settings{})
	require.NoError(t, err)
	require.False(t, to.On())
	require.Empty(t, to.Middleware())
	require.NoError(t, to.Close(t.Context()))

	h := &handler{}
	require.Same(t, h, to.Handler(nil)(h), "nothing is wrapped")

	ctx, end := telemetry.Start(t.Context(), "nothing")
	end(errors.New("nobody hears"))
	telemetry.Note(ctx)
	require.Equal(t, t.Context(), ctx)
}

type handler struct{ http.Handler }

func TestRoute(t *testing.T) {
	t.Parallel()

	for path, route := range map[string]string{
		"/":          "/",
		"/graphql":   "/graphql",
		"/v1/videos": "/v1/videos",
		"/v1/videos/vid_01JD00000000000000/clips/cl_01JD00000000000000/cut": "/v1/videos/{id}/clips/{id}/cut",
		"/v1/webhooks/messages/msg_01JD00000000000000/attempts/3":           "/v1/webhooks/messages/{id}/attempts/{id}",
		"/playback/AbC-d_e" + strings.Repeat("x", 100):                      "/playback/{id}",
		"/uploads/src_01JD00000000000000":                                   "/uploads/{id}",
	} {
		require.Equal(t, route, telemetry.Route(path))
	}
}
