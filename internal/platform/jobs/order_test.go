package jobs_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/webhookendpoint"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/webhook/event"
	"github.com/reelgraph/reelgraph/test/testkit"
)

// Deliveries are locked in the order in which attempts are recorded, whatever their order in the table.
func TestCancelDeliveriesInOrder(t *testing.T) {
	t.Parallel()

	b := setup(t)
	creator := b.people["creator"]
	endpoint := b.endpoint(creator, nil)
	id := ids.New(ids.Delivery)
	first, last := id[:len(id)-1]+"0", id[:len(id)-1]+"z"

	creator.Do(t, b.store, func(ctx context.Context, c *ent.Client) {
		for _, id := range []string{last, first} {
			message := c.WebhookMessage.Create().SetBody("{}").SetEventType(values.EventTypeVideoCreated).SetOccurredAt(time.Now()).SaveX(ctx)
			c.WebhookDelivery.Create().SetID(id).SetEndpoint(endpoint).SetMessage(message).ExecX(ctx)
		}
	})

	canceled := make(chan error, 1)
	attempt := func(ctx context.Context, c *ent.Client, id string) {
		require.NoError(t, c.WebhookDelivery.UpdateOneID(id).AddAttempts(1).Exec(ctx))
	}

	creator.Do(t, b.store, func(ctx context.Context, c *ent.Client) {
		attempt(ctx, c, first)

		go func() {
			canceled <- b.store.InTx(creator.Context(), func(ctx context.Context) error {
				return jobs.CancelDeliveries(ctx, b.store.Client(ctx), endpoint.ID)
			})
		}()

		testkit.AwaitLock(t, b.store)
		attempt(ctx, c, last)
	})
	require.NoError(t, <-canceled)
}

// A publisher waits for a transaction that deletes an endpoint, and then sends the event to the other endpoints.
// Publishers do not wait for each other.
func TestPublishWaitsForEndpointDeletion(t *testing.T) {
	t.Parallel()

	b := setup(t)
	creator := b.people["creator"]
	v := b.video(values.VisibilityOrg, values.DefaultVideoSettings())
	going := b.endpoint(creator, nil)
	event := event.VideoCreatedEvent{Video: event.VideoOf(v.ID, v.Name)}
	published := make(chan error, 2)
	publish := func() {
		published <- b.store.InTx(creator.Context(), func(ctx context.Context) error { return b.queue.Publish(ctx, event, jobs.Readers(v.ID)) })
	}

	creator.Do(t, b.store, func(ctx context.Context, _ *ent.Client) {
		require.NoError(t, b.queue.Publish(ctx, event, jobs.Readers(v.ID)))
		publish()
		require.NoError(t, <-published)
	})

	creator.Do(t, b.store, func(ctx context.Context, c *ent.Client) {
		c.WebhookEndpoint.Query().Where(webhookendpoint.ID(going.ID)).ForUpdate().OnlyX(ctx)

		go publish()

		testkit.AwaitLock(t, b.store)
		c.WebhookEndpoint.DeleteOneID(going.ID).ExecX(ctx)
	})
	require.NoError(t, <-published)
}
