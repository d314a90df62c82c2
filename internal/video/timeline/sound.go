package timeline

import (
	"cmp"
	"slices"

	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Sound is one sound of a clip: a source and its volume factor. Zero is silence; one is the recorded volume.
type Sound struct {
	Source string  `json:"source"`
	Volume float64 `json:"volume"`
	// OffsetMs is when the source begins, in recording time; if negative, its beginning is not heard.
	OffsetMs int64 `json:"offsetMs,omitempty"`
	// Studio turns on noise removal and loudness normalization.
	Studio bool `json:"studio,omitempty"`
	// Speech marks the sound as speech. Music gets quieter while it plays.
	Speech bool `json:"speech,omitempty"`
}

// Cue is a sound that plays during a span of a clip, from the start of its source.
type Cue struct {
	Sound
	values.Span // recording time, as an effect is stored
}

// Heard is a cue with its times in playback time of the video.
type Heard struct {
	Sound

	PlayMs   int64
	LengthMs int64
}

// Cues returns the cues of all clips in playback order. It omits cues that are cut out entirely.
func (v Video) Cues() []Heard {
	var (
		all     []Heard
		beginMs int64
	)

	for _, c := range v.Clips {
		clock := c.Clock()

		for _, cue := range c.Cues {
			if play, seen := clock.ToPlayback(cue.Span); seen {
				all = append(all, Heard{Sound: cue.Sound, PlayMs: beginMs + play.StartMs, LengthMs: play.LengthMs()})
			}
		}

		beginMs += clock.DurationMs()
	}

	slices.SortStableFunc(all, func(a, b Heard) int { return cmp.Compare(a.PlayMs, b.PlayMs) })

	return all
}

// Blend is a smooth transition between two clips. PlayMs is the playback time at which the second clip begins.
// BeforeMs and NextMs are the playback lengths of the first and the second clip.
type Blend struct {
	PlayMs           int64
	BeforeMs, NextMs int64
}

// Blends returns the smooth transitions of the video. The first clip has none.
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

// Sources returns the ids of all recordings and sounds of the video, in order and without duplicates.
func (v Video) Sources() []string {
	return v.named(func(c Clip, add func(id string)) {
		add(c.Screen)
		add(c.Camera)
	})
}

// Heard returns the ids of the sources whose sound is heard in the video, without duplicates.
func (v Video) Heard() []string { return v.named(func(Clip, func(id string)) {}) }

// named returns the sources of all sounds, and those that shown adds for each clip, before its sounds.
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
