package timeline

import "github.com/reelgraph/reelgraph/internal/video/values"

// Clip is one section of a video: a recording of a screen, a camera or both, and its cuts.
type Clip struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// LengthMs is the length of the recording, up to the latest end of screen and camera.
	LengthMs int64       `json:"lengthMs"`
	Cuts     values.Cuts `json:"cuts"`
	// Screen and Camera are source ids; one of them may be empty.
	Screen string `json:"screen,omitempty"`
	Camera string `json:"camera,omitempty"`
	// CameraOffsetMs is when the camera begins, in recording time; the screen begins at zero.
	CameraOffsetMs int64 `json:"cameraOffsetMs,omitempty"`
	// Sounds are mixed; without any the clip is silent.
	Sounds []Sound `json:"sounds"`
	// Cues play during spans of the clip.
	Cues []Cue `json:"cues,omitempty"`
	// Smooth blends the clip with the one before; the first clip ignores it.
	Smooth bool `json:"smooth,omitempty"`
}

// Clock converts between the recording time and the playback time of the clip.
func (c Clip) Clock() Clock { return NewClock(c.LengthMs, c.Cuts) }

// Video is a sequence of clips, shown one after the other.
type Video struct {
	Clips []Clip `json:"clips"`
	// Music loops under the whole video; nil is no music.
	Music *Sound `json:"music,omitempty"`
}

// DurationMs is the playback length of the video: the sum of the lengths of its clips.
func (v Video) DurationMs() int64 {
	var total int64
	for _, c := range v.Clips {
		total += c.Clock().DurationMs()
	}

	return total
}

// StartMs is the playback time of the video at which the clip with the given index begins.
func (v Video) StartMs(clip int) int64 { return Video{Clips: v.Clips[:clip]}.DurationMs() }

// At returns the clip that is shown at the playback time playMs of the video, and the playback time within that clip.
// If playMs is the end of the video or later, At returns the end of the last clip. ok is false only if the video has
// no length.
func (v Video) At(playMs int64) (clip int, clipMs int64, ok bool) {
	playMs = max(playMs, 0)

	for i, c := range v.Clips {
		d := c.Clock().DurationMs()
		if d == 0 {
			continue
		}

		clip, clipMs, ok = i, min(playMs, d), true
		if playMs < d {
			return clip, clipMs, ok
		}

		playMs -= d
	}

	return clip, clipMs, ok
}

// Segment is an uncut piece of a clip's recording and the playback time of the video at which it begins.
type Segment struct {
	Clip     int
	RecordMs int64
	PlayMs   int64
	LengthMs int64
}

// Segments returns the segments of the video in playback order. They cover the video without gaps or overlaps.
func (v Video) Segments() []Segment {
	var (
		segments []Segment
		startMs  int64
	)

	for i, c := range v.Clips {
		clock := c.Clock()
		for _, k := range clock.kept {
			segments = append(segments, Segment{
				Clip: i, RecordMs: k.StartMs, PlayMs: startMs + k.playMs, LengthMs: k.LengthMs(),
			})
		}

		startMs += clock.DurationMs()
	}

	return segments
}
