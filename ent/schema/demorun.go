package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// DemoRun is the last filling of a workspace with demo videos. A workspace has at most one.
type DemoRun struct{ ent.Schema }

// Mixin implements ent.Interface.
func (DemoRun) Mixin() []ent.Mixin { return resource(ids.DemoRun) }

// Fields implements ent.Interface.
func (DemoRun) Fields() []ent.Field {
	return []ent.Field{
		field.String("user_id").Immutable().Comment("Who asked. The videos are theirs."),
		field.Enum("status").GoType(values.DemoStatus("")).Default(string(values.DemoStatusPending)),
		field.Int("progress").Default(0).Min(0).Max(100).Comment("100 only when completed."),
		field.JSON("made", values.DemoMade{}).Default(values.DemoMade{}),
		field.String("error_code").Default(""),
		field.String("error_message").Default(""),
		field.Time("finished_at").Optional().Nillable().Comment("When it completed or failed."),
	}
}

// Indexes implements ent.Interface.
func (DemoRun) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("workspace_id").Unique(),
	}
}
