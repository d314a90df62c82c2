package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"github.com/lib/pq"

	"github.com/reelgraph/reelgraph/internal/platform/ids"
)

// Transcript holds the recognized words of a clip, with recording times, and the users' corrections. Each column is a
// list with one entry for each word, in order. The list in the column corrected, and the lists after it, may be
// shorter than the others; missing entries are zero values. All words share one row, because a row for each word
// would cost Postgres many times as much. Read a Transcript with package transcripts.
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
		field.Other("corrected", pq.StringArray{}).SchemaType(list("text")).Comment("Empty for a word without a correction."),
		field.Other("hidden", pq.BoolArray{}).SchemaType(list("boolean")).Comment("Hidden in captions, still in the sound."),
		field.Other("cues", pq.Int64Array{}).SchemaType(list("bigint")).
			Comment("The caption of an uploaded file that holds the word, from 1; 0 when there are no captions."),
		field.Other("confidence", pq.Float64Array{}).SchemaType(list("double precision")).
			Comment("0 to 1; 0 when the provider reports none."),
	}
}

// Edges implements ent.Interface.
func (Transcript) Edges() []ent.Edge {
	return []ent.Edge{
		edge.From("clip", Clip.Type).Ref("transcript").Field("clip_id").Unique().Required().Immutable(),
	}
}
