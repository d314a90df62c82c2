package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/reelgraph/reelgraph/internal/platform/ids"
)

// ExportChunk is a finished piece of an export. A restarted export does not render it again.
type ExportChunk struct{ ent.Schema }

// Mixin implements ent.Interface.
func (ExportChunk) Mixin() []ent.Mixin { return record(ids.ExportChunk) }

// Fields implements ent.Interface.
func (ExportChunk) Fields() []ent.Field {
	return []ent.Field{
		field.String("export_id").Immutable(),
		field.Int("position").NonNegative().Immutable(),
		field.String("key").NotEmpty().Immutable().Comment("The hash of everything the piece depends on."),
		field.Int("frames").NonNegative().Immutable(),
		field.Int64("bytes").NonNegative().Immutable(),
	}
}

// Edges implements ent.Interface.
func (ExportChunk) Edges() []ent.Edge {
	return []ent.Edge{
		belongsTo("export", Export.Type, "chunks"),
	}
}

// Indexes implements ent.Interface.
func (ExportChunk) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("export_id", "position").Unique(),
		index.Fields("key"),
	}
}
