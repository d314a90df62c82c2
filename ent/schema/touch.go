package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// Touch stores the position that a row had in its list before an edit, so that clients that are paging through the
// list still find the row there. A database trigger writes it. It is kept for 24 hours.
type Touch struct{ ent.Schema }

// Mixin implements ent.Interface.
func (Touch) Mixin() []ent.Mixin { return []ent.Mixin{tenant{}} }

// Fields implements ent.Interface.
func (Touch) Fields() []ent.Field {
	return []ent.Field{
		field.Int64("id").Immutable(),
		field.String("row_id").Immutable(),
		field.Time("old_updated_at").Immutable(),
		field.Int64("xid").Immutable().Comment("The transaction of the edit."),
		field.Time("touched_at").Immutable(),
	}
}

// Indexes implements ent.Interface.
func (Touch) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("row_id", "id"),
		index.Fields("workspace_id", "xid"),
		index.Fields("touched_at"),
	}
}
