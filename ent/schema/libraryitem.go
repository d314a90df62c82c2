package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// LibraryItem is a source kept for reuse, by one person or the whole workspace.
type LibraryItem struct{ ent.Schema }

// Mixin implements ent.Interface.
func (LibraryItem) Mixin() []ent.Mixin { return listed(ids.LibraryItem) }

// Fields implements ent.Interface.
func (LibraryItem) Fields() []ent.Field {
	return []ent.Field{
		field.String("user_id").Immutable().Comment("Who saved it."),
		field.String("source_id").Immutable(),
		field.Enum("scope").GoType(values.LibraryScope("")).Immutable(),
		field.Enum("type").GoType(values.LibraryType("")).Immutable(),
		field.String("name").NotEmpty().MaxLen(1020),
	}
}

// Edges implements ent.Interface.
func (LibraryItem) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("source", Source.Type).Field("source_id").Unique().Required().Immutable(),
	}
}

// Indexes implements ent.Interface.
func (LibraryItem) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("workspace_id", "scope", "type"),
	}
}
