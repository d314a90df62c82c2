package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Lane is the way in which a chunk is drawn. A plan uses the cheapest lane that can draw the chunk.
type Lane string

// The lanes. None copies a recording: a story is always encoded, so that it has the promised profile and colours. A raw
// export copies whole files.
const (
	// LanePassthrough decodes one picture, fits it into the frame and encodes it, all in one process.
	LanePassthrough Lane = "passthrough"
	// LaneCompose decodes every input to raw pictures, paints a Scene with them and encodes the result.
	LaneCompose Lane = "compose"
)

// Plan is everything that an export consists of. A Plan can be stored as JSON without loss. Equal timelines, sources
// and settings give equal plans.
type Plan struct {
	Engine      int         `json:"engine"`
	Granularity Granularity `json:"granularity"`
	// Outputs are the films to make: one of a story, one per clip of scenes, none of a raw export.
	Outputs []Output `json:"outputs,omitempty"`
	// Files and Clips are the contents of a raw export.
	Files []File       `json:"files,omitempty"`
	Clips []SourceClip `json:"clips,omitempty"`
}

// Hash identifies the plan: exports with the same hash have the same content.
func (p Plan) Hash() string { return hash(p) }

// Frames is the total number of frames of all outputs, for measuring progress. It is zero for a raw export.
func (p Plan) Frames() int64 {
	var n int64
	for _, o := range p.Outputs {
		n += o.Frames
	}

	return n
}

// Sources returns the ids of all sources that the plan reads, each once, in the order of first use.
func (p Plan) Sources() []string {
	var ids []string

	seen := map[string]bool{}
	add := func(id string) {
		if !seen[id] {
			seen[id] = true
			ids = append(ids, id)
		}
	}

	for _, o := range p.Outputs {
		for _, c := range o.Chunks {
			for _, id := range c.Inputs {
				add(id)
			}
		}

		for _, v := range o.Mix.Voices() {
			add(v.Source)
		}
	}

	for _, f := range p.Files {
		add(f.Source)
	}

	return ids
}

// Output is one film: chunks that follow each other without gaps, and one sound for all of them.
type Output struct {
	// Name is the file's name within a ZIP; empty for a story.
	Name   string  `json:"name,omitempty"`
	Frame  Size    `json:"frame"`
	FPS    int64   `json:"fps"`
	Frames int64   `json:"frames"`
	Chunks []Chunk `json:"chunks"`
	Mix    Mix     `json:"mix"`
}

// DurationMs is the exact length of the film, to the nearest millisecond.
func (o Output) DurationMs() int64 { return (o.Frames*1000 + o.FPS/2) / o.FPS }

// Chunk is a series of output frames drawn by one process.
type Chunk struct {
	// Key identifies the chunk's pixels: chunks with equal keys have equal pictures, in every export.
	Key  string `json:"key"`
	Lane Lane   `json:"lane"`
	// Inputs are the ids of the sources: the one source of a passthrough chunk, or the source of each input of a
	// scene. They are not part of the key.
	Inputs []string `json:"inputs"`
	// First is the chunk's first frame within its output.
	First  int64 `json:"first"`
	Frames int64 `json:"frames"`
	// Draw is set for LanePassthrough, Scene for LaneCompose.
	Draw  *Draw  `json:"draw,omitempty"`
	Scene *Scene `json:"scene,omitempty"`
}

// Draw is everything that decides the pixels of a passthrough chunk.
type Draw struct {
	Content string `json:"content"`
	// FromUs is the recording time shown by the first frame, in microseconds.
	FromUs int64          `json:"fromUs"`
	Frames int64          `json:"frames"`
	FPS    int64          `json:"fps"`
	Speed  timeline.Speed `json:"speed"`
	Frame  Size           `json:"frame"`
	// Decoded is the size to which all pictures of the source are scaled first, because a recording of a window changes
	// size with the window; zero scales none.
	Decoded Size   `json:"decoded,omitzero"`
	Mended  Mended `json:"mended,omitzero"`
	// Crop is the part of the decoded picture that is shown; the zero Box is the whole picture.
	Crop Box `json:"crop,omitzero"`
	// Picture is where the source is shown within the frame; the rest is black.
	Picture Box `json:"picture"`
	// Colour is the source's; its matrix is never empty.
	Colour Colour `json:"colour"`
}

// Rate is the frame rate and speed that convert frames to recording time.
func (d Draw) Rate() timeline.Rate { return timeline.Rate{FPS: d.FPS, Speed: d.Speed} }

// File is an uploaded file that a raw export contains.
type File struct {
	Name    string `json:"file"`
	Source  string `json:"sourceId"`
	Content string `json:"sha256"`
	Bytes   int64  `json:"bytes"`
}

// SourceClip lists the files of a clip and its cuts.
type SourceClip struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	LengthMs int64  `json:"lengthMs"`
	Screen   string `json:"screenSourceId,omitempty"`
	Camera   string `json:"cameraSourceId,omitempty"`
	// CameraOffsetMs is when the camera began, relative to the screen.
	CameraOffsetMs int64 `json:"cameraOffsetMs,omitempty"`
	// Sounds are the sounds recorded alongside, in files of their own.
	Sounds []SourceSound `json:"sounds,omitempty"`
	Cuts   values.Cuts   `json:"cuts"`
}

// SourceSound is a sound file and when it began, relative to the screen of its clip, or to the camera if there is no
// screen.
type SourceSound struct {
	Source   string `json:"sourceId"`
	OffsetMs int64  `json:"offsetMs"`
}

// hash is the SHA-256 of a value's JSON, in hex.
func hash(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // every field of a plan has a JSON form
	}

	sum := sha256.Sum256(b)

	return hex.EncodeToString(sum[:])
}
