package main

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/keyring"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/webhook"
	"github.com/reelgraph/reelgraph/test/testkit"
)

// A webhook's secret survives any number of changes of the server's secret.
func TestWebhookSecretsOutliveTheServers(t *testing.T) {
	t.Parallel()

	n := &node{store: testkit.Open(t)}
	who := testkit.NewMember(t, n.store, testkit.MemberOpts{})

	var endpoint *ent.WebhookEndpoint

	expires := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

	for i := range 4 {
		secrets, err := n.store.Secrets(context.Background(), keyring.NewSecret(), n.resealWebhooks)
		require.NoError(t, err)

		vault, err := webhook.NewVault(secrets...)
		require.NoError(t, err)

		if i == 0 {
			who.Do(t, n.store, func(ctx context.Context, c *ent.Client) {
				endpoint = c.WebhookEndpoint.Create().SetUserID(who.UserID).SetURL("https://example.test").SetSecretSealed([]byte{0}).SaveX(ctx)
				before := vault.Seal(endpoint.ID, "before")
				endpoint = endpoint.Update().SetSecretSealed(vault.Seal(endpoint.ID, "now")).SetPreviousSecretSealed(before).
					SetEarlierSecrets([]values.EarlierSecret{
						{Sealed: before, ExpiresAt: expires}, {Sealed: vault.Seal(endpoint.ID, "long before"), ExpiresAt: expires},
					}).SaveX(ctx)
				c.WebhookEndpoint.Create().SetUserID(who.UserID).SetURL("https://example.test").SetSecretSealed([]byte{}).
					SetDisabled(true).SetDeletedAt(expires).ExecX(ctx)
			})
		}

		now := n.store.Client(context.Background()).WebhookEndpoint.GetX(auth.AsSystem(context.Background()), endpoint.ID)

		require.Len(t, now.EarlierSecrets, 2)
		require.Equal(t, now.PreviousSecretSealed, now.EarlierSecrets[0].Sealed, "one secret, stored twice")
		require.True(t, expires.Equal(now.EarlierSecrets[1].ExpiresAt))

		for want, sealed := range map[string][]byte{
			"now": now.SecretSealed, "before": now.PreviousSecretSealed, "long before": now.EarlierSecrets[1].Sealed,
		} {
			secret, err := vault.Open(endpoint.ID, sealed)
			require.NoError(t, err)
			require.Equal(t, want, secret)
		}
	}
}
