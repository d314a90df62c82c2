package blobtest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/platform/blob"
)

// grows appends pieces of every size and reads between them. The blob is not visible until it is settled.
func grows(t *testing.T, s blob.Store) {
	t.Helper()

	key := Key(t)
	requireGrown(t, s, key, nil)

	var all []byte

	for _, size := range []int{1, 0, 700_000, 3, 5000} {
		piece := random(t, size)
		n, err := s.Append(t.Context(), key, int64(len(all)), iotest.HalfReader(bytes.NewReader(piece)))
		require.NoError(t, err)

		all = append(all, piece...)
		require.EqualValues(t, len(all), n)
		requireGrown(t, s, key, all)
		_, err = s.Stat(t.Context(), key)
		require.ErrorIs(t, err, blob.ErrNotFound, "it is not a blob yet")
	}

	for range 2 { // repeating it is no error
		st, err := s.Settle(t.Context(), key)
		require.NoError(t, err)
		require.EqualValues(t, len(all), st.Size)
	}

	require.Equal(t, all, Get(t, s, key))
	requireGrown(t, s, key, nil)

	for _, offset := range []int64{0, 1, int64(len(all))} {
		_, err := s.Append(t.Context(), key, offset, bytes.NewReader([]byte("more")))
		require.ErrorIs(t, err, blob.ErrOffset, "a complete blob grows no more")
	}

	require.Equal(t, all, Get(t, s, key))

	_, err := s.Settle(t.Context(), Key(t))
	require.ErrorIs(t, err, blob.ErrNotFound)
}

// growsFromNothing settles an empty growing blob, and appends to one.
func growsFromNothing(t *testing.T, s blob.Store) {
	t.Helper()

	for _, want := range []string{"", "more"} {
		key := Key(t)

		for _, piece := range []string{"", "", want} {
			n, err := s.Append(t.Context(), key, 0, bytes.NewReader([]byte(piece)))
			require.NoError(t, err)
			require.EqualValues(t, len(piece), n)
		}

		for range 2 {
			st, err := s.Settle(t.Context(), key)
			require.NoError(t, err)
			require.EqualValues(t, len(want), st.Size)
		}

		require.Equal(t, want, string(Get(t, s, key)))
		require.NoError(t, s.Delete(t.Context(), key))

		_, err := s.Settle(t.Context(), key)
		require.ErrorIs(t, err, blob.ErrNotFound)
	}
}

// requireGrown checks that exactly these bytes have arrived; nil means none.
func requireGrown(t *testing.T, s blob.Store, key string, want []byte) {
	t.Helper()

	n, err := s.Grown(t.Context(), key)
	require.NoError(t, err)
	require.EqualValues(t, len(want), n)

	path, release, err := blob.LocalGrowing(t.Context(), s, key, t.TempDir())
	if want == nil {
		require.ErrorIs(t, err, blob.ErrNotFound)

		return
	}

	require.NoError(t, err)
	got, err := os.ReadFile(path)
	require.NoError(t, err)
	require.True(t, bytes.Equal(want, got), "%d bytes", len(got))
	release()

	o, err := s.OpenGrowing(t.Context(), key)
	require.NoError(t, err)
	require.EqualValues(t, len(want), o.Size)
	got, err = io.ReadAll(o.Content)
	require.NoError(t, err)
	require.NoError(t, o.Content.Close())
	require.True(t, bytes.Equal(want, got), "%d bytes", len(got))
}

