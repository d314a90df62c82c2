package stock

import (
	"bytes"
	"io"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/video/values"
)

func TestItems(t *testing.T) {
	t.Parallel()

	ids, hashes, counts := map[string]bool{}, map[string]bool{}, map[values.CatalogType]int{}

	for _, item := range Items() {
		require.False(t, ids[item.ID], item.ID)
		require.False(t, hashes[item.Hash()], item.ID)
		require.NotEmpty(t, item.Name)

		ids[item.ID], hashes[item.Hash()] = true, true
		counts[item.Type]++
	}

	require.GreaterOrEqual(t, counts[values.CatalogTypeSoundEffect], 12)
	require.GreaterOrEqual(t, counts[values.CatalogTypeMusic], 4)
	require.GreaterOrEqual(t, counts[values.CatalogTypeBackground], 8)
	require.GreaterOrEqual(t, counts[values.CatalogTypeAnimatedBackground], 3)
}

// An effect is audible, does not clip, begins and ends in silence, and is the same each time it is made.
func TestEffects(t *testing.T) {
	t.Parallel()

	for _, item := range effects() {
		s := playEffect(item.Effect)
		require.LessOrEqual(t, s.peak(), decibels(effectPeak)+1e-9, item.ID)
		require.Greater(t, s.loudness(), decibels(-30), item.ID)
		require.LessOrEqual(t, len(s), 2*2*SampleRate, item.ID)

		for _, edge := range []float64{s[0], s[1], s[len(s)-2], s[len(s)-1]} {
			require.InDelta(t, 0, edge, 0.001, item.ID)
		}
	}

	one, other := effects()[0].Sound(), effects()[0].Sound()
	require.Equal(t, one, other)
}

// A loop continues from its last sample to its first as smoothly as between any two samples.
func TestMusicHasNoSeam(t *testing.T) {
	t.Parallel()

	tune := Tune{BPM: 240, Pad: 0.5, Bass: 0.5, Pluck: 0.5, Steps: 4, Drums: 0.5, Chords: [][]int{{57, 60, 64}}}
	s := tune.play()
	require.Len(t, s, 2*SampleRate, "a bar of four beats")
	require.InDelta(t, decibels(musicLoudness), s.loudness(), 0.001)

	step := 0.0
	for i := 2; i < len(s); i++ {
		step = math.Max(step, math.Abs(s[i]-s[i-2]))
	}

	require.LessOrEqual(t, math.Abs(s[0]-s[len(s)-2]), step)
	require.LessOrEqual(t, math.Abs(s[1]-s[len(s)-1]), step)
	require.NotZero(t, s[0], "sound past the end is heard at the beginning")
}

// An animated background ends where it begins, and moves in between.
func TestAnimationsLoop(t *testing.T) {
	t.Parallel()

	for _, item := range animations() {
		begin, end := item.Picture.paint(48, 27, 0, 0), item.Picture.paint(48, 27, 1, 0)
		require.Equal(t, begin.Pix, end.Pix, item.ID)
		require.NotEqual(t, begin.Pix, item.Picture.paint(48, 27, 0.5, 0).Pix, item.ID)
	}

	item := Item{Picture: animations()[0].Picture, LoopMs: 125, FrameRate: 24}
	raw, err := io.ReadAll(item.Frames())
	require.NoError(t, err)
	require.Len(t, raw, 3*3*FrameWidth*FrameHeight)
}

func TestImages(t *testing.T) {
	t.Parallel()

	for _, item := range append(gradients(), pictures()...) {
		one, err := item.Image(64, 36)
		require.NoError(t, err)
		require.True(t, bytes.HasPrefix(one, []byte("\xff\xd8\xff")), item.ID)
	}
}
