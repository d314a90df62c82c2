// Package multitrack is how the tracks of a clip lie beside each other: which there are, when each began, how long they
// are together, and which sounds they have. The graph and the workers share it.
package multitrack

import (
	"math"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Tracks are the sources that a clip was recorded with. Those that are absent are nil.
type Tracks struct{ Screen, Camera, Microphone, Mouse *ent.Source }

// Of are the tracks that were loaded with a clip.
func Of(c *ent.Clip) Tracks {
	return Tracks{
		Screen: c.Edges.ScreenSource, Camera: c.Edges.CameraSource, Microphone: c.Edges.MicrophoneSource, Mouse: c.Edges.MouseSource,
	}
}

// WithSources loads what is heard and seen of clips with them; each narrows how one of the sources is read.
func WithSources(q *ent.ClipQuery, each ...func(*ent.SourceQuery)) *ent.ClipQuery {
	return q.WithScreenSource(each...).WithCameraSource(each...).WithMicrophoneSource(each...)
}

// All are the tracks that there are, as they are listed everywhere.
func (t Tracks) All() []*ent.Source {
	var all []*ent.Source

	for _, s := range []*ent.Source{t.Screen, t.Camera, t.Microphone, t.Mouse} {
		if s != nil {
			all = append(all, s)
		}
	}

	return all
}

// Main is the track that recording time begins with: the screen or, without one, the camera.
func (t Tracks) Main() *ent.Source {
	if t.Screen != nil {
		return t.Screen
	}

	return t.Camera
}

// LengthMs is from the beginning of the main track to the latest end of screen and camera.
func (t Tracks) LengthMs(o values.Offsets) int64 {
	var length int64

	if t.Screen != nil {
		length = t.Screen.DurationMs
	}

	if t.Camera != nil {
		length = max(length, o.Camera.Ms+t.Camera.DurationMs)
	}

	return length
}

// Align completes the offsets of tracks: those that somebody gave stay as they are, the others are found by the clocks.
func (t Tracks) Align(o values.Offsets) values.Offsets {
	main := t.Main()

	if t.Screen == nil {
		o.Camera = values.Offset{}
	}

	for _, of := range []struct {
		track  *ent.Source
		offset *values.Offset
	}{{t.Camera, &o.Camera}, {t.Microphone, &o.Microphone}, {t.Mouse, &o.Mouse}} {
		if !of.offset.Given {
			of.offset.Ms = after(main, of.track)
		}
	}

	return o
}

// mostApartMs is how far from each other tracks may begin that were recorded together.
const mostApartMs = 60_000

// after is how long after one track another began, by the clock that they share; zero when they share none.
func after(main, track *ent.Source) int64 {
	if main == nil || track == nil || main.BeganMs == nil || track.BeganMs == nil ||
		main.Clock == nil || track.Clock == nil || main.Clock.ID != track.Clock.ID {
		return 0
	}

	// Clocks that are further apart are not one clock.
	if apart := *track.BeganMs - *main.BeganMs; math.Abs(apart) <= mostApartMs {
		return int64(math.Round(apart))
	}

	return 0
}

// Sound is one that is heard in a clip.
type Sound struct {
	Source     *ent.Source
	Microphone bool // governed by the volume of the microphone, else by that of the system's sound
	// OffsetMs is when it begins, in recording time.
	OffsetMs int64
}

// Sounds are those of the tracks that have any.
func (t Tracks) Sounds(o values.Offsets) []Sound {
	var all []Sound

	for _, s := range []Sound{
		{Source: t.Screen}, {Source: t.Camera, OffsetMs: o.Camera.Ms},
		{Source: t.Microphone, Microphone: true, OffsetMs: o.Microphone.Ms},
	} {
		if s.Source == nil || !s.Source.HasAudio {
			continue
		}

		s.Microphone = s.Microphone || s.Source.Audio != nil && *s.Source.Audio == values.SourceAudioMicrophone
		all = append(all, s)
	}

	return all
}

// Heard reports whether there is sound of the microphone and of the system in them.
func (t Tracks) Heard(o values.Offsets) (microphone, system bool) {
	for _, s := range t.Sounds(o) {
		microphone = microphone || s.Microphone
		system = system || !s.Microphone
	}

	return microphone, system
}

// Speech is the sound that speech is looked for in: that of the microphone, the separate one first, else the system's.
// Without any sound its source is nil.
func (t Tracks) Speech(o values.Offsets) Sound {
	var speech Sound

	for _, s := range t.Sounds(o) {
		if speech.Source == nil || s.Microphone && (!speech.Microphone || s.Source == t.Microphone) {
			speech = s
		}
	}

	return speech
}

// Listened is the Speech of a clip whose tracks were loaded.
func Listened(c *ent.Clip) Sound { return Of(c).Speech(c.Offsets) }

// Waiting reports whether the bytes of a clip's tracks still arrive. It has no length until they are there.
func Waiting(c *ent.Clip) bool { return c.RecordingMs == 0 }

// Failed reports whether a clip waits in vain: none of what it was to show can be used.
func Failed(c *ent.Clip) bool {
	return Waiting(c) && c.TranscriptStatus == values.TranscriptStatusFailed
}
