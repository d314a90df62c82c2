package multitrack_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/reelgraph/reelgraph/internal/multitrack"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// began returns the result of Began, which must be known.
func began(t *testing.T, c values.TrackClock, times ...float64) float64 {
	t.Helper()

	at, known := multitrack.Began(c, times)
	require.True(t, known)

	return at
}

func TestBegan(t *testing.T) {
	t.Parallel()

	uneven := []float64{1000, 1033, 1070, 1100, 1141, 1166}
	first := func(i int) *int { return &i }

	for name, one := range map[string]struct {
		clock values.TrackClock
		times []float64
		want  float64
	}{
		"the first of all": {values.TrackClock{CaptureTimesMs: uneven}, []float64{0, 33, 70}, 1000},
		"the first captured after the start": {
			values.TrackClock{CaptureTimesMs: uneven, StartedAtMs: new(1030.0)}, []float64{0, 37, 67}, 1033,
		},
		"the one delivered after the start, captured before": {
			values.TrackClock{CaptureTimesMs: uneven, StartedAtMs: new(1040.0), FirstDeliveredIndex: first(1)}, []float64{0, 37, 67}, 1033,
		},
		"the one captured after the start, where one before was delivered": {
			values.TrackClock{CaptureTimesMs: uneven, StartedAtMs: new(1040.0), FirstDeliveredIndex: first(1)}, []float64{0, 30, 71}, 1070,
		},
		"frames that the recorder left out": {
			values.TrackClock{CaptureTimesMs: uneven, StartedAtMs: new(1040.0), FirstDeliveredIndex: first(1)}, []float64{0, 37, 108}, 1033,
		},
		"sound that begins before the picture": {
			values.TrackClock{CaptureTimesMs: uneven}, []float64{99, 132, 169}, 901,
		},
		"behind a pause": {
			values.TrackClock{
				CaptureTimesMs: []float64{1000, 1033, 1070, 5100, 5141}, StartedAtMs: new(1010.0), FirstDeliveredIndex: first(0),
				PausesMs: [][2]float64{{1080, 5080}},
			}, []float64{0, 37, 67, 108}, 1033,
		},
		"the call alone":                  {values.TrackClock{StartedAtMs: new(1020.5)}, []float64{0, 33}, 1020.5},
		"a start after all that is known": {values.TrackClock{CaptureTimesMs: uneven, StartedAtMs: new(9000.0)}, []float64{0}, 1166},
		"a file that says nothing":        {values.TrackClock{CaptureTimesMs: uneven}, nil, 1000},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			require.InDelta(t, one.want, began(t, one.clock, one.times...), 1e-9)
		})
	}

	_, known := multitrack.Began(values.TrackClock{ID: "nothing else"}, []float64{0, 33})
	require.False(t, known)
}

// The first frame is found although the recorder begins with one of several frames, drops frames, pauses, and writes
// whole milliseconds.
func TestBeganFindsTheFrame(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		at := rapid.Float64Range(0, 1e7).Draw(t, "from")

		var captured []float64

		for range rapid.IntRange(20, 200).Draw(t, "frames") {
			at += rapid.Float64Range(16, 90).Draw(t, "apart") // frames of captured browser tabs are as irregular
			captured = append(captured, math.Round(at*10)/10)
		}

		delivered := rapid.IntRange(0, 3).Draw(t, "delivered")
		after := delivered + rapid.IntRange(0, 2).Draw(t, "older")
		truth := rapid.SampledFrom([]int{delivered, after}).Draw(t, "truth")
		started := captured[after] - 0.05
		pause := rapid.IntRange(after+2, len(captured)-1).Draw(t, "pause")
		long := rapid.Float64Range(0, 60_000).Draw(t, "long")
		clock := values.TrackClock{StartedAtMs: &started, FirstDeliveredIndex: &delivered}

		var times []float64

		for i, at := range captured {
			if i >= truth && (i == truth || rapid.IntRange(0, 9).Draw(t, "kept") > 0) {
				times = append(times, math.Round(at-captured[truth]))
			}

			if i >= pause {
				captured[i] += long
			}
		}

		clock.CaptureTimesMs = captured
		clock.PausesMs = [][2]float64{{captured[pause] - long - 1, captured[pause] - 1}}

		found, known := multitrack.Began(clock, times)
		if !known || math.Abs(found-captured[truth]) > 1 {
			t.Fatalf("began at %v, not at %v", found, captured[truth])
		}
	})
}
