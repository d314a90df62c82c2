package schema

import (
	"encoding/json"

	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"

	"github.com/reelgraph/reelgraph/internal/platform/ids"
)

// PlaybackEvent is a batch of events that a player reported and the server acknowledged. created_at is when the batch
// arrived. The times of the events are clamped to the period between the opening of the page and created_at.
type PlaybackEvent struct{ ent.Schema }

// Mixin implements ent.Interface.
func (PlaybackEvent) Mixin() []ent.Mixin { return record(ids.PlaybackEvent) }

// Fields implements ent.Interface.
func (PlaybackEvent) Fields() []ent.Field {
	return []ent.Field{
		field.String("session_id").Immutable().Comment("The ViewSession, which it is deleted with."),
		field.Int64("seq").NonNegative().Immutable(),
		field.JSON("events", json.RawMessage{}).Immutable(),
	}
}

// Annotations implements ent.Interface. A migration creates the table, with one partition a day, which ent cannot
// describe.
func (PlaybackEvent) Annotations() []schema.Annotation { return []schema.Annotation{entsql.Skip()} }
