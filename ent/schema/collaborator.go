package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Collaborator is a workspace member with access to a video, granted by the video's creator.
type Collaborator struct{ ent.Schema }

// Mixin implements ent.Interface.
func (Collaborator) Mixin() []ent.Mixin { return resource(ids.Collaborator) }

// Fields implements ent.Interface.
func (Collaborator) Fields() []ent.Field {
	return []ent.Field{
		field.String("video_id").Immutable(),
		field.String("user_id").Immutable(),
		field.Enum("role").GoType(values.CollaboratorRole("")),
	}
}

// Edges implements ent.Interface.
func (Collaborator) Edges() []ent.Edge {
	return []ent.Edge{
		belongsTo("video", Video.Type, "collaborators"),
		edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable(),
	}
}

// Indexes implements ent.Interface.
func (Collaborator) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("video_id", "user_id").Unique(),
		index.Fields("user_id"),
	}
}
