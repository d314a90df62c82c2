package timeline_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

func rate(t *rapid.T) timeline.Rate {
	return timeline.Rate{
		FPS:   rapid.SampledFrom([]int64{30, 60}).Draw(t, "fps"),
		Speed: rapid.SampledFrom(timeline.Speeds()).Draw(t, "speed"),
	}
}

func video(t *rapid.T) timeline.Video {
	return timeline.Video{Clips: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) timeline.Clip {
		n := length(t)

		return timeline.Clip{LengthMs: n, Cuts: values.Normalise(n, ranges(t, "cuts"))}
	}), 1, 4).Draw(t, "clips")}
}

// moment is one millisecond of playback in the model.
type moment struct {
	clip     int
	recordMs int64
}

func moments(v timeline.Video) []moment {
	var all []moment

	for i, c := range v.Clips {
		for _, r := range filmOf(c.LengthMs, c.Cuts).seen() {
			all = append(all, moment{i, r})
		}
	}

	return all
}

func TestRunsMatchModel(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		v, r := video(t), rate(t)
		film := moments(v)

		require.Equal(t, int64(len(film)), v.DurationMs())

		var next int64

		for _, run := range v.Runs(r) {
			require.Equal(t, next, run.First, "no gap, no overlap")
			require.Positive(t, run.Count)

			for n := run.First; n < run.First+run.Count; n++ {
				// The playback time of frame n, exactly: n·1000·speed/fps ms.
				play := big.NewRat(n*1000*r.Speed.Num, r.FPS*r.Speed.Den)
				whole := new(big.Int).Quo(play.Num(), play.Denom()).Int64()
				want := film[whole]

				require.Equal(t, want.clip, run.Clip)

				exact := new(big.Rat).Sub(play, big.NewRat(whole, 1))
				exact.Add(exact, big.NewRat(want.recordMs, 1))
				exact.Mul(exact, big.NewRat(1000, 1))
				off, _ := exact.Sub(exact, big.NewRat(run.AtUs(r, n), 1)).Float64()

				require.GreaterOrEqual(t, off, 0.0)
				require.Less(t, off, 2.0, "microseconds")
			}

			next += run.Count
		}

		require.Equal(t, r.Frames(v.DurationMs()), next)
	})
}

func TestFramesIsTheNearestNumber(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		d, r := rapid.Int64Range(1, 36_000_000).Draw(t, "durationMs"), rate(t)
		exact := big.NewRat(d*r.FPS*r.Speed.Den, 1000*r.Speed.Num)
		off, _ := new(big.Rat).Sub(exact, big.NewRat(r.Frames(d), 1)).Float64()

		if r.Frames(d) > 1 {
			require.LessOrEqual(t, off, 0.5)
			require.GreaterOrEqual(t, off, -0.5)
		}
	})

	require.Zero(t, timeline.Rate{FPS: 30, Speed: timeline.Normal()}.Frames(0))
	require.Equal(t, int64(1350), timeline.Rate{FPS: 30, Speed: timeline.Normal()}.Frames(45_000))
}

func TestVideoAt(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		v := video(t)
		film := moments(v)

		for p, want := range film {
			clip, at, ok := v.At(int64(p))
			require.True(t, ok)
			require.Equal(t, want.clip, clip)
			require.Equal(t, want.recordMs, v.Clips[clip].Clock().RecordStart(at))
			require.Equal(t, int64(p), v.StartMs(clip)+at)
		}

		clip, at, ok := v.At(v.DurationMs() + 7)
		require.Equal(t, len(film) > 0, ok)

		if ok {
			require.Equal(t, v.DurationMs(), v.StartMs(clip)+at)
		}
	})
}

func TestSpeeds(t *testing.T) {
	t.Parallel()

	var texts []string

	for _, s := range timeline.Speeds() {
		texts = append(texts, s.String())
		back, err := timeline.ParseSpeed(s.String())
		require.NoError(t, err)
		require.Equal(t, s, back)
	}

	require.Equal(t, []string{"0.5", "0.75", "1", "1.25", "1.5", "1.75", "2"}, texts)

	_, err := timeline.ParseSpeed("1.0")
	require.EqualError(t, err, `unknown speed "1.0"; use one of [0.5 0.75 1 1.25 1.5 1.75 2]`)
}
