package main

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/webhook"
)

// A secret or a filter that can never match is rejected at once.
func TestListenRejectsInvalidFlags(t *testing.T) {
	t.Parallel()

	for _, secret := range []string{"xxx", "whsec_", "whsec_AAAA", "whsec_not base64, however long it may be, is none of ours"} {
		err := listenBriefly(t, "--secret", secret)
		require.ErrorContains(t, err, "--secret: webhook: a signing secret must be whsec_ followed by at least 32 bytes in base64")
	}

	for said, args := range map[string][]string{
		"--until must be one of ":      {"--until", "export.redy"},
		"--count must be at least 0":   {"--count", "-1"},
		`listen does not take "there"`: {"there"},
	} {
		err := listenBriefly(t, append([]string{"--secret", webhook.NewSecret()}, args...)...)
		require.ErrorContains(t, err, said)
	}
}

// listenBriefly stops listen while it waits for a delivery, without an error.
func listenBriefly(t *testing.T, args ...string) error {
	t.Helper()

	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()

	a := app{stdout: t.Output(), stderr: t.Output(), getenv: func(string) string { return "" }}

	return a.run(ctx, append([]string{"reelgraph", "listen", "--addr", "127.0.0.1:0"}, args...))
}
