package queue

import (
	"context"
	"log/slog"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// failed says in the log why an attempt at a job failed, which River keeps with the job alone. One that is given back, put
// off or canceled has not failed.
type failed struct{ log *slog.Logger }

// HandleError implements river.ErrorHandler. It is an error when nothing tries the job again.
func (f failed) HandleError(ctx context.Context, job *rivertype.JobRow, err error) *river.ErrorHandlerResult {
	level := slog.LevelWarn
	if job.Attempt >= job.MaxAttempts {
		level = slog.LevelError
	}
	f.log.Log(ctx, level, "queue: an attempt at a job failed", slog.String("kind", job.Kind), slog.Int64("job", job.ID),
		slog.Int("attempt", job.Attempt), slog.Int("of", job.MaxAttempts), slog.Any("error", err))
	return nil
}

// HandlePanic implements river.ErrorHandler. River has said it.
func (failed) HandlePanic(context.Context, *rivertype.JobRow, any, string) *river.ErrorHandlerResult {
	return nil
}
