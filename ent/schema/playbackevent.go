package schema

import (
	"encoding/json"

	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"

	"github.com/reelgraph/reelgraph/internal/platform/ids"
)

// PlaybackEvent is an acknowledged batch of a player's reports, as received at created_at; their times are
// kept between the opening of the page and the receipt.
type PlaybackEvent struct{ ent.Schema }

// Mixin implements ent.Interface.
func (PlaybackEvent) Mixin() []ent.Mixin { return record(ids.PlaybackEvent) }

// Fields implements ent.Interface.
func (PlaybackEvent) Fields() []ent.Field {
	return []ent.Field{
		field.String("session_id").Immutable().Comment("Of a ViewSession, with which it goes."),
		field.Int64("seq").NonNegative().Immutable(),
		field.JSON("events", json.RawMessage{}).Immutable(),
	}
}

// Annotations implements ent.Interface. A migration makes the table, in parts of a day each, which ent
// cannot say.
func (PlaybackEvent) Annotations() []schema.Annotation { return []schema.Annotation{entsql.Skip()} }
