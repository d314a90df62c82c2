package schema

import (
	"encoding/json"

	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Export is one rendering of a video at one revision.
type Export struct{ ent.Schema }

// Mixin implements ent.Interface.
func (Export) Mixin() []ent.Mixin { return resource(ids.Export) }

// Fields implements ent.Interface.
func (Export) Fields() []ent.Field {
	return []ent.Field{
		field.String("video_id").Immutable(),
		field.String("user_id").Immutable().Comment("Who asked."),
		field.Enum("status").GoType(values.ExportStatus("")).Default(string(values.ExportStatusPending)),
		field.Int("progress").Default(0).Min(0).Max(100).Comment("100 only when completed."),
		field.Enum("granularity").GoType(values.Granularity("")).Immutable(),
		field.Enum("resolution").GoType(values.Resolution("")).Immutable(),
		field.Enum("fps").GoType(values.FPS("")).Immutable(),
		field.Enum("speed").GoType(values.Speed("")).Immutable(),
		field.Bool("subtitles").Immutable(),
		field.Int64("revision").Immutable().Comment("The video's revision when the export was requested."),
		field.String("plan_hash").Immutable().Comment("Requests of one caller with equal plans share an unfinished export."),
		field.JSON("plan", json.RawMessage{}).Immutable().Comment("What to render. Later edits of the video do not change it."),
		field.String("blob_key").Default(""),
		field.Int64("bytes").Default(0),
		field.Time("finished_at").Optional().Nillable().Comment("When it completed, failed or was canceled."),
		field.Time("expires_at").Optional().Nillable().Comment("When the file and this row are deleted."),
		field.Time("cancel_requested_at").Optional().Nillable(),
		field.Bool("for_pages").Default(false).Immutable().
			Comment("Made for the pages to play. It is in no list and sends no webhook."),
		field.String("error_code").Default(""),
		field.String("error_message").Default(""),
	}
}

// Edges implements ent.Interface.
func (Export) Edges() []ent.Edge {
	return []ent.Edge{
		belongsTo("video", Video.Type, "exports"),
		parts("chunks", ExportChunk.Type),
	}
}

// Indexes implements ent.Interface.
func (Export) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("video_id", "created_at", "id").Annotations(entsql.DescColumns("created_at", "id")),
		index.Fields("video_id", "user_id", "plan_hash", "for_pages").Annotations(entsql.IndexWhere("finished_at IS NULL")).Unique(),
		index.Fields("expires_at"),
		index.Fields("workspace_id", "bytes").Annotations(entsql.IndexWhere("bytes > 0")), // what the workspace stores
	}
}
