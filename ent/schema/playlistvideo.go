package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/reelgraph/reelgraph/internal/platform/ids"
)

// PlaylistVideo is a video's place in a playlist.
type PlaylistVideo struct{ ent.Schema }

// Mixin implements ent.Interface.
func (PlaylistVideo) Mixin() []ent.Mixin { return record(ids.PlaylistVideo) }

// Fields implements ent.Interface.
func (PlaylistVideo) Fields() []ent.Field {
	return []ent.Field{
		field.String("playlist_id").Immutable(),
		field.String("video_id").Immutable(),
		field.Int("position").NonNegative(),
		field.Int64("created_xid").Optional().Immutable().Annotations(entsql.DefaultExpr("(pg_current_xact_id()::text)::bigint")),
	}
}

// Edges implements ent.Interface.
func (PlaylistVideo) Edges() []ent.Edge {
	return []ent.Edge{
		belongsTo("playlist", Playlist.Type, "playlist_videos"),
		belongsTo("video", Video.Type, "playlist_videos"),
	}
}

// Indexes implements ent.Interface.
func (PlaylistVideo) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("playlist_id", "video_id").Unique(),
		index.Fields("playlist_id", "position"),
		index.Fields("video_id"),
	}
}
