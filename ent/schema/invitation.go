package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
)

// Invitation offers a person a place in a workspace. It becomes a membership when the person accepts, and is deleted then.
type Invitation struct{ ent.Schema }

// Mixin implements ent.Interface.
func (Invitation) Mixin() []ent.Mixin { return resource(ids.Invitation) }

// Fields implements ent.Interface.
func (Invitation) Fields() []ent.Field {
	return []ent.Field{
		field.String("email").NotEmpty().MaxLen(320).Immutable().Comment("In lower case."),
		field.String("address").NotEmpty().MaxLen(320).Comment("As it was given."),
		field.Enum("role").GoType(auth.Role("")).Default(string(auth.RoleMember)),
		field.Bytes("token_hash").Optional().Nillable().Unique().Sensitive().
			Comment("SHA-256 of the link's token; null until a link is made."),
		field.Bool("mailed").Default(false).Comment("The link goes out by mail and is never shown, so that using it proves the address."),
		field.Time("expires_at"),
		field.String("inviter_id").Optional().Nillable().Comment("Null when the server turned a membership into the invitation."),
	}
}

// Edges implements ent.Interface.
func (Invitation) Edges() []ent.Edge {
	return []ent.Edge{
		edge.From("workspace", Workspace.Type).Ref("invitations").Field("workspace_id").Unique().Required().Immutable(),
		edge.From("inviter", User.Type).Ref("invitations").Field("inviter_id").Unique(),
	}
}

// Indexes implements ent.Interface.
func (Invitation) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("workspace_id", "email").Unique(),
		index.Fields("email"),
		index.Fields("inviter_id"),
	}
}
