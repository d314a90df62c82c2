package auth_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/platform/auth"
)

func TestNewKeyIsWellFormedAndFresh(t *testing.T) {
	t.Parallel()

	seen := map[string]bool{}
	letters := map[byte]int{}

	for range 2_000 {
		key := auth.NewKey()
		require.Regexp(t, `^reel_pk_[0-9A-Za-z]{32}$`, key.Plain)
		require.Equal(t, key.Plain[len(key.Plain)-4:], key.Last4)
		require.Equal(t, auth.HashKey(key.Plain), key.Hash)
		require.False(t, seen[key.Plain])

		seen[key.Plain] = true

		for _, c := range []byte(key.Plain[len(auth.KeyPrefix):]) {
			letters[c]++
		}
	}

	// 64,000 draws over 62 letters: about 1,032 each. Allow six sigma on either side.
	require.Len(t, letters, 62)

	for c, n := range letters {
		require.InDelta(t, 1032, n, 200, "letter %c", c)
	}
}

func TestViewerInContext(t *testing.T) {
	t.Parallel()

	_, ok := auth.From(context.Background())
	require.False(t, ok, "there is no viewer")

	v, ok := auth.From(auth.AsWorkspace(context.Background(), "ws_1"))
	require.True(t, ok)
	require.Equal(t, "ws_1", v.WorkspaceID)
	require.False(t, v.System)
	require.True(t, v.Role.Governs())
}

// The decoy takes as long as a real hash.
func TestDecoy(t *testing.T) {
	t.Parallel()

	cost := func(hash string) string {
		return hash[:strings.LastIndex(hash[:strings.LastIndexByte(hash, '$')], "$")]
	}

	require.Equal(t, cost(auth.HashPassword("x")), cost(auth.Decoy))
	require.Len(t, auth.Decoy, len(auth.HashPassword("x")))
	require.False(t, auth.PasswordMatches(auth.Decoy, ""))
}
