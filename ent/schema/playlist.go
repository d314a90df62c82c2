package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Playlist is an ordered collection of videos.
type Playlist struct{ ent.Schema }

// Mixin implements ent.Interface.
func (Playlist) Mixin() []ent.Mixin { return listed(ids.Playlist) }

// Fields implements ent.Interface.
func (Playlist) Fields() []ent.Field {
	return []ent.Field{
		field.String("user_id").Immutable().Comment("The creator."),
		field.String("group_id").Optional().Nillable(),
		field.String("name").NotEmpty().MaxLen(1020),
		field.String("description").Default(""),
		field.String("emoji").Optional().Nillable(),
		field.Enum("link_scope").GoType(values.LinkScope("")).Default(string(values.LinkScopePublic)),
		field.Enum("visibility").GoType(values.Visibility("")).Default(string(values.VisibilityPersonal)).Immutable(),
		field.Bool("search_engine_indexing_enabled").Default(false),
		field.String("password_hash").Optional().Sensitive(),
		field.Int("position").NonNegative().Default(0),
	}
}

// Edges implements ent.Interface.
func (Playlist) Edges() []ent.Edge {
	return []ent.Edge{
		edge.From("group", PlaylistGroup.Type).Ref("playlists").Field("group_id").Unique(),
		parts("playlist_videos", PlaylistVideo.Type),
	}
}

// Indexes implements ent.Interface.
func (Playlist) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("workspace_id", "user_id", "visibility"),
		index.Fields("group_id", "position"),
	}
}
