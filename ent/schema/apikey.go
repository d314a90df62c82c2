package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/reelgraph/reelgraph/internal/platform/ids"
)

// APIKey is a key that acts as its owner in one workspace. Only its hash is stored.
type APIKey struct{ ent.Schema }

// Mixin implements ent.Interface.
func (APIKey) Mixin() []ent.Mixin { return resource(ids.APIKey) }

// Fields implements ent.Interface.
func (APIKey) Fields() []ent.Field {
	return []ent.Field{
		field.String("user_id").Immutable(),
		field.String("name").NotEmpty().MaxLen(255),
		field.Bytes("hash").Immutable().Unique().Sensitive().Comment("SHA-256 of the key."),
		field.String("last4").Immutable().MaxLen(4),
		field.Time("expires_at").Optional().Nillable(),
		field.Time("revoked_at").Optional().Nillable(),
		field.Time("last_used_at").Optional().Nillable().Comment("Written at most once a minute."),
	}
}

// Edges implements ent.Interface.
func (APIKey) Edges() []ent.Edge {
	return []ent.Edge{
		belongsTo("user", User.Type, "api_keys"),
	}
}

// Indexes implements ent.Interface.
func (APIKey) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("workspace_id", "user_id", "created_at"),
	}
}
