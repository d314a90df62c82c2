package jobs

import (
	"context"
	"fmt"
	"slices"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/riverqueue/river"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/webhookdelivery"
	"github.com/reelgraph/reelgraph/ent/webhookendpoint"
	"github.com/reelgraph/reelgraph/internal/platform/queue"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/webhook/event"
)

// Publish writes an event and inserts its deliveries. The receivers are the enabled webhook endpoints of the
// workspace that subscribe to the kind of the event and whose user belongs to the audience. An event without
// receivers is not stored, and neither is one in a quiet context (see queue.Quietly). Publish uses the transaction of
// the context, which must be the transaction of the change that causes the event. The context must act within one
// workspace.
func (q *Queue) Publish(ctx context.Context, what event.Event, audience Audience) error {
	return q.PublishEach(ctx, []event.Event{what}, func(int) Audience { return audience })
}

// PublishEach is like Publish for several events of one kind, each with an audience of its own. It looks once for
// endpoints that subscribe to them. At least one event must be given.
func (q *Queue) PublishEach(ctx context.Context, all []event.Event, audienceOf func(i int) Audience) error {
	if queue.IsQuiet(ctx) {
		return nil
	}

	err := q.Store.InTx(ctx, func(ctx context.Context) error {
		c := q.Store.Client(ctx)

		endpoints, err := subscribed(ctx, c, all[0].Kind())
		if err != nil || len(endpoints) == 0 {
			return err
		}

		for i, one := range all {
			admitted, err := receivers(ctx, c, endpoints, audienceOf(i))
			if err != nil {
				return err
			}

			if len(admitted) == 0 {
				continue
			}

			if _, err := q.Send(ctx, one, admitted...); err != nil {
				return err
			}
		}

		return nil
	})
	if err != nil {
		return fmt.Errorf("publish %s: %w", all[0].Kind(), err)
	}

	return nil
}

// Send writes an event and inserts its deliveries to exactly the given endpoints, whether or not they subscribe to
// this kind of event. At least one endpoint must be given. Send uses the transaction of the context.
func (q *Queue) Send(ctx context.Context, ev event.Event, endpoints ...*ent.WebhookEndpoint) (*ent.WebhookMessage, error) {
	now := time.Now().UTC().Truncate(time.Millisecond)

	body, err := event.Body(ev, now)
	if err != nil {
		return nil, err
	}

	c := q.Store.Client(ctx)

	message, err := c.WebhookMessage.Create().
		SetBody(string(body)).SetEventType(ev.Kind()).SetOccurredAt(now).SetWorkspaceID(endpoints[0].WorkspaceID).
		Save(ctx)
	if err != nil {
		return nil, fmt.Errorf("write message: %w", err)
	}

	rows := make([]*ent.WebhookDeliveryCreate, len(endpoints))
	for i, endpoint := range endpoints {
		rows[i] = c.WebhookDelivery.Create().
			SetEndpoint(endpoint).SetMessage(message).SetNextAttemptAt(now).SetWorkspaceID(endpoint.WorkspaceID)
	}

	deliveries, err := c.WebhookDelivery.CreateBulk(rows...).Save(ctx)
	if err != nil {
		return nil, fmt.Errorf("write deliveries: %w", err)
	}

	wanted := make([]river.JobArgs, 0, len(deliveries))
	for i, delivery := range deliveries {
		if !endpoints[i].Extra.Late {
			wanted = append(wanted, Deliver{Behind: endpoints[i].FailingSince != nil, DeliveryID: delivery.ID, EndpointID: delivery.EndpointID})
		}
	}

	return message, q.Add(ctx, wanted...)
}

// lateBy is how long a delivery must have been due for its endpoint to count as late. Then either a run is
// working on the endpoint and will find what else becomes due, or the queue is not being worked and the next
// worker looks for due deliveries.
const lateBy = time.Second

// sayWhoIsLate determines which endpoints are late: they need no further job. Without this, a burst of events
// or an hour without workers leaves one job for each event, and the first job does the work of all.
// Conditions that an index covers are written as literals, because Postgres does not use the index for a
// parameter.
func sayWhoIsLate(s *sql.Selector) {
	d := sql.Table(webhookdelivery.Table)
	due := sql.Select(d.C(webhookdelivery.FieldID)).From(d).Where(sql.And(
		sql.ColumnsEQ(d.C(webhookdelivery.FieldEndpointID), s.C(webhookendpoint.FieldID)),
		sql.ExprP(webhookdelivery.Table+"."+webhookdelivery.FieldStatus+" = '"+string(values.DeliveryStatusPending)+"'"),
		sql.LT(d.C(webhookdelivery.FieldNextAttemptAt), time.Now().Add(-lateBy)),
	))
	s.AppendSelectExprAs(sql.Exists(due), ent.LateColumn)
}

