package timeline_test

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// manyCases is the number of random cases for each property.
const manyCases = 100_000

// many tries manyCases random cases in a few streams with fixed seeds, so that every run tries the same cases.
func many(t *testing.T, try func(t *testing.T, r *rand.Rand)) {
	t.Helper()

	const streams = 4

	var all sync.WaitGroup
	defer all.Wait()

	for i := range streams {
		all.Go(func() {
			for n := range manyCases / streams {
				if try(t, rand.New(rand.NewPCG(uint64(i), uint64(n)))); t.Failed() {
					return
				}
			}
		})
	}
}

func between(r *rand.Rand, low, high int64) int64 { return low + r.Int64N(high-low+1) }

// someSpans returns up to six spans around a recording, some empty, some beyond its ends.
func someSpans(r *rand.Rand, lengthMs int64) []values.Span {
	spans := make([]values.Span, r.IntN(7))
	for i := range spans {
		spans[i] = values.SpanOf(between(r, -5, lengthMs+5), between(r, 0, lengthMs/3+1))
	}

	return spans
}

// Cuts of any order and overlap merge into the union of their milliseconds, in normalized form.
func TestManyCutsMerge(t *testing.T) {
	t.Parallel()

	many(t, func(t *testing.T, r *rand.Rand) {
		t.Helper()

		n := between(r, 1, 60)
		in := someSpans(r, n)
		cuts := values.Normalise(n, in)

		if !slices.Equal(filmOf(n, in), filmOf(n, cuts)) {
			t.Errorf("%d ms: %v became %v", n, in, cuts)
		}

		for i, c := range cuts {
			if c.LengthMs() <= 0 || c.StartMs < 0 || c.EndMs > n || i > 0 && c.StartMs <= cuts[i-1].EndMs {
				t.Errorf("%d ms: %v became %v", n, in, cuts)
			}
		}
	})
}

// A stored range is reported as requested, and every moment survives the conversion by both clocks and back.
func TestManyClocksRoundTrip(t *testing.T) {
	t.Parallel()

	many(t, func(t *testing.T, r *rand.Rand) {
		t.Helper()

		n := between(r, 1, 60)
		cuts := someSpans(r, n)
		clock, seen := timeline.NewClock(n, cuts), filmOf(n, cuts).seen()

		for p, at := range seen {
			start, end := clock.RecordStart(int64(p)), clock.RecordEnd(int64(p)+1)
			if start != at || end != at+1 || clock.Play(start) != int64(p) || clock.Play(end) != int64(p)+1 {
				t.Errorf("%d ms without %v: %d ms is seen at %d, and comes back as %d to %d", n, cuts, at, p, start, end)
			}
		}

		d := int64(len(seen))
		if d == 0 {
			return
		}

		ask := values.SpanOf(between(r, 0, d-1), between(r, 1, n))
		stored, err := clock.ToRecording(ask)
		got, ok := clock.ToPlayback(stored)

		if want := (values.Span{StartMs: ask.StartMs, EndMs: min(ask.EndMs, d)}); err != nil || !ok || got != want {
			t.Errorf("%d ms without %v: %v came back as %v, %v", n, cuts, ask, got, err)
		}

		again, err := clock.Move(stored, nil, nil)
		if err != nil || again != stored {
			t.Errorf("%d ms without %v: %v stored again is %v, %v", n, cuts, stored, again, err)
		}
	})
}

// A reported effect has as many milliseconds as the cuts leave of it, at its own place, and is hidden when none are left.
// Clearing the cuts restores it whole.
func TestManyEffectsAreClipped(t *testing.T) {
	t.Parallel()

	many(t, func(t *testing.T, r *rand.Rand) {
		t.Helper()

		n := between(r, 1, 60)
		stored := values.SpanOf(between(r, 0, n-1), 0)
		stored.EndMs = between(r, stored.StartMs+1, n)
		cuts := someSpans(r, n)
		f, clock := filmOf(n, cuts), timeline.NewClock(n, cuts)

		var first, count int64

		for at, cut := range f {
			switch inside := int64(at) >= stored.StartMs && int64(at) < stored.EndMs; {
			case cut:
			case inside:
				count++
			case int64(at) < stored.StartMs:
				first++
			}
		}

		got, visible := clock.ToPlayback(stored)
		if visible != (count > 0) || got.LengthMs() != count || got.StartMs != first {
			t.Errorf("%d ms without %v: of %v is seen %v, and should be %d from %d", n, cuts, stored, got, count, first)
		}

		if whole, ok := timeline.NewClock(n, nil).ToPlayback(stored); !ok || whole != stored {
			t.Errorf("%d ms: %v is %v without cuts", n, stored, whole)
		}
	})
}

