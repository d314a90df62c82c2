package timeline

import (
	"cmp"
	"slices"

	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Sound is one sound of a clip: a source and the factor its samples are multiplied by. Zero is
// silence, one leaves it as recorded.
type Sound struct {
	Source string  `json:"source"`
	Volume float64 `json:"volume"`
	// OffsetMs is when the source begins, in recording time; below zero, its beginning is not heard.
	OffsetMs int64 `json:"offsetMs,omitempty"`
	// Studio has it cleaned and brought to the loudness of a studio.
	Studio bool `json:"studio,omitempty"`
	// Speech says that this is where somebody speaks: music ducks under it.
	Speech bool `json:"speech,omitempty"`
}

// Cue is a sound that is laid under a stretch of a clip. It plays from the source's beginning.
type Cue struct {
	Sound
	values.Span // recording time, as an effect is stored
}

// Heard is a cue as it is met: PlayMs and LengthMs are playback time of the video.
type Heard struct {
	Sound

	PlayMs   int64
	LengthMs int64
}

// Cues are the sounds laid under all clips, in playback order. Those that cuts take whole are left
// out.
func (v Video) Cues() []Heard {
	var (
		all     []Heard
		beginMs int64
	)

	for _, c := range v.Clips {
		clock := c.Clock()

		for _, cue := range c.Cues {
			if play, seen := clock.Report(cue.Span); seen {
				all = append(all, Heard{Sound: cue.Sound, PlayMs: beginMs + play.StartMs, LengthMs: play.LengthMs()})
			}
		}

		beginMs += clock.DurationMs()
	}

	slices.SortStableFunc(all, func(a, b Heard) int { return cmp.Compare(a.PlayMs, b.PlayMs) })

	return all
}

// Blend is a smooth transition: the playback time at which a clip follows another, and how long both
// are.
type Blend struct {
	PlayMs           int64
	BeforeMs, NextMs int64
}

// Blends are the smooth transitions of the video. A clip that follows nothing has none.
func (v Video) Blends() []Blend {
	var (
		all              []Blend
		beginMs, shownMs int64
	)

	for _, c := range v.Clips {
		d := c.Clock().DurationMs()
		if d == 0 {
			continue
		}

		if c.Smooth && shownMs > 0 {
			all = append(all, Blend{PlayMs: beginMs, BeforeMs: shownMs, NextMs: d})
		}

		beginMs += d
		shownMs = d
	}

	return all
}

// Sources are the ids of all recordings and sounds that the video names, each once, in its order.
func (v Video) Sources() []string {
	return v.named(func(c Clip, add func(id string)) {
		add(c.Screen)
		add(c.Camera)
	})
}

// Heard are the sources whose sound is in a video, each once.
func (v Video) Heard() []string { return v.named(func(Clip, func(id string)) {}) }

// named are the sources of all sounds, and those that shown adds of each clip, before its sounds.
func (v Video) named(shown func(c Clip, add func(id string))) []string {
	var ids []string

	add := func(id string) {
		if id != "" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}

	for _, c := range v.Clips {
		shown(c, add)

		for _, s := range c.Sounds {
			add(s.Source)
		}

		for _, cue := range c.Cues {
			add(cue.Source)
		}
	}

	if v.Music != nil {
		add(v.Music.Source)
	}

	return ids
}
