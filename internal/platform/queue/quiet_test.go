package queue_test

import (
	"context"
	"testing"

	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/platform/queue"
)

// A job that was inserted in a quiet context runs in one, so that what it inserts is quiet too.
func TestQuietJobsStayQuiet(t *testing.T) {
	t.Parallel()

	b := setup(t)
	heard := make(chan [2]string, 10)
	workers := river.NewWorkers()
	river.AddWorker(workers, &worker{work: func(ctx context.Context, job *river.Job[probe]) error {
		heard <- [2]string{job.Args.Name, string(queue.Metadata(ctx, ""))}

		return nil
	}})

	locks := queue.NewLocks(b.db)
	q, err := queue.New(b.db, b.dsn, workers, queue.Config{
		Locks: locks, Logger: b.logger, Queues: map[string]river.QueueConfig{"any": {MaxWorkers: 1}},
	})
	require.NoError(t, err)

	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))

	ended := make(chan error, 1)
	go func() { ended <- q.Run(ctx) }()

	t.Cleanup(func() {
		cancel()
		require.NoError(t, <-ended)
		require.NoError(t, locks.Close())
	})

	want := map[string]string{}

	for name, metadata := range map[string][]byte{
		"quiet":                   queue.Metadata(queue.Quietly(ctx), ""),
		"quiet, with a workspace": queue.Metadata(queue.Quietly(ctx), "ws_1"),
		"with a workspace":        queue.Metadata(ctx, "ws_1"),
		"plain":                   queue.Metadata(ctx, ""),
	} {
		_, err := b.inserter(t).Insert(ctx, probe{Name: name}, &river.InsertOpts{Queue: "any", Metadata: metadata})
		require.NoError(t, err)

		want[name] = ""
		if name[0] == 'q' {
			want[name] = `{"quiet":true}`
		}
	}

	got := map[string]string{}

	for range want {
		one := <-heard
		got[one[0]] = one[1]
	}

	require.Equal(t, want, got)
	require.JSONEq(t, `{"quiet":true,"workspace":"ws_1"}`, string(queue.Metadata(queue.Quietly(ctx), "ws_1")))
	require.Nil(t, queue.Metadata(ctx, ""))
}
