package telemetry

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// carried is the metadata key under which a job stores the trace that inserted it.
const carried = "trace"

// Middleware creates a span for every job, as a part of the trace in which the job was inserted. It is nil when
// telemetry is off.
func (t Telemetry) Middleware() []rivertype.Middleware {
	if !t.On() {
		return nil
	}

	return []rivertype.Middleware{&traced{tracer: t.tracer}}
}

type traced struct {
	river.MiddlewareDefaults

	tracer trace.Tracer
}

// InsertMany implements rivertype.JobInsertMiddleware.
func (*traced) InsertMany(
	ctx context.Context, all []*rivertype.JobInsertParams, insert func(context.Context) ([]*rivertype.JobInsertResult, error),
) ([]*rivertype.JobInsertResult, error) {
	if !trace.SpanFromContext(ctx).IsRecording() {
		return insert(ctx)
	}

	from := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, from)

	for _, one := range all {
		metadata := map[string]any{}

		if len(one.Metadata) > 0 {
			if err := json.Unmarshal(one.Metadata, &metadata); err != nil {
				return nil, fmt.Errorf("read the metadata of a job: %w", err)
			}
		}

		metadata[carried] = from

		var err error
		if one.Metadata, err = json.Marshal(metadata); err != nil {
			return nil, fmt.Errorf("write the metadata of a job: %w", err)
		}
	}

	return insert(ctx)
}

// Work implements rivertype.WorkerMiddleware.
func (j *traced) Work(ctx context.Context, job *rivertype.JobRow, work func(context.Context) error) error {
	var metadata struct {
		Trace propagation.MapCarrier `json:"trace"`
	}

	if json.Unmarshal(job.Metadata, &metadata) == nil {
		ctx = propagation.TraceContext{}.Extract(ctx, metadata.Trace)
	}

	ctx, span := j.tracer.Start(ctx, "job "+job.Kind, trace.WithSpanKind(trace.SpanKindConsumer), trace.WithAttributes(
		attribute.Int64("job.id", job.ID), attribute.String("job.queue", job.Queue), attribute.Int("job.attempt", job.Attempt)))
	defer span.End()

	err := work(ctx)
	failed(span, err)

	return err
}
