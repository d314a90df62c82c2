package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/sql"
	"entgo.io/ent/schema/field"

	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
)

// Workspace is the tenant: every member, video and key belongs to exactly one workspace. The table of workspaces has
// no workspace_id, so queries select the viewer's workspace by its id.
type Workspace struct{ ent.Schema }

// Mixin implements ent.Interface.
func (Workspace) Mixin() []ent.Mixin { return global(ids.Workspace) }

// Fields implements ent.Interface.
func (Workspace) Fields() []ent.Field {
	return []ent.Field{
		field.String("name").NotEmpty().MaxLen(255),
		field.Enum("plan").GoType(auth.Plan("")).Default(string(auth.PlanPremium)),
		field.String("command_name").Default("").Immutable().
			Comment("The name an operator's command gave it; commands find it by this name. Empty when no command named it."),
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

// Interceptors implements ent.Interface. A viewer sees only its own workspace.
func (Workspace) Interceptors() []ent.Interceptor {
	return []ent.Interceptor{scoped(func(workspaceID string) func(*sql.Selector) {
		return sql.FieldEQ("id", workspaceID)
	})}
}

// Hooks implements ent.Interface. A viewer can change only its own workspace and cannot create one.
func (Workspace) Hooks() []ent.Hook { return []ent.Hook{within("id")} }
