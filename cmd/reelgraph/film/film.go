package film

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	effects "github.com/reelgraph/reelgraph/internal/video/effect"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Film is the input of the render command: a video and the settings of its export. Names and units are those of the
// API. docs/render.md documents the format.
type Film struct {
	Sources           []*Source                `json:"sources" check:"required,items=1..1000"`
	Clips             []*Clip                  `json:"clips" check:"required,items=1..1000"`
	Dimensions        *model.DimensionsInput   `json:"dimensions"`
	BackgroundMusic   *Music                   `json:"backgroundMusic"`
	StudioSound       bool                     `json:"studioSound"`
	MicrophoneVolume  float64                  `json:"microphoneVolume" check:"min=0,max=2" default:"1"`
	SystemAudioVolume float64                  `json:"systemAudioVolume" check:"min=0,max=2" default:"1"`
	BorderStyle       *values.BorderStyle      `json:"borderStyle"`
	Corners           *values.Corners          `json:"corners"`
	ClipTransition    *values.VideoTransition  `json:"clipTransition"`
	CaptionStyle      *model.CaptionStyleInput `json:"captionStyle"`
	CaptionPosition   *model.PositionInput     `json:"captionPosition"`
	Export            *model.StartExportInput  `json:"export"`
}

// Source is an input file. The rest of the film refers to it by its id.
type Source struct {
	SourceID string `json:"sourceId" check:"required,chars=1..100"`
	// File is relative to the film's own folder.
	File string            `json:"file" check:"required,chars=1..4096"`
	Kind values.SourceKind `json:"kind" default:"video"`
	// Audio is the type of its sound. The default for a camera is the microphone.
	Audio *values.SourceAudio `json:"audio"`
}

// Clip is a clip: its recording, cuts, look and effects.
type Clip struct {
	Name           *string `json:"name" check:"chars=1..255,notblank"`
	ScreenSourceID *string `json:"screenSourceId"`
	CameraSourceID *string `json:"cameraSourceId"`
	MouseSourceID  *string `json:"mouseSourceId"`
	// MicrophoneSourceID is a separately recorded sound. The offsets are the starts of the tracks relative to the screen or,
	// without one, to the camera.
	MicrophoneSourceID *string                   `json:"microphoneSourceId"`
	CameraOffsetMs     int64                     `json:"cameraOffsetMs" check:"min=-60000,max=60000"`
	MicrophoneOffsetMs int64                     `json:"microphoneOffsetMs" check:"min=-60000,max=60000"`
	MouseOffsetMs      int64                     `json:"mouseOffsetMs" check:"min=-60000,max=60000"`
	Cuts               []*model.CutInput         `json:"cuts" check:"items=..10000"`
	Background         *model.BackgroundInput    `json:"background"`
	BorderStyle        *values.BorderStyle       `json:"borderStyle"`
	Corners            *values.Corners           `json:"corners"`
	Crop               *model.CropBoxInput       `json:"crop"`
	Transition         *values.ClipTransition    `json:"transition"`
	StudioSound        *bool                     `json:"studioSound"`
	AnimatedCursor     *bool                     `json:"animatedCursor"`
	MicrophoneVolume   *float64                  `json:"microphoneVolume" check:"min=0,max=2"`
	SystemAudioVolume  *float64                  `json:"systemAudioVolume" check:"min=0,max=2"`
	Effects            []*effects.AddEffectInput `json:"effects" check:"items=..10000"`
	Words              []*Word                   `json:"words" check:"items=..100000"`
}

// Word is a spoken word. Its timestamps are in recording time.
type Word struct {
	Text        string `json:"text" check:"required,chars=1..200,notblank"`
	StartTimeMs int64  `json:"startTimeMs" check:"required,min=0"`
	EndTimeMs   int64  `json:"endTimeMs" check:"required,min=0"`
}

// Music is the music that plays during the whole video.
type Music struct {
	SourceID string  `json:"sourceId" check:"required,chars=1.."`
	Volume   float64 `json:"volume" check:"min=0,max=1" default:"0.2"`
}

