package webhook

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"entgo.io/ent/dialect/sql"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/webhookattempt"
	"github.com/reelgraph/reelgraph/ent/webhookdelivery"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/paging"
	"github.com/reelgraph/reelgraph/internal/platform/cursor"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/limit"
)

func attemptOrder() []sql.Querier {
	return []sql.Querier{sql.Expr(webhookattempt.FieldSentAt), sql.Expr(webhookattempt.FieldID)}
}

// AttemptPage returns a page of the attempts to deliver a message to the caller's endpoints, oldest first.
func (s *Service) AttemptPage(
	ctx context.Context, m *ent.WebhookMessage, size int, after *string,
) (*model.WebhookAttemptConnection, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	turn := s.Listing.Paging.Turn(strings.Join([]string{"attempts", m.ID, who.UserID}, "|"))
	placeOf := func(a *ent.WebhookAttempt) cursor.Cursor { return paging.PositionAt(a.SentAt, a.ID) }

	if rows, count, loaded := loadedAttempts(m, listing.AttemptsName(size, nil)); loaded && after == nil {
		return paging.PageOf(turn, rows, size, placeOf, count), nil
	}

	q := s.Store.Client(ctx).WebhookAttempt.Query().
		Where(webhookattempt.HasDeliveryWith(webhookdelivery.MessageID(m.ID), toEndpointsOf(who)))
	count := q.Clone()

	if after != nil {
		c, err := turn.Open(ctx, *after)
		if err != nil {
			return nil, err
		}

		q.Where(paging.Behind(c, webhookattempt.FieldSentAt))
	}

	s.selectAttempt(q, selection.Of(ctx).Items())

	rows, err := q.Order(ent.Asc(webhookattempt.FieldSentAt, webhookattempt.FieldID)).Limit(size + 1).All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read attempts: %w", err)
	}

	return paging.PageOf(turn, rows, size, placeOf, count.Count), nil
}

// loadedAttempts merges the attempts that were loaded with the deliveries of a message into one ordered list.
func loadedAttempts(m *ent.WebhookMessage, name string) (
	rows []*ent.WebhookAttempt, count func(context.Context) (int, error), loaded bool,
) {
	deliveries, err := m.Edges.DeliveriesOrErr()
	if err != nil {
		return nil, nil, false
	}

	for _, d := range deliveries {
		tries, known := listing.ListBelow[*ent.WebhookAttempt](d, name)
		if !known {
			return nil, nil, false
		}

		rows = append(rows, tries...)
	}

	slices.SortFunc(rows, func(a, b *ent.WebhookAttempt) int {
		return cmp.Or(a.SentAt.Compare(b.SentAt), cmp.Compare(a.ID, b.ID))
	})

	count = func(ctx context.Context) (total int, err error) {
		for _, d := range deliveries {
			tries, _ := listing.ListBelow[*ent.WebhookAttempt](d, name) // as above

			n, err := listing.TotalOf(tries)(ctx)
			if err != nil {
				return 0, err
			}

			total += n
		}

		return total, nil
	}

	return rows, count, true
}

// AttemptOf returns a delivery attempt to one of the caller's endpoints, or not_found.
func (s *Service) AttemptOf(ctx context.Context, id string) (*ent.WebhookAttempt, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	return listing.Found(s.Store.Client(ctx).WebhookAttempt.Query().
		Where(webhookattempt.ID(id), webhookattempt.HasDeliveryWith(toEndpointsOf(who))).Only(ctx))
}

// attemptsLate is how long after its sending an attempt may still be committed: waiting for the answer and writing the
// row take up to half a minute each. It also covers the clock difference between two nodes.
const attemptsLate = 3 * time.Minute

// attemptsAtOnce is how many attempts are read at once together with their responses.
const attemptsAtOnce = 100

// attemptsPoll is how often the database is searched for attempts that were not announced. A process that dies right
// after it records an attempt does not announce it.
const attemptsPoll = 10 * time.Second

// WatchAttempts sends the delivery attempts to one of the caller's endpoints as they are recorded. It stops when the
// client disconnects or the endpoint is deleted.
func (s *Service) WatchAttempts(ctx context.Context, endpointID string) (<-chan *ent.WebhookAttempt, error) {
	wake, stop := s.Topics.Subscribe(jobs.EndpointTopic(endpointID))

	seen := map[string]time.Time{} // by id: attempts that existed at the start or were already sent

	if _, err := s.freshAttempts(ctx, endpointID, seen); err != nil {
		stop()

		return nil, err
	}

	out := make(chan *ent.WebhookAttempt)

	go func() {
		defer close(out)
		defer stop()

		poll := time.NewTicker(attemptsPoll)
		defer poll.Stop()

		for {
			select {
			case <-wake:
			case <-poll.C:
			case <-ctx.Done():
				return
			}

			// The endpoint is deleted or the database cannot be reached: the stream ends and the client subscribes
			// again.
			fresh, err := s.freshAttempts(ctx, endpointID, seen)
			if err != nil {
				return
			}

			if err := s.sendAttempts(ctx, endpointID, fresh, seen, out); err != nil {
				return // the stream reports the error
			}
		}
	}()

	return out, nil
}

