package deliver

import (
	"context"
	"fmt"
	"time"

	"github.com/riverqueue/river"

	"github.com/reelgraph/reelgraph/ent/webhookdelivery"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// unparkAfter is how long a delivery may be parked before it counts as forgotten.
const unparkAfter = time.Minute

// Unpark makes parked deliveries due. A parked delivery is pending but has no time for its next attempt. Only the
// previous server version parks deliveries, so Unpark can be removed in the next version.
type Unpark struct {
	river.WorkerDefaults[jobs.Unpark]

	Deliver *Deliver
}

// Work implements river.Worker.
func (w *Unpark) Work(ctx context.Context, _ *river.Job[jobs.Unpark]) error {
	ctx = auth.AsSystem(ctx)
	d := w.Deliver

	err := d.Store.InTx(ctx, func(ctx context.Context) error {
		return d.Store.Client(ctx).WebhookDelivery.Update().
			Where(webhookdelivery.StatusEQ(values.DeliveryStatusPending), webhookdelivery.NextAttemptAtIsNil(),
				webhookdelivery.UpdatedAtLT(d.Now().Add(-unparkAfter))).
			SetNextAttemptAt(d.Now()).Exec(ctx)
	})
	if err != nil {
		return fmt.Errorf("unpark deliveries: %w", err)
	}

	return nil
}

// UnparkEvery returns the schedule of Unpark. Every process that runs jobs registers it.
func UnparkEvery() *river.PeriodicJob {
	return river.NewPeriodicJob(river.PeriodicInterval(unparkAfter), func() (river.JobArgs, *river.InsertOpts) {
		return jobs.Unpark{}, nil
	}, &river.PeriodicJobOpts{RunOnStart: true})
}
