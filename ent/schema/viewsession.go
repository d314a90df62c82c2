package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/reelgraph/reelgraph/internal/platform/ids"
)

// ViewSession is one visit of one viewer to a video. The viewer's address is never stored.
type ViewSession struct{ ent.Schema }

// Mixin implements ent.Interface.
func (ViewSession) Mixin() []ent.Mixin { return record(ids.ViewSession) }

// Fields implements ent.Interface.
func (ViewSession) Fields() []ent.Field {
	return []ent.Field{
		field.String("video_id").Immutable(),
		field.Int64("duration_ms").Immutable().Comment("The video's duration when the session opened."),
		field.String("country").Optional().Nillable().Immutable(),
		field.String("referrer").Optional().Nillable().Immutable(),
		field.Bool("private").Default(false).Immutable().Comment("DNT or Sec-GPC was set."),
		field.Time("opened_at").Immutable().Comment("When its page was rendered; no event can be older."),
		field.Time("last_event_at").Default(Millis),
		field.Int64("events").Default(0).Comment("Number of events in its reports."),
		field.Time("first_play_at").Optional().Nillable(),
		field.Time("waiting_since").Optional().Nillable().Comment("When the first report arrived that is not in the figures yet."),
	}
}

// Edges implements ent.Interface.
func (ViewSession) Edges() []ent.Edge {
	return []ent.Edge{
		belongsTo("video", Video.Type, "view_sessions"),
		parts("quarters", ViewQuarter.Type),
	}
}

// Indexes implements ent.Interface.
func (ViewSession) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("video_id", "created_at"),
		index.Fields("waiting_since").Annotations(entsql.IndexWhere("waiting_since IS NOT NULL")),
	}
}
