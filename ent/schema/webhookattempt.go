package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// WebhookAttempt is one delivery attempt and its outcome.
type WebhookAttempt struct{ ent.Schema }

// Mixin implements ent.Interface.
func (WebhookAttempt) Mixin() []ent.Mixin { return record(ids.Attempt) }

// Fields implements ent.Interface.
func (WebhookAttempt) Fields() []ent.Field {
	return []ent.Field{
		field.String("delivery_id").Immutable(),
		field.String("message_id").Optional().Immutable().Comment("That of the delivery, like endpoint_id. The database sets both."),
		field.String("endpoint_id").Optional().Immutable(),
		field.Int("attempt").Positive().Immutable(),
		field.Enum("status").GoType(values.AttemptStatus("")).Immutable(),
		field.Int("response_status").Optional().Nillable().Immutable(),
		field.Text("response_body").Default("").Immutable().Comment("At most 16 KiB."),
		field.Enum("error").GoType(values.AttemptError("")).Optional().Nillable().Immutable(),
		field.Int64("duration_ms").Immutable(),
		field.Time("sent_at").Immutable(),
		field.Time("next_attempt_at").Optional().Nillable().Immutable(),
	}
}

// Edges implements ent.Interface.
func (WebhookAttempt) Edges() []ent.Edge {
	return []ent.Edge{
		belongsTo("delivery", WebhookDelivery.Type, "tries"),
	}
}

// Indexes implements ent.Interface.
func (WebhookAttempt) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("delivery_id", "attempt"),
		index.Fields("sent_at"),
		// The attempts at an endpoint, newest first; all of them, and those with one outcome.
		index.Fields("endpoint_id", "sent_at", "id").Annotations(entsql.DescColumns("sent_at", "id")),
		index.Fields("endpoint_id", "status", "sent_at", "id").Annotations(entsql.DescColumns("sent_at", "id")),
	}
}