// Exclusive spans: the latest span owns its range, each millisecond has at most one owner, and earlier spans keep the rest,
// except remainders that are too short.
func TestManyExclusiveSpans(t *testing.T) {
	t.Parallel()

	const whole = 80

	many(t, func(t *testing.T, r *rand.Rand) {
		t.Helper()

		var (
			owners [whole]int // the owner of each millisecond; 0 is none
			pieces = map[int][]values.Span{}
			least  = between(r, 0, 12)
		)

		for owner := 1; owner <= 1+r.IntN(8); owner++ {
			taken := values.SpanOf(between(r, 0, whole-1), 0)
			taken.EndMs = between(r, taken.StartMs+1, whole)
			pieces = exclude(&owners, pieces, taken, least)
			pieces[owner] = []values.Span{taken}

			for at := taken.StartMs; at < taken.EndMs; at++ {
				owners[at] = owner
			}
		}

		var drawn [whole]int

		for owner, spans := range pieces {
			for _, s := range spans {
				for at := s.StartMs; at < s.EndMs; at++ {
					if drawn[at] != 0 {
						t.Errorf("%d belongs to both %d and %d", at, drawn[at], owner)
					}

					drawn[at] = owner
				}
			}
		}

		if drawn != owners {
			t.Errorf("drawn %v, and should be %v", drawn, owners)
		}
	})
}

// exclude removes a span from all pieces and, in the model, from each run of milliseconds that it touches; runs that become
// too short lose their owner.
func exclude(owners *[80]int, pieces map[int][]values.Span, taken values.Span, least int64) map[int][]values.Span {
	left := map[int][]values.Span{}

	for owner, spans := range pieces {
		for _, s := range spans {
			left[owner] = append(left[owner], s.Without(taken, least)...)

			if taken.EndMs <= s.StartMs || taken.StartMs >= s.EndMs {
				continue
			}

			var before, after []int64

			for at := s.StartMs; at < s.EndMs; at++ {
				if at < taken.StartMs {
					before = append(before, at)
				} else if at >= taken.EndMs {
					after = append(after, at)
				}
			}

			for _, run := range [][]int64{before, after} {
				for _, at := range run {
					if int64(len(run)) < least {
						owners[at] = 0
					}
				}
			}
		}
	}

	return left
}

// Free returns the parts of a span that are not taken.
func TestManyFreeSpans(t *testing.T) {
	t.Parallel()

	many(t, func(t *testing.T, r *rand.Rand) {
		t.Helper()

		n := between(r, 1, 60)
		taken := someSpans(r, n)
		want, got := filmOf(n, taken), make(film, n)

		for i := range got {
			got[i] = true
		}

		free := values.SpanOf(0, n).Free(taken)
		for i, s := range free {
			for at := s.StartMs; at < s.EndMs; at++ {
				got[at] = false
			}

			if i > 0 && s.StartMs < free[i-1].EndMs {
				t.Errorf("%v are not ascending", free)
			}
		}

		if !slices.Equal(want, got) {
			t.Errorf("free in %d ms without %v: %v", n, taken, free)
		}
	})
}

func TestMoveKeepsReportedTime(t *testing.T) {
	t.Parallel()

	clock := timeline.NewClock(1000, []values.Span{values.SpanOf(200, 300)})
	stored := values.Span{StartMs: 100, EndMs: 600} // seen from 100 to 300
	start, length, none := int64(0), int64(50), int64(0)

	moved, err := clock.Move(stored, &start, nil)
	require.NoError(t, err)
	require.Equal(t, values.Span{StartMs: 0, EndMs: 200}, moved, "its 200 ms, from 0 on")

	moved, err = clock.Move(stored, nil, &length)
	require.NoError(t, err)
	require.Equal(t, values.Span{StartMs: 100, EndMs: 150}, moved)

	moved, err = clock.Move(values.Span{StartMs: 100, EndMs: 400}, nil, nil)
	require.NoError(t, err)
	require.Equal(t, values.Span{StartMs: 100, EndMs: 200}, moved, "an end in a cut is at its left side")

	var bad *timeline.RangeError

	_, err = clock.Move(values.Span{StartMs: 250, EndMs: 300}, &none, nil)
	require.ErrorAs(t, err, &bad, "all of it is cut, so it has no length that could be kept")
}
