package workers

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	entsql "entgo.io/ent/dialect/sql"
	"github.com/lib/pq"
	"github.com/riverqueue/river"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/predicate"
	"github.com/reelgraph/reelgraph/ent/webhookdelivery"
	"github.com/reelgraph/reelgraph/internal/auth"
	"github.com/reelgraph/reelgraph/internal/domain"
	"github.com/reelgraph/reelgraph/workers/jobs"
)

// unparkAfter is how long a delivery waits for whoever leaves its endpoint before it counts
// as forgotten.
const unparkAfter = time.Minute

// parked deliveries are pending without a time for the next attempt. They have no job: a
// thousand messages for an endpoint that hangs cost nothing until there is a place for them.
func parked() predicate.WebhookDelivery {
	return webhookdelivery.And(
		webhookdelivery.StatusEQ(domain.DeliveryStatusPending), webhookdelivery.NextAttemptAtIsNil(),
	)
}

// park has the delivery wait for a place, and says whether it is still there to wait.
func (w *Deliver) park(ctx context.Context, delivery *errand) (bool, error) {
	return w.change(ctx, delivery, func(c *ent.Client) *ent.WebhookDeliveryUpdate {
		return c.WebhookDelivery.Update().
			Where(webhookdelivery.ID(delivery.id), webhookdelivery.StatusEQ(domain.DeliveryStatusPending)).
			ClearNextAttemptAt()
	})
}

// take undoes park, and says whether nobody else did.
func (w *Deliver) take(ctx context.Context, delivery *errand) (bool, error) {
	return w.change(ctx, delivery, func(c *ent.Client) *ent.WebhookDeliveryUpdate {
		return c.WebhookDelivery.Update().Where(webhookdelivery.ID(delivery.id), parked()).SetNextAttemptAt(w.Now())
	})
}

// cancel ends the delivery.
func (w *Deliver) cancel(ctx context.Context, delivery *errand) error {
	_, err := w.change(ctx, delivery, func(c *ent.Client) *ent.WebhookDeliveryUpdate {
		return c.WebhookDelivery.Update().
			Where(webhookdelivery.ID(delivery.id), webhookdelivery.StatusEQ(domain.DeliveryStatusPending)).
			ClearNextAttemptAt().SetStatus(domain.DeliveryStatusCanceled)
	})
	return err
}

func (w *Deliver) change(
	ctx context.Context, delivery *errand, update func(*ent.Client) *ent.WebhookDeliveryUpdate,
) (changed bool, err error) {
	err = w.Store.InTx(auth.AsWorkspace(ctx, delivery.workspaceID), func(ctx context.Context) error {
		rows, err := update(w.Store.Client(ctx)).Save(ctx)
		changed = rows > 0
		return err
	})
	if err != nil {
		return false, fmt.Errorf("update delivery %s: %w", delivery.id, err)
	}
	return changed, nil
}

// unpark sends for as many parked deliveries of the endpoint as there is room for.
func (w *Deliver) unpark(ctx context.Context, endpointID string, room int) error {
	if room < 1 {
		return nil
	}
	some, err := w.awaited(ctx, endpointID)
	if err != nil || !some {
		return err
	}
	waiting := webhookdelivery.And(webhookdelivery.EndpointID(endpointID), parked())
	return w.Store.InTx(ctx, func(ctx context.Context) error {
		c := w.Store.Client(ctx)
		next, err := c.WebhookDelivery.Query().Where(waiting).Limit(room).
			ForUpdate(entsql.WithLockAction(entsql.SkipLocked)).All(ctx)
		if err != nil || len(next) == 0 {
			return err
		}
		found := make([]string, len(next))
		wanted := make([]river.JobArgs, len(next))
		for i, delivery := range next {
			found[i] = delivery.ID
			wanted[i] = jobs.Deliver{Behind: delivery.Attempts > 0, DeliveryID: delivery.ID}
		}
		err = c.WebhookDelivery.Update().Where(webhookdelivery.IDIn(found...)).SetNextAttemptAt(w.Now()).Exec(ctx)
		if err != nil {
			return err
		}
		return w.Queue.Add(ctx, wanted...)
	})
}

const awaitedSQL = `
SELECT e.id FROM unnest($1::text[]) AS e(id) WHERE EXISTS (
  SELECT FROM webhook_deliveries d WHERE d.endpoint_id = e.id AND d.status = 'pending' AND d.next_attempt_at IS NULL)`

// awaited says whether deliveries are parked at the endpoint, asking together with others.
func (w *Deliver) awaited(ctx context.Context, endpointID string) (bool, error) {
	_, awaited, err := w.rests.Join("", endpointID, func(ids []string) (map[string]bool, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), findTimeout)
		defer cancel()
		all := map[string]bool{}
		err := w.Store.Query(ctx, func(rows *sql.Rows) error {
			var id string
			err := rows.Scan(&id)
			all[id] = true
			return err
		}, awaitedSQL, pq.Array(ids))
		return all, err
	})
	if err != nil {
		return false, fmt.Errorf("find parked deliveries: %w", err)
	}
	return awaited[endpointID], nil
}

// Unpark sends for parked deliveries whose endpoint nobody leaves any more, because the
// process that was to send for them has died.
type Unpark struct {
	river.WorkerDefaults[jobs.Unpark]

	Deliver *Deliver
}

// Work implements river.Worker.
func (w *Unpark) Work(ctx context.Context, _ *river.Job[jobs.Unpark]) error {
	ctx = auth.AsSystem(ctx)
	d := w.Deliver
	var endpoints []string
	err := d.Store.Client(ctx).WebhookDelivery.Query().
		Where(parked(), webhookdelivery.UpdatedAtLT(d.Now().Add(-unparkAfter))).
		Unique(true).Select(webhookdelivery.FieldEndpointID).Scan(ctx, &endpoints)
	if err != nil {
		return fmt.Errorf("find forgotten deliveries: %w", err)
	}
	for _, endpointID := range endpoints {
		if err := d.unpark(ctx, endpointID, attemptsAtOnce); err != nil {
			return fmt.Errorf("unpark deliveries to %s: %w", endpointID, err)
		}
	}
	return nil
}

// UnparkEvery is the schedule of Unpark; every process that works registers it.
func UnparkEvery() *river.PeriodicJob {
	return river.NewPeriodicJob(river.PeriodicInterval(unparkAfter), func() (river.JobArgs, *river.InsertOpts) {
		return jobs.Unpark{}, nil
	}, &river.PeriodicJobOpts{RunOnStart: true})
}
