package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// WebhookDelivery is the delivery of one message to one endpoint.
type WebhookDelivery struct{ ent.Schema }

// Mixin implements ent.Interface.
func (WebhookDelivery) Mixin() []ent.Mixin { return resource(ids.Delivery) }

// Fields implements ent.Interface.
func (WebhookDelivery) Fields() []ent.Field {
	return []ent.Field{
		field.String("message_id").Immutable(),
		field.String("endpoint_id").Immutable(),
		field.Enum("status").GoType(values.DeliveryStatus("")).Default(string(values.DeliveryStatusPending)),
		field.Int("attempts").Default(0),
		field.Time("next_attempt_at").Optional().Nillable(),
	}
}

// Edges implements ent.Interface.
func (WebhookDelivery) Edges() []ent.Edge {
	return []ent.Edge{
		belongsTo("message", WebhookMessage.Type, "deliveries"),
		belongsTo("endpoint", WebhookEndpoint.Type, "deliveries"),
		parts("tries", WebhookAttempt.Type),
	}
}

// Indexes implements ent.Interface.
func (WebhookDelivery) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("message_id", "endpoint_id").Unique(),
		index.Fields("endpoint_id", "status"),
		// The due deliveries of an endpoint, oldest first; and the endpoints that have due deliveries.
		index.Fields("endpoint_id", "next_attempt_at").
			Annotations(entsql.IndexWhere("(status)::text = 'pending'::text AND next_attempt_at IS NOT NULL")),
		// Deliveries parked by the previous version.
		index.Fields("endpoint_id").Annotations(entsql.IndexWhere("(status)::text = 'pending'::text AND next_attempt_at IS NULL")),
	}
}
