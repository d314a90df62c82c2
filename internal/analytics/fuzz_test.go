package analytics

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/keyring"
)

// FuzzViewToken uses arbitrary text as a view token: only a real token opens, and only until it expires.
func FuzzViewToken(f *testing.F) {
	box, err := keyring.NewBox("view tokens", bytes.Repeat([]byte("s"), 32))
	require.NoError(f, err)

	tokens, now := Tokens{Box: box, Host: "reel.example"}, time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	good := tokens.Open("vid_1", "https://news.example.co.uk/a", now)

	for _, seed := range []string{"", good, good + "A", good[:len(good)-1], "e30"} {
		f.Add(seed, seed)
	}

	f.Fuzz(func(t *testing.T, text, referrer string) {
		p, err := tokens.read(text, now)
		require.True(t, err == nil && p.Video == "vid_1" || fault.Is(err, fault.ForbiddenCode))

		if err == nil {
			_, err = tokens.read(text, now.Add(tokenLife+time.Second))
			require.True(t, fault.Is(err, fault.ForbiddenCode))
		}

		// For any referrer, the registrable domain fits into a token that opens again.
		p, err = tokens.read(tokens.Open("vid_1", referrer, now), now)
		require.NoError(t, err)
		require.Equal(t, "vid_1", p.Video)
	})
}
