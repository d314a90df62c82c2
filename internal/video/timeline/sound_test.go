package timeline_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// A cue is heard while its span is seen: cuts move it, shorten it or remove it.
func TestCuesAreHeard(t *testing.T) {
	t.Parallel()

	cue := func(source string, startMs, endMs int64) timeline.Cue {
		return timeline.Cue{Sound: timeline.Sound{Source: source, Volume: 1}, Span: values.Span{StartMs: startMs, EndMs: endMs}}
	}
	v := timeline.Video{Clips: []timeline.Clip{
		{LengthMs: 1_000},
		{
			LengthMs: 10_000, Cuts: values.Cuts{{StartMs: 2_000, EndMs: 4_000}},
			Cues: []timeline.Cue{cue("late", 9_000, 9_500), cue("gone", 2_100, 3_900), cue("short", 1_500, 5_000), cue("moved", 3_000, 6_000)},
		},
	}}

	type heard struct {
		source           string
		playMs, lengthMs int64
	}

	var got []heard
	for _, h := range v.Cues() {
		got = append(got, heard{h.Source, h.PlayMs, h.LengthMs})
	}

	require.Equal(t, []heard{{"short", 2_500, 1_500}, {"moved", 3_000, 2_000}, {"late", 8_000, 500}}, got)
	require.Equal(t, []string{"late", "gone", "short", "moved"}, v.Sources())
}

// A clip blends with the last clip before it that has a length; the first clip with none.
func TestBlends(t *testing.T) {
	t.Parallel()

	v := timeline.Video{Clips: []timeline.Clip{
		{LengthMs: 300, Smooth: true},
		{LengthMs: 500, Cuts: values.Cuts{{StartMs: 0, EndMs: 500}}, Smooth: true},
		{LengthMs: 700, Smooth: true},
		{LengthMs: 900},
		{LengthMs: 100, Smooth: true},
	}}
	require.Equal(t, []timeline.Blend{
		{PlayMs: 300, BeforeMs: 300, NextMs: 700}, {PlayMs: 1_900, BeforeMs: 900, NextMs: 100},
	}, v.Blends())
}
