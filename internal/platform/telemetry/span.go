package telemetry

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

// Start begins a child of the span in the context. If the context has no span, Start does nothing. Spans that begin
// in the returned context become children of the new span. end ends the new span and records the error.
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
