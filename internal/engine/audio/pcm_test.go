package audio

import (
	"context"
	"errors"
	"io"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// A decoder returns the written samples, silence after their end, and drops an incomplete last sample.
func TestPCMDecoder(t *testing.T) {
	t.Parallel()

	written := make([]float32, 20_000)
	for i := range written {
		written[i] = float32(i + 1)
	}

	cut := slices.Concat(floatsAsBytes(written), []byte{1, 2, 3})
	open := func(t *testing.T, fault error) *pcmDecoder {
		t.Helper()

		d := newPCMDecoder(t.Context(), func(_ context.Context, to io.Writer) error {
			if _, err := to.Write(cut); err != nil {
				return err
			}

			return fault
		})
		t.Cleanup(d.close)

		return d
	}

	t.Run("filled from increasing places", func(t *testing.T) {
		t.Parallel()

		d := open(t, nil)
		b := make([]float32, 1_000)

		require.NoError(t, d.fill(b, 0))
		require.Equal(t, written[:1_000], b)
		require.NoError(t, d.fill(b, 3_000))
		require.Equal(t, written[6_000:7_000], b)
		require.NoError(t, d.fill(b, 9_800))
		require.Equal(t, slices.Concat(written[19_600:], make([]float32, 600)), b)
		require.NoError(t, d.fill(b, 50_000))
		require.Equal(t, make([]float32, 1_000), b)
	})

	t.Run("filled after its end", func(t *testing.T) {
		t.Parallel()

		b := []float32{1, 2, 3, 4}
		require.NoError(t, open(t, nil).fill(b, 1<<30))
		require.Equal(t, make([]float32, 4), b)
	})

	t.Run("read", func(t *testing.T) {
		t.Parallel()

		d := open(t, nil)
		b := make([]float32, 3_001)

		var got []float32

		for {
			n, err := d.read(b)
			if got = append(got, b[:n]...); errors.Is(err, io.EOF) {
				break
			}

			require.NoError(t, err)
		}

		require.Equal(t, written, got)
	})

	t.Run("broken off", func(t *testing.T) {
		t.Parallel()

		fault := errors.New("no more")
		d := open(t, fault)
		b := make([]float32, 30_000)

		require.ErrorIs(t, d.fill(b, 0), fault)

		n, err := open(t, fault).read(b)
		require.ErrorIs(t, err, fault)
		require.Zero(t, n)
	})
}
