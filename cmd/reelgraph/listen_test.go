package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/webhook"
)

// What can never verify a delivery, or never end, does not wait for one.
func TestListenKnowsWhatIsWrongAtOnce(t *testing.T) {
	t.Parallel()

	for _, secret := range []string{"xxx", "whsec_", "whsec_AAAA", "whsec_not base64, however long it may be, is none of ours"} {
		_, err := command(t, nil, "listen", "--addr", "127.0.0.1:0", "--secret", secret)
		require.ErrorContains(t, err, "--secret: webhook: a signing secret is whsec_ and 32 bytes in base64")
	}

	good := []string{"listen", "--addr", "127.0.0.1:0", "--secret", webhook.NewSecret()}

	for said, args := range map[string][]string{
		"--until must be one of ":      {"--until", "export.redy"},
		"--count must be at least 0":   {"--count", "-1"},
		`listen does not take "there"`: {"there"},
	} {
		_, err := command(t, nil, append(good, args...)...)
		require.ErrorContains(t, err, said)
	}
}
