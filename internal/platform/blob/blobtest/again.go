package blobtest

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/platform/blob"
)

// growsAgain continues a blob under another key. Readers of the first blob must still see at least its old content.
func growsAgain(t *testing.T, s blob.Store) {
	t.Helper()

	first, second := Key(t), Key(t)
	all := random(t, 400_000)
	_, err := s.Append(t.Context(), first, 0, bytes.NewReader(all))
	require.NoError(t, err)

	require.ErrorIs(t, s.Regrow(t.Context(), first, second), blob.ErrNotFound, "it is not a blob yet")

	_, err = s.Settle(t.Context(), first)
	require.NoError(t, err)

	for _, size := range []int{0, 1, 300_000} {
		require.NoError(t, s.Regrow(t.Context(), first, second), "a repeat is no error")
		requireGrown(t, s, second, all)

		piece := random(t, size)
		_, err := s.Append(t.Context(), second, int64(len(all))-1, bytes.NewReader(piece))
		require.ErrorIs(t, err, blob.ErrOffset)

		n, err := s.Append(t.Context(), second, int64(len(all)), bytes.NewReader(piece))
		require.NoError(t, err)

		all = append(all, piece...)
		require.EqualValues(t, len(all), n)
		requireGrown(t, s, second, all)
		require.True(t, bytes.HasPrefix(Get(t, s, first), all[:400_000]))
	}

	st, err := s.Settle(t.Context(), second)
	require.NoError(t, err)
	require.EqualValues(t, len(all), st.Size)
	require.NoError(t, s.Delete(t.Context(), first))
	require.True(t, bytes.Equal(all, Get(t, s, second)))
}

// join joins parts in their order and continues an interrupted attempt.
func join(t *testing.T, s blob.Store) {
	t.Helper()

	for _, sizes := range [][]int{{3}, {0, 5, 0}, {700_000, 1, 300_000, 2}} {
		var (
			all   []byte
			parts []blob.Part
		)

		for _, size := range sizes {
			piece, key := random(t, size), Key(t)
			n, err := s.Append(t.Context(), key, 0, bytes.NewReader(piece))
			require.NoError(t, err)

			parts = append(parts, blob.Part{Key: key, Size: n})
			all = append(all, piece...)
		}

		key := Key(t)

		if len(parts) > 2 { // an attempt that stops halfway
			short := slices.Clone(parts)
			short[2].Size++
			_, err := s.Join(t.Context(), Key(t), append(short[2:3:3], blob.Part{Key: Key(t), Size: 1}))
			require.ErrorIs(t, err, blob.ErrNotFound, "the blob is incomplete")

			parts[2].Key = Key(t)
			_, err = s.Append(t.Context(), parts[2].Key, 0, bytes.NewReader(all[len(all)-sizes[len(sizes)-1]:][:0]))
			require.NoError(t, err)

			from := parts[0].Size + parts[1].Size
			_, err = s.Append(t.Context(), parts[2].Key, 0, bytes.NewReader(all[from:from+parts[2].Size]))
			require.NoError(t, err)
		}

		for range 2 {
			st, err := s.Join(t.Context(), key, parts)
			require.NoError(t, err)
			require.EqualValues(t, len(all), st.Size)
			require.True(t, bytes.Equal(all, Get(t, s, key)))
		}

		for _, part := range parts {
			n, err := s.Grown(t.Context(), part.Key)
			require.NoError(t, err)
			require.Zero(t, n, "a part is kept once")
		}
	}
}
