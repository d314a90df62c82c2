package schema

import (
	"encoding/json"

	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Extract is data that was computed from media: pictures, contact sheets, a waveform, silences, or the position of
// the window found in a frame. It can be computed again at any time.
type Extract struct{ ent.Schema }

// Mixin implements ent.Interface.
func (Extract) Mixin() []ent.Mixin { return record(ids.Extract) }

// Fields implements ent.Interface.
func (Extract) Fields() []ent.Field {
	return []ent.Field{
		field.String("subject_id").NotEmpty().Immutable().Comment("The video or source it was made from; it is deleted with it."),
		field.String("key").NotEmpty().Immutable().Comment("Hash of the recipe. Equal requests share one row."),
		field.JSON("recipe", json.RawMessage{}).Immutable().Comment("An extracts.Recipe."),
		field.Enum("status").GoType(values.ExtractStatus("")).Default(string(values.ExtractStatusPending)),
		field.JSON("files", []values.ExtractFile{}).Default([]values.ExtractFile{}),
		field.String("error_message").Default("").Comment("Why it could not be made, for the client."),
		field.Time("finished_at").Optional().Nillable(),
		field.Time("used_at").Default(Millis).Comment("Last use, rounded to the hour. Unused extracts are deleted."),
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
