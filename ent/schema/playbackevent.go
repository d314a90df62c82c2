package schema

import (
	"encoding/json"

	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/reelgraph/reelgraph/internal/ids"
)

// PlaybackEvent is an acknowledged batch of a player's reports, as received at created_at; their times are
// kept between the opening of the page and the receipt.
type PlaybackEvent struct{ ent.Schema }

// Mixin implements ent.Interface.
func (PlaybackEvent) Mixin() []ent.Mixin { return record(ids.PlaybackEvent) }

// Fields implements ent.Interface.
func (PlaybackEvent) Fields() []ent.Field {
	return []ent.Field{
		field.String("session_id").Immutable(),
		field.Int64("seq").NonNegative().Immutable(),
		field.JSON("events", json.RawMessage{}).Immutable(),
		field.Bool("rolled_up").Default(false),
	}
}

// Edges implements ent.Interface.
func (PlaybackEvent) Edges() []ent.Edge {
	return []ent.Edge{
		belongsTo("session", ViewSession.Type, "events"),
	}
}

// Indexes implements ent.Interface.
func (PlaybackEvent) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("session_id", "seq").Unique(),
		index.Fields("created_at").Annotations(entsql.IndexWhere("NOT rolled_up")),
	}
}
