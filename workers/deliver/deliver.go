// Package deliver sends webhooks. Each endpoint has at most one run at a time, and the runs of many endpoints run in
// parallel. Start with Deliver, the job of one endpoint. run.attempt makes one attempt by calling webhook.Send.
// Deliver.write stores the outcome and the time of the next attempt. Deliver.judge disables an endpoint that keeps
// failing.
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
	// attemptsAtOnce limits the parallel attempts to one endpoint, over all processes.
	attemptsAtOnce = 8

	// runTime is how long a run works on one endpoint before other jobs get their turn.
	runTime = 30 * time.Second

	deliverTimeout = runTime + webhook.Timeout + time.Minute

	// runsAtOnce is the default number of endpoints that a process works on in parallel.
	runsAtOnce = 256

	// doubtAgain is how long a job snoozes when its endpoint may hang and enough such endpoints are being worked on.
	doubtAgain = time.Second

	// roundsAtOnce is how many queries of a kind run at a time. While one runs, the next batch is gathered. One query
	// at a time leaves CPUs idle; more than two make the batches smaller at the same cost each.
	roundsAtOnce = 2
)

// roundOf returns the round that an endpoint belongs to; it is always the same one.
func roundOf(endpointID string) string {
	return strconv.Itoa(int(crc32.ChecksumIEEE([]byte(endpointID)) % roundsAtOnce))
}

// Queue returns the settings of the queue jobs.QueueWebhook. Many of its jobs run in parallel, because a job handles
// one endpoint and mostly waits for the network.
func Queue() river.QueueConfig {
	return river.QueueConfig{FetchPollInterval: 200 * time.Millisecond, MaxWorkers: runsAtOnce}
}

// Deliver makes all due delivery attempts of one endpoint. The job only indicates that deliveries may be due. Deliver
// then reads the deliveries to find out which are. Create it with NewDeliver.
type Deliver struct {
	river.WorkerDefaults[jobs.Deliver]
	Deps

	lanes *lanes
	runs  *runs

	// Parallel runs share their database queries.
	finds   coalesce.Rounds[question, map[string]*batch]
	records coalesce.Rounds[tried, struct{}]
	spares  coalesce.Rounds[string, struct{}]

	watchers announcer
}

// Deps holds the dependencies of Deliver. Client determines which addresses may be reached. Places is the number of
// jobs that run in parallel; zero means the number in Queue. Tests may replace Now and Random. Random must return a
// number in [0, 1).
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

// NewDeliver returns a Deliver. A process needs only one.
func NewDeliver(deps Deps) *Deliver {
	return &Deliver{
		Deps: deps, lanes: newLanes(cmp.Or(deps.Places, runsAtOnce)), runs: newRuns(),
		watchers: announcer{store: deps.Store, log: deps.Logger},
	}
}

// Timeout implements river.Worker.
func (*Deliver) Timeout(*river.Job[jobs.Deliver]) time.Duration { return deliverTimeout }

// Work implements river.Worker. A failed attempt does not fail the job: the delivery has the time of its next
// attempt. An error means that something is wrong on our side and nothing was recorded.
func (w *Deliver) Work(ctx context.Context, job *river.Job[jobs.Deliver]) error {
	ctx = auth.AsSystem(ctx)

	endpointID, err := w.endpointOf(ctx, job.Args)
	if err != nil || endpointID == "" {
		return err
	}

	r := w.runs.begin(endpointID)
	if r == nil {
		return nil // a run of this process handles the endpoint and will look again
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

// doubt snoozes a job for an endpoint. It ends a job for a single message, because Look will insert a new one.
func doubt(job *river.Job[jobs.Deliver]) error {
	if job.Args.DeliveryID != "" {
		return nil
	}

	return river.JobSnooze(doubtAgain)
}

// endpointOf returns the endpoint of a job. Jobs of the previous version name a delivery instead; if its endpoint was
// deleted, the result is empty.
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

// handOver lets other jobs run first. Endpoints that fail get a lower priority.
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
