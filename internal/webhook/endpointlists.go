package webhook

import (
	"context"
	stdsql "database/sql"
	"fmt"
	"strings"

	"entgo.io/ent/dialect/sql"
	"github.com/lib/pq"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/webhookattempt"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/paging"
	"github.com/reelgraph/reelgraph/internal/platform/cursor"
	"github.com/reelgraph/reelgraph/internal/platform/optional"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// selectEndpoint makes a query of endpoints also read the selected lists of attempts, and how deliveries went.
func (s *Service) selectEndpoint(q *ent.WebhookEndpointQuery, sel selection.Tree) {
	var below []listing.ReadBelow[*ent.WebhookEndpoint]

	for _, list := range listing.FirstPages(sel.All("attempts")) {
		below = append(below, listing.EachList[*ent.WebhookEndpoint](
			listing.FirstPage(list, webhookattempt.Table, webhookattempt.FieldEndpointID, newestAttempts()),
			func(ctx context.Context, only func(*sql.Selector)) paging.Listing[*ent.WebhookAttempt] {
				q := s.Store.Client(ctx).WebhookAttempt.Query()
				s.selectAttempt(q, list.Tree.Items())
				ended(q, listing.AttemptStatusOf(list.Node))
				q.Modify(only)

				return q
			}))
	}

	if sel.Has(healthName) {
		below = append(below, func(ctx context.Context, above []*ent.WebhookEndpoint) error {
			found, err := s.health(ctx, above...)
			if err != nil {
				return err
			}

			for _, e := range above {
				e.Extra.Lists = append(e.Extra.Lists, ent.List{Name: healthName, Rows: found[e.ID]})
			}

			return nil
		})
	}

	listing.WithBelow(q, below)
}

func newestAttempts() []sql.Querier {
	return []sql.Querier{sql.Expr(webhookattempt.FieldSentAt + " DESC"), sql.Expr(webhookattempt.FieldID + " DESC")}
}

// ended limits attempts to those with an outcome. Nil allows all.
func ended(q *ent.WebhookAttemptQuery, status *values.AttemptStatus) {
	if status != nil {
		q.Where(webhookattempt.StatusEQ(*status))
	}
}

// AttemptsAt returns a page of the attempts at one of the caller's endpoints, newest first; with a status only those that
// ended with it.
func (s *Service) AttemptsAt(
	ctx context.Context, e *ent.WebhookEndpoint, status *values.AttemptStatus, size int, after *string,
) (*model.WebhookAttemptConnection, error) {
	turn := s.Listing.Paging.Turn(strings.Join([]string{"attempts at", e.ID, string(optional.Deref(status))}, "|"))
	placeOf := func(a *ent.WebhookAttempt) cursor.Cursor { return paging.PositionAt(a.SentAt, a.ID) }

	if rows, known := listing.ListBelow[*ent.WebhookAttempt](e, listing.AttemptsName(size, status)); known && after == nil {
		return paging.PageOf(turn, rows, size, placeOf, listing.TotalOf(rows)), nil
	}

	if _, err := access.Viewer(ctx); err != nil {
		return nil, err
	}

	q := s.Store.Client(ctx).WebhookAttempt.Query().Where(webhookattempt.EndpointID(e.ID))
	ended(q, status)

	count := q.Clone()
	s.selectAttempt(q, selection.Of(ctx).Items())

	if after != nil {
		c, err := turn.Open(ctx, *after)
		if err != nil {
			return nil, err
		}

		q.Where(paging.Before(c, webhookattempt.FieldSentAt))
	}

	rows, err := q.Order(ent.Desc(webhookattempt.FieldSentAt, webhookattempt.FieldID)).Limit(size + 1).All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read attempts at endpoint: %w", err)
	}

	return paging.PageOf(turn, rows, size, placeOf, count.Count), nil
}

// healthName is the name under which endpoints hold how deliveries to them went.
const healthName = "health"

// healthSQL reads how deliveries to the endpoints $1 of the workspace $2 went.
const healthSQL = `
SELECT e.id, latest.sent_at, success.sent_at,
	(SELECT count(*) FROM webhook_attempts a WHERE a.workspace_id = $2 AND a.endpoint_id = e.id AND a.status = 'failed'
		AND (success.id IS NULL OR (a.sent_at, a.id) > (success.sent_at, success.id))),
	(SELECT count(*) FROM webhook_deliveries d WHERE d.workspace_id = $2 AND d.endpoint_id = e.id AND d.status = 'pending')
FROM unnest((SELECT $1::varchar[])::varchar[]) e(id)
LEFT JOIN LATERAL (
	SELECT a.sent_at FROM webhook_attempts a WHERE a.workspace_id = $2 AND a.endpoint_id = e.id
	ORDER BY a.sent_at DESC, a.id DESC LIMIT 1
) latest ON true
LEFT JOIN LATERAL (
	SELECT a.sent_at, a.id FROM webhook_attempts a WHERE a.workspace_id = $2 AND a.endpoint_id = e.id AND a.status = 'succeeded'
	ORDER BY a.sent_at DESC, a.id DESC LIMIT 1
) success ON true`

// health returns how deliveries to endpoints went, by the id of the endpoint.
func (s *Service) health(ctx context.Context, of ...*ent.WebhookEndpoint) (map[string]*model.WebhookHealth, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	named := make([]string, len(of))
	for i, e := range of {
		named[i] = e.ID
	}

	found := make(map[string]*model.WebhookHealth, len(of))

	err = s.Store.Query(ctx, func(rows *stdsql.Rows) error {
		var (
			id              string
			latest, success stdsql.NullTime
			h               model.WebhookHealth
		)

		if err := rows.Scan(&id, &latest, &success, &h.ConsecutiveFailures, &h.PendingDeliveries); err != nil {
			return err //nolint:wrapcheck // wrapped below
		}

		if latest.Valid {
			h.LastAttemptAt = &latest.Time
		}

		if success.Valid {
			h.LastSuccessAt = &success.Time
		}

		found[id] = &h

		return nil
	}, healthSQL, pq.Array(named), who.WorkspaceID)
	if err != nil {
		return nil, fmt.Errorf("read health of endpoints: %w", err)
	}

	return found, nil
}

// HealthOf returns how deliveries to one of the caller's endpoints went.
func (s *Service) HealthOf(ctx context.Context, e *ent.WebhookEndpoint) (*model.WebhookHealth, error) {
	for _, list := range e.Extra.Lists {
		if h, known := list.Rows.(*model.WebhookHealth); known && list.Name == healthName {
			return h, nil
		}
	}

	found, err := s.health(ctx, e)

	return found[e.ID], err
}
