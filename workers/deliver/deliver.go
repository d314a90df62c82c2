// Package deliver sends webhooks: one run at a time for each endpoint, many endpoints at once. Start with Deliver.
package deliver

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"hash/crc32"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/riverqueue/river"

	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/coalesce"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/queue"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/webhook"
)

const (
	// attemptsAtOnce bounds what all processes together send to one endpoint at a time.
	attemptsAtOnce = 8

	// runTime is how long a run takes one delivery after another while other jobs may be waiting.
	runTime = 30 * time.Second

	deliverTimeout = runTime + webhook.Timeout + time.Minute

	// runsAtOnce is how many endpoints a process attends to at once, unless it is told otherwise.
	runsAtOnce = 256

	// doubtAgain is how long an endpoint waits that may hang, while enough of them are waited for.
	doubtAgain = time.Second

	// roundsAtOnce is how many askings of a kind are under way at a time: while the database answers one, the next is
	// gathered. With one alone the processors of a small machine wait for each other; with more they are smaller, and
	// each costs the same.
	roundsAtOnce = 2
)

// roundOf is in which of them an endpoint takes part, always the same.
func roundOf(endpointID string) string {
	return strconv.Itoa(int(crc32.ChecksumIEEE([]byte(endpointID)) % roundsAtOnce))
}

// Queue is how jobs.QueueWebhook should be worked. A job attends to one endpoint and almost
// always waits for somebody else's server, so there are many.
func Queue() river.QueueConfig {
	return river.QueueConfig{FetchPollInterval: 200 * time.Millisecond, MaxWorkers: runsAtOnce}
}

// Deliver makes the attempts that are due at an endpoint. Which ones are, the deliveries themselves
// tell: a job only says that it is time to look. Make it with NewDeliver.
type Deliver struct {
	river.WorkerDefaults[jobs.Deliver]
	Deps

	lanes *lanes
	runs  *runs

	// Runs that are under way at the same time share what each needs of the database.
	finds   coalesce.Rounds[question, map[string]*batch]
	records coalesce.Rounds[tried, struct{}]
	spares  coalesce.Rounds[string, struct{}]

	watchers announcer
}

// Deps is what Deliver works with. Client decides which addresses it may reach. Places is how many
// of its jobs run at once; zero is what Queue says. Now and Random, a number in [0, 1), may be
// replaced by tests.
type Deps struct {
	Client *http.Client
	Locks  *queue.Locks
	Logger *slog.Logger
	Now    func() time.Time
	Places int
	Queue  *jobs.Queue
	Random func() float64
	Store  *store.Store
	Vault  webhook.Vault
}

// NewDeliver makes the worker of a process.
func NewDeliver(deps Deps) *Deliver {
	return &Deliver{
		Deps: deps, lanes: newLanes(cmp.Or(deps.Places, runsAtOnce)), runs: newRuns(),
		watchers: announcer{store: deps.Store, log: deps.Logger},
	}
}

// Timeout implements river.Worker.
func (*Deliver) Timeout(*river.Job[jobs.Deliver]) time.Duration { return deliverTimeout }

// Work implements river.Worker. A failed attempt is no failure of the job: the next one is due when its
// delivery says so. What is returned as an error is our own trouble, and nothing recorded.
func (w *Deliver) Work(ctx context.Context, job *river.Job[jobs.Deliver]) error {
	ctx = auth.AsSystem(ctx)
	endpointID, err := w.endpointOf(ctx, job.Args)
	if err != nil || endpointID == "" {
		return err
	}
	r := w.runs.begin(endpointID)
	if r == nil {
		return nil // a run of this process is at it, and looks again
	}
	r.Deliver, r.until = w, time.Now().Add(runTime)
	defer w.runs.end(r)
	if !w.lanes.enter(endpointID) {
		return doubt(job)
	}
	defer w.lanes.leave(endpointID)
	for {
		more, err := r.hold(ctx)
		switch {
		case err != nil:
			return fmt.Errorf("deliver to %s: %w", endpointID, err)
		case more && r.over(ctx):
			return w.handOver(ctx, r, job.ID)
		case !more && w.runs.leave(r):
			return nil
		}
	}
}

// doubt has one job for an endpoint wait; one for a message is not needed, because Look asks for another.
func doubt(job *river.Job[jobs.Deliver]) error {
	if job.Args.DeliveryID != "" {
		return nil
	}
	return river.JobSnooze(doubtAgain)
}

// endpointOf is where to look. Jobs of the version before name just a delivery; none is left of one
// whose endpoint was deleted.
func (w *Deliver) endpointOf(ctx context.Context, args jobs.Deliver) (string, error) {
	if args.EndpointID != "" {
		return args.EndpointID, nil
	}
	var found string
	err := w.Store.Query(ctx, func(rows *sql.Rows) error { return rows.Scan(&found) },
		"SELECT endpoint_id FROM webhook_deliveries WHERE id = $1", args.DeliveryID)
	if err != nil {
		return "", fmt.Errorf("find delivery %s: %w", args.DeliveryID, err)
	}
	return found, nil
}

// handOver lets other jobs go first; those of endpoints that fail wait behind all others.
func (w *Deliver) handOver(ctx context.Context, r *run, jobID int64) error {
	if r.to.failingSince != nil {
		err := w.Store.InTx(ctx, func(ctx context.Context) error {
			return w.Store.WithTx(ctx, func(tx *sql.Tx) error { return queue.Behind(ctx, tx, jobID) })
		})
		if err != nil {
			return fmt.Errorf("deliver to %s: %w", r.endpointID, err)
		}
	}
	return river.JobSnooze(0)
}
