package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/sql"
	"entgo.io/ent/schema/field"

	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
)

// Workspace is the boundary of everything: members, videos and keys belong to one. Its own rows are scoped by id.
type Workspace struct{ ent.Schema }

// Mixin implements ent.Interface.
func (Workspace) Mixin() []ent.Mixin { return global(ids.Workspace) }

// Fields implements ent.Interface.
func (Workspace) Fields() []ent.Field {
	return []ent.Field{
		field.String("name").NotEmpty().MaxLen(255),
		field.Enum("plan").GoType(auth.Plan("")).Default(string(auth.PlanPremium)),
		field.String("command_name").Default("").Immutable().
			Comment("The name that a command of the operator gave it, by which commands find it. Empty when only others named it."),
		field.String("speech_language").Default("").Comment("Empty lets the provider detect it."),
	}
}

// Edges implements ent.Interface.
func (Workspace) Edges() []ent.Edge {
	return []ent.Edge{
		parts("memberships", Membership.Type),
		parts("invitations", Invitation.Type),
	}
}

// Interceptors implements ent.Interface: a viewer sees its own workspace.
func (Workspace) Interceptors() []ent.Interceptor {
	return []ent.Interceptor{scoped(func(workspaceID string) func(*sql.Selector) {
		return sql.FieldEQ("id", workspaceID)
	})}
}

// Hooks implements ent.Interface: a viewer changes its own workspace, and makes none.
func (Workspace) Hooks() []ent.Hook { return []ent.Hook{within("id")} }