func growsAtItsEnd(t *testing.T, s blob.Store) {
	t.Helper()

	key := Key(t)
	_, err := s.Append(t.Context(), key, 5, bytes.NewReader([]byte("x")))
	require.ErrorIs(t, err, blob.ErrOffset)
	_, err = s.Append(t.Context(), key, 0, bytes.NewReader([]byte("12345")))
	require.NoError(t, err)

	for _, offset := range []int64{0, 4, 6} {
		_, err = s.Append(t.Context(), key, offset, bytes.NewReader([]byte("x")))
		require.ErrorIs(t, err, blob.ErrOffset)
	}

	requireGrown(t, s, key, []byte("12345"))
	require.NoError(t, s.Delete(t.Context(), key))
	requireGrown(t, s, key, nil)

	_, err = s.Append(t.Context(), "../x", 0, bytes.NewReader(nil))
	require.ErrorIs(t, err, blob.ErrBadKey)
	_, err = s.Grown(t.Context(), "../x")
	require.ErrorIs(t, err, blob.ErrBadKey)
	_, err = s.OpenGrowing(t.Context(), "../x")
	require.ErrorIs(t, err, blob.ErrBadKey)
	_, err = s.Settle(t.Context(), "../x")
	require.ErrorIs(t, err, blob.ErrBadKey)
}

// brokenAppend checks that what had arrived is kept, and continues from there.
func brokenAppend(t *testing.T, s blob.Store) {
	t.Helper()

	key, all, broken := Key(t), random(t, 100_000), io.ErrUnexpectedEOF // io.ErrUnexpectedEOF, as when a connection breaks
	n, err := s.Append(t.Context(), key, 0, io.MultiReader(bytes.NewReader(all[:60_000]), iotest.ErrReader(broken)))
	require.ErrorIs(t, err, broken)
	require.NotErrorIs(t, err, blob.ErrUnavailable, "the store is not to blame")
	require.EqualValues(t, 60_000, n)
	requireGrown(t, s, key, all[:60_000])

	gone := errors.New("the request is over")
	ctx, cancel := context.WithCancelCause(t.Context())
	n, err = s.Append(ctx, key, n, io.MultiReader(bytes.NewReader(all[60_000:70_000]), readerFunc(func([]byte) (int, error) {
		cancel(gone)

		return 0, nil
	})))
	require.ErrorIs(t, err, gone)
	require.NotErrorIs(t, err, blob.ErrUnavailable)
	require.EqualValues(t, 70_000, n)

	_, err = s.Append(t.Context(), key, n, bytes.NewReader(all[n:]))
	require.NoError(t, err)
	_, err = s.Settle(t.Context(), key)
	require.NoError(t, err)
	require.True(t, bytes.Equal(all, Get(t, s, key)))
}

// manyAppend appends from one offset concurrently: exactly one append succeeds, as a whole.
func manyAppend(t *testing.T, s blob.Store) {
	t.Helper()

	key := Key(t)
	_, err := s.Append(t.Context(), key, 0, bytes.NewReader([]byte("start")))
	require.NoError(t, err)

	var (
		all sync.WaitGroup
		won atomic.Int64
	)

	for i := range 8 {
		all.Go(func() {
			switch _, err := s.Append(t.Context(), key, 5, bytes.NewReader(bytes.Repeat([]byte{byte('a' + i)}, 1000))); {
			case err == nil:
				won.Add(1)
			case !errors.Is(err, blob.ErrOffset):
				t.Errorf("append: %v", err)
			}
		})
	}

	all.Wait()
	require.EqualValues(t, 1, won.Load())
	_, err = s.Settle(t.Context(), key)
	require.NoError(t, err)
	body := Get(t, s, key)
	require.Len(t, body, 1005)
	require.Equal(t, bytes.Repeat(body[5:6], 1000), body[5:])
}

// settledUnderneath settles a growing blob during an append.
func settledUnderneath(t *testing.T, s blob.Store) {
	t.Helper()

	key := Key(t)
	_, err := s.Append(t.Context(), key, 0, bytes.NewReader([]byte("start")))
	require.NoError(t, err)

	settled := false
	_, err = s.Append(t.Context(), key, 5, readerFunc(func(b []byte) (int, error) {
		if settled {
			return 0, io.EOF
		}

		settled = true
		_, err := s.Settle(t.Context(), key)

		return copy(b, "late"), err
	}))
	require.ErrorIs(t, err, blob.ErrOffset)
	require.Equal(t, []byte("start"), Get(t, s, key))
	requireGrown(t, s, key, nil)
}
