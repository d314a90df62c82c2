package jobs

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"

	"github.com/riverqueue/river"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/webhookdelivery"
	"github.com/reelgraph/reelgraph/internal/domain"
	"github.com/reelgraph/reelgraph/internal/queue"
)

// Resend asks for an attempt of each delivery now, whatever came of it before. It joins the
// transaction of the context, in which the deliveries have been locked. A delivery never has
// two jobs: one that waits for its time is sent on its way.
func (q *Queue) Resend(ctx context.Context, deliveries []*ent.WebhookDelivery) error {
	named := make([]string, len(deliveries))
	for i, delivery := range deliveries {
		named[i] = delivery.ID
	}
	err := q.Store.Client(ctx).WebhookDelivery.Update().Where(webhookdelivery.IDIn(named...)).
		SetNextAttemptAt(time.Now().UTC().Truncate(time.Millisecond)).SetStatus(domain.DeliveryStatusPending).Exec(ctx)
	if err != nil {
		return fmt.Errorf("revive deliveries: %w", err)
	}
	var waiting, running []string
	err = q.Store.WithTx(ctx, func(tx *sql.Tx) (err error) {
		waiting, running, err = queue.Hasten(ctx, tx, Deliver{}.Kind(), "deliveryId", named)
		return err
	})
	if err != nil {
		return err
	}
	var wanted []river.JobArgs
	for _, delivery := range deliveries {
		if !slices.Contains(waiting, delivery.ID) && (ended(delivery) || !slices.Contains(running, delivery.ID)) {
			wanted = append(wanted, Deliver{DeliveryID: delivery.ID})
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	return q.Add(ctx, wanted...)
}

// ended reports that the last attempt of the delivery has been recorded. A job that still runs
// then has nothing left to do.
func ended(d *ent.WebhookDelivery) bool {
	return d.Status == domain.DeliveryStatusSucceeded || d.Status == domain.DeliveryStatusFailed
}
