package queue_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/reelgraph/reelgraph/internal/platform/localpg"
	"github.com/reelgraph/reelgraph/internal/platform/queue"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

const patience = 20 * time.Second

// server is the Postgres of all tests of this package; each test has its own database.
var server *localpg.Server //nolint:gochecknoglobals // set once by TestMain

var databases atomic.Int64 //nolint:gochecknoglobals // names the databases of the tests

func TestMain(m *testing.M) {
	os.Exit(func() int {
		var err error
		if server, err = localpg.StartTemp(context.Background()); err != nil {
			fmt.Fprintln(os.Stderr, err)

			return 1
		}

		code := m.Run()

		if err := errors.Join(server.Stop(), goleak.Find()); err != nil {
			fmt.Fprintln(os.Stderr, err)

			return 1
		}

		return code
	}())
}

// bundle is a migrated database.
type bundle struct {
	db     *sql.DB
	dsn    string
	logger *slog.Logger
}

func setup(t *testing.T) bundle {
	t.Helper()

	b := database(t)
	b.inTx(t, func(tx *sql.Tx) { require.NoError(t, queue.Migrate(t.Context(), tx)) })

	return b
}

// database returns an empty database.
func database(t *testing.T) bundle {
	t.Helper()

	admin, err := sql.Open("postgres", server.DSN())
	require.NoError(t, err)

	defer admin.Close()

	name := fmt.Sprintf("queue_%d", databases.Add(1))
	_, err = admin.ExecContext(t.Context(), "CREATE DATABASE "+name)
	require.NoError(t, err)

	u, err := url.Parse(server.DSN())
	require.NoError(t, err)

	u.Path = "/" + name
	connector, err := store.Connector(u.String())
	require.NoError(t, err)

	db := sql.OpenDB(connector)

	t.Cleanup(func() { require.NoError(t, db.Close()) })

	return bundle{db: db, dsn: u.String(), logger: slog.New(slog.DiscardHandler)}
}

type probe struct {
	Name string `json:"name"`
}

func (probe) Kind() string { return "probe" }

// worker passes every job to the test.
type worker struct {
	river.WorkerDefaults[probe]

	work func(context.Context, *river.Job[probe]) error
}

func (w *worker) Work(ctx context.Context, job *river.Job[probe]) error { return w.work(ctx, job) }

// start runs a queue that never polls, so that a job starts by notification or not at all.
func (b bundle) start(t *testing.T, grace time.Duration, work func(context.Context, *river.Job[probe]) error) (stop func()) {
	t.Helper()

	workers := river.NewWorkers()
	river.AddWorker(workers, &worker{work: work})

	locks := queue.NewLocks(b.db)
	q, err := queue.New(b.db, b.dsn, workers, queue.Config{
		Grace:  grace,
		Locks:  locks,
		Logger: b.logger,
		Queues: map[string]river.QueueConfig{river.QueueDefault: {FetchPollInterval: time.Hour, MaxWorkers: 10}},
	})
	require.NoError(t, err)

	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))

	ended := make(chan error, 1)
	go func() { ended <- q.Run(ctx) }()

	var stopped bool

	stop = func() {
		if stopped {
			return
		}

		stopped = true

		cancel()
		require.NoError(t, <-ended)
		require.NoError(t, locks.Close())
	}
	t.Cleanup(stop)

	return stop
}

func (b bundle) inserter(t *testing.T) *queue.Client {
	t.Helper()

	client, err := queue.NewInserter(b.db, b.logger)
	require.NoError(t, err)

	return client
}

func (b bundle) inTx(t *testing.T, do func(tx *sql.Tx)) {
	t.Helper()

	tx, err := b.db.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	do(tx)
	require.NoError(t, tx.Commit())
}

func (b bundle) job(t *testing.T, id int64) *rivertype.JobRow {
	t.Helper()

	job, err := b.inserter(t).JobGet(t.Context(), id)
	require.NoError(t, err)

	return job
}

func (b bundle) awaitState(t *testing.T, id int64, state rivertype.JobState) {
	t.Helper()

	require.Eventually(t, func() bool { return b.job(t, id).State == state }, patience, 5*time.Millisecond, "job becomes %s", state)
}

func await[T any](t *testing.T, ch <-chan T) T {
	t.Helper()

	select {
	case value := <-ch:
		return value
	case <-time.After(patience):
		require.FailNow(t, "nothing happened in time")
		panic("unreachable")
	}
}

func TestJobStartsWithItsCommit(t *testing.T) {
	t.Parallel()

	b := setup(t)
	started := make(chan time.Time, 1)

	b.start(t, 0, func(context.Context, *river.Job[probe]) error {
		started <- time.Now()

		return nil
	})
	client := b.inserter(t)

	var waits []time.Duration

	for range 25 {
		var committed time.Time

		b.inTx(t, func(tx *sql.Tx) {
			_, err := client.InsertTx(t.Context(), tx, probe{}, nil)
			require.NoError(t, err)
			require.Empty(t, started)

			committed = time.Now()
		})
		waits = append(waits, await(t, started).Sub(committed))
	}

	slices.Sort(waits)
	t.Logf("commit to work: median %v, 90th percentile %v", waits[len(waits)/2], waits[len(waits)*9/10])
	require.Less(t, waits[len(waits)/2], 150*time.Millisecond)
}

