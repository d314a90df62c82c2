package jobs

import (
	"context"
	"fmt"
	"time"

	"github.com/riverqueue/river"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/webhookdelivery"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Resend schedules an immediate attempt of each delivery, whatever its state. It uses the transaction of the context,
// which must have locked the deliveries.
func (q *Queue) Resend(ctx context.Context, deliveries []*ent.WebhookDelivery) error {
	named := make([]string, len(deliveries))

	wanted := make([]river.JobArgs, len(deliveries))
	for i, delivery := range deliveries {
		named[i] = delivery.ID
		wanted[i] = Deliver{DeliveryID: delivery.ID, EndpointID: delivery.EndpointID}
	}

	if len(wanted) == 0 {
		return nil
	}

	err := q.Store.Client(ctx).WebhookDelivery.Update().Where(webhookdelivery.IDIn(named...)).
		SetNextAttemptAt(time.Now().UTC().Truncate(time.Millisecond)).SetStatus(values.DeliveryStatusPending).Exec(ctx)
	if err != nil {
		return fmt.Errorf("revive deliveries: %w", err)
	}

	return q.Add(ctx, wanted...)
}
