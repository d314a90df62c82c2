package main

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/auth"
	"github.com/reelgraph/reelgraph/internal/seal"
	"github.com/reelgraph/reelgraph/internal/testkit"
	"github.com/reelgraph/reelgraph/internal/webhook"
)

// A webhook's secret outlives any number of changes of the server's.
func TestWebhookSecretsOutliveTheServers(t *testing.T) {
	t.Parallel()

	n := &node{store: testkit.Open(t)}
	who := testkit.NewMember(t, n.store, testkit.MemberOpts{})

	var endpoint *ent.WebhookEndpoint

	for i := range 4 {
		secrets, err := n.store.Secrets(context.Background(), seal.NewSecret(), n.resealWebhooks)
		require.NoError(t, err)

		vault, err := webhook.NewVault(secrets...)
		require.NoError(t, err)

		if i == 0 {
			who.Do(t, n.store, func(ctx context.Context, c *ent.Client) {
				endpoint = c.WebhookEndpoint.Create().SetUserID(who.UserID).SetURL("https://example.test").SetSecretSealed([]byte{0}).SaveX(ctx)
				endpoint = endpoint.Update().SetSecretSealed(vault.Seal(endpoint.ID, "now")).
					SetPreviousSecretSealed(vault.Seal(endpoint.ID, "before")).SaveX(ctx)
			})
		}

		now := n.store.Client(context.Background()).WebhookEndpoint.GetX(auth.AsSystem(context.Background()), endpoint.ID)

		for want, sealed := range map[string][]byte{"now": now.SecretSealed, "before": now.PreviousSecretSealed} {
			secret, err := vault.Open(endpoint.ID, sealed)
			require.NoError(t, err)
			require.Equal(t, want, secret)
		}
	}
}
