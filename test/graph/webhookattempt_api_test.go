package graph_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// A subscriber to an endpoint gets each new attempt once, in order, whether it was announced in its transaction or
// after it. Earlier attempts are not sent.
func TestWatchingAttempts(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	owner := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	stranger := testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: owner.WorkspaceID})

	hear(t, s)

	made := s.Call(t, owner.Key, http.MethodPost, "/v1/webhooks/endpoints", `{"url":"https://hooks.example/","filterTypes":["video.created"]}`)
	require.Equal(t, http.StatusOK, made.Status, made.Body)

	var (
		endpoint *ent.WebhookEndpoint
		delivery *ent.WebhookDelivery
	)

	owner.Do(t, s.Store, func(ctx context.Context, c *ent.Client) {
		endpoint = c.WebhookEndpoint.Query().OnlyX(ctx)
		message := c.WebhookMessage.Create().SetBody("{}").SetEventType(values.EventTypeVideoCreated).
			SetOccurredAt(time.Now()).SetWorkspaceID(owner.WorkspaceID).SaveX(ctx)
		delivery = c.WebhookDelivery.Create().SetEndpoint(endpoint).SetMessage(message).SetWorkspaceID(owner.WorkspaceID).SaveX(ctx)
	})

	record := func(attempt int) {
		owner.Do(t, s.Store, func(ctx context.Context, c *ent.Client) {
			c.WebhookAttempt.Create().SetDelivery(delivery).SetAttempt(attempt).SetStatus(values.AttemptStatusSucceeded).
				SetDurationMs(1).SetSentAt(time.Now()).SetWorkspaceID(owner.WorkspaceID).ExecX(ctx)
		})
		require.NoError(t, s.Store.Announce(t.Context(), jobs.EndpointTopic(endpoint.ID), "another"))
	}

	record(1)

	document := `subscription { webhookAttempts(endpointId: "` + endpoint.ID + `") { attempt status messageId endpointId } }`
	attempts := subscribe(t, s, owner.Key, document)
	refused := subscribe(t, s, stranger.Key, document)
	require.Contains(t, refused.next(), "not_found")

	told := make(chan string, 1)
	go func() { told <- attempts.next() }()

	// Attempts before the stream are not sent, and nothing tells when the stream has begun.
	var first string

	n := 1
	for first == "" {
		n++
		record(n)

		select {
		case first = <-told:
		case <-time.After(100 * time.Millisecond):
		}
	}

	var next int

	_, number, found := strings.Cut(first, `"attempt":`)
	require.True(t, found, first)

	_, err := fmt.Sscanf(number, "%d", &next)
	require.NoError(t, err, first)

	for last, got := n+3, first; ; got = attempts.next() {
		require.Contains(t, got, fmt.Sprintf(
			`"attempt":%d,"status":"SUCCEEDED","messageId":%q,"endpointId":%q}`, next, delivery.MessageID, endpoint.ID))

		if next++; next > last {
			break
		}

		if next > n {
			record(next)
		}
	}

	// More attempts at once than one read returns. They are ordered by when they were sent, not when they were stored.
	owner.Do(t, s.Store, func(ctx context.Context, c *ent.Client) {
		for range 250 {
			c.WebhookAttempt.Create().SetDelivery(delivery).SetAttempt(next).SetStatus(values.AttemptStatusSucceeded).
				SetDurationMs(1).SetSentAt(time.Now()).SetCreatedAt(time.Now().Add(-time.Hour)).SetWorkspaceID(owner.WorkspaceID).ExecX(ctx)

			next++
		}
	})
	require.NoError(t, s.Store.Announce(t.Context(), jobs.EndpointTopic(endpoint.ID)))

	for n := next - 250; n < next; n++ {
		require.Contains(t, attempts.next(), fmt.Sprintf(`"attempt":%d,`, n))
	}

	owner.Do(t, s.Store, func(ctx context.Context, c *ent.Client) { c.WebhookEndpoint.DeleteOne(endpoint).ExecX(ctx) })
	require.NoError(t, s.Store.Announce(t.Context(), jobs.EndpointTopic(endpoint.ID)))
	require.NotContains(t, attempts.next(), "attempt", "the stream ends when its endpoint is deleted")
}

// Deleting an endpoint locks its deliveries in the same order as recording attempts does, whatever their order in the
// table.
func TestDeletingAnEndpointWaitsForAttempts(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	owner := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	made := s.Call(t, owner.Key, http.MethodPost, "/v1/webhooks/endpoints", `{"url":"https://hooks.example/","filterTypes":["video.created"]}`)
	require.Equal(t, http.StatusOK, made.Status, made.Body)

	var endpoint *ent.WebhookEndpoint

	id := ids.New(ids.Delivery)
	first, last := id[:len(id)-1]+"0", id[:len(id)-1]+"z"

	owner.Do(t, s.Store, func(ctx context.Context, c *ent.Client) {
		endpoint = c.WebhookEndpoint.Query().OnlyX(ctx)

		for _, id := range []string{last, first} {
			message := c.WebhookMessage.Create().SetBody("{}").SetEventType(values.EventTypeVideoCreated).SetOccurredAt(time.Now()).SaveX(ctx)
			c.WebhookDelivery.Create().SetID(id).SetEndpoint(endpoint).SetMessage(message).ExecX(ctx)
		}
	})

	answered := make(chan int, 1)

	owner.Do(t, s.Store, func(ctx context.Context, c *ent.Client) {
		require.NoError(t, c.WebhookDelivery.UpdateOneID(first).AddAttempts(1).Exec(ctx))

		go func() {
			answered <- s.Call(t, owner.Key, http.MethodDelete, "/v1/webhooks/endpoints/"+endpoint.ID, "").Status
		}()

		testkit.AwaitLock(t, s.Store)
		require.NoError(t, c.WebhookDelivery.UpdateOneID(last).AddAttempts(1).Exec(ctx))
	})
	require.Equal(t, http.StatusOK, <-answered)
}
