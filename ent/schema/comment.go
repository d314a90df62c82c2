package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/reelgraph/reelgraph/internal/platform/ids"
)

// Comment is a plain-text comment that a viewer wrote on a video.
type Comment struct{ ent.Schema }

// Mixin implements ent.Interface.
func (Comment) Mixin() []ent.Mixin { return record(ids.Comment) }

// Fields implements ent.Interface.
func (Comment) Fields() []ent.Field {
	return []ent.Field{
		field.String("video_id").Immutable(),
		field.String("user_id").Optional().Nillable().Immutable().Comment("Null for a visitor without an account."),
		field.String("author").Immutable().MaxLen(255),
		field.String("body").NotEmpty().Immutable(),
		field.Int64("at_ms").Optional().Nillable().Immutable(),
	}
}

// Edges implements ent.Interface.
func (Comment) Edges() []ent.Edge {
	return []ent.Edge{
		belongsTo("video", Video.Type, "comments"),
	}
}

// Indexes implements ent.Interface.
func (Comment) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("video_id", "created_at"),
	}
}
