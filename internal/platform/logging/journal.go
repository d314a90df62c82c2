package logging

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"time"

	"go.opentelemetry.io/otel/trace"

	"github.com/reelgraph/reelgraph/internal/platform/middleware"
)

// Form is the format of an event.
type Form string

// The supported forms.
const (
	JSON Form = "json" // for log collectors
	Text Form = "text" // for a person at a terminal
)

const (
	requestID = "requestId"
	traceID   = "traceId"
)

// New returns a logger that removes secrets from events before they are written.
func New(to io.Writer, form Form) *slog.Logger {
	options := &slog.HandlerOptions{Level: slog.LevelInfo, ReplaceAttr: clean}

	if form == Text {
		return slog.New(identified{slog.NewTextHandler(to, options)})
	}

	return slog.New(identified{slog.NewJSONHandler(to, options)})
}

// clean removes secrets from an attribute or a message. It converts values of unknown types to text first.
func clean(_ []string, a slog.Attr) slog.Attr {
	switch a.Value.Kind() {
	case slog.KindString:
		a.Value = slog.StringValue(Scrub(a.Value.String()))
	case slog.KindAny:
		if _, isTime := a.Value.Any().(time.Time); a.Value.Any() != nil && !isTime && a.Key != slog.LevelKey && a.Key != slog.SourceKey {
			a.Value = slog.StringValue(Scrub(fmt.Sprintf("%+v", a.Value.Any())))
		}
	default: // numbers and times hold no secret
	}

	return a
}

// identified adds the request id and the trace of the context to events that do not have them.
type identified struct{ slog.Handler }

// Handle implements slog.Handler.
func (h identified) Handle(ctx context.Context, r slog.Record) error {
	id := middleware.RequestID(ctx)

	r.Attrs(func(a slog.Attr) bool {
		if a.Key == requestID {
			id = ""
		}

		return id != ""
	})

	r = r.Clone()

	if id != "" {
		r.AddAttrs(slog.String(requestID, id))
	}

	if span := trace.SpanContextFromContext(ctx); span.HasTraceID() {
		r.AddAttrs(slog.String(traceID, span.TraceID().String()))
	}

	return h.Handler.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (h identified) WithAttrs(attrs []slog.Attr) slog.Handler {
	return identified{h.Handler.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (h identified) WithGroup(name string) slog.Handler { return identified{h.Handler.WithGroup(name)} }
