package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Lane is the way in which a chunk is drawn, the cheapest that can draw it.
type Lane string

// The lanes. Copying is what a raw export does with whole files: a story is always encoded, so that its
// profile and colours are what is promised.
const (
	// LanePassthrough decodes one picture, fits it into the frame and encodes it, all in one process.
	LanePassthrough Lane = "passthrough"
	// LaneCompose decodes every input to raw pictures, paints a Scene with them and encodes the result.
	LaneCompose Lane = "compose"
)

// Plan is everything an export consists of. It is data: equal timelines, sources and settings have
// equal plans, and it survives JSON.
type Plan struct {
	Engine      int         `json:"engine"`
	Granularity Granularity `json:"granularity"`
	// Outputs are the films to make: one of a story, one per clip of scenes, none of raw.
	Outputs []Output `json:"outputs,omitempty"`
	// Files and Clips are what a raw export holds.
	Files []File       `json:"files,omitempty"`
	Clips []SourceClip `json:"clips,omitempty"`
}

// Hash identifies the plan: two exports of one hash deliver the same.
func (p Plan) Hash() string { return hash(p) }

// Frames is the number of frames of all outputs, the measure of progress. Zero for raw.
func (p Plan) Frames() int64 {
	var n int64
	for _, o := range p.Outputs {
		n += o.Frames
	}

	return n
}

// Sources are the ids of all sources that the plan reads, each once, in the order of first use.
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

// Output is one film: chunks that follow each other without gap, and the sound over all of them.
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
	// Key names the chunk's pixels: equal keys, equal pictures, whatever export they belong to.
	Key  string `json:"key"`
	Lane Lane   `json:"lane"`
	// Inputs are the ids under which the bytes are found now: of the one source that is passed through,
	// and of each input of a scene. They are no part of the key.
	Inputs []string `json:"inputs"`
	// First is the chunk's first frame within its output.
	First  int64 `json:"first"`
	Frames int64 `json:"frames"`
	// Draw is what is passed through, Scene what is composed: exactly one is set, as the lane says.
	Draw  *Draw  `json:"draw,omitempty"`
	Scene *Scene `json:"scene,omitempty"`
}

// Draw is all that decides the pixels of a chunk that is passed through.
type Draw struct {
	Content string `json:"content"`
	// FromUs is the recording time shown by the first frame, in microseconds.
	FromUs int64          `json:"fromUs"`
	Frames int64          `json:"frames"`
	FPS    int64          `json:"fps"`
	Speed  timeline.Speed `json:"speed"`
	Frame  Size           `json:"frame"`
	// Decoded is the size that all pictures of the source are brought to first, since a recording of a window
	// changes its own with the window; zero leaves them.
	Decoded Size   `json:"decoded,omitzero"`
	Mended  Mended `json:"mended,omitzero"`
	// Crop is the part of the decoded picture that is shown; the zero Box is all of it.
	Crop Box `json:"crop,omitzero"`
	// Picture is where the source is shown within the frame; the rest is black.
	Picture Box `json:"picture"`
	// Colour is the source's, its matrix never empty.
	Colour Colour `json:"colour"`
}

// Rate is how the frames follow each other in recording time.
func (d Draw) Rate() timeline.Rate { return timeline.Rate{FPS: d.FPS, Speed: d.Speed} }

// File is an uploaded file within a raw export.
type File struct {
	Name    string `json:"file"`
	Source  string `json:"sourceId"`
	Content string `json:"sha256"`
	Bytes   int64  `json:"bytes"`
}

// SourceClip says which files a clip was made of and what was cut from it.
type SourceClip struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	LengthMs int64  `json:"lengthMs"`
	Screen   string `json:"screenSourceId,omitempty"`
	Camera   string `json:"cameraSourceId,omitempty"`
	// CameraOffsetMs is when the camera began, after the screen.
	CameraOffsetMs int64 `json:"cameraOffsetMs,omitempty"`
	// Sounds are those recorded beside them, in files of their own.
	Sounds []SourceSound `json:"sounds,omitempty"`
	Cuts   values.Cuts   `json:"cuts"`
}

// SourceSound says when the sound of a file began, after the screen of its clip or, without one, after its camera.
type SourceSound struct {
	Source   string `json:"sourceId"`
	OffsetMs int64  `json:"offsetMs"`
}

// hash is the SHA-256 of a value's JSON, in hex.
func hash(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // a plan holds nothing that JSON cannot
	}

	sum := sha256.Sum256(b)

	return hex.EncodeToString(sum[:])
}
