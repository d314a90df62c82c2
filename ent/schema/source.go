package schema

import (
	"encoding/json"

	"entgo.io/ent"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Source is an uploaded recording, sound, picture or pointer track. The properties that a client declares are only
// hints, because the probe determines the real ones.
type Source struct{ ent.Schema }

// Mixin implements ent.Interface.
func (Source) Mixin() []ent.Mixin { return resource(ids.Source) }

// Fields implements ent.Interface.
func (Source) Fields() []ent.Field {
	return []ent.Field{
		field.String("user_id").Optional().Nillable().Immutable().Comment("Null means the workspace owns it."),
		field.Enum("kind").GoType(values.SourceKind("")).Immutable(),
		field.Enum("role").GoType(values.SourceRole("")).Optional().Nillable().Comment("Video only."),
		field.Enum("audio").GoType(values.SourceAudio("")).Optional().Nillable(),
		field.Enum("status").GoType(values.SourceStatus("")).Default(string(values.SourceStatusPending)),
		field.Bool("streaming").Default(false).Immutable(),
		field.String("name").Default("").MaxLen(1020),
		field.String("content_type").Default("").MaxLen(255),
		field.Int("declared_width").Default(0).Comment("A hint until the probe finds width and height."),
		field.Int("declared_height").Default(0),
		field.Int("width").Default(0),
		field.Int("height").Default(0),
		field.Int64("duration_ms").Default(0),
		field.Int("fps_num").Default(0).Comment("Frames per fps_den seconds; 0 without video."),
		field.Int("fps_den").Default(1),
		field.Bool("has_audio").Default(false),
		field.Int64("bytes").Default(0),
		field.Int64("upload_offset").Default(0).Comment("Bytes received and stored."),
		field.Int64("upload_length").Optional().Nillable().Comment("Total bytes; null until the client declares it."),
		field.Time("arrived_at").Optional().Nillable().Comment("When the last byte arrived; null for sources of older versions."),
		field.Int64("reserved_bytes").Default(0).Comment("Storage of the workspace reserved for bytes that have not arrived yet."),
		field.Time("upload_expires_at").Optional().Nillable(),
		field.String("blob_key").Default(""),
		field.String("growing_key").Default("").
			Comment("Receives the rest of an interrupted recording while blob_key holds the bytes before it."),
		field.Time("interrupted_at").Optional().Nillable().
			Comment("When the server completed it because no more bytes came. The rest can still be sent for a while."),
		field.Bool("partial").Default(false).Immutable().
			Comment("One part of an upload sent in parallel parts. Only that upload uses it."),
		field.JSON("parts", []values.UploadPart{}).Optional().Comment("The parts the file is joined from, in order."),
		field.String("joined_id").Default("").Comment("The source this part was joined into."),
		field.JSON("clock", &values.TrackClock{}).Optional().Comment("When its first frames were captured, as measured by the recorder."),
		field.Float("began_ms").Optional().Nillable().
			Comment("Start of the content by that clock, found by the probe; null without a clock."),
		field.String("sha256").Default("").Comment("SHA-256 of the bytes in hex; part of the key of rendered chunks."),
		field.JSON("probe", json.RawMessage{}).Optional().Comment("FFmpeg's probe result, written by internal/engine/probe."),
		field.String("error_code").Default(""),
		field.String("error_message").Default(""),
		field.Time("ready_at").Optional().Nillable(),
	}
}

// Edges implements ent.Interface. Access to a source follows the clips and effects that use it.
func (Source) Edges() []ent.Edge {
	return []ent.Edge{
		edge.From("screen_clips", Clip.Type).Ref("screen_source"),
		edge.From("camera_clips", Clip.Type).Ref("camera_source"),
		edge.From("microphone_clips", Clip.Type).Ref("microphone_source"),
		edge.From("mouse_clips", Clip.Type).Ref("mouse_source"),
		edge.From("library_items", LibraryItem.Type).Ref("source"),
		edge.From("effects", Effect.Type).Ref("source"),
	}
}

// Indexes implements ent.Interface.
func (Source) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("workspace_id", "user_id", "created_at"),
		index.Fields("status", "upload_expires_at"),
	}
}