// CancelDeliveries cancels every unfinished delivery to the endpoint. Call it in the transaction that disables the
// endpoint, after the endpoint has been changed.
func CancelDeliveries(ctx context.Context, c *ent.Client, endpointID string) error {
	pending := func(s *sql.Selector) {
		t := sql.Table(webhookdelivery.Table)
		s.Where(sql.In(s.C(webhookdelivery.FieldID), sql.Select(t.C(webhookdelivery.FieldID)).From(t).
			Where(sql.And(sql.EQ(t.C(webhookdelivery.FieldEndpointID), endpointID),
										sql.EQ(t.C(webhookdelivery.FieldStatus), values.DeliveryStatusPending))).
			OrderBy(t.C(webhookdelivery.FieldID)).ForUpdate())) // in the order in which attempts are recorded, to avoid deadlocks
	}

	err := c.WebhookDelivery.Update().Where(pending).
		ClearNextAttemptAt().SetStatus(values.DeliveryStatusCanceled).Exec(ctx)
	if err != nil {
		return fmt.Errorf("cancel deliveries to %s: %w", endpointID, err)
	}

	return nil
}

// subscribed returns the enabled endpoints that subscribe to a kind of event.
func subscribed(ctx context.Context, c *ent.Client, kind values.EventType) ([]*ent.WebhookEndpoint, error) {
	endpoints, err := c.WebhookEndpoint.Query().
		Where(webhookendpoint.Disabled(false)).
		Select(webhookendpoint.FieldID, webhookendpoint.FieldFailingSince, webhookendpoint.FieldFilterTypes,
			webhookendpoint.FieldUserID, webhookendpoint.FieldWorkspaceID).
		Modify(sayWhoIsLate).
		All(ctx)
	if err != nil {
		return nil, fmt.Errorf("find endpoints: %w", err)
	}

	return slices.DeleteFunc(endpoints, func(e *ent.WebhookEndpoint) bool {
		return e.FilterTypes != nil && !slices.Contains(e.FilterTypes, kind)
	}), nil
}

// receivers returns those of the endpoints that get an event, because their users belong to its audience.
func receivers(ctx context.Context, c *ent.Client, endpoints []*ent.WebhookEndpoint, audience Audience) ([]*ent.WebhookEndpoint, error) {
	people := make([]string, len(endpoints))
	for i, endpoint := range endpoints {
		people[i] = endpoint.UserID
	}

	admitted, err := audience(ctx, c, people)
	if err != nil {
		return nil, fmt.Errorf("find the audience: %w", err)
	}

	return held(ctx, c, slices.DeleteFunc(slices.Clone(endpoints), func(e *ent.WebhookEndpoint) bool { return !admitted[e.UserID] }))
}

// held locks the endpoints until the transaction ends, and returns those that still exist and are enabled. Other
// transactions can still publish.
func held(ctx context.Context, c *ent.Client, endpoints []*ent.WebhookEndpoint) ([]*ent.WebhookEndpoint, error) {
	if len(endpoints) == 0 {
		return nil, nil
	}

	there := make(map[string]bool, len(endpoints))

	named := make([]string, len(endpoints))
	for i, endpoint := range endpoints {
		named[i] = endpoint.ID
	}

	q := c.WebhookEndpoint.Query().Where(webhookendpoint.IDIn(named...), webhookendpoint.Disabled(false)).
		Order(ent.Asc(webhookendpoint.FieldID)).Unique(false)
	q.Modify(func(s *sql.Selector) { s.For(sql.LockKeyShare) })

	kept, err := q.IDs(ctx)
	if err != nil {
		return nil, fmt.Errorf("hold endpoints: %w", err)
	}

	for _, id := range kept {
		there[id] = true
	}

	return slices.DeleteFunc(endpoints, func(e *ent.WebhookEndpoint) bool { return !there[e.ID] }), nil
}
