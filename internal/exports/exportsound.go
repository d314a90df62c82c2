package exports

import (
	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/multitrack"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// musicUnder returns the music of a video as its export plays it.
func musicUnder(v *ent.Video) *timeline.Sound {
	if v.BackgroundMusic == nil {
		return nil
	}

	return &timeline.Sound{Source: v.BackgroundMusic.SourceID, Volume: v.BackgroundMusic.Volume}
}

// SoundsOf returns the sounds of a clip with the volumes at which they are played. Studio sound is applied only to
// speech. The microphone sound counts as speech. In a clip without microphone sound, the system sound counts as
// speech.
func SoundsOf(v *ent.Video, c *ent.Clip) []timeline.Sound {
	var sounds []timeline.Sound

	tracks := multitrack.Of(c)
	microphone, _ := tracks.Heard(c.Offsets)

	for _, s := range tracks.Sounds(c.Offsets) {
		own, general := c.SystemAudioVolume, v.Editing.SystemAudioVolume
		if s.Microphone {
			own, general = c.MicrophoneVolume, v.Editing.MicrophoneVolume
		}

		spoken := s.Microphone == microphone

		sounds = append(sounds, timeline.Sound{
			Source: s.Source.ID, OffsetMs: s.OffsetMs, Volume: listing.VolumeOf(own, general).Effective,
			Speech: spoken, Studio: spoken && v.Editing.StudioSound && !c.StudioSoundOff,
		})
	}

	return sounds
}

// cuesOf returns the sound effects of a clip, oldest first.
func cuesOf(c *ent.Clip) []timeline.Cue {
	var cues []timeline.Cue

	for _, e := range c.Edges.Effects {
		if e.Kind != values.EffectKindSoundEffect || e.SourceID == nil {
			continue
		}

		cues = append(cues, timeline.Cue{
			Sound: timeline.Sound{Source: *e.SourceID, Volume: e.Params.Sound.Volume},
			Span:  values.Span{StartMs: e.StartMs, EndMs: e.EndMs},
		})
	}

	return cues
}

// smooth reports whether a clip follows the one before with a blend.
func smooth(v *ent.Video, c *ent.Clip) bool {
	if c.Transition == values.ClipTransitionDefault {
		return v.Editing.ClipTransition == values.VideoTransitionSmooth
	}

	return c.Transition == values.ClipTransitionSmooth
}
