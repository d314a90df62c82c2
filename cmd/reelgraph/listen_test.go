package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// What can never verify a delivery does not wait for one.
func TestListenKnowsASecret(t *testing.T) {
	t.Parallel()

	for _, secret := range []string{"xxx", "whsec_", "whsec_AAAA", "whsec_not base64, however long it may be, is none of ours"} {
		_, err := command(t, nil, "listen", "--addr", "127.0.0.1:0", "--secret", secret)
		require.ErrorContains(t, err, "--secret: webhook: a signing secret is whsec_ and 32 bytes in base64")
	}
}
