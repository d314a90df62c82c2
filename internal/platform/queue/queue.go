package queue

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverdatabasesql"
	"github.com/riverqueue/river/rivertype"
)

const (
	defaultGrace = 30 * time.Second
	hardStop     = 20 * time.Second

	// fetchCooldown is the default minimum time between two fetches of a queue.
	fetchCooldown = 10 * time.Millisecond

	// notifyCooldown is how long River suppresses further announcements after it has announced an insertion,
	// even one that is rolled back. Jobs inserted meanwhile wait for the poll.
	notifyCooldown = river.FetchCooldownMin

	// rescueStuck is when River considers a running job of a live process stuck. It must be longer than the
	// longest export. Our own rescue frees jobs of dead processes within seconds, and stray jobs within a
	// minute.
	rescueStuck = 48 * time.Hour

	completedRetention = 3 * time.Hour
)

// Client is a River client on our database. A client from NewInserter can only insert, read and cancel jobs.
type Client = river.Client[*sql.Tx]

// Config configures which jobs a program runs. Queues maps the name of a queue to how many of its jobs run at once in
// this process. Grace is how long running jobs may take to finish when the program stops; 0 means 30 seconds.
type Config struct {
	// Beside maps the name of a queue to a function that runs while this process runs jobs of that queue.
	Beside map[string]Beside
	// Fair lists the queues whose places are shared among workspaces: see ForWorkspace.
	Fair   []string
	Grace  time.Duration
	Locks  *Locks
	Logger *slog.Logger
	// Middleware wraps every job and every insertion, inside our own.
	Middleware []rivertype.Middleware
	Periodic   []*river.PeriodicJob
	Queues     map[string]river.QueueConfig
}

// Beside is a function that runs next to the jobs of a queue, until the context is canceled.
type Beside func(ctx context.Context)

func (c Config) validate() error {
	switch {
	case c.Locks == nil:
		return errors.New("queue: Config.Locks is missing")
	case c.Logger == nil:
		return errors.New("queue: Config.Logger is missing")
	case len(c.Queues) == 0:
		return errors.New("queue: Config.Queues is empty")
	}

	return nil
}

// Queue runs jobs. Its embedded client also inserts and cancels jobs.
type Queue struct {
	*Client

	beside    []Beside
	grace     time.Duration
	leaving   chan struct{}
	listening *pgxpool.Pool
	passing   func(ctx context.Context) // nil without fair queues
	rescue    *rescue
	stopping  *atomic.Bool
}

// New returns a queue that runs jobs with the given workers. dsn is the data source name of db. A separate connection
// uses it to listen for new jobs, so it must contain sslmode, and must not lead through a connection pooler. The
// caller calls Run, which also frees all resources when it ends.
func New(db *sql.DB, dsn string, workers *river.Workers, config Config) (*Queue, error) {
	if err := config.validate(); err != nil {
		return nil, err
	}

	stopping, leaving, under := new(atomic.Bool), make(chan struct{}), new(underway)
	ours := &unspent{leaving: leaving, stopping: stopping, under: under}
	shares := map[string]int{}

	for _, name := range config.Fair {
		if worked, ok := config.Queues[name]; ok {
			shares[name] = share(worked.MaxWorkers)
		}
	}

	listening, err := listeningPool(dsn)
	if err != nil {
		return nil, err
	}

	client, err := river.NewClient(newDriver(db, listening, shares), &river.Config{
		CompletedJobRetentionPeriod: completedRetention,
		ErrorHandler:                failures{log: config.Logger},
		FetchCooldown:               notifyCooldown,
		Logger:                      config.Logger,
		Middleware:                  append([]rivertype.Middleware{ours}, config.Middleware...),
		PeriodicJobs:                config.Periodic,
		Queues:                      calm(config.Queues),
		ReindexerIndexNames:         indexes(),
		RescueStuckJobsAfter:        rescueStuck,
		Workers:                     workers,
	})
	if err != nil {
		listening.Close()

		return nil, fmt.Errorf("make queue: %w", err)
	}

	var beside []Beside

	for name, fn := range config.Beside {
		if _, worked := config.Queues[name]; worked {
			beside = append(beside, fn)
		}
	}

	q := &Queue{
		Client:    client,
		beside:    beside,
		grace:     cmp.Or(config.Grace, defaultGrace),
		leaving:   leaving,
		listening: listening,
		rescue:    newRescue(db, config.Locks, client.ID(), under, config.Logger),
		stopping:  stopping,
	}
	if len(shares) > 0 {
		q.passing = func(ctx context.Context) { q.passOn(ctx, db, config.Fair, config.Logger) }
	}

	return q, nil
}

