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

// secretsKept is the number of stored secrets: the current one and the previous one.
const secretsKept = 2

// Secrets returns the secrets of the server: the current one and, if it exists, the previous one. given is the secret
// that the operator has set. If it is empty, the server keeps its current secret, and creates one at the first start.
// If given is new, it becomes the current secret, and the one before it is still accepted.
//
// If two secrets are already stored, a new one replaces the older of them. Before that, the transaction calls retire
// with both, so that retire can encrypt again the values that were sealed with the older one. retire may be nil.
func (s *Store) Secrets(ctx context.Context, given []byte, retire func(ctx context.Context, kept [][]byte) error) ([][]byte, error) {
	return Write(auth.AsSystem(ctx), s, nil, func(ctx context.Context) ([][]byte, error) {
		// Two processes that start together must not create two first secrets.
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
		if len(kept) > 0 && !time.Now().After(kept[0].CreatedAt.Add(time.Millisecond)) { // sorted by their times
			create.SetCreatedAt(kept[0].CreatedAt.Add(time.Millisecond))
		}

		if err := create.Exec(ctx); err != nil {
			return nil, fmt.Errorf("store the secret: %w", err)
		}

		all = append([][]byte{given}, all...)

		return all[:min(len(all), secretsKept)], nil
	})
}
