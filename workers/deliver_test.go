package workers_test

import (
	"context"
	"io"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/webhook"
)

func TestDeliverSucceeds(t *testing.T) {
	t.Parallel()

	b := setup(t)
	url, got := b.receiver(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "thanks") })
	endpoint, secret := b.endpoint(url)
	b.node(10)
	b.publish(1)

	m := b.next(got)
	verifier, err := standardwebhooks.NewWebhook(secret)
	require.NoError(t, err)
	require.NoError(t, verifier.Verify([]byte(m.body), m.header))

	b.await("succeeds", func() bool { return b.count(values.DeliveryStatusSucceeded) == 1 })
	delivery := b.delivery()
	require.Equal(t, endpoint.ID, delivery.EndpointID)
	require.Equal(t, delivery.MessageID, m.header.Get("Hook-Id"))
	require.Equal(t, delivery.Edges.Message.Body, m.body)
	require.Equal(t, 1, delivery.Attempts)
	require.Nil(t, delivery.NextAttemptAt)

	attempts := b.attempts()
	require.Len(t, attempts, 1)
	require.Equal(t, values.AttemptStatusSucceeded, attempts[0].Status)
	require.Equal(t, 200, *attempts[0].ResponseStatus)
	require.Equal(t, "thanks", attempts[0].ResponseBody)
	require.Nil(t, attempts[0].Error)
	require.Nil(t, attempts[0].NextAttemptAt)
	require.WithinDuration(t, m.at, attempts[0].SentAt, time.Second)
}

func TestDeliverTriesAgainAfterFiveSeconds(t *testing.T) {
	t.Parallel()

	b := setup(t)

	var status atomic.Int64
	status.Store(500)

	url, got := b.receiver(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(int(status.Swap(204))) })
	b.endpoint(url)
	b.node(10)
	b.publish(1)

	first, second := b.next(got), b.next(got)
	require.InDelta(t, 5, second.at.Sub(first.at).Seconds(), 0.5)
	require.Equal(t, first.body, second.body)
	require.Equal(t, first.header.Get("Hook-Id"), second.header.Get("Hook-Id"))
	require.NotEqual(t, first.header.Get("Hook-Timestamp"), second.header.Get("Hook-Timestamp"))
	require.NotEqual(t, first.header.Get("Hook-Signature"), second.header.Get("Hook-Signature"))
	b.await("succeeds", func() bool { return b.count(values.DeliveryStatusSucceeded) == 1 })

	attempts := b.attempts()
	require.Len(t, attempts, 2)
	require.Equal(t, values.AttemptErrorStatus, *attempts[0].Error)
	require.Equal(t, 500, *attempts[0].ResponseStatus)
	require.InDelta(t, 5, attempts[0].NextAttemptAt.Sub(attempts[0].SentAt).Seconds(), 0.5)
}

func TestDeliverGivesUpAfterTheSchedule(t *testing.T) {
	t.Parallel()

	b := setup(t)
	url, got := b.receiver(answering(410))
	b.endpoint(url)
	b.node(10)
	b.publish(1)

	waits := []time.Duration{
		5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour,
		10 * time.Hour, 14 * time.Hour, 20 * time.Hour, 24 * time.Hour,
	}
	for i, wait := range waits {
		b.next(got)
		b.await("records the attempt", func() bool { return b.delivery().Attempts == i+1 })
		attempt := b.attempts()[i]
		require.Equal(t, i+1, attempt.Attempt)
		require.InDelta(t, wait.Seconds(), attempt.NextAttemptAt.Sub(attempt.SentAt).Seconds(), 1)
		b.awaitSleep()
		b.skip(wait)
	}

	b.next(got)
	b.await("gives up", func() bool { return b.count(values.DeliveryStatusFailed) == 1 })
	require.Nil(t, b.attempts()[9].NextAttemptAt)
	require.Nil(t, b.delivery().NextAttemptAt)
}

func TestDeliverHonoursRetryAfter(t *testing.T) {
	t.Parallel()

	b := setup(t)
	url, got := b.receiver(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "3600")
		w.WriteHeader(http.StatusServiceUnavailable)
	})
	b.endpoint(url)
	b.node(10)
	b.publish(1)
	b.next(got)
	b.await("records the attempt", func() bool { return len(b.attempts()) == 1 })
	attempt := b.attempts()[0]
	require.InDelta(t, 3600, attempt.NextAttemptAt.Sub(attempt.SentAt).Seconds(), 1)
}

