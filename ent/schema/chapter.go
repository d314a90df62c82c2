package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/reelgraph/reelgraph/internal/platform/ids"
)

// Chapter is a named point in time of a video. It is stored as a recording time of one clip.
type Chapter struct{ ent.Schema }

// Mixin implements ent.Interface.
func (Chapter) Mixin() []ent.Mixin { return resource(ids.Chapter) }

// Fields implements ent.Interface.
func (Chapter) Fields() []ent.Field {
	return []ent.Field{
		field.String("video_id").Immutable(),
		field.String("clip_id").Immutable(),
		field.Int64("at_ms").NonNegative().Comment("Recording time of the clip."),
		field.String("title").NotEmpty().MaxLen(1020),
		field.String("description").Default(""),
	}
}

// Edges implements ent.Interface.
func (Chapter) Edges() []ent.Edge {
	return []ent.Edge{
		belongsTo("video", Video.Type, "chapters"),
		belongsTo("clip", Clip.Type, "chapters"),
	}
}

// Indexes implements ent.Interface.
func (Chapter) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("video_id"),
		index.Fields("clip_id", "at_ms"),
	}
}
