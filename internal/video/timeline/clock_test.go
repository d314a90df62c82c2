package timeline_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// film is the model: for every millisecond of the recording, whether it is cut.
type film []bool

func filmOf(lengthMs int64, ranges []values.Span) film {
	f := make(film, lengthMs)
	for _, s := range ranges {
		for t := max(s.StartMs, 0); t < min(s.EndMs, lengthMs); t++ {
			f[t] = true
		}
	}

	return f
}

// seen lists the recording time of every millisecond of playback.
func (f film) seen() []int64 {
	var at []int64

	for t, cut := range f {
		if !cut {
			at = append(at, int64(t))
		}
	}

	return at
}

// play is the number of seen milliseconds before a moment.
func (f film) play(recordMs int64) int64 {
	var n int64

	for t := range min(max(recordMs, 0), int64(len(f))) {
		if !f[t] {
			n++
		}
	}

	return n
}

func length(t *rapid.T) int64 { return rapid.Int64Range(1, 400).Draw(t, "lengthMs") }

func ranges(t *rapid.T, label string) []values.Span {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) values.Span {
		return values.SpanOf(rapid.Int64Range(-20, 420).Draw(t, "start"), rapid.Int64Range(0, 90).Draw(t, "length"))
	}), 0, 8).Draw(t, label)
}

func TestNormaliseIsTheUnion(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		n, in := length(t), ranges(t, "ranges")
		cuts := values.Normalise(n, in)

		require.Equal(t, filmOf(n, in), filmOf(n, cuts))

		for i, c := range cuts {
			require.Positive(t, c.LengthMs())
			require.GreaterOrEqual(t, c.StartMs, int64(0))
			require.LessOrEqual(t, c.EndMs, n)

			if i > 0 {
				require.Greater(t, c.StartMs, cuts[i-1].EndMs, "disjoint and not adjacent")
			}
		}

		require.Equal(t, cuts, values.Normalise(n, cuts))
	})
}

func TestClockMatchesModel(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		n, in := length(t), ranges(t, "ranges")
		f, clock := filmOf(n, in), timeline.NewClock(n, in)
		seen := f.seen()
		end := int64(len(seen))

		require.Equal(t, end, clock.DurationMs())

		for r := int64(-3); r <= n+3; r++ {
			require.Equal(t, f.play(r), clock.Play(r), "play(%d)", r)
			require.Equal(t, r >= 0 && r < n && f[r], clock.Cutout(r), "cutout(%d)", r)
		}

		for p := int64(-3); p <= end+3; p++ {
			start, stop := n, int64(0)
			if p < end && end > 0 {
				start = seen[max(p, 0)]
			}

			if p > 0 && end > 0 {
				stop = seen[min(p, end)-1] + 1
			}

			require.Equal(t, start, clock.RecordStart(p), "recordStart(%d)", p)
			require.Equal(t, stop, clock.RecordEnd(p), "recordEnd(%d)", p)
		}

		var kept int64
		for _, k := range clock.Kept() {
			kept += k.LengthMs()
		}

		require.Equal(t, end, kept)
	})
}

// All ranges of a request refer to the timeline before the request.
func TestCutUsesTheTimelineBefore(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		n, before := length(t), ranges(t, "before")
		request := ranges(t, "request")
		clock := timeline.NewClock(n, before)

		want := filmOf(n, before)
		seen := want.seen()
		usable := true

		for _, s := range request {
			from, to := max(s.StartMs, 0), min(s.EndMs, int64(len(seen)))
			usable = usable && from < to && s.LengthMs() > 0

			for p := from; p < to; p++ {
				want[seen[p]] = true
			}
		}

		cuts, err := clock.Cut(request)
		left := len(want.seen())

		var (
			badRange *timeline.RangeError
			tooShort *timeline.TooShortError
		)

		switch {
		case !usable:
			require.ErrorAs(t, err, &badRange)
		case left < timeline.MinLeftMs && left < len(want):
			require.ErrorAs(t, err, &tooShort)
			require.Equal(t, int64(left), tooShort.LeftMs)
		default:
			require.NoError(t, err)
			require.Equal(t, want, filmOf(n, cuts))
			require.Equal(t, cuts, values.Normalise(n, cuts))
		}
	})
}

// A stored range is reported as requested while the cuts stay the same.
func TestStoreAndReportAreInverse(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		n, in := length(t), ranges(t, "ranges")
		clock := timeline.NewClock(n, in)
		d := clock.DurationMs()
		ask := values.SpanOf(rapid.Int64Range(0, n).Draw(t, "start"), rapid.Int64Range(1, n).Draw(t, "length"))

		stored, err := clock.ToRecording(ask)
		if ask.StartMs >= d {
			var bad *timeline.RangeError

			require.ErrorAs(t, err, &bad)

			return
		}

		require.NoError(t, err)

		got, ok := clock.ToPlayback(stored)
		require.True(t, ok)
		require.Equal(t, values.Span{StartMs: ask.StartMs, EndMs: min(ask.EndMs, d)}, got)

		uncut, ok := timeline.NewClock(n, nil).ToPlayback(stored)
		require.True(t, ok)
		require.Equal(t, stored, uncut, "clearing the cuts restores the stored range")
	})
}

func TestReportHidesCutRanges(t *testing.T) {
	t.Parallel()

	clock := timeline.NewClock(1000, []values.Span{values.SpanOf(200, 300)})

	_, seen := clock.ToPlayback(values.SpanOf(250, 100))
	require.False(t, seen)

	part, seen := clock.ToPlayback(values.SpanOf(100, 200))
	require.True(t, seen)
	require.Equal(t, values.Span{StartMs: 100, EndMs: 200}, part)

	require.Equal(t, int64(500), clock.RecordStart(200), "a start is on the right of a join")
	require.Equal(t, int64(200), clock.RecordEnd(200), "an end on the left")
}

func TestCutsOf(t *testing.T) {
	t.Parallel()

	cuts, err := timeline.CutsOf(1000, []values.Span{
		values.SpanOf(600, 1<<53), values.SpanOf(100, 100), values.SpanOf(200, 50),
	})
	require.NoError(t, err)
	require.Equal(t, values.Cuts{{StartMs: 100, EndMs: 250}, {StartMs: 600, EndMs: 1000}}, cuts)

	cleared, err := timeline.CutsOf(1000, nil)
	require.NoError(t, err)
	require.Empty(t, cleared)

	short, err := timeline.CutsOf(50, nil)
	require.NoError(t, err, "a short recording without cuts is valid")
	require.Empty(t, short)

	_, err = timeline.CutsOf(1000, []values.Span{values.SpanOf(5, 0), values.SpanOf(0, 10), values.SpanOf(1000, 1)})
	require.EqualError(t, err, "range 0: the end must be after the start\n"+
		"range 2: the start must be before the end of the clip", "all faults are reported together")

	_, err = timeline.CutsOf(1000, []values.Span{values.SpanOf(0, 901)})
	require.EqualError(t, err, "the cuts would leave 99 ms of the clip; at least 100 ms must remain")

	_, err = timeline.CutsOf(1000, []values.Span{values.SpanOf(0, 900)})
	require.NoError(t, err)
}
