// Package schema defines the database entities, each in a file of its own. This file contains the mixins that the
// entities share.
package schema

import (
	"time"

	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"entgo.io/ent/schema/mixin"

	"github.com/reelgraph/reelgraph/internal/platform/ids"
)

// Millis returns the current time in UTC, truncated to the precision that the API prints.
func Millis() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }

// row gives an entity its prefixed id and its creation time.
type row struct {
	mixin.Schema

	kind ids.Kind
}

func (m row) Fields() []ent.Field {
	return []ent.Field{
		field.String("id").Immutable().DefaultFunc(func() string { return ids.New(m.kind) }),
		field.Time("created_at").Immutable().Default(Millis),
	}
}

// changed gives an entity the column updated_at, which every write sets to the current time.
type changed struct{ mixin.Schema }

func (changed) Fields() []ent.Field {
	return []ent.Field{field.Time("updated_at").Default(Millis).UpdateDefault(Millis)}
}

// paged gives an entity the columns that stable pages need: an updated_at that only real edits change, and the
// transaction that created the row. A trigger of the first migration writes each change of updated_at to the touch
// log.
type paged struct{ mixin.Schema }

func (paged) Fields() []ent.Field {
	return []ent.Field{
		field.Time("updated_at").Default(Millis),
		field.Int64("created_xid").Optional().Immutable().
			Annotations(entsql.DefaultExpr("(pg_current_xact_id()::text)::bigint")).
			Comment("The transaction that created the row, set by the database."),
	}
}

func (paged) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("workspace_id", "updated_at", "id").
			Annotations(entsql.DescColumns("updated_at", "id")),
	}
}

// resource returns the mixins of a row in a workspace: its id, its times and its workspace.
func resource(kind ids.Kind) []ent.Mixin {
	return []ent.Mixin{row{kind: kind}, changed{}, tenant{}}
}

// listed returns the mixins of a resource whose list is read in stable pages.
func listed(kind ids.Kind) []ent.Mixin {
	return []ent.Mixin{row{kind: kind}, tenant{}, paged{}}
}

// record returns the mixins of a row of a workspace that is written only once, such as a message or an attempt.
func record(kind ids.Kind) []ent.Mixin {
	return []ent.Mixin{row{kind: kind}, tenant{}}
}

// global returns the mixins of a row that belongs to no workspace.
func global(kind ids.Kind) []ent.Mixin {
	return []ent.Mixin{row{kind: kind}, changed{}}
}

// belongsTo is the required, immutable edge from a part to its whole. Deleting the whole deletes the part.
func belongsTo(name string, whole any, ref string) ent.Edge {
	return edge.From(name, whole).Ref(ref).Field(name + "_id").Unique().Required().Immutable()
}

// parts is the inverse of belongsTo.
func parts(name string, part any) ent.Edge {
	return edge.To(name, part).Annotations(entsql.OnDelete(entsql.Cascade))
}
