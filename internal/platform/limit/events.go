package limit

import (
	"context"
	"fmt"
	"time"

	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
)

// maxSubscriptions is how many subscriptions one user has on one node at once.
const maxSubscriptions = 100

// subscriptionAgain is when to come back for who has too many: nobody knows when one of them ends.
const subscriptionAgain = 10 * time.Second

// Event is what a stream asks before each of its events but the first, which the request has paid for: it finds out anew
// whose the credential is, as Again does, and takes one event from the budget that all streams of a user in a workspace
// share on all nodes. Where that is spent it waits until the minute ends, and says so: what was to be sent is old then, and
// whoever asks sends what is newest instead.
func Event(ctx context.Context) (waited bool, err error) {
	for {
		if err := Again(ctx); err != nil {
			return waited, err
		}

		room, left, err := outcomeOf(ctx).event(ctx)
		if room || err != nil {
			return waited, err
		}

		waited = true

		if err := outcomeOf(ctx).gate.o.Wait(ctx, left); err != nil {
			return waited, fmt.Errorf("wait for the next minute: %w", err)
		}
	}
}

func wait(ctx context.Context, until time.Duration) error {
	select {
	case <-time.After(until):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// event counts one event, or says how long the minute lasts.
func (o *Outcome) event(ctx context.Context) (room bool, left time.Duration, err error) {
	s, err := o.gate.spend(ctx, "events:"+budgetOf(o.who()), o.gate.o.EventQuota, 1)
	if err != nil {
		o.gate.o.Log.WarnContext(ctx, "event counter unreachable", "error", err)

		return false, 0, o.gate.unreachable(err).refusal
	}

	// A little later than the minute ends by our clock: it is the database's that counts.
	return s.room, leftOf(s.minuteMs, s.nowMs, s.at) + 10*time.Millisecond, nil
}

// budgetOf names whose budget it is.
func budgetOf(v auth.Viewer) string { return v.UserID + ":" + v.WorkspaceID }

// Subscribe counts a subscription of an admitted request on this node, until release. It answers fault.RateLimited to a user
// who has as many as anybody may.
func Subscribe(ctx context.Context) (release func(), err error) {
	if err := Refusal(ctx); err != nil {
		return nil, err
	}

	o := outcomeOf(ctx)

	return o.gate.subscribe(o.who().UserID)
}

func (g *Gate) subscribe(userID string) (release func(), err error) {
	g.mu.Lock()
	defer g.mu.Unlock()

	if g.subscriptions[userID] >= maxSubscriptions {
		return nil, fault.RateLimited(subscriptionAgain).Saying(fmt.Sprintf(
			"You have %d subscriptions on this server, and nobody may have more. End one of them first.", maxSubscriptions))
	}

	g.subscriptions[userID]++

	return func() {
		g.mu.Lock()
		defer g.mu.Unlock()

		if g.subscriptions[userID]--; g.subscriptions[userID] == 0 {
			delete(g.subscriptions, userID)
		}
	}, nil
}
