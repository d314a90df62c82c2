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

// Effect is one edit on a clip: a layout, zoom, mask, overlay, text or sound. Effects of all kinds share one table.
type Effect struct{ ent.Schema }

// Mixin implements ent.Interface.
func (Effect) Mixin() []ent.Mixin { return resource(ids.Effect) }

// Fields implements ent.Interface.
func (Effect) Fields() []ent.Field {
	return []ent.Field{
		field.String("clip_id").Immutable(),
		field.Enum("kind").GoType(values.EffectKind("")).Immutable(),
		field.Int64("start_ms").NonNegative().Comment("Recording time."),
		field.Int64("end_ms").Positive().Comment("Recording time, excluded."),
		field.Int64("z").Default(0).Comment("Stacking order within the clip: later effects are on top."),
		field.String("source_id").Optional().Nillable().Comment("The picture, film or sound it shows or plays."),
		field.JSON("params", values.EffectParams{}),
	}
}

// Edges implements ent.Interface.
func (Effect) Edges() []ent.Edge {
	return []ent.Edge{
		belongsTo("clip", Clip.Type, "effects"),
		edge.To("source", Source.Type).Field("source_id").Unique().Annotations(entsql.OnDelete(entsql.NoAction)),
	}
}

// Indexes implements ent.Interface.
func (Effect) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("clip_id", "kind", "start_ms"),
		index.Fields("source_id"),
	}
}