// sendAttempts sends the named attempts in order and skips deleted ones. Each one spends budget. When the budget runs
// out, only the newest attempt at the endpoint is sent after the budget has recovered.
func (s *Service) sendAttempts(
	ctx context.Context, endpointID string, named []string, seen map[string]time.Time, out chan<- *ent.WebhookAttempt,
) error {
	for paid := false; len(named) > 0; {
		some := named[:min(len(named), attemptsAtOnce)]
		named = named[len(some):]

		rows, err := s.attemptsNamed(ctx, some)
		if err != nil {
			return err
		}

		for i, a := range rows {
			waited := false

			if !paid {
				if waited, err = limit.Event(ctx); err != nil {
					return err //nolint:wrapcheck // a fault, which the stream reports
				}
			}

			if waited {
				fresh, err := s.freshAttempts(ctx, endpointID, seen)
				if err != nil {
					return err
				}

				for _, missed := range rows[i:] {
					named = append(named, missed.ID)
				}

				named = append(named, fresh...)
				named, paid = []string{s.newestAttempt(named, seen)}, true

				break
			}

			paid = false

			select {
			case out <- a:
			case <-ctx.Done():
				return ctx.Err() //nolint:wrapcheck // the client is gone
			}
		}
	}

	return nil
}

// newestAttempt returns the attempt that was sent last.
func (*Service) newestAttempt(named []string, seen map[string]time.Time) string {
	return slices.MaxFunc(named, func(a, b string) int { return cmp.Or(seen[a].Compare(seen[b]), cmp.Compare(a, b)) })
}

// attemptsNamed reads the named attempts in order and skips deleted ones.
func (s *Service) attemptsNamed(ctx context.Context, named []string) ([]*ent.WebhookAttempt, error) {
	rows, err := s.Store.Client(ctx).WebhookAttempt.Query().Where(webhookattempt.IDIn(named...)).
		Order(ent.Asc(webhookattempt.FieldSentAt, webhookattempt.FieldID)).All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read attempts: %w", err)
	}

	return rows, nil
}

// freshAttempts returns the ids of attempts at one of the caller's endpoints that are not yet in seen, and adds them to
// seen. Attempts may be committed in another order than their timestamps, so the last minutes are searched each time.
func (s *Service) freshAttempts(ctx context.Context, endpointID string, seen map[string]time.Time) ([]string, error) {
	if _, err := s.EndpointOf(ctx, endpointID); err != nil {
		return nil, err
	}

	since := time.Now().Add(-attemptsLate)

	maps.DeleteFunc(seen, func(_ string, at time.Time) bool { return at.Before(since.Add(-attemptsLate)) })

	rows, err := s.Store.Client(ctx).WebhookAttempt.Query().
		Where(webhookattempt.SentAtGTE(since), webhookattempt.HasDeliveryWith(webhookdelivery.EndpointID(endpointID))).
		Order(ent.Asc(webhookattempt.FieldSentAt, webhookattempt.FieldID)).
		Select(webhookattempt.FieldID, webhookattempt.FieldSentAt).All(ctx)
	if err != nil {
		return nil, fmt.Errorf("find attempts: %w", err)
	}

	var fresh []string

	for _, a := range rows {
		if _, known := seen[a.ID]; !known {
			fresh = append(fresh, a.ID)
		}

		seen[a.ID] = a.SentAt
	}

	return fresh, nil
}

// AttemptsNamed returns those of the named delivery attempts that were made at one of the caller's endpoints, with the
// selected fields, in any order.
func (s *Service) AttemptsNamed(ctx context.Context, named []string, sel selection.Tree) ([]*ent.WebhookAttempt, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	q := s.Store.Client(ctx).WebhookAttempt.Query().
		Where(webhookattempt.IDIn(named...), webhookattempt.HasDeliveryWith(toEndpointsOf(who)))
	s.selectAttempt(q, sel)

	rows, err := q.All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read attempts: %w", err)
	}

	return rows, nil
}
