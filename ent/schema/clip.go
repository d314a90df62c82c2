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

// Clip is a section of a video that shows one recording.
type Clip struct{ ent.Schema }

// Mixin implements ent.Interface.
func (Clip) Mixin() []ent.Mixin { return resource(ids.Clip) }

// Fields implements ent.Interface.
func (Clip) Fields() []ent.Field {
	return []ent.Field{
		field.String("video_id").Immutable(),
		field.String("screen_source_id").Optional().Nillable().Immutable(),
		field.String("camera_source_id").Optional().Nillable().Immutable(),
		field.String("microphone_source_id").Optional().Nillable().Immutable(),
		field.String("mouse_source_id").Optional().Nillable().Immutable(),
		field.JSON("offsets", values.Offsets{}).Optional().Comment("Start of each track after the earliest one."),
		field.String("name").NotEmpty().MaxLen(1020),
		field.Int("position").NonNegative().Comment("The order within the video, 0 to n-1."),
		field.Int64("recording_ms").NonNegative().Immutable().
			Comment("From the start of the screen track to the later end of screen and camera; 0 while bytes are still arriving."),
		field.Int64("duration_ms").NonNegative().Comment("Length after the cuts."),
		field.JSON("cuts", values.Cuts{}).Comment("Recording time; ascending, disjoint, not adjacent."),
		field.JSON("background", values.Background{}),
		field.Enum("border_style").GoType(values.BorderStyle("")).Optional().Nillable().Comment("Null follows the video."),
		field.Enum("corners").GoType(values.Corners("")).Optional().Nillable().Comment("Null follows the video."),
		field.JSON("crop", &values.CropBox{}).Optional(),
		field.Enum("transition").GoType(values.ClipTransition("")).Default(string(values.ClipTransitionDefault)),
		field.Bool("studio_sound_off").Default(false).Comment("The clip's opt-out."),
		field.Bool("has_microphone").Immutable().Comment("Whether the clip has microphone sound."),
		field.Bool("has_system_audio").Immutable().Comment("Whether the clip has system sound."),
		field.Bool("animated_cursor").Default(false),
		field.Float("microphone_volume").Optional().Nillable().Comment("Null follows the video."),
		field.Float("system_audio_volume").Optional().Nillable().Comment("Null follows the video."),
		field.JSON("base_layout", &values.LayoutShape{}).Optional().Comment("Null means the default of the scene type."),
		field.Enum("transcript_status").GoType(values.TranscriptStatus("")).Default(string(values.TranscriptStatusPending)),
		field.String("transcript_language").Default(""),
		field.String("transcript_error").Default(""),
	}
}

// Edges implements ent.Interface.
func (Clip) Edges() []ent.Edge {
	return []ent.Edge{
		belongsTo("video", Video.Type, "clips"),
		edge.To("screen_source", Source.Type).Field("screen_source_id").Unique().Immutable(),
		edge.To("camera_source", Source.Type).Field("camera_source_id").Unique().Immutable(),
		edge.To("microphone_source", Source.Type).Field("microphone_source_id").Unique().Immutable(),
		edge.To("mouse_source", Source.Type).Field("mouse_source_id").Unique().Immutable(),
		parts("effects", Effect.Type),
		edge.To("transcript", Transcript.Type).Unique().Annotations(entsql.OnDelete(entsql.Cascade)),
		parts("chapters", Chapter.Type),
	}
}

// Indexes implements ent.Interface.
func (Clip) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("video_id", "position"),
		index.Fields("screen_source_id"),
		index.Fields("camera_source_id"),
		index.Fields("microphone_source_id"),
		index.Fields("mouse_source_id"),
		index.Fields("updated_at").StorageKey("clip_transcript_unavailable").
			Annotations(entsql.IndexWhere("transcript_status = 'unavailable'")),
		index.Fields("transcript_status").Annotations(entsql.IndexWhere("transcript_status = 'pending' OR transcript_status = 'processing'")),
	}
}
