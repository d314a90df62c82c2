package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"

	"github.com/reelgraph/reelgraph/internal/platform/ids"
)

// Certificate is what the server keeps from an ACME authority, under a name: a certificate with its private key, the key of
// the account, or the response to a challenge. Its content is encrypted.
type Certificate struct{ ent.Schema }

// Mixin implements ent.Interface.
func (Certificate) Mixin() []ent.Mixin { return []ent.Mixin{row{kind: ids.Certificate}, changed{}} }

// Fields implements ent.Interface.
func (Certificate) Fields() []ent.Field {
	return []ent.Field{
		field.String("name").Unique().Immutable(),
		field.Bytes("sealed").Sensitive(),
	}
}
