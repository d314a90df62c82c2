package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Tag is a label for videos. It belongs to the workspace or to one person.
type Tag struct{ ent.Schema }

// Mixin implements ent.Interface.
func (Tag) Mixin() []ent.Mixin { return resource(ids.Tag) }

// Fields implements ent.Interface.
func (Tag) Fields() []ent.Field {
	return []ent.Field{
		field.String("user_id").Immutable().Comment("The creator."),
		field.String("name").NotEmpty().MaxLen(1020),
		field.String("name_key").NotEmpty().Comment("The case-folded name, for comparing names."),
		field.String("color").GoType(values.Color("")),
		field.Enum("scope").GoType(values.TagScope("")).Default(string(values.TagScopeWorkspace)).Immutable(),
		field.String("description").Default(""),
	}
}

// Edges implements ent.Interface.
func (Tag) Edges() []ent.Edge {
	return []ent.Edge{
		parts("video_tags", VideoTag.Type),
	}
}

// Indexes implements ent.Interface.
func (Tag) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("workspace_id", "name_key").Unique().Annotations(entsql.IndexWhere("scope = 'workspace'")),
		index.Fields("workspace_id", "user_id", "name_key").Unique().Annotations(entsql.IndexWhere("scope = 'private'")),
	}
}
