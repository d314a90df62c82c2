package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/webhookendpoint"
	"github.com/reelgraph/reelgraph/internal/webhook"
)

// resealWebhooks encrypts with the server's new secret what only the older one decrypts, so that a
// webhook's signing secret survives any number of changes. Running processes know both.
func (n *node) resealWebhooks(ctx context.Context, kept [][]byte) error {
	vault, err := webhook.NewVault(kept...)
	if err != nil {
		return err
	}

	endpoints, err := n.store.Client(ctx).WebhookEndpoint.Query().Where(webhookendpoint.DeletedAtIsNil()).All(ctx)
	if err != nil {
		return fmt.Errorf("read webhook endpoints: %w", err)
	}

	for _, e := range endpoints {
		if err := resealEndpoint(ctx, vault, e); err != nil {
			return err
		}
	}

	return nil
}

// resealEndpoint encrypts the secrets of an endpoint anew. Equal values stay equal: the latest earlier secret is stored twice.
func resealEndpoint(ctx context.Context, vault webhook.Vault, e *ent.WebhookEndpoint) error {
	done := map[string][]byte{}
	again := func(sealed []byte) ([]byte, error) {
		if known, ok := done[string(sealed)]; ok {
			return known, nil
		}

		secret, err := vault.Open(e.ID, sealed)
		if err != nil {
			return nil, err //nolint:wrapcheck // the error names the endpoint
		}

		done[string(sealed)] = vault.Seal(e.ID, secret)

		return done[string(sealed)], nil
	}

	current, err := again(e.SecretSealed)
	if err != nil {
		return err
	}

	update := e.Update().SetSecretSealed(current)

	if e.EarlierSecrets != nil {
		earlier := slices.Clone(e.EarlierSecrets)
		for i := range earlier {
			if earlier[i].Sealed, err = again(earlier[i].Sealed); err != nil {
				return err
			}
		}

		update.SetEarlierSecrets(earlier)
	}

	if len(e.PreviousSecretSealed) > 0 {
		previous, err := again(e.PreviousSecretSealed)
		if err != nil {
			return err
		}

		update.SetPreviousSecretSealed(previous)
	}

	if err := update.Exec(ctx); err != nil {
		return fmt.Errorf("seal the secrets of %s: %w", e.ID, err)
	}

	return nil
}
