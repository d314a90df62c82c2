package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/reelgraph/reelgraph/internal/platform/ids"
)

// VideoTag is a tag on a video.
type VideoTag struct{ ent.Schema }

// Mixin implements ent.Interface.
func (VideoTag) Mixin() []ent.Mixin { return record(ids.VideoTag) }

// Fields implements ent.Interface.
func (VideoTag) Fields() []ent.Field {
	return []ent.Field{
		field.String("video_id").Immutable(),
		field.String("tag_id").Immutable(),
	}
}

// Edges implements ent.Interface.
func (VideoTag) Edges() []ent.Edge {
	return []ent.Edge{
		belongsTo("video", Video.Type, "video_tags"),
		belongsTo("tag", Tag.Type, "video_tags"),
	}
}

// Indexes implements ent.Interface.
func (VideoTag) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("video_id", "tag_id").Unique(),
		index.Fields("tag_id"),
	}
}