func TestDeliverRefusesPrivateAddresses(t *testing.T) {
	t.Parallel()

	b := setup(t)
	b.endpoint("http://[::1]:8080/")
	b.node(10)
	b.publish(1)
	b.await("records the attempt", func() bool { return len(b.attempts()) == 1 })
	attempt := b.attempts()[0]
	require.Equal(t, values.AttemptErrorBlocked, *attempt.Error)
	require.Nil(t, attempt.ResponseStatus)
	require.Empty(t, attempt.ResponseBody, "no internal details are shown")
	require.NotNil(t, attempt.NextAttemptAt)
}

// TestDeliverSignsWithEarlierSecrets: each earlier secret signs for its own day, including one that the previous
// version stored in its column.
func TestDeliverSignsWithEarlierSecrets(t *testing.T) {
	t.Parallel()

	b := setup(t)
	url, got := b.receiver(answering(200))
	endpoint, current := b.endpoint(url)
	secrets := []string{webhook.NewSecret(), webhook.NewSecret(), webhook.NewSecret()} // for 3, 2 and 1 hours

	b.write(func(ctx context.Context, c *ent.Client) {
		var earlier []values.EarlierSecret
		for i, secret := range secrets[1:] {
			earlier = append(earlier, values.EarlierSecret{
				Sealed: b.vault.Seal(endpoint.ID, secret), ExpiresAt: time.Now().Add(time.Duration(2-i) * time.Hour),
			})
		}

		c.WebhookEndpoint.UpdateOneID(endpoint.ID).SetEarlierSecrets(earlier).
			SetPreviousSecretSealed(b.vault.Seal(endpoint.ID, secrets[0])).SetPreviousExpiresAt(time.Now().Add(3 * time.Hour)).ExecX(ctx)
	})
	b.node(10)

	verifies := func(m message, secret string) bool {
		verifier, err := standardwebhooks.NewWebhook(secret)
		require.NoError(t, err)

		return verifier.VerifyIgnoringTimestamp([]byte(m.body), m.header) == nil
	}

	for late := range 4 {
		b.late.Store(int64(late)*int64(time.Hour) + int64(late)*int64(time.Second))
		b.publish(1)
		m := b.next(got)
		require.True(t, verifies(m, current))

		for i, secret := range secrets {
			require.Equal(t, late < 3-i, verifies(m, secret), "%d after %d h", i, late)
		}
	}
}

func TestDisabledEndpointGetsNothing(t *testing.T) {
	t.Parallel()

	b := setup(t)
	url, got := b.receiver(answering(200))
	endpoint, _ := b.endpoint(url)
	b.publish(1)
	b.write(func(ctx context.Context, c *ent.Client) {
		c.WebhookEndpoint.UpdateOneID(endpoint.ID).SetDisabled(true).ExecX(ctx)
	})
	b.node(10)
	b.await("is canceled", func() bool { return b.count(values.DeliveryStatusCanceled) == 1 })
	b.publish(1) // sends nothing
	require.Equal(t, values.DeliveryStatusCanceled, b.delivery().Status)
	require.Empty(t, got)
	require.Empty(t, b.attempts())
}

func TestDeletedEndpointDeletesItsDeliveries(t *testing.T) {
	t.Parallel()

	b := setup(t)
	reached, proceed := make(chan struct{}), make(chan struct{})
	url, got := b.receiver(func(http.ResponseWriter, *http.Request) {
		close(reached)
		<-proceed
	})
	endpoint, _ := b.endpoint(url)
	b.node(10)
	b.publish(1)
	<-reached
	b.write(func(ctx context.Context, c *ent.Client) { c.WebhookEndpoint.DeleteOneID(endpoint.ID).ExecX(ctx) })
	close(proceed)
	b.next(got)
	b.awaitSleep()
	require.Empty(t, b.attempts())
}

