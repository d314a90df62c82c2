package telemetry

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"

	"github.com/prometheus/client_golang/prometheus"
	bridge "go.opentelemetry.io/contrib/bridges/prometheus"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// name is the name of the instrumentation.
const name = "github.com/reelgraph/reelgraph"

// Settings define where traces and metrics are sent, and what share of the traces is sent.
type Settings struct {
	Endpoint   *url.URL          // URL of the collector, without /v1/traces; nil turns telemetry off
	Headers    map[string]string // headers for the collector, including its credentials
	Service    string
	Version    string
	Attributes map[string]string // additional attributes of this process

	// Ratio is the share of new traces that are kept, from 0 to 1.
	Ratio float64
	// Figures are sent with the same values that /metrics shows.
	Figures prometheus.Gatherer
	Log     *slog.Logger
}

// Telemetry creates the spans of a process. The zero value creates none.
type Telemetry struct {
	tracer trace.Tracer // nil when off
	close  []func(context.Context) error
}

// Open starts to send telemetry; the caller calls Close. It is not an error if the collector does not respond: the
// data is lost and a warning is logged.
func Open(ctx context.Context, s Settings) (Telemetry, error) {
	if s.Endpoint == nil {
		return Telemetry{}, nil
	}

	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) {
		s.Log.Warn("sending telemetry failed", "error", err)
	}))

	spans, err := otlptracehttp.New(ctx,
		otlptracehttp.WithEndpointURL(s.Endpoint.JoinPath("v1", "traces").String()), otlptracehttp.WithHeaders(s.Headers))
	if err != nil {
		return Telemetry{}, fmt.Errorf("open telemetry: %w", err)
	}

	figures, err := otlpmetrichttp.New(ctx,
		otlpmetrichttp.WithEndpointURL(s.Endpoint.JoinPath("v1", "metrics").String()), otlpmetrichttp.WithHeaders(s.Headers))
	if err != nil {
		return Telemetry{}, errors.Join(fmt.Errorf("open telemetry: %w", err), spans.Shutdown(ctx))
	}

	about := s.resource()
	tracing := sdktrace.NewTracerProvider(sdktrace.WithBatcher(spans), sdktrace.WithResource(about),
		sdktrace.WithSampler(sdktrace.ParentBased(sdktrace.TraceIDRatioBased(s.Ratio))))
	counting := metric.NewMeterProvider(metric.WithResource(about), metric.WithReader(
		metric.NewPeriodicReader(figures, metric.WithProducer(bridge.NewMetricProducer(bridge.WithGatherer(s.Figures))))))

	return Telemetry{
		tracer: tracing.Tracer(name, trace.WithInstrumentationVersion(s.Version)),
		close:  []func(context.Context) error{tracing.Shutdown, counting.Shutdown},
	}, nil
}

func (s Settings) resource() *resource.Resource {
	about := []attribute.KeyValue{attribute.String("service.name", s.Service), attribute.String("service.version", s.Version)}
	for key, value := range s.Attributes {
		about = append(about, attribute.String(key, value))
	}

	return resource.NewSchemaless(about...)
}

// On reports whether telemetry is sent.
func (t Telemetry) On() bool { return t.tracer != nil }

// Close sends the remaining data. It stops when the context is canceled.
func (t Telemetry) Close(ctx context.Context) error {
	var faults []error
	for _, end := range t.close {
		faults = append(faults, end(ctx))
	}

	return errors.Join(faults...)
}
