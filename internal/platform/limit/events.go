package limit

import (
	"context"
	"fmt"
	"time"

	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
)

// maxSubscriptions is how many subscriptions one user may have open on one node.
const maxSubscriptions = 100

// subscriptionAgain is the Retry-After for a user with too many subscriptions. It is a guess, because nobody knows when
// one of the subscriptions ends.
const subscriptionAgain = 10 * time.Second

// Event charges one event of a stream. A stream calls it before each event except the first, which the request has
// paid for. Event looks up the credential again, as Again does, and takes one event from a budget that all streams of
// a user in a workspace share on all nodes. If that budget is used up, Event waits for the next minute and sets
// waited. The event is old by then, so the caller should send the newest state instead.
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

// event counts one event. If the budget has no room for it, left is how long the minute still lasts.
func (o *Outcome) event(ctx context.Context) (room bool, left time.Duration, err error) {
	s, err := o.gate.spend(ctx, "events:"+eventSubject(o.who()), o.gate.o.EventQuota, 1)
	if err != nil {
		o.gate.o.Log.WarnContext(ctx, "event counter unreachable", "error", err)

		return false, 0, o.gate.unreachable(err).refusal
	}

	// Wait a little longer than our clock says, because the database's clock defines the minute.
	return s.room, leftOf(s.minuteMs, s.nowMs, s.at) + 10*time.Millisecond, nil
}

// eventSubject returns the subject under which the budget of a user in a workspace is counted.
func eventSubject(v auth.Viewer) string { return v.UserID + ":" + v.WorkspaceID }

// Subscribe counts a subscription of an admitted request on this node until release is called. It returns
// fault.RateLimited if the user already has maxSubscriptions subscriptions on this node.
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
			"You have %d subscriptions on this server, and no more are allowed. End one of them first.", maxSubscriptions))
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
