package store

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/serversecret"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/keyring"
)

// secretsKept is the present secret and its predecessor.
const secretsKept = 2

// Secrets returns the server's secrets, the one in use first and then its predecessor. given is the
// operator's own secret; when empty, the one made at first start is used. A given secret that is new
// becomes the one in use, and the one before it stays accepted. retire, which may be nil, is called with
// those kept until then, in the same transaction, when the older of them is about to be accepted no more:
// what is sealed with it must be sealed with the other.
func (s *Store) Secrets(ctx context.Context, given []byte, retire func(ctx context.Context, kept [][]byte) error) ([][]byte, error) {
	return Write(auth.AsSystem(ctx), s, nil, func(ctx context.Context) ([][]byte, error) {
		// Two processes that start together must not make two first secrets.
		if _, err := s.Client(ctx).ExecContext(ctx, "LOCK TABLE server_secrets IN EXCLUSIVE MODE"); err != nil {
			return nil, fmt.Errorf("lock the secrets: %w", err)
		}

		kept, err := s.Client(ctx).ServerSecret.Query().
			Order(ent.Desc(serversecret.FieldCreatedAt, serversecret.FieldID)).Limit(secretsKept).All(ctx)
		if err != nil {
			return nil, fmt.Errorf("read the secrets: %w", err)
		}

		all := make([][]byte, 0, secretsKept+1)
		for _, secret := range kept {
			all = append(all, secret.Value)
		}

		if len(all) > 0 && (len(given) == 0 || bytes.Equal(all[0], given)) {
			return all, nil
		}

		if len(given) == 0 {
			given = keyring.NewSecret()
		}

		if len(all) == secretsKept && retire != nil {
			if err := retire(ctx, all); err != nil {
				return nil, err
			}
		}

		create := s.Client(ctx).ServerSecret.Create().SetValue(given)
		if len(kept) > 0 && !time.Now().After(kept[0].CreatedAt.Add(time.Millisecond)) { // their order is that of their times
			create.SetCreatedAt(kept[0].CreatedAt.Add(time.Millisecond))
		}

		if err := create.Exec(ctx); err != nil {
			return nil, fmt.Errorf("keep the secret: %w", err)
		}

		all = append([][]byte{given}, all...)

		return all[:min(len(all), secretsKept)], nil
	})
}