// calm sets a cooldown for each queue, because the client's cooldown also applies to announcements.
func calm(queues map[string]river.QueueConfig) map[string]river.QueueConfig {
	calmed := make(map[string]river.QueueConfig, len(queues))
	for name, config := range queues {
		config.FetchCooldown = cmp.Or(config.FetchCooldown, fetchCooldown)
		calmed[name] = config
	}

	return calmed
}

// NewInserter returns a client for programs that do not run jobs. The middleware wraps every insertion.
func NewInserter(db *sql.DB, logger *slog.Logger, middleware ...rivertype.Middleware) (*Client, error) {
	client, err := river.NewClient(riverdatabasesql.New(db), &river.Config{
		FetchCooldown: notifyCooldown, Logger: logger, Middleware: middleware,
	})
	if err != nil {
		return nil, fmt.Errorf("make queue client: %w", err)
	}

	return client, nil
}

// Run runs jobs until the context is canceled; call it once. After that it takes no more jobs, lets running jobs
// finish within the grace period, and cancels the others. Canceled jobs run again, in this process or another, as if
// they had not begun.
func (q *Queue) Run(ctx context.Context) error {
	defer q.listening.Close()

	life := context.WithoutCancel(ctx)
	if err := q.rescue.enlist(ctx); err != nil {
		return fmt.Errorf("start queue: %w", err)
	}

	if err := q.Start(life); err != nil {
		return fmt.Errorf("start queue: %w", err)
	}

	watching, done := context.WithCancel(life)

	var going sync.WaitGroup
	going.Go(func() { q.rescue.run(watching) })

	if q.passing != nil {
		going.Go(func() { q.passing(watching) })
	}

	for _, fn := range q.beside {
		going.Go(func() { fn(ctx) })
	}

	<-ctx.Done()
	close(q.leaving)
	err := q.stop(life)

	done()
	going.Wait()

	return err
}

func (q *Queue) stop(ctx context.Context) error {
	soft, cancel := context.WithTimeout(ctx, q.grace)
	defer cancel()

	err := q.Stop(soft)
	if err == nil || !errors.Is(err, context.DeadlineExceeded) {
		return err
	}

	q.stopping.Store(true)

	hard, cancel := context.WithTimeout(ctx, hardStop)
	defer cancel()

	if err := q.StopAndCancel(hard); err != nil {
		return fmt.Errorf("stop queue: jobs did not end after cancellation: %w", err)
	}

	return nil
}

// unspent gives back a job that was canceled because the program stops. That is not a failure and uses up no
// attempt. It also keeps quiet jobs quiet.
type unspent struct {
	river.MiddlewareDefaults

	leaving  chan struct{}
	stopping *atomic.Bool
	under    *underway
}

// Work implements rivertype.WorkerMiddleware.
func (u *unspent) Work(ctx context.Context, job *rivertype.JobRow, work func(context.Context) error) error {
	defer u.under.begin(job.ID)()

	ctx = asInserted(ctx, job.Metadata)

	err := work(context.WithValue(ctx, leavingKey{}, (<-chan struct{})(u.leaving)))
	if err != nil && u.stopping.Load() && ctx.Err() != nil {
		return river.JobSnooze(0)
	}

	return err
}

// underway tracks the jobs that this process runs, whatever the database says.
type underway struct {
	mu  sync.Mutex
	ids map[int64]bool
}

func (u *underway) begin(id int64) (end func()) {
	u.mu.Lock()
	defer u.mu.Unlock()

	if u.ids == nil {
		u.ids = map[int64]bool{}
	}

	u.ids[id] = true

	return func() {
		u.mu.Lock()
		defer u.mu.Unlock()

		delete(u.ids, id)
	}
}

func (u *underway) has(id int64) bool {
	u.mu.Lock()
	defer u.mu.Unlock()

	return u.ids[id]
}

type leavingKey struct{}

// Leaving returns a channel that is closed when the program stops. A job that processes a list then stops before the
// next item. Outside a job the channel is nil, so it is never closed.
func Leaving(ctx context.Context) <-chan struct{} {
	leaving, _ := ctx.Value(leavingKey{}).(<-chan struct{})

	return leaving
}
