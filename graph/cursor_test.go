package graph

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/fault"
	"github.com/reelgraph/reelgraph/internal/seal"
)

// FuzzCursor opens anything as a cursor: only what was sealed for the list opens, for a day.
func FuzzCursor(f *testing.F) {
	box, err := seal.NewBox("cursors", bytes.Repeat([]byte("s"), 32))
	require.NoError(f, err)

	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	r := &Resolver{Cursors: box, Clock: func() time.Time { return now }}
	made := cursor{Version: cursorVersion, MadeMs: now.UnixMilli(), AtMs: 5, Key: "k", ID: "vid_1"}
	good := r.seal(made, "videos")

	for _, seed := range []string{"", good, good + "A", good[1:], "{}", "AAAA"} {
		f.Add(seed, "videos")
		f.Add(seed, "tags")
	}

	f.Fuzz(func(t *testing.T, text, of string) {
		got, err := r.open(text, of)
		if err != nil {
			require.True(t, fault.Is(err, fault.BadRequestCode))

			return
		}

		require.Equal(t, made, got)
		require.Equal(t, "videos", of)

		late := &Resolver{Cursors: box, Clock: func() time.Time { return now.Add(cursorAge + time.Millisecond) }}
		_, err = late.open(text, of)
		require.Error(t, err)
	})
}
