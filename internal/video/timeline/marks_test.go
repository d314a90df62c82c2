package timeline_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

func drawVideo(t *rapid.T) (timeline.Video, []film) {
	var v timeline.Video

	films := []film{}

	for range rapid.IntRange(1, 4).Draw(t, "clips") {
		n := rapid.Int64Range(1, 120).Draw(t, "lengthMs")
		cuts := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) values.Span {
			return values.SpanOf(rapid.Int64Range(0, 110).Draw(t, "start"), rapid.Int64Range(0, 40).Draw(t, "length"))
		}), 0, 3).Draw(t, "cuts")

		v.Clips = append(v.Clips, timeline.Clip{LengthMs: n, Cuts: values.Normalise(n, cuts)})
		films = append(films, filmOf(n, cuts))
	}

	return v, films
}

// A mark set at any moment of the video is on the millisecond shown there, and is reported there again.
func TestAnchorMatchesModel(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		v, films := drawVideo(t)

		var played int64

		for clip, f := range films {
			for _, at := range f.seen() {
				mark, ok := v.Anchor(played)
				require.True(t, ok)
				require.Equal(t, timeline.Mark{Clip: clip, AtMs: at}, mark)
				require.Equal(t, []timeline.Seen{{PlayMs: played}}, v.Seen([]timeline.Mark{mark}))

				played++
			}
		}

		for _, outside := range []int64{-1, played, played + 1} {
			_, ok := v.Anchor(outside)
			require.False(t, ok, "%d", outside)
		}
	})
}

// Of the marks on one millisecond the last in recording order is reported, in any input order.
func TestSeenMatchesModel(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		v, films := drawVideo(t)

		var marks []timeline.Mark

		for range rapid.IntRange(0, 12).Draw(t, "marks") {
			clip := rapid.IntRange(0, len(films)-1).Draw(t, "clip")
			marks = append(marks, timeline.Mark{Clip: clip, AtMs: rapid.Int64Range(0, int64(len(films[clip]))-1).Draw(t, "at")})
		}

		want := map[int64]timeline.Mark{}

		for _, m := range marks {
			var at int64
			for _, f := range films[:m.Clip] {
				at += int64(len(f.seen()))
			}

			at += films[m.Clip].play(m.AtMs)

			was, there := want[at]
			if !there || m.Clip > was.Clip || m.Clip == was.Clip && m.AtMs >= was.AtMs {
				want[at] = m
			}
		}

		seen := v.Seen(marks)
		require.Len(t, seen, len(want))

		for i, s := range seen {
			require.Equal(t, want[s.PlayMs], marks[s.Index])

			if i > 0 {
				require.Greater(t, s.PlayMs, seen[i-1].PlayMs)
			}
		}
	})
}

// Cuts of silences contain only silence and keep the requested length of each.
func TestSilences(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		n, cuts, quiet := length(t), ranges(t, "cuts"), ranges(t, "quiet")
		clock := timeline.NewClock(n, cuts)
		silent := filmOf(n, quiet)
		heard := []bool{}

		for _, at := range filmOf(n, cuts).seen() {
			heard = append(heard, silent[at])
		}

		minMs := rapid.Int64Range(0, 60).Draw(t, "min")
		all := clock.Silences(quiet, minMs)
		found := make([]bool, len(heard))

		for _, s := range all {
			require.GreaterOrEqual(t, s.LengthMs(), minMs)

			for p := s.StartMs; p < s.EndMs; p++ {
				found[p] = true
			}
		}

		for p, run := 0, 0; p < len(heard); p, run = p+max(run, 1), 0 {
			for ; p+run < len(heard) && heard[p+run]; run++ {
			}

			for i := range run {
				require.Equal(t, int64(run) >= minMs, found[p+i], "%d", p+i)
			}
		}

		over, keep := rapid.Int64Range(0, 60).Draw(t, "over"), rapid.Int64Range(0, 20).Draw(t, "keep")
		step := rapid.Int64Range(1, 20).Draw(t, "step")
		tight := timeline.Tighten(all, over, keep, step)
		i := 0

		for _, s := range all {
			if s.LengthMs() <= over || s.LengthMs() < 2*keep+step {
				continue
			}

			cut := tight[i]
			i++

			require.Zero(t, cut.LengthMs()%step, "a whole number of steps")
			require.Equal(t, s.StartMs+keep, cut.StartMs)
			require.GreaterOrEqual(t, s.EndMs-cut.EndMs, keep)
			require.Less(t, s.EndMs-cut.EndMs, keep+step, "it keeps only what makes the cut whole")
		}

		require.Len(t, tight, i)
	})
}

func TestCutRecordedIsTheUnion(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		n, before, more := length(t), ranges(t, "before"), ranges(t, "more")
		want := filmOf(n, append(append([]values.Span{}, before...), more...))
		cuts, err := timeline.NewClock(n, before).CutRecorded(more)

		if left := len(want.seen()); left < timeline.MinLeftMs && left < len(want) {
			var short *timeline.TooShortError

			require.ErrorAs(t, err, &short)

			return
		}

		require.NoError(t, err)
		require.Equal(t, want, filmOf(n, cuts))
	})
}

// A trim shows the same milliseconds of the recordings as the range did, and no others.
func TestTrimMatchesModel(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		v, films := drawVideo(t)
		start := rapid.Int64Range(-5, 200).Draw(t, "start")
		play := values.SpanOf(start, rapid.Int64Range(0, 200).Draw(t, "length"))

		type instant struct {
			clip int
			at   int64
		}

		want, got := []instant{}, []instant{}
		played := int64(0)

		for clip, f := range films {
			for _, at := range f.seen() {
				if played >= play.StartMs && played < play.EndMs {
					want = append(want, instant{clip, at})
				}

				played++
			}
		}

		for _, k := range v.Trim(play) {
			seen := filmOf(v.Clips[k.Clip].LengthMs, k.Cuts).seen()
			require.NotEmpty(t, seen)

			for _, at := range seen {
				got = append(got, instant{k.Clip, at})
			}
		}

		require.Equal(t, want, got)
	})
}
