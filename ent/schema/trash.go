package schema

import (
	"context"

	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/dialect/sql"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"entgo.io/ent/schema/mixin"

	"github.com/reelgraph/reelgraph/ent/intercept"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
)

// trashable gives an entity a trash. Rows in the trash are left out of every query, also of the system's, unless the
// context asks for them with auth.WithTrash. Interceptors see neither predicates about edges nor SQL statements that
// are written by hand: those leave such rows out themselves, most of them through access.Readable and access.Kept.
type trashable struct{ mixin.Schema }

const trashedAt = "trashed_at"

func (trashable) Fields() []ent.Field {
	return []ent.Field{
		field.Time(trashedAt).Optional().Nillable().Comment("When it was moved to the trash; null if it is not there."),
	}
}

func (trashable) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("workspace_id", trashedAt).Annotations(entsql.IndexWhere("trashed_at IS NOT NULL")),
	}
}

func (trashable) Interceptors() []ent.Interceptor {
	return []ent.Interceptor{intercept.TraverseFunc(func(ctx context.Context, q intercept.Query) error {
		if !auth.SeesTrash(ctx) {
			q.WhereP(sql.FieldIsNull(trashedAt))
		}

		return nil
	})}
}
