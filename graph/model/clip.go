package model

import (
	"github.com/99designs/gqlgen/graphql"

	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// UpdateClipInput changes a clip. At least one field must be given.
type UpdateClipInput struct {
	_ struct{} `check:"some"`

	Name              graphql.Omittable[*string]                `json:"name" check:"chars=1..255,notblank"`
	Order             graphql.Omittable[*int]                   `json:"order" check:"min=0"`
	Cuts              graphql.Omittable[[]*CutInput]            `json:"cuts" check:"items=..10000"`
	Background        graphql.Omittable[*BackgroundInput]       `json:"background"`
	BorderStyle       graphql.Omittable[*values.BorderStyle]    `json:"borderStyle" check:"nullable"`
	Corners           graphql.Omittable[*values.Corners]        `json:"corners" check:"nullable"`
	Crop              graphql.Omittable[*CropBoxInput]          `json:"crop" check:"nullable"`
	Transition        graphql.Omittable[*values.ClipTransition] `json:"transition"`
	StudioSound       graphql.Omittable[*bool]                  `json:"studioSound"`
	AnimatedCursor    graphql.Omittable[*bool]                  `json:"animatedCursor"`
	MicrophoneVolume  graphql.Omittable[*float64]               `json:"microphoneVolume" check:"nullable,min=0,max=2"`
	SystemAudioVolume graphql.Omittable[*float64]               `json:"systemAudioVolume" check:"nullable,min=0,max=2"`
}

// Check implements input.Checker: the rules that tags cannot express.
func (in *UpdateClipInput) Check() []fault.Field {
	return BorderRule(in.BorderStyle.Value())
}

// BorderRule refuses the border style "custom", which clients can read but not set.
func BorderRule(style *values.BorderStyle) []fault.Field {
	if style == nil || *style != values.BorderStyleCustom {
		return nil
	}

	return []fault.Field{{Path: "borderStyle", Rule: `must not be "custom": this value can be read but not set`, Of: []string{"borderStyle"}}}
}

// CutInput is a range of recording time to cut.
type CutInput struct {
	StartTimeMs int64 `json:"startTimeMs" check:"required,min=0"`
	DurationMs  int64 `json:"durationMs" check:"required,min=1"`
}

// BackgroundInput describes the background of a clip, which is shown behind its layers.
type BackgroundInput struct {
	Type                 values.BackgroundType `json:"type" check:"required"`
	Color                *values.Color         `json:"color" check:"color"`
	GradientAngle        *int                  `json:"gradientAngle"`
	GradientColor1       *values.Color         `json:"gradientColor1" check:"color"`
	GradientColor2       *values.Color         `json:"gradientColor2" check:"color"`
	ImageURL             *string               `json:"imageUrl" check:"chars=..4096"`
	VideoURL             *string               `json:"videoUrl" check:"chars=..4096"`
	SourceID             *string               `json:"sourceId" check:"chars=1.."`
	VideoDurationSeconds *float64              `json:"videoDurationSeconds" check:"min=0"`
}

// Check implements input.Checker: each type requires its own fields.
func (b *BackgroundInput) Check() []fault.Field {
	var faults []fault.Field

	need := func(missing bool, path string, others ...string) {
		if missing {
			faults = append(faults, fault.Field{Path: path, Rule: "is required for type " + string(b.Type), Of: append(others, "type", path)})
		}
	}

	switch b.Type {
	case values.BackgroundTypeSolid:
		need(b.Color == nil, "color")
	case values.BackgroundTypeGradient:
		need(b.GradientAngle == nil, "gradientAngle")
		need(b.GradientColor1 == nil, "gradientColor1")
		need(b.GradientColor2 == nil, "gradientColor2")
	case values.BackgroundTypeImage:
		need(b.SourceID == nil && b.ImageURL == nil, "sourceId", "imageUrl")
	case values.BackgroundTypeVideo:
		need(b.SourceID == nil && b.VideoURL == nil, "sourceId", "videoUrl")
	case values.BackgroundTypeShaderGradient: // accepted only if unchanged, which the resolver checks
	}

	return faults
}

// CropBoxInput selects a rectangle of the screen source. Its position and size are in percent of the source.
type CropBoxInput struct {
	XPct      float64 `json:"xPct" check:"required,min=0,max=100"`
	YPct      float64 `json:"yPct" check:"required,min=0,max=100"`
	WidthPct  float64 `json:"widthPct" check:"required,gt=0,max=100"`
	HeightPct float64 `json:"heightPct" check:"required,gt=0,max=100"`
}

// Check implements input.Checker: the box must lie inside the source.
func (c *CropBoxInput) Check() []fault.Field {
	var faults []fault.Field

	if c.XPct+c.WidthPct > 100 {
		faults = append(faults, fault.Field{Path: "widthPct", Rule: "must keep the box inside the source", Of: []string{"xPct", "widthPct"}})
	}

	if c.YPct+c.HeightPct > 100 {
		faults = append(faults, fault.Field{Path: "heightPct", Rule: "must keep the box inside the source", Of: []string{"yPct", "heightPct"}})
	}

	return faults
}

// CutClipInput holds ranges of playback time to cut. All ranges refer to the timeline as it was before the request.
type CutClipInput struct {
	Cuts []*CutRangeInput `json:"cuts" check:"required,items=1..10000"`
}

// CutRangeInput is one range to cut. An end after the clip's playable duration is moved to the end of the clip.
type CutRangeInput struct {
	FromMs int64 `json:"fromMs" check:"required,min=0"`
	ToMs   int64 `json:"toMs" check:"required,gt=0"`
}

// Volume is the volume of one sound of a clip.
type Volume struct {
	Override  *float64 // nil follows the video
	Effective float64
}

// Cut is a range of recording time that is not played.
type Cut struct {
	StartTimeMs int64 `json:"startTimeMs"`
	DurationMs  int64 `json:"durationMs"`
}
