package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// ViewQuarter is the activity of one viewing session in one quarter of an hour. The table view_totals holds sums of
// these rows.
type ViewQuarter struct{ ent.Schema }

// Mixin implements ent.Interface.
func (ViewQuarter) Mixin() []ent.Mixin { return resource(ids.ViewRollup) }

// Fields implements ent.Interface.
func (ViewQuarter) Fields() []ent.Field {
	return []ent.Field{
		field.String("session_id").Immutable(),
		field.String("video_id").Immutable(),
		field.Time("quarter").Immutable(),
		field.Int("opens").Default(0),
		field.Int("views").Default(0),
		field.Int64("watched_ms").Default(0),
		field.Int64("distinct_ms").Default(0).Comment("The length of ranges."),
		field.Bool("completed").Default(false),
		field.JSON("slices", map[string]int{}).Comment("Watch counts by percent."),
		field.JSON("ranges", values.Cuts{}).Comment("Distinct video time watched."),
	}
}

// Edges implements ent.Interface.
func (ViewQuarter) Edges() []ent.Edge {
	return []ent.Edge{
		belongsTo("session", ViewSession.Type, "quarters"),
	}
}

// Indexes implements ent.Interface.
func (ViewQuarter) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("session_id", "quarter").Unique(),
	}
}
