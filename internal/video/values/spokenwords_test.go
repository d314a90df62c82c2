package values_test

import (
	"encoding/json"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Short lists are stored as a list, which the version before can read; long ones as one short text.
func TestManySpokenWordsAreCompressed(t *testing.T) {
	t.Parallel()

	for _, n := range []int{0, 1, 9_999, 10_000, 100_000} {
		words := make(values.SpokenWords, n)
		for i := range words {
			words[i] = values.SpokenWord{Text: "<λόγος " + strconv.Itoa(i), StartMs: int64(i), EndMs: int64(i) + 1, Cue: i / 5}
		}

		written, err := json.Marshal(values.ClipLook{Words: words})
		require.NoError(t, err)

		again, err := json.Marshal(values.ClipLook{Words: words})
		require.NoError(t, err)
		require.Equal(t, written, again, "plans are compared by their stored form")

		var read values.ClipLook
		require.NoError(t, json.Unmarshal(written, &read))
		require.Len(t, read.Words, n)

		if n > 0 {
			require.Equal(t, words, read.Words)
		}

		var raw map[string]json.RawMessage
		require.NoError(t, json.Unmarshal(written, &raw))

		if n > 0 {
			require.Equal(t, map[bool]byte{true: '"', false: '['}[n >= 10_000], raw["words"][0], n)
		}

		if n == 100_000 {
			require.Less(t, len(written), 2<<20)
		}
	}
}
