package main

import (
	"context"
	"fmt"

	"github.com/reelgraph/reelgraph/internal/webhook"
)

// resealWebhooks seals with the newer of the server's secrets what only the older one opens, so that a
// webhook's signing secret outlives any number of them. Processes that run already know both.
func (n *node) resealWebhooks(ctx context.Context, kept [][]byte) error {
	vault, err := webhook.NewVault(kept...)
	if err != nil {
		return err
	}

	endpoints, err := n.store.Client(ctx).WebhookEndpoint.Query().All(ctx)
	if err != nil {
		return fmt.Errorf("read webhook endpoints: %w", err)
	}

	for _, e := range endpoints {
		again := func(sealed []byte) ([]byte, error) {
			if len(sealed) == 0 {
				return nil, nil
			}

			secret, err := vault.Open(e.ID, sealed)

			return vault.Seal(e.ID, secret), err
		}

		current, err := again(e.SecretSealed)
		if err != nil {
			return err
		}

		previous, err := again(e.PreviousSecretSealed)
		if err != nil {
			return err
		}

		update := e.Update().SetSecretSealed(current)
		if previous != nil {
			update.SetPreviousSecretSealed(previous)
		}

		if err := update.Exec(ctx); err != nil {
			return fmt.Errorf("seal the secret of %s: %w", e.ID, err)
		}
	}

	return nil
}
