package queue

import (
	"context"
	"log/slog"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// failures says in the log why an attempt at a job failed, which River says on a level that nobody keeps. An attempt that
// is given back, put off or canceled has not failed.
type failures struct{ log *slog.Logger }

// HandleError implements river.ErrorHandler. It is an error when this job is not tried again.
func (f failures) HandleError(ctx context.Context, job *rivertype.JobRow, err error) *river.ErrorHandlerResult {
	level := slog.LevelWarn
	if job.Attempt >= job.MaxAttempts {
		level = slog.LevelError
	}
	f.log.Log(ctx, level, "queue: an attempt at a job failed", slog.String("kind", job.Kind), slog.Int64("job", job.ID),
		slog.Int("attempt", job.Attempt), slog.Int("of", job.MaxAttempts), slog.Any("error", err))
	return nil
}

// HandlePanic implements river.ErrorHandler. River has said that there was one, and not where.
func (f failures) HandlePanic(ctx context.Context, job *rivertype.JobRow, _ any, trace string) *river.ErrorHandlerResult {
	f.log.ErrorContext(ctx, "queue: a job panicked", slog.String("kind", job.Kind), slog.Int64("job", job.ID), slog.String("trace", trace))
	return nil
}
