package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/reelgraph/reelgraph/internal/platform/ids"
)

// IdempotencyKey is the stored response to a finished request. It is replayed for 24 hours.
type IdempotencyKey struct{ ent.Schema }

// Mixin implements ent.Interface.
func (IdempotencyKey) Mixin() []ent.Mixin { return record(ids.IdempotencyKey) }

// Fields implements ent.Interface.
func (IdempotencyKey) Fields() []ent.Field {
	return []ent.Field{
		field.String("user_id").Immutable(),
		field.Bytes("scope").Immutable().Comment("SHA-256 of user, workspace, method, path and key."),
		field.Bytes("fingerprint").Immutable().Comment("SHA-256 of query, content type and body."),
		field.Int("status").Immutable(),
		field.JSON("header", map[string]string{}).Immutable(),
		field.Bytes("body").Immutable(),
		field.Bool("encrypted").Default(false).Immutable(),
		field.Time("expires_at").Immutable(),
	}
}

// Indexes implements ent.Interface.
func (IdempotencyKey) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("scope").Unique(),
		index.Fields("expires_at"),
	}
}
