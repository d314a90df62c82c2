// Package multitrack computes how the tracks of a clip are aligned: which tracks there are, when each one begins, how
// long they last together, and which sounds they contain. The graph and the workers share it.
package multitrack

import (
	"math"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Tracks holds the sources that a clip was recorded with. Fields of missing sources are nil.
type Tracks struct{ Screen, Camera, Microphone, Mouse *ent.Source }

// Of returns the tracks that were loaded with a clip.
func Of(c *ent.Clip) Tracks {
	return Tracks{
		Screen: c.Edges.ScreenSource, Camera: c.Edges.CameraSource, Microphone: c.Edges.MicrophoneSource, Mouse: c.Edges.MouseSource,
	}
}

// WithSources makes a query of clips also load their screen, camera and microphone tracks. The given functions are
// applied to the query of every track.
func WithSources(q *ent.ClipQuery, refine ...func(*ent.SourceQuery)) *ent.ClipQuery {
	return q.WithScreenSource(refine...).WithCameraSource(refine...).WithMicrophoneSource(refine...)
}

// All returns the tracks that are not nil. The order is always the same: screen, camera, microphone, mouse.
func (t Tracks) All() []*ent.Source {
	var all []*ent.Source

	for _, s := range []*ent.Source{t.Screen, t.Camera, t.Microphone, t.Mouse} {
		if s != nil {
			all = append(all, s)
		}
	}

	return all
}

// Main returns the main track: the screen or, if there is none, the camera. Recording time starts at the start of the
// main track.
func (t Tracks) Main() *ent.Source {
	if t.Screen != nil {
		return t.Screen
	}

	return t.Camera
}

// LengthMs returns the time from the start of the main track to the end of the screen or camera track, whichever is
// later.
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

// Align returns the offsets of the tracks. It keeps offsets that were given and computes the others from the clocks
// of the tracks.
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

// mostApartMs is the largest offset between tracks that were recorded together.
const mostApartMs = 60_000

// after returns how long after main the track began, measured with the clock that both tracks share. It returns zero
// if they do not share a clock.
func after(main, track *ent.Source) int64 {
	if main == nil || track == nil || main.BeganMs == nil || track.BeganMs == nil ||
		main.Clock == nil || track.Clock == nil || main.Clock.ID != track.Clock.ID {
		return 0
	}

	// Clocks that are further apart are not the same clock.
	if apart := *track.BeganMs - *main.BeganMs; math.Abs(apart) <= mostApartMs {
		return int64(math.Round(apart))
	}

	return 0
}

// Sound is one of the sounds of a clip.
type Sound struct {
	Source     *ent.Source
	Microphone bool // controlled by the microphone volume; otherwise by the system volume
	// OffsetMs is when the sound begins, in recording time.
	OffsetMs int64
}

// Sounds returns the sounds of the tracks.
func (t Tracks) Sounds(o values.Offsets) []Sound {
	var all []Sound

	for _, s := range []Sound{
		{Source: t.Screen},
		{Source: t.Camera, OffsetMs: o.Camera.Ms},
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

// Heard reports whether the tracks contain microphone sound and whether they contain system sound.
func (t Tracks) Heard(o values.Offsets) (microphone, system bool) {
	for _, s := range t.Sounds(o) {
		microphone = microphone || s.Microphone
		system = system || !s.Microphone
	}

	return microphone, system
}

// Speech returns the sound that is transcribed. It is the separate microphone track, else other microphone sound,
// else the system sound. If there is no sound, its Source is nil.
func (t Tracks) Speech(o values.Offsets) Sound {
	var speech Sound

	for _, s := range t.Sounds(o) {
		if speech.Source == nil || s.Microphone && (!speech.Microphone || s.Source == t.Microphone) {
			speech = s
		}
	}

	return speech
}

// Listened returns the sound of a clip that is transcribed (see Tracks.Speech). The tracks must have been loaded with
// the clip.
func Listened(c *ent.Clip) Sound { return Of(c).Speech(c.Offsets) }

// Waiting reports whether a clip is waiting for tracks that are still being uploaded. Until they are complete, the
// clip has no length.
func Waiting(c *ent.Clip) bool { return c.RecordingMs == 0 }

// Failed reports whether a clip can never be played because none of its screen and camera tracks can be used.
func Failed(c *ent.Clip) bool {
	return Waiting(c) && c.TranscriptStatus == values.TranscriptStatusFailed
}
