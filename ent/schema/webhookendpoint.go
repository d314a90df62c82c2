package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// WebhookEndpoint is an address that receives events. It belongs to the user who registered it.
type WebhookEndpoint struct{ ent.Schema }

// Mixin implements ent.Interface.
func (WebhookEndpoint) Mixin() []ent.Mixin { return listed(ids.Endpoint) }

// Fields implements ent.Interface.
func (WebhookEndpoint) Fields() []ent.Field {
	return []ent.Field{
		field.String("user_id").Immutable(),
		field.String("url").NotEmpty().MaxLen(2048),
		field.JSON("filter_types", []values.EventType{}).Optional().Comment("Null means every type."),
		field.Bytes("secret_sealed").Sensitive().Comment("Encrypted with the server's secret."),
		field.JSON("earlier_secrets", []values.EarlierSecret{}).Optional().Sensitive().
			Comment("Rotated secrets, latest first. Each also signs until it expires."),
		// The latest earlier secret again, for nodes of the version before earlier_secrets.
		field.Bytes("previous_secret_sealed").Optional().Sensitive(),
		field.Time("previous_expires_at").Optional().Nillable().Comment("Until then the previous secret also signs."),
		field.Bool("disabled").Default(false),
		field.String("disabled_reason").Optional().Nillable(),
		field.Time("failing_since").Optional().Nillable().Comment("Time of the first failure since the last success."),
		field.Time("deleted_at").Optional().Nillable().
			Comment("Deleted by its user. The row stays, disabled and without secrets, as long as its messages."),
	}
}

// Edges implements ent.Interface.
func (WebhookEndpoint) Edges() []ent.Edge {
	return []ent.Edge{
		parts("deliveries", WebhookDelivery.Type),
	}
}

// Indexes implements ent.Interface.
func (WebhookEndpoint) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("workspace_id", "user_id"),
	}
}
