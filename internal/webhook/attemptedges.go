package webhook

import (
	"context"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/webhookattempt"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/optional"
)

// Names under which attempts hold the objects that their fields of the same names return.
const (
	messageEdge  = "message"
	endpointEdge = "endpoint"
)

// attemptColumns maps each field of an attempt to its columns. A response may be long.
func attemptColumns() map[string][]string {
	return map[string][]string{
		"__typename":     nil,
		"id":             nil,
		"messageId":      {webhookattempt.FieldMessageID},
		messageEdge:      {webhookattempt.FieldMessageID},
		"endpointId":     {webhookattempt.FieldEndpointID},
		endpointEdge:     {webhookattempt.FieldEndpointID},
		"attempt":        {webhookattempt.FieldAttempt},
		"status":         {webhookattempt.FieldStatus},
		"responseStatus": {webhookattempt.FieldResponseStatus},
		"responseBody":   {webhookattempt.FieldResponseBody},
		"error":          {webhookattempt.FieldError},
		"durationMs":     {webhookattempt.FieldDurationMs},
		"sentAt":         nil,
		"nextAttemptAt":  {webhookattempt.FieldNextAttemptAt},
	}
}

// selectAttempt reads only the columns of attempts that the selection needs, and what it selects of their messages and
// endpoints. An empty selection reads the whole rows.
func (s *Service) selectAttempt(q *ent.WebhookAttemptQuery, sel selection.Tree) {
	nodes := sel.Nodes()
	if len(nodes) == 0 {
		return
	}

	columns, known := []string{webhookattempt.FieldID, webhookattempt.FieldSentAt}, attemptColumns()
	for _, node := range nodes {
		columns = optional.Unique(columns, known[node.Name])
	}

	q.Select(columns...)

	var below []listing.ReadBelow[*ent.WebhookAttempt]

	if wanted := sel.Below(messageEdge); sel.Has(messageEdge) {
		below = append(below, edgeBelow(messageEdge, func(a *ent.WebhookAttempt) string { return a.MessageID },
			func(ctx context.Context, named []string) ([]*ent.WebhookMessage, error) {
				return s.MessagesNamed(ctx, named, wanted)
			},
			func(m *ent.WebhookMessage) string { return m.ID }))
	}

	if wanted := sel.Below(endpointEdge); sel.Has(endpointEdge) {
		below = append(below, edgeBelow(endpointEdge, func(a *ent.WebhookAttempt) string { return a.EndpointID },
			func(ctx context.Context, named []string) ([]*ent.WebhookEndpoint, error) {
				return s.EndpointsNamed(ctx, named, wanted)
			},
			func(e *ent.WebhookEndpoint) string { return e.ID }))
	}

	listing.WithBelow(q, below)
}

// edgeBelow reads, for many attempts, the object that each refers to, and nothing for those that refer to one that the
// caller may not see.
func edgeBelow[T any](
	name string, reference func(*ent.WebhookAttempt) string, read func(ctx context.Context, named []string) ([]*T, error),
	idOf func(*T) string,
) listing.ReadBelow[*ent.WebhookAttempt] {
	return func(ctx context.Context, above []*ent.WebhookAttempt) error {
		var named []string
		for _, a := range above {
			named = optional.Unique(named, []string{reference(a)})
		}

		rows, err := read(ctx, named)
		if err != nil {
			return err
		}

		found := make(map[string]*T, len(rows))
		for _, row := range rows {
			found[idOf(row)] = row
		}

		for _, a := range above {
			a.Extra.Lists = append(a.Extra.Lists, ent.List{Name: name, Rows: found[reference(a)]})
		}

		return nil
	}
}

// edgeOf returns what was read with an attempt by edgeBelow.
func edgeOf[T any](a *ent.WebhookAttempt, name string) (row *T, known bool) {
	for _, list := range a.Extra.Lists {
		if list.Name == name {
			row, known = list.Rows.(*T)

			return row, known
		}
	}

	return nil, false
}

// MessageDelivered returns the message that an attempt tried to deliver.
func (s *Service) MessageDelivered(ctx context.Context, a *ent.WebhookAttempt) (*ent.WebhookMessage, error) {
	if m, known := edgeOf[ent.WebhookMessage](a, messageEdge); known && m != nil {
		return m, nil
	}

	return s.MessageOf(ctx, a.MessageID, selection.Of(ctx))
}

// EndpointTried returns the endpoint of an attempt, or nil if it was deleted.
func (s *Service) EndpointTried(ctx context.Context, a *ent.WebhookAttempt) (*ent.WebhookEndpoint, error) {
	if e, known := edgeOf[ent.WebhookEndpoint](a, endpointEdge); known {
		return e, nil
	}

	e, err := s.EndpointOf(ctx, a.EndpointID)
	if fault.Is(err, fault.NotFoundCode) {
		return nil, nil //nolint:nilnil // as documented
	}

	return e, err
}
