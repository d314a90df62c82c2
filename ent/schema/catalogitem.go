package schema

import (
	"encoding/json"

	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/reelgraph/reelgraph/internal/video/values"
)

// CatalogItem is a default background, sound or music loop that the project generated itself. Every workspace can use
// it.
type CatalogItem struct{ ent.Schema }

// Mixin implements ent.Interface.
func (CatalogItem) Mixin() []ent.Mixin { return []ent.Mixin{changed{}} }

// Fields implements ent.Interface.
func (CatalogItem) Fields() []ent.Field {
	return []ent.Field{
		field.String("id").Immutable().Comment("The preset's stable name."),
		field.Enum("type").GoType(values.CatalogType("")),
		field.String("name").NotEmpty(),
		field.String("recipe_hash").Comment("Hash of the recipe. When it changes, the file is generated again."),
		field.String("blob_key"),
		field.String("preview_key").Default(""),
		field.Int64("bytes").Default(0),
		field.String("sha256").Default("").Comment("SHA-256 of the file in hex, as for a source."),
		field.JSON("probe", json.RawMessage{}).Optional().Comment("FFmpeg's probe result, as for a source."),
		field.JSON("background", &values.Background{}).Optional(),
		field.Int("width").Default(0),
		field.Int("height").Default(0),
		field.Int64("duration_ms").Default(0),
		field.Int("position").Default(0),
		field.Time("created_at").Immutable().Default(Millis).Annotations(entsql.DefaultExpr("date_trunc('milliseconds', now())")).
			Comment("Sort key in the library; items are never edited there."),
	}
}

// Indexes implements ent.Interface.
func (CatalogItem) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("type", "position"),
	}
}