// Check returns a fault for each reference that does not name one source of a fitting kind. It implements
// input.Checker.
func (f *Film) Check() []fault.Field {
	kinds := map[string]values.SourceKind{}

	var faults []fault.Field

	for i, s := range f.Sources {
		if kinds[s.SourceID] != "" {
			faults = append(faults, fault.Field{Path: fmt.Sprintf("sources[%d].sourceId", i), Rule: "must be unique among the sources"})
		}

		kinds[s.SourceID] = s.Kind
	}

	named := func(path string, id *string, fitting ...values.SourceKind) {
		switch {
		case id == nil:
		case kinds[*id] == "":
			faults = append(faults, fault.Field{Path: path, Rule: "must be the sourceId of one of the sources"})
		case !slices.Contains(fitting, kinds[*id]):
			faults = append(faults, fault.Field{Path: path, Rule: fmt.Sprintf("must be a source of kind %s", fitting[0])})
		}
	}

	for i, c := range f.Clips {
		at := fmt.Sprintf("clips[%d].", i)
		named(at+"screenSourceId", c.ScreenSourceID, values.SourceKindVideo)
		named(at+"cameraSourceId", c.CameraSourceID, values.SourceKindVideo)
		named(at+"microphoneSourceId", c.MicrophoneSourceID, values.SourceKindAudio)
		named(at+"mouseSourceId", c.MouseSourceID, values.SourceKindMouse)

		if b := c.Background; b != nil && b.SourceID != nil {
			named(at+"background.sourceId", b.SourceID, values.SourceKind(b.Type))
		}
	}

	if m := f.BackgroundMusic; m != nil {
		named("backgroundMusic.sourceId", &m.SourceID, values.SourceKindAudio)
	}

	return append(faults, model.BorderRule(f.BorderStyle)...)
}

// Check returns faults if the clip has no picture, or has fields that cannot be used with local files. It implements
// input.Checker.
func (c *Clip) Check() []fault.Field {
	var faults []fault.Field

	if c.ScreenSourceID == nil && c.CameraSourceID == nil {
		faults = append(faults, fault.Field{Path: "screenSourceId", Rule: "or cameraSourceId is required"})
	}

	for _, of := range []struct {
		ms          int64
		is          bool
		path, needs string
	}{
		{c.CameraOffsetMs, c.ScreenSourceID != nil && c.CameraSourceID != nil, "cameraOffsetMs", "screenSourceId and cameraSourceId"},
		{c.MicrophoneOffsetMs, c.MicrophoneSourceID != nil, "microphoneOffsetMs", "microphoneSourceId"},
		{c.MouseOffsetMs, c.MouseSourceID != nil, "mouseOffsetMs", "mouseSourceId"},
	} {
		if of.ms != 0 && !of.is {
			faults = append(faults, fault.Field{Path: of.path, Rule: "needs " + of.needs})
		}
	}

	if b := c.Background; b != nil && (b.ImageURL != nil || b.VideoURL != nil) {
		faults = append(faults, fault.Field{Path: "background", Rule: "must use sourceId instead of imageUrl or videoUrl"})
	}

	if b := c.Background; b != nil && b.Type == values.BackgroundTypeShaderGradient {
		faults = append(faults, fault.Field{Path: "background.type", Rule: "must not be \"shaderGradient\": this value can be read but not set"})
	}

	return append(faults, model.BorderRule(c.BorderStyle)...)
}

// Check implements input.Checker.
func (w *Word) Check() []fault.Field {
	if w.EndTimeMs <= w.StartTimeMs {
		return []fault.Field{{Path: "endTimeMs", Rule: "must be after startTimeMs"}}
	}

	return nil
}

// path returns the path of a source's file.
func (s Source) path(folder string) string {
	if filepath.IsAbs(s.File) {
		return s.File
	}

	return filepath.Join(folder, s.File)
}
