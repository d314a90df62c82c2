package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/dialect/sql"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// User is a person. A person may belong to several workspaces.
type User struct{ ent.Schema }

// Mixin implements ent.Interface.
func (User) Mixin() []ent.Mixin { return global(ids.User) }

// Fields implements ent.Interface.
func (User) Fields() []ent.Field {
	return []ent.Field{
		field.String("email").NotEmpty().MaxLen(320).Comment("The address in lower case."),
		field.String("name").Default("").MaxLen(255),
		field.String("password_hash").Optional().Sensitive().Comment("argon2id; empty until a password is set."),
		field.String("unproved_in").Default("").
			Comment("The workspace whose shown link created the account. Its address is unproved and it can act only there. Otherwise empty."),
		field.String("avatar_source_id").Optional().Comment("The image that is the person's picture; in any of their workspaces."),
		field.Enum("layout_intro").GoType(values.LayoutTransition("")).Default(string(values.LayoutTransitionSpring)),
		field.Enum("layout_outro").GoType(values.LayoutTransition("")).Default(string(values.LayoutTransitionSpring)),
	}
}

// Edges implements ent.Interface.
func (User) Edges() []ent.Edge {
	return []ent.Edge{
		parts("memberships", Membership.Type),
		parts("api_keys", APIKey.Type),
		parts("sessions", Session.Type),
		parts("invitations", Invitation.Type),
	}
}

// Indexes implements ent.Interface.
func (User) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("email").Unique(),
		index.Fields("avatar_source_id").Annotations(entsql.IndexWhere("avatar_source_id IS NOT NULL")),
	}
}

// Interceptors implements ent.Interface. A viewer sees the people of its workspace, and former members whose videos are
// still there.
func (User) Interceptors() []ent.Interceptor {
	return []ent.Interceptor{scoped(knownIn)}
}

// Hooks implements ent.Interface. Sign-in and the command line create and change users as the system; a request can
// change only its own user.
func (User) Hooks() []ent.Hook { return []ent.Hook{self} }

func knownIn(workspaceID string) func(*sql.Selector) {
	return func(s *sql.Selector) {
		m, v := sql.Table("memberships"), sql.Table("videos")
		s.Where(sql.Or(
			sql.In(s.C("id"), sql.Select(m.C("user_id")).From(m).Where(sql.EQ(m.C("workspace_id"), workspaceID))),
			sql.Exists(sql.Select(v.C("id")).From(v).Where(
				sql.And(sql.EQ(v.C("workspace_id"), workspaceID), sql.ColumnsEQ(v.C("user_id"), s.C("id"))))),
		))
	}
}
