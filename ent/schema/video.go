package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Video is a film made of clips. Every write to the video or its parts increases its revision by one.
type Video struct{ ent.Schema }

// Mixin implements ent.Interface.
func (Video) Mixin() []ent.Mixin { return append(listed(ids.Video), trashable{}) }

// Fields implements ent.Interface.
func (Video) Fields() []ent.Field {
	return []ent.Field{
		field.String("user_id").Immutable().Comment("The creator."),
		field.String("name").NotEmpty().MaxLen(1020),
		field.String("description").Default(""),
		field.Enum("visibility").GoType(values.Visibility("")).Default(string(values.VisibilityOrg)),
		field.Int64("revision").Default(0),
		field.Int64("views").Default(0).Comment("All views ever; does not move updated_at."),
		field.Time("first_viewed_at").Optional().Nillable().Comment("When it was first played; null if only before this was kept."),
		field.Int64("duration_ms").Default(0).Comment("The sum of its clips' playback lengths."),
		field.Int("width"),
		field.Int("height"),
		field.Bool("size_awaited").Default(false).
			Comment("Width and height are not set; the probe of the first recording will set them once it has arrived."),
		field.JSON("settings", values.VideoSettings{}),
		field.JSON("editing", values.Editing{}),
		field.JSON("background_music", &values.BackgroundMusic{}).Optional(),
		field.String("password_hash").Optional().Sensitive(),
		field.JSON("thumbnail", &values.ChosenThumbnail{}).Optional().Comment("A chosen frame or image; null while there is none."),
		field.String("thumbnail_key").Optional().Comment("Our copy of the custom thumbnail."),
		field.Int("thumbnail_width").Default(0).Comment("Width of that copy or of the chosen image; 0 without one."),
		field.Int("thumbnail_height").Default(0),
		field.String("thumbnail_fault").Optional().Comment("Why there is no copy; empty while it is being made."),
		field.Int("next_clip_number").Default(1).Comment("One more than the highest N in a default clip name Clip N."),
	}
}

// Edges implements ent.Interface.
func (Video) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("creator", User.Type).Field("user_id").Unique().Required().Immutable(),
		parts("clips", Clip.Type),
		parts("chapters", Chapter.Type),
		parts("exports", Export.Type),
		parts("collaborators", Collaborator.Type),
		parts("comments", Comment.Type),
		parts("playlist_videos", PlaylistVideo.Type),
		parts("video_tags", VideoTag.Type),
		parts("view_sessions", ViewSession.Type),
	}
}

// Indexes implements ent.Interface.
func (Video) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("workspace_id", "user_id"),
		// The orders of the list of videos. The migrations contain another one for names.
		index.Fields("workspace_id", "created_at", "id"),
		index.Fields("workspace_id", "duration_ms", "id"),
		index.Fields("workspace_id", "views", "id"),
	}
}
