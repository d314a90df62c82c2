package webhook_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/platform/keyring"
	"github.com/reelgraph/reelgraph/internal/webhook"
)

func TestVault(t *testing.T) {
	t.Parallel()

	old, present := keyring.NewSecret(), keyring.NewSecret()
	before, err := webhook.NewVault(old)
	require.NoError(t, err)
	vault, err := webhook.NewVault(present, old)
	require.NoError(t, err)

	secret := webhook.NewSecret()
	for _, sealed := range [][]byte{vault.Seal("ep_1", secret), before.Seal("ep_1", secret)} {
		require.NotContains(t, string(sealed), secret)
		opened, err := vault.Open("ep_1", sealed)
		require.NoError(t, err)
		require.Equal(t, secret, opened)

		_, err = vault.Open("ep_2", sealed)
		require.ErrorIs(t, err, keyring.ErrOpen)
	}

	_, err = webhook.NewVault()
	require.Error(t, err)
}
