package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
)

// Membership makes a person a member of a workspace and stores their role.
type Membership struct{ ent.Schema }

// Mixin implements ent.Interface.
func (Membership) Mixin() []ent.Mixin { return resource(ids.Membership) }

// Fields implements ent.Interface.
func (Membership) Fields() []ent.Field {
	return []ent.Field{
		field.String("user_id").Immutable(),
		field.Time("activity_read_at").Optional().Nillable().Comment("Up to when the member has read the activity around their videos."),
		field.Enum("role").GoType(auth.Role("")).Default(string(auth.RoleMember)),
	}
}

// Edges implements ent.Interface.
func (Membership) Edges() []ent.Edge {
	return []ent.Edge{
		edge.From("workspace", Workspace.Type).Ref("memberships").Field("workspace_id").Unique().Required().Immutable(),
		belongsTo("user", User.Type, "memberships"),
	}
}

// Indexes implements ent.Interface.
func (Membership) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("workspace_id", "user_id").Unique(),
		index.Fields("user_id"),
	}
}
