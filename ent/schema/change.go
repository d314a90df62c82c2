package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// Change is one entry of the change log: something in a workspace that changed, and who could read it before. Database
// triggers write it, and package live tells listeners of it. It is kept for an hour.
type Change struct{ ent.Schema }

// Mixin implements ent.Interface.
func (Change) Mixin() []ent.Mixin { return []ent.Mixin{tenant{}} }

// Fields implements ent.Interface.
func (Change) Fields() []ent.Field {
	return []ent.Field{
		field.Int64("id").Immutable(),
		field.String("kind").Immutable().Comment("The kind of the row: videos, playlists, tags, members, sources, exports or comments."),
		field.String("row_id").Immutable(),
		field.String("video_id").Optional().Immutable().Comment("The video that it belongs to; null for other kinds."),
		field.Strings("readers").Optional().Immutable().Comment("The users who could read it before; null for the whole workspace."),
		field.Int64("xid").Immutable().Comment("The transaction of the change."),
		field.Time("changed_at").Immutable(),
	}
}

// Indexes implements ent.Interface.
func (Change) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("workspace_id", "xid"),
		index.Fields("changed_at"),
	}
}