func TestFailingEndpointIsDisabled(t *testing.T) {
	t.Parallel()

	b := setup(t)
	url, got := b.receiver(answering(500))
	endpoint, _ := b.endpoint(url)
	b.node(10)
	b.publish(1)
	b.next(got)

	current := func() *ent.WebhookEndpoint {
		found, err := b.store.Client(b.system()).WebhookEndpoint.Get(b.system(), endpoint.ID)
		require.NoError(t, err)

		return found
	}

	b.await("is recorded as failing", func() bool { return current().FailingSince != nil })
	b.awaitSleep()
	require.False(t, current().Disabled)
	require.Equal(t, endpoint.UpdatedAt, current().UpdatedAt)

	b.skip(5*24*time.Hour + time.Second)
	b.next(got)
	b.await("is disabled", func() bool { return current().Disabled })
	require.Equal(t, "All deliveries failed for 5 days.", *current().DisabledReason)
	require.Nil(t, current().FailingSince, "enabling it resets the failures")
	require.True(t, current().UpdatedAt.After(endpoint.UpdatedAt))
	b.awaitSleep()
	require.Equal(t, values.DeliveryStatusCanceled, b.delivery().Status)
	require.Len(t, b.attempts(), 2)
	require.Nil(t, b.attempts()[1].NextAttemptAt)
}

func TestSuccessResetsFailures(t *testing.T) {
	t.Parallel()

	b := setup(t)
	url, _ := b.receiver(answering(200))
	endpoint, _ := b.endpoint(url)
	b.write(func(ctx context.Context, c *ent.Client) {
		c.WebhookEndpoint.UpdateOneID(endpoint.ID).SetFailingSince(time.Now().Add(-6 * 24 * time.Hour)).ExecX(ctx)
	})
	b.node(10)
	b.publish(1)
	b.await("succeeds", func() bool { return b.count(values.DeliveryStatusSucceeded) == 1 })
	found, err := b.store.Client(b.system()).WebhookEndpoint.Get(b.system(), endpoint.ID)
	require.NoError(t, err)
	require.Nil(t, found.FailingSince)
	require.False(t, found.Disabled)
}

// TestFailuresAndSuccessesOfOneRun: one run makes all these attempts and remembers the recorded state of the
// endpoint.
func TestFailuresAndSuccessesOfOneRun(t *testing.T) {
	t.Parallel()

	answers := []int{500, 500, 200, 500}

	turns := make([]chan struct{}, len(answers))
	for i := range turns {
		turns[i] = make(chan struct{})
	}

	var calls atomic.Int64

	b := setup(t)
	url, _ := b.receiver(func(w http.ResponseWriter, _ *http.Request) {
		n := min(int(calls.Add(1)), len(answers)) - 1 // later attempts get the last response
		<-turns[n]
		w.WriteHeader(answers[n])
	})
	endpoint, _ := b.endpoint(url)
	b.publish(len(answers))
	b.node(10)

	failingSince := func() *time.Time {
		found, err := b.store.Client(b.system()).WebhookEndpoint.Get(b.system(), endpoint.ID)
		require.NoError(t, err)

		return found.FailingSince
	}

	var since []*time.Time

	for n := range 3 {
		close(turns[n])
		b.await("is recorded", func() bool { return len(b.attempts()) == n+1 })

		since = append(since, failingSince())
	}

	require.NotNil(t, since[0])
	require.Equal(t, since[0], since[1], "it counts from the first failure")
	require.Nil(t, since[2], "a success resets it")
	close(turns[3])
	b.await("is recorded as failing again", func() bool { return failingSince() != nil })
	require.True(t, failingSince().After(*since[0]))
}

func TestAbortedAttemptIsRepeated(t *testing.T) {
	t.Parallel()

	b := setup(t)

	var calls atomic.Int64

	reached := make(chan struct{})
	url, got := b.receiver(func(_ http.ResponseWriter, r *http.Request) {
		if calls.Add(1) == 1 {
			close(reached)
			<-r.Context().Done()
		}
	})
	b.endpoint(url)
	_, stop := b.node(10)
	b.publish(1)
	<-reached
	stop()
	b.next(got)
	require.Empty(t, b.attempts(), "an aborted attempt is not recorded")

	b.node(10)
	b.next(got)
	b.await("succeeds", func() bool { return b.count(values.DeliveryStatusSucceeded) == 1 })
	require.Len(t, b.attempts(), 1)
}
