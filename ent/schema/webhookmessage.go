package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// WebhookMessage is an event in the form that receivers get. It is written in the same transaction as the change that
// the event reports.
type WebhookMessage struct{ ent.Schema }

// Mixin implements ent.Interface.
func (WebhookMessage) Mixin() []ent.Mixin { return record(ids.Message) }

// Fields implements ent.Interface.
func (WebhookMessage) Fields() []ent.Field {
	return []ent.Field{
		field.Enum("event_type").GoType(values.EventType("")).Immutable(),
		field.Text("body").Immutable().Comment("The exact bytes, equal in every attempt."),
		field.Time("occurred_at").Immutable(),
	}
}

// Edges implements ent.Interface.
func (WebhookMessage) Edges() []ent.Edge {
	return []ent.Edge{
		parts("deliveries", WebhookDelivery.Type),
	}
}

// Indexes implements ent.Interface.
func (WebhookMessage) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("workspace_id", "occurred_at", "id").Annotations(entsql.DescColumns("occurred_at", "id")),
		index.Fields("occurred_at"),
	}
}
