package limit

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
)

// Outcome is the result of admission: the viewer, and what is left of the budget.
type Outcome struct {
	gate    *Gate
	holder  holder
	budget  budget
	subject string

	mu        sync.Mutex
	viewer    auth.Viewer
	refusal   error
	cost      int // counted so far
	prepaid   int // part of cost that was counted at admission and that Spend has not used yet
	remaining int
	minuteMs  int64     // the window's start, by the database's clock
	nowMs     int64     // the database's clock
	at        time.Time // when nowMs was read, by our clock
}

type outcomeKey struct{}

func outcomeOf(ctx context.Context) *Outcome {
	o, _ := ctx.Value(outcomeKey{}).(*Outcome)

	return o
}

// Refusal returns the reason why the request must not be served, or nil if it may be served. The reason is
// fault.Unauthorized, fault.RateLimited or, when the counter is unreachable, fault.Unavailable. A request that has
// not passed the gate is unauthorized.
func Refusal(ctx context.Context) error {
	o := outcomeOf(ctx)
	if o == nil {
		return fault.Unauthorized()
	}

	o.mu.Lock()
	defer o.mu.Unlock()

	return o.refusal
}

// Again looks up the credential of an admitted request once more, without counting a request. A stream calls it
// before each event except the first, because the key may have been revoked. After the call, Refusal returns the same
// error, and auth.From returns the viewer that was found.
func Again(ctx context.Context) error {
	if err := Refusal(ctx); err != nil {
		return err
	}

	o := outcomeOf(ctx)

	v, err := o.gate.find(ctx, o.holder)
	if err != nil {
		o.gate.o.Log.WarnContext(ctx, "cannot look up the credential of a stream", "error", err)
	}

	o.mu.Lock()
	defer o.mu.Unlock()

	switch {
	case err != nil:
		o.refusal = o.gate.unreachable(err).refusal
	case v.UserID == "":
		o.viewer, o.refusal = v, fault.Unauthorized()
	default:
		o.viewer = v
	}

	return o.refusal
}

// who returns the viewer found last.
func (o *Outcome) who() auth.Viewer {
	o.mu.Lock()
	defer o.mu.Unlock()

	return o.viewer
}

// Spend takes n more from the budget of an admitted request, all or nothing. It is needed because the cost of a
// GraphQL operation depends on its selections. If the budget is too small, Spend refunds what the request has cost so
// far and returns fault.RateLimited, or fault.BadRequest if the request costs more than the budget of a whole minute.
// Refusal then returns the same error. Call Spend only once per request, because it can refund only the cost of one
// minute.
func Spend(ctx context.Context, n int) error {
	if err := Refusal(ctx); err != nil || n <= 0 {
		return err
	}

	return outcomeOf(ctx).spend(ctx, n)
}

func (o *Outcome) spend(ctx context.Context, n int) error {
	o.mu.Lock()
	defer o.mu.Unlock()

	early := min(n, o.prepaid)
	o.prepaid -= early

	if n -= early; n == 0 {
		return nil
	}

	paid, minuteMs := o.cost, o.minuteMs

	if all := paid + n; all > o.budget.quota {
		o.refund(ctx, minuteMs, paid)
		o.remaining += paid
		o.refusal = fault.BadRequest(fmt.Sprintf(
			"This operation costs as much as %d requests; at most %d are allowed in a minute. Request less in one operation.",
			all, o.budget.quota))

		return o.refusal
	}

	if err := o.count(ctx, n); err != nil {
		o.gate.o.Log.WarnContext(ctx, "rate counter unreachable", "error", err)

		lost := o.gate.unreachable(err)
		o.refusal, o.remaining = lost.refusal, 0

		return o.refusal
	}

	if o.refusal != nil {
		o.refund(ctx, minuteMs, paid)
		o.refusal = fault.RateLimited(o.left()).Saying(fmt.Sprintf(
			"This operation costs as much as %d requests, and fewer are left in this minute. Retry after the time in Retry-After.", paid+n))
	}

	return o.refusal
}

// count adds n to the budget.
func (o *Outcome) count(ctx context.Context, n int) error {
	s, err := o.gate.spend(ctx, o.subject, o.budget.quota, n)
	if err != nil {
		return err
	}

	o.minuteMs, o.nowMs, o.at = s.minuteMs, s.nowMs, s.at
	o.settle(s.room, s.used, n)

	return nil
}

// refund gives back what was counted so far, because a refused request costs nothing.
func (o *Outcome) refund(ctx context.Context, minuteMs int64, paid int) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), o.gate.o.Timeout)
	defer cancel()

	if _, err := o.gate.o.DB.ExecContext(ctx, refundSQL, o.subject, minuteMs, paid); err != nil {
		o.gate.o.Log.WarnContext(ctx, "cannot refund the cost of a refused request", "error", err)
	}
}

// settle records whether the window had room, and how much of it is used.
func (o *Outcome) settle(room bool, used, cost int) {
	if !room {
		o.remaining = 0
		o.refusal = fault.RateLimited(o.left())

		return
	}

	o.cost += cost
	o.remaining = max(0, o.budget.quota-used)
}

// left returns how long the window still lasts. The result is never negative.
func (o *Outcome) left() time.Duration {
	return leftOf(o.minuteMs, o.nowMs, o.at)
}

// leftOf is how long a window that began at minuteMs still lasts, when the database's clock read nowMs at our time
// at.
func leftOf(minuteMs, nowMs int64, at time.Time) time.Duration {
	return max(0, time.Duration(minuteMs-nowMs)*time.Millisecond+window-time.Since(at))
}

// unreachable is the outcome when the database cannot be reached: nothing is left of the current minute of our clock.
func (g *Gate) unreachable(cause error) *Outcome {
	now := time.Now()
	o := &Outcome{gate: g, budget: g.budgetFor(false), nowMs: now.UnixMilli(), minuteMs: now.Truncate(window).UnixMilli(), at: now}
	o.refusal = fault.Unavailable(o.left()).Because(cause)

	return o
}

// write puts the state of the budget into the response headers. Their names keep the letter case of the API contract,
// which http.Header.Set would change.
func (o *Outcome) write(h http.Header) {
	o.mu.Lock()
	defer o.mu.Unlock()

	quota := strconv.Itoa(o.budget.quota)
	left := strconv.Itoa(o.remaining)
	seconds := int64((o.left() + time.Second - 1) / time.Second)

	h["RateLimit-Policy"] = []string{o.budget.policy + ";q=" + quota + ";w=" + strconv.Itoa(int(window/time.Second))}
	h["RateLimit"] = []string{o.budget.policy + ";r=" + left + ";t=" + strconv.FormatInt(seconds, 10)}
	h["X-RateLimit-Limit"] = []string{quota}
	h["X-RateLimit-Remaining"] = []string{left}
	h["X-RateLimit-Reset"] = []string{strconv.FormatInt(o.minuteMs+window.Milliseconds(), 10)}
}
