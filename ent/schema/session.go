package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/reelgraph/reelgraph/internal/platform/ids"
)

// Session is a person's sign-in in a browser.
type Session struct{ ent.Schema }

// Mixin implements ent.Interface.
func (Session) Mixin() []ent.Mixin { return resource(ids.Session) }

// Fields implements ent.Interface.
func (Session) Fields() []ent.Field {
	return []ent.Field{
		field.String("user_id").Immutable(),
		field.Bytes("token_hash").Immutable().Unique().Sensitive(),
		field.Time("expires_at"),
		field.Time("last_seen_at").Default(Millis),
		field.String("user_agent").Default("").MaxLen(512),
	}
}

// Edges implements ent.Interface.
func (Session) Edges() []ent.Edge {
	return []ent.Edge{
		belongsTo("user", User.Type, "sessions"),
	}
}

// Indexes implements ent.Interface.
func (Session) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("user_id"),
		index.Fields("expires_at"),
	}
}
