package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// PlaylistGroup is a heading in the sidebar that groups playlists.
type PlaylistGroup struct{ ent.Schema }

// Mixin implements ent.Interface.
func (PlaylistGroup) Mixin() []ent.Mixin { return record(ids.PlaylistGroup) }

// Fields implements ent.Interface.
func (PlaylistGroup) Fields() []ent.Field {
	return []ent.Field{
		field.String("user_id").Immutable().Comment("The creator."),
		field.String("name").NotEmpty().MaxLen(1020),
		field.String("emoji").Optional().Nillable(),
		field.Enum("visibility").GoType(values.Visibility("")).Default(string(values.VisibilityPersonal)).Immutable(),
		field.Int("position").NonNegative().Default(0),
		field.Time("updated_at").Default(Millis).Comment("When the group itself changed; moving its neighbors does not count."),
	}
}

// Edges implements ent.Interface.
func (PlaylistGroup) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("playlists", Playlist.Type).Annotations(entsql.OnDelete(entsql.SetNull)),
	}
}

// Indexes implements ent.Interface.
func (PlaylistGroup) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("workspace_id", "visibility", "position"),
	}
}
