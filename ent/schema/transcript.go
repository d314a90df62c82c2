package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"github.com/lib/pq"

	"github.com/reelgraph/reelgraph/internal/platform/ids"
)

// Transcript is the words heard in a clip, in recording time, and what users corrected them to. Each column is a list with
// an entry for each word, in their order; those from corrected on may be shorter, and what they lack is their zero value.
// A row for each word would cost Postgres many times as much. Read it through package heard.
type Transcript struct{ ent.Schema }

// Mixin implements ent.Interface.
func (Transcript) Mixin() []ent.Mixin { return resource(ids.Transcript) }

// Fields implements ent.Interface.
func (Transcript) Fields() []ent.Field {
	list := func(of string) map[string]string { return map[string]string{dialect.Postgres: of + "[]"} }

	return []ent.Field{
		field.String("clip_id").Immutable(),
		field.Other("texts", pq.StringArray{}).SchemaType(list("text")),
		field.Other("starts", pq.Int64Array{}).SchemaType(list("bigint")).Comment("In milliseconds."),
		field.Other("ends", pq.Int64Array{}).SchemaType(list("bigint")).Comment("In milliseconds."),
		field.Other("corrected", pq.StringArray{}).SchemaType(list("text")).Comment("Empty for a word that nobody corrected."),
		field.Other("hidden", pq.BoolArray{}).SchemaType(list("boolean")).Comment("Left out of captions, not of the sound."),
		field.Other("cues", pq.Int64Array{}).SchemaType(list("bigint")).
			Comment("Which caption of an uploaded file a word stands in, from 1; 0 when nobody divided the words."),
		field.Other("confidence", pq.Float64Array{}).SchemaType(list("double precision")).
			Comment("0 to 1; 0 when the provider does not say."),
	}
}

// Edges implements ent.Interface.
func (Transcript) Edges() []ent.Edge {
	return []ent.Edge{
		edge.From("clip", Clip.Type).Ref("transcript").Field("clip_id").Unique().Required().Immutable(),
	}
}
