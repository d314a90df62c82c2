package plan_test

import (
	"errors"
	"math/big"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit/chance"
	"github.com/reelgraph/reelgraph/test/testkit/race"
)

// For every edit a plan has the nearest number of frames, its chunks tile them, inputs have every frame that a view shows,
// and streams continue from chunk to chunk where nothing is cut.
func TestManyTimelines(t *testing.T) {
	t.Parallel()

	const streams = 4

	many := 100_000
	if race.Detector {
		many = 4_000
	}

	cast := chance.Cast{
		Screen: "su_screen", Camera: "su_camera", Film: "su_silent", Image: "su_image", Mouse: "su_mouse", Sound: "su_sound",
		LongestMs: 300,
	}
	known := gallery()

	var all sync.WaitGroup
	defer all.Wait()

	for i := range streams {
		all.Go(func() {
			for n := range many / streams {
				cast := cast
				if n%50 == 0 {
					cast.LongestMs = 20_000 // so that transitions end, zooms open wholly, and chunks are split
				}

				v, look, settings := cast.Timeline(rand.New(rand.NewPCG(uint64(i), uint64(n))))
				if fault := faultOfPlan(v, look, known, settings); fault != "" {
					t.Errorf("timeline %d of stream %d: %s", n, i, fault)

					return
				}
			}
		})
	}
}

// faultOfPlan returns what is wrong with the plan of a timeline.
func faultOfPlan(v timeline.Video, look values.Look, known plan.Sources, settings plan.Settings) string {
	planned, err := plan.Of(v, look, known, settings)
	if errors.Is(err, plan.ErrEmpty) && v.DurationMs() == 0 {
		return ""
	}

	if err != nil {
		return err.Error()
	}

	films := []timeline.Video{v}
	if settings.Granularity == plan.Scenes {
		films = nil

		for _, c := range v.Clips {
			if one := (timeline.Video{Clips: []timeline.Clip{c}}); one.DurationMs() > 0 {
				films = append(films, one)
			}
		}
	}

	if len(planned.Outputs) != len(films) {
		return "wrong number of films"
	}

	for i, o := range planned.Outputs {
		if o.Frames != nearest(films[i].DurationMs(), settings) {
			return "wrong number of frames"
		}

		if fault := faultOfOutput(o); fault != "" {
			return fault
		}
	}

	return ""
}

// nearest is the nearest whole number of frames to a length, at least one.
func nearest(durationMs int64, s plan.Settings) int64 {
	exact := big.NewRat(durationMs*s.FPS*s.Speed.Den, 1_000*s.Speed.Num)
	half := new(big.Rat).Add(exact, big.NewRat(1, 2))

	return max(1, new(big.Int).Quo(half.Num(), half.Denom()).Int64())
}

func faultOfOutput(o plan.Output) string {
	var next int64

	for _, c := range o.Chunks {
		most := plan.ChunkSeconds * o.FPS
		if c.Draw != nil {
			most = plan.PassSeconds * o.FPS
		}

		if c.First != next || c.Frames < 1 || c.Frames > most || (c.Scene == nil) == (c.Draw == nil) {
			return "the chunks do not tile the film"
		}

		next += c.Frames

		if c.Scene == nil {
			continue
		}

		for n := int64(0); n < c.Frames; n += 5 {
			if fault := faultOf(*c.Scene, c.Scene.At(n), n); fault != "" {
				return fault
			}
		}
	}

	if next != o.Frames {
		return "the chunks do not cover the film"
	}

	return ""
}

// A stream continues in the next chunk where the cut is short enough to skip. It shows the same frames as if it
// started there: its frames are counted from the same place.
func TestStreamsContinue(t *testing.T) {
	t.Parallel()

	look := with(zoomed(values.ZoomTypeManualZoom, 12_000, 15_000))
	look.Clips[0].Base = &values.LayoutShape{Kind: values.LayoutKindCameraBubble}

	s := defaults()
	s.Speed = timeline.Speed{Num: 7, Den: 4}
	chunks := planned(t, look, s, combi(70_000, values.SpanOf(40_033, 4_000), values.SpanOf(55_000, 4_001)))
	goes := func(i int, content string) bool {
		for _, in := range chunks[i].Scene.Inputs {
			for _, next := range chunks[i+1].Scene.Inputs {
				if _, ok := in.Continues(*chunks[i].Scene, next); ok && in.Content == content {
					return true
				}
			}
		}

		return false
	}

	var seen []string

	for i := range chunks[:len(chunks)-1] {
		seen = append(seen, map[bool]string{true: "screen", false: "-"}[goes(i, "aaaa")]+" "+map[bool]string{true: "camera", false: "-"}[goes(i, "bbbb")])
	}

	require.Equal(t, []string{
		"screen camera", // after five seconds
		"screen camera", // the zoom needs another size of the screen
		"screen camera", // the effect behind it needs the former size
		"screen camera",
		"screen camera",
		"screen camera",
		"screen camera", // a cut of four seconds
		"screen camera",
		"- -", // a longer one
		"screen camera",
	}, seen)

	beat := timeline.Rate{FPS: s.FPS, Speed: s.Speed}.Beat()

	for _, c := range chunks[:7] {
		take := c.Scene.Inputs[0].Takes[0]
		require.Less(t, take.Skip, beat)
		require.Zero(t, take.FromUs%1_000_000, "whole seconds from where the recording began")
	}
}
