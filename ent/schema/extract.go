package schema

import (
	"encoding/json"

	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Extract is what was made of media to be looked at or reckoned with: pictures, sheets of them, the
// shape of a sound, its silences, the window in a frame. It can be made anew at any time.
type Extract struct{ ent.Schema }

// Mixin implements ent.Interface.
func (Extract) Mixin() []ent.Mixin { return record(ids.Extract) }

// Fields implements ent.Interface.
func (Extract) Fields() []ent.Field {
	return []ent.Field{
		field.String("subject_id").NotEmpty().Immutable().Comment("The video or source that it goes with."),
		field.String("key").NotEmpty().Immutable().Comment("The hash of the recipe: whatever asks for the same gets the same."),
		field.JSON("recipe", json.RawMessage{}).Immutable().Comment("An extracts.Recipe."),
		field.Enum("status").GoType(values.ExtractStatus("")).Default(string(values.ExtractStatusPending)),
		field.JSON("files", []values.ExtractFile{}).Default([]values.ExtractFile{}),
		field.String("error_message").Default("").Comment("Why it cannot be made, for who asked."),
		field.Time("finished_at").Optional().Nillable(),
		field.Time("used_at").Default(Millis).Comment("To the hour: what nobody asks for is removed."),
	}
}

// Indexes implements ent.Interface.
func (Extract) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("workspace_id", "key").Unique(),
		index.Fields("subject_id"),
		index.Fields("used_at"),
	}
}
