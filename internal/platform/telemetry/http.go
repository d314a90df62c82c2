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

// Handler makes a span of every request. A trace that the caller began goes on only where trusted says so:
// strangers decide neither what is kept nor under which id.
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
			if answer.status != http.StatusNotFound { // whatever strangers ask for is no route
				span.SetName(r.Method + " " + route)
			}

			span.SetAttributes(attribute.String("http.route", route), attribute.Int("http.response.status_code", answer.status))

			if answer.status >= http.StatusInternalServerError {
				span.SetStatus(codes.Error, http.StatusText(answer.status))
			}
		})
	}
}

// token is what a path has in place of a name: an id with its prefix, or a number.
var token = regexp.MustCompile(`^([a-z]+_[0-9A-Za-z]{10,}|[0-9]+)$`)

// Route is a path without what differs from one request to the next. It holds no secret: the tokens of
// paths are among what goes.
func Route(path string) string {
	parts := strings.Split(path, "/")

	for i, part := range parts {
		if token.MatchString(part) || i > 1 && parts[1] == "playback" {
			parts[i] = "{id}"
		}
	}

	return strings.Join(parts, "/")
}

// answer remembers the status of an answer.
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

// ReadFrom keeps the kernel's file-to-socket copy of the server's own writer.
func (a *answer) ReadFrom(r io.Reader) (int64, error) { return io.Copy(a.ResponseWriter, r) }

// Flush implements http.Flusher for streamed answers.
func (a *answer) Flush() { _ = http.NewResponseController(a.ResponseWriter).Flush() }

// Unwrap serves http.ResponseController.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }
