package webhook

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"entgo.io/ent/dialect/sql"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/predicate"
	"github.com/reelgraph/reelgraph/ent/webhookattempt"
	"github.com/reelgraph/reelgraph/ent/webhookdelivery"
	"github.com/reelgraph/reelgraph/ent/webhookendpoint"
	"github.com/reelgraph/reelgraph/ent/webhookmessage"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/paging"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/cursor"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/platform/optional"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// toEndpointsOf limits deliveries to those to the viewer's own endpoints, including deleted endpoints.
func toEndpointsOf(who auth.Viewer) predicate.WebhookDelivery {
	return webhookdelivery.HasEndpointWith(webhookendpoint.UserID(who.UserID))
}

// MessageOf returns a message that was sent to one of the caller's endpoints, with the selected fields, or not_found.
func (s *Service) MessageOf(ctx context.Context, id string, sel selection.Tree) (*ent.WebhookMessage, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	if !ids.Is(ids.Message, id) {
		return nil, fault.NotFound("webhook message")
	}

	q := s.Store.Client(ctx).WebhookMessage.Query().
		Where(webhookmessage.ID(id), webhookmessage.HasDeliveriesWith(toEndpointsOf(who)))
	s.selectMessage(who, q, sel)

	found, err := q.Only(ctx)
	if ent.IsNotFound(err) {
		return nil, fault.NotFound("webhook message")
	}

	if err != nil {
		return nil, fmt.Errorf("read message: %w", err)
	}

	return found, nil
}

// selectMessage reads only the columns that the selection needs. An empty selection reads the whole row and no
// attempts.
func (s *Service) selectMessage(who auth.Viewer, q *ent.WebhookMessageQuery, sel selection.Tree) {
	if len(sel.Nodes()) == 0 {
		return
	}

	columns := []string{webhookmessage.FieldID, webhookmessage.FieldEventType, webhookmessage.FieldOccurredAt}
	if sel.Has("payload") {
		columns = append(columns, webhookmessage.FieldBody)
	}

	q.Select(columns...)

	if lists := listing.FirstPages(sel.All("attempts")); len(lists) > 0 {
		q.WithDeliveries(func(q *ent.WebhookDeliveryQuery) {
			q.Where(toEndpointsOf(who))

			var below []listing.ReadBelow[*ent.WebhookDelivery]

			for _, list := range lists {
				below = append(below, listing.EachList[*ent.WebhookDelivery](
					listing.FirstPage(list, webhookattempt.Table, webhookattempt.FieldDeliveryID, attemptOrder()),
					func(ctx context.Context, only func(*sql.Selector)) paging.Listing[*ent.WebhookAttempt] {
						q := s.Store.Client(ctx).WebhookAttempt.Query()
						s.selectAttempt(q, list.Tree.Items())
						q.Modify(only)

						return q
					}))
			}

			listing.WithBelow(q, below)
		})
	}
}

// ListMessages returns a page of the messages that were sent to the caller's endpoints, newest first.
func (s *Service) ListMessages(
	ctx context.Context, kinds []values.EventType, size int, after *string,
) (*model.WebhookMessageConnection, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	kinds = optional.Distinct(kinds)
	turn := s.Listing.Paging.Turn(strings.Join([]string{"messages", who.WorkspaceID, who.UserID, fmt.Sprint(kinds)}, "|"))
	q := s.Store.Client(ctx).WebhookMessage.Query().Where(webhookmessage.HasDeliveriesWith(toEndpointsOf(who)))

	if len(kinds) > 0 {
		q.Where(webhookmessage.EventTypeIn(kinds...))
	}

	count := q.Clone()

	if after != nil {
		c, err := turn.Open(ctx, *after)
		if err != nil {
			return nil, err
		}

		q.Where(paging.Before(c, webhookmessage.FieldOccurredAt))
	}

	s.selectMessage(who, q, selection.Of(ctx).Items())

	rows, err := q.Order(ent.Desc(webhookmessage.FieldOccurredAt, webhookmessage.FieldID)).Limit(size + 1).All(ctx)
	if err != nil {
		return nil, fmt.Errorf("list messages: %w", err)
	}

	placeOf := func(m *ent.WebhookMessage) cursor.Cursor { return paging.PositionAt(m.OccurredAt, m.ID) }

	return paging.PageOf(turn, rows, size, placeOf, count.Count), nil
}

// ResendMessage immediately sends a message again to each of the caller's endpoints to which it was already sent. If
// endpointID is not nil, only this endpoint gets the message.
func (s *Service) ResendMessage(ctx context.Context, id string, endpointID *string) (*ent.WebhookMessage, error) {
	return store.Write(ctx, s.Store, nil, func(ctx context.Context) (*ent.WebhookMessage, error) {
		m, err := s.MessageOf(ctx, id, selection.Tree{})
		if err != nil {
			return nil, err
		}

		who, err := access.Viewer(ctx)
		if err != nil {
			return nil, err
		}

		q := s.Store.Client(ctx).WebhookDelivery.Query().Where(webhookdelivery.MessageID(m.ID), toEndpointsOf(who))
		if endpointID != nil {
			q.Where(webhookdelivery.EndpointID(*endpointID))
		}

		sent, err := q.WithEndpoint().Order(ent.Asc(webhookdelivery.FieldID)).
			ForUpdate(sql.WithLockTables(webhookdelivery.Table)).All(ctx)
		if err != nil {
			return nil, fmt.Errorf("read deliveries: %w", err)
		}

		deleted := func(d *ent.WebhookDelivery) bool { return d.Edges.Endpoint.DeletedAt != nil }
		if endpointID != nil && !slices.ContainsFunc(sent, func(d *ent.WebhookDelivery) bool { return !deleted(d) }) {
			return nil, fault.NotFound("webhook endpoint at endpointId")
		}

		if _, err := access.Creator(ctx); err != nil {
			return nil, err
		}

		sent = slices.DeleteFunc(sent, deleted)
		if len(sent) == 0 {
			return nil, fault.Conflict("Every endpoint that the message was sent to has been deleted.")
		}

		sent = slices.DeleteFunc(sent, func(d *ent.WebhookDelivery) bool { return d.Edges.Endpoint.Disabled })
		if len(sent) == 0 {
			return nil, fault.Conflict("The endpoint is disabled.")
		}

		return m, s.Jobs.Resend(ctx, sent)
	})
}

// MessagesNamed returns those of the named messages that were sent to one of the caller's endpoints, with the selected
// fields, in any order.
func (s *Service) MessagesNamed(ctx context.Context, named []string, sel selection.Tree) ([]*ent.WebhookMessage, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	q := s.Store.Client(ctx).WebhookMessage.Query().
		Where(webhookmessage.IDIn(named...), webhookmessage.HasDeliveriesWith(toEndpointsOf(who)))
	s.selectMessage(who, q, sel)

	rows, err := q.All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read messages: %w", err)
	}

	return rows, nil
}
