package queue_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"testing"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"
)

// lines collects the lines of a log.
type lines chan string

func (l lines) Write(b []byte) (int, error) {
	l <- string(b)

	return len(b), nil
}

func TestFailedAttemptsAreLogged(t *testing.T) {
	t.Parallel()

	b := setup(t)
	log := make(lines, 10)
	b.logger = slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{
		Level: slog.LevelWarn,
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey {
				return slog.Attr{}
			}

			return a
		},
	}))
	b.start(t, 0, func(_ context.Context, job *river.Job[probe]) error {
		if job.Args.Name == "canceled" {
			return river.JobCancel(errors.New("not wanted"))
		}

		return errors.New("no such folder")
	})

	for _, c := range []struct {
		name     string
		attempts int
		level    string
	}{{"canceled", 2, ""}, {"last", 1, "ERROR"}, {"first", 2, "WARN"}} {
		inserted, err := b.inserter(t).Insert(t.Context(), probe{Name: c.name}, &river.InsertOpts{MaxAttempts: c.attempts})
		require.NoError(t, err)

		if c.level == "" {
			b.awaitState(t, inserted.Job.ID, rivertype.JobStateCancelled)
		} else {
			require.Equal(t, fmt.Sprintf("level=%s msg=\"queue: job attempt failed\" kind=probe job=%d attempt=1 of=%d error=\"no such folder\"\n",
				c.level, inserted.Job.ID, c.attempts), await(t, log))
		}
	}
}