func TestRolledBackJobNeverRuns(t *testing.T) {
	t.Parallel()

	b := setup(t)
	ran := make(chan string, 10)

	b.start(t, 0, func(_ context.Context, job *river.Job[probe]) error {
		ran <- job.Args.Name

		return nil
	})

	tx, err := b.db.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	_, err = b.inserter(t).InsertTx(t.Context(), tx, probe{Name: "rolled back"}, nil)
	require.NoError(t, err)
	require.NoError(t, tx.Rollback())

	b.inTx(t, func(tx *sql.Tx) {
		_, err := b.inserter(t).InsertTx(t.Context(), tx, probe{Name: "committed"}, nil)
		require.NoError(t, err)
	})
	require.Equal(t, "committed", await(t, ran))

	var jobs int
	require.NoError(t, b.db.QueryRowContext(t.Context(), "SELECT count(*) FROM river_job").Scan(&jobs))
	require.Equal(t, 1, jobs)
}

// healthy detects in River's log that it listens.
type healthy struct {
	slog.Handler

	heard chan struct{}
}

func (healthy) Enabled(context.Context, slog.Level) bool { return true }

func (h healthy) Handle(_ context.Context, record slog.Record) error {
	if strings.HasSuffix(record.Message, "Notifier healthy") {
		h.heard <- struct{}{}
	}

	return nil
}

func TestListenerHeals(t *testing.T) {
	t.Parallel()

	b := setup(t)
	listening := healthy{slog.DiscardHandler, make(chan struct{}, 10)}
	b.logger = slog.New(listening)
	ran := make(chan string, 10)

	b.start(t, 0, func(_ context.Context, job *river.Job[probe]) error {
		ran <- job.Args.Name

		return nil
	})
	client := b.inserter(t)

	for i := range 3 {
		await(t, listening.heard)

		name := fmt.Sprintf("job %d", i)
		_, err := client.Insert(t.Context(), probe{Name: name}, nil)
		require.NoError(t, err)
		require.Equal(t, name, await(t, ran))
		_, err = b.db.ExecContext(t.Context(), `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
			WHERE datname = current_database() AND (query LIKE 'LISTEN %' OR query = '')`)
		require.NoError(t, err)
	}
}

func TestRunningJobIsCanceledFromElsewhere(t *testing.T) {
	t.Parallel()

	b := setup(t)
	running := make(chan int64, 1)
	cause := make(chan error, 1)

	b.start(t, 0, func(ctx context.Context, job *river.Job[probe]) error {
		running <- job.ID

		<-ctx.Done()

		cause <- context.Cause(ctx)

		return ctx.Err()
	})
	client := b.inserter(t)
	_, err := client.Insert(t.Context(), probe{}, nil)
	require.NoError(t, err)
	id := await(t, running)

	begun := time.Now()
	_, err = client.JobCancel(t.Context(), id)
	require.NoError(t, err)
	require.ErrorIs(t, await(t, cause), rivertype.ErrJobCancelledRemotely)
	t.Logf("cancel to end of work: %v", time.Since(begun))
	b.awaitState(t, id, rivertype.JobStateCancelled)
}

func TestStopLetsJobsFinish(t *testing.T) {
	t.Parallel()

	b := setup(t)
	running := make(chan struct{})
	finish := make(chan struct{})
	stop := b.start(t, patience, func(ctx context.Context, _ *river.Job[probe]) error {
		close(running)
		<-finish

		return ctx.Err()
	})
	inserted, err := b.inserter(t).Insert(t.Context(), probe{}, nil)
	require.NoError(t, err)
	await(t, running)
	close(finish)
	stop()
	require.Equal(t, rivertype.JobStateCompleted, b.job(t, inserted.Job.ID).State)
}

func TestStopGivesUnfinishedJobsBack(t *testing.T) {
	t.Parallel()

	b := setup(t)
	running := make(chan struct{})
	stop := b.start(t, time.Millisecond, func(ctx context.Context, _ *river.Job[probe]) error {
		close(running)
		<-ctx.Done()

		return fmt.Errorf("render: %w", ctx.Err())
	})
	inserted, err := b.inserter(t).Insert(t.Context(), probe{}, nil)
	require.NoError(t, err)
	await(t, running)
	stop()

	job := b.job(t, inserted.Job.ID)
	require.Equal(t, rivertype.JobStateAvailable, job.State)
	require.Zero(t, job.Attempt, "a stop uses up no attempt")
	require.Empty(t, job.Errors)

	attempts := make(chan int, 1)

	b.start(t, 0, func(_ context.Context, job *river.Job[probe]) error {
		attempts <- job.Attempt

		return nil
	})
	require.Equal(t, 1, await(t, attempts))
}

func TestNewRefusesHalfAConfig(t *testing.T) {
	t.Parallel()

	logger := slog.New(slog.DiscardHandler)
	queues := map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: 1}}

	locks := queue.NewLocks(nil)
	for _, config := range []queue.Config{{}, {Locks: locks, Logger: logger}, {Locks: locks, Queues: queues}, {Logger: logger, Queues: queues}} {
		_, err := queue.New(nil, "", river.NewWorkers(), config)
		require.Error(t, err)
	}
}

func TestBehindJobsRunLast(t *testing.T) {
	t.Parallel()

	b := setup(t)
	client := b.inserter(t)
	first, err := client.Insert(t.Context(), probe{Name: "first"}, nil)
	require.NoError(t, err)
	_, err = client.Insert(t.Context(), probe{Name: "second"}, nil)
	require.NoError(t, err)
	b.inTx(t, func(tx *sql.Tx) { require.NoError(t, queue.Behind(t.Context(), tx, first.Job.ID)) })

	var next string
	require.NoError(t, b.db.QueryRowContext(t.Context(),
		"SELECT args->>'name' FROM river_job ORDER BY priority, scheduled_at, id LIMIT 1").Scan(&next), "the order in which River fetches")
	require.Equal(t, "second", next)
}
