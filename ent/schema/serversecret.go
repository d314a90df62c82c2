package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"

	"github.com/reelgraph/reelgraph/internal/platform/ids"
)

// ServerSecret is a key that signs addresses and cursors and encrypts stored secrets. The newest key is used for new
// values. The key before it is still accepted.
type ServerSecret struct{ ent.Schema }

// Mixin implements ent.Interface.
func (ServerSecret) Mixin() []ent.Mixin { return []ent.Mixin{row{kind: ids.ServerSecret}} }

// Fields implements ent.Interface.
func (ServerSecret) Fields() []ent.Field {
	return []ent.Field{
		field.Bytes("value").Immutable().Sensitive(),
		field.Time("retired_at").Optional().Nillable(),
	}
}
