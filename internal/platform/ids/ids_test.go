package ids_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/platform/ids"
)

func TestNew(t *testing.T) {
	t.Parallel()

	seen := map[string]bool{}

	for range 10_000 {
		id := ids.New(ids.Video)
		require.True(t, ids.Is(ids.Video, id), id)
		require.False(t, ids.Is(ids.Clip, id), id)
		require.False(t, seen[id], "made twice")

		seen[id] = true
	}
}

func TestKindOf(t *testing.T) {
	t.Parallel()

	kind, ok := ids.KindOf(ids.New(ids.Export))
	require.True(t, ok)
	require.Equal(t, ids.Export, kind)
}

func TestMalformedIDs(t *testing.T) {
	t.Parallel()

	good := ids.New(ids.Video)

	for name, id := range map[string]string{
		"empty":            "",
		"prefix alone":     "vid_",
		"too short":        good[:len(good)-1],
		"too long":         good + "0",
		"upper case":       strings.ToUpper(good),
		"forbidden letter": good[:len(good)-1] + "u",
		"space":            good[:len(good)-1] + " ",
		"overflow":         "vid_8" + good[5:],
		"other prefix":     "x" + good,
	} {
		require.False(t, ids.Is(ids.Video, id), name)
	}

	_, ok := ids.KindOf("_" + good[4:])
	require.False(t, ok)
}
