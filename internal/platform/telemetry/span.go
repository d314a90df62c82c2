package telemetry

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

// Start begins a child of the context's span; it does nothing without one. Work under the returned context
// belongs to the new span. end ends it with the resulting error.
func Start(ctx context.Context, what string, about ...attribute.KeyValue) (inner context.Context, end func(error)) {
	outer := trace.SpanFromContext(ctx)
	if !outer.IsRecording() {
		return ctx, func(error) {}
	}

	inner, span := outer.TracerProvider().Tracer(name).Start(ctx, what, trace.WithAttributes(about...))

	return inner, func(err error) {
		failed(span, err)
		span.End()
	}
}

// Note adds attributes to the span of the context, if there is one.
func Note(ctx context.Context, about ...attribute.KeyValue) {
	if span := trace.SpanFromContext(ctx); span.IsRecording() {
		span.SetAttributes(about...)
	}
}

func failed(span trace.Span, err error) {
	if err != nil {
		span.RecordError(err)
		span.SetStatus(codes.Error, err.Error())
	}
}
