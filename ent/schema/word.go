package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/reelgraph/reelgraph/internal/ids"
)

// Word is a word heard in a clip, in recording time, and what the user corrected it to.
type Word struct{ ent.Schema }

// Mixin implements ent.Interface.
func (Word) Mixin() []ent.Mixin { return record(ids.Word) }

// Fields implements ent.Interface.
func (Word) Fields() []ent.Field {
	return []ent.Field{
		field.String("clip_id").Immutable(),
		field.Int("position").NonNegative().Immutable().Comment("The stable index within the clip."),
		field.String("text").NotEmpty().Immutable(),
		field.String("corrected").Optional().Nillable(),
		field.Bool("hidden").Default(false).Comment("Left out of captions, not of the sound."),
		field.Int64("start_ms").NonNegative().Immutable(),
		field.Int64("end_ms").NonNegative().Immutable(),
		field.Int("cue").Default(0).NonNegative().Immutable().
			Comment("Which caption of an uploaded file it stands in, from 1; 0 when nobody divided the words."),
		field.Float("confidence").Default(0).Immutable().Comment("0 to 1; 0 when the provider does not say."),
	}
}

// Edges implements ent.Interface.
func (Word) Edges() []ent.Edge {
	return []ent.Edge{
		belongsTo("clip", Clip.Type, "words"),
	}
}

// Indexes implements ent.Interface.
func (Word) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("clip_id", "position").Unique(),
	}
}
