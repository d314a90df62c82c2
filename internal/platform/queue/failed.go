package queue

import (
	"context"
	"log/slog"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// failures logs why an attempt at a job failed, which River logs only at debug level. An attempt that was
// given back, snoozed or canceled has not failed.
type failures struct{ log *slog.Logger }

// HandleError implements river.ErrorHandler. It logs an error if the job is not retried, else a warning.
func (f failures) HandleError(ctx context.Context, job *rivertype.JobRow, err error) *river.ErrorHandlerResult {
	level := slog.LevelWarn
	if job.Attempt >= job.MaxAttempts {
		level = slog.LevelError
	}

	f.log.Log(ctx, level, "queue: job attempt failed", slog.String("kind", job.Kind), slog.Int64("job", job.ID),
		slog.Int("attempt", job.Attempt), slog.Int("of", job.MaxAttempts), slog.Any("error", err))

	return nil
}

// HandlePanic implements river.ErrorHandler. River logs the panic, but not where it happened.
func (f failures) HandlePanic(ctx context.Context, job *rivertype.JobRow, _ any, trace string) *river.ErrorHandlerResult {
	f.log.ErrorContext(ctx, "queue: job panicked", slog.String("kind", job.Kind), slog.Int64("job", job.ID), slog.String("trace", trace))

	return nil
}
