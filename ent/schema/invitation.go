package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
)

// Invitation offers a person a membership in a workspace. When the person accepts, the membership replaces it.
type Invitation struct{ ent.Schema }

// Mixin implements ent.Interface.
func (Invitation) Mixin() []ent.Mixin { return resource(ids.Invitation) }

// Fields implements ent.Interface.
func (Invitation) Fields() []ent.Field {
	return []ent.Field{
		field.String("email").NotEmpty().MaxLen(320).Immutable().Comment("The address in lower case, for lookups."),
		field.String("address").NotEmpty().MaxLen(320).Comment("The address as entered."),
		field.Enum("role").GoType(auth.Role("")).Default(string(auth.RoleMember)),
		field.Bytes("token_hash").Optional().Nillable().Unique().Sensitive().
			Comment("SHA-256 of the link's token; null until a link exists."),
		field.Bool("mailed").Default(false).Comment("The link is only sent by mail and never shown, so using it proves the address."),
		field.Time("expires_at"),
		field.String("inviter_id").Optional().Nillable().Comment("Null when the server made the invitation from a membership."),
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
