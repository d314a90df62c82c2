package telemetry

import (
	"io"
	"net/http"
	"regexp"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/reelgraph/reelgraph/internal/platform/middleware"
)

// Handler creates a span for every request. It continues the caller's trace only if trusted returns true. Other
// callers can decide neither which traces are kept nor the ids of traces.
func (t Telemetry) Handler(trusted func(*http.Request) bool) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		if !t.On() {
			return next
		}

		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			ctx := r.Context()
			if trusted(r) {
				ctx = propagation.TraceContext{}.Extract(ctx, propagation.HeaderCarrier(r.Header))
			}

			ctx, span := t.tracer.Start(ctx, r.Method, trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(
				attribute.String("http.request.method", r.Method), attribute.String("request.id", middleware.RequestID(ctx))))
			defer span.End()

			answer := &answer{ResponseWriter: w}
			next.ServeHTTP(answer, r.WithContext(ctx))

			if answer.status == 0 {
				answer.status = http.StatusOK
			}

			route := Route(r.URL.Path)
			if answer.status != http.StatusNotFound { // unknown paths are not used as span names
				span.SetName(r.Method + " " + route)
			}

			span.SetAttributes(attribute.String("http.route", route), attribute.Int("http.response.status_code", answer.status))

			if answer.status >= http.StatusInternalServerError {
				span.SetStatus(codes.Error, http.StatusText(answer.status))
			}
		})
	}
}

// token matches the part of a path that differs between requests: an id with its prefix, or a number.
var token = regexp.MustCompile(`^([a-z]+_[0-9A-Za-z]{10,}|[0-9]+)$`)

// Route returns a path without the parts that differ between requests. Tokens in paths are such parts, so the result
// contains no secret.
func Route(path string) string {
	parts := strings.Split(path, "/")

	for i, part := range parts {
		if token.MatchString(part) || i > 1 && parts[1] == "playback" {
			parts[i] = "{id}"
		}
	}

	return strings.Join(parts, "/")
}

// answer remembers the status of a response.
type answer struct {
	http.ResponseWriter

	status int
}

// WriteHeader implements http.ResponseWriter.
func (a *answer) WriteHeader(status int) {
	if a.status == 0 && (status >= http.StatusOK || status == http.StatusSwitchingProtocols) {
		a.status = status
	}

	a.ResponseWriter.WriteHeader(status)
}

// ReadFrom lets the underlying writer copy from a file to the socket inside the kernel.
func (a *answer) ReadFrom(r io.Reader) (int64, error) { return io.Copy(a.ResponseWriter, r) }

// Flush implements http.Flusher for streamed answers.
func (a *answer) Flush() { _ = http.NewResponseController(a.ResponseWriter).Flush() }

// Unwrap returns the underlying writer, for http.ResponseController.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }
