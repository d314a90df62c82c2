package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/edge"
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
		field.String("body").NotEmpty(),
		field.Int64("at_ms").Optional().Nillable().Immutable(),
		field.String("reply_to_id").Optional().Nillable().Immutable().Comment("The comment that it answers, which is not a reply itself."),
		field.Time("edited_at").Optional().Nillable().Comment("When its author last changed the body."),
		field.Time("resolved_at").Optional().Nillable().Comment("Never set on a reply."),
		field.String("resolved_by_id").Optional().Nillable(),
		field.String("resolved_by").Optional().Nillable().MaxLen(255).Comment("The name of that person at the time."),
	}
}

// Edges implements ent.Interface.
func (Comment) Edges() []ent.Edge {
	return []ent.Edge{
		belongsTo("video", Video.Type, "comments"),
		parts("replies", Comment.Type),
		edge.From("reply_to", Comment.Type).Ref("replies").Field("reply_to_id").Unique().Immutable(),
	}
}

// Indexes implements ent.Interface.
func (Comment) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("video_id", "created_at"),
		index.Fields("reply_to_id"),
	}
}
