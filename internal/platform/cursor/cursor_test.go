package cursor_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/platform/cursor"
	"github.com/reelgraph/reelgraph/internal/platform/keyring"
)

// FuzzCursor opens arbitrary text as a cursor: only one that was sealed for the list opens, and only for a day.
func FuzzCursor(f *testing.F) {
	box, err := keyring.NewBox("cursors", bytes.Repeat([]byte("s"), 32))
	require.NoError(f, err)

	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	made := cursor.Cursor{Version: 1, MadeMs: now.UnixMilli(), AtMs: 5, Key: "k", ID: "vid_1"}
	good := made.Seal(box, "videos")

	for _, seed := range []string{"", good, good + "A", good[1:], "{}", "AAAA"} {
		f.Add(seed, "videos")
		f.Add(seed, "tags")
	}

	f.Fuzz(func(t *testing.T, text, of string) {
		got, ok := cursor.Open(box, text, of, now.Add(cursor.Age))
		if !ok {
			return
		}

		require.Equal(t, made, got)
		require.Equal(t, "videos", of)

		_, ok = cursor.Open(box, text, of, now.Add(cursor.Age+time.Millisecond))
		require.False(t, ok)
	})
}
