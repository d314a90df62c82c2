package model

import (
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// defaultPreviewMs is how long a thumbnail that moves is when nobody says otherwise.
const defaultPreviewMs = 3000

// StillQuery says which picture is wanted.
type StillQuery struct {
	Format     values.StillFormat `json:"format" query:"format" default:"jpg"`
	InpointMs  int64              `json:"inpointMs" query:"inpointMs" check:"min=0" default:"0"`
	DurationMs *int64             `json:"durationMs" query:"durationMs" check:"min=1,max=10000"`
	Width      *int               `json:"width" query:"width" check:"min=16,max=3840"`
	Height     *int               `json:"height" query:"height" check:"min=16,max=3840"`
	Download   bool               `json:"download"`
}

// Check implements input.Checker: only what moves has a duration.
func (q *StillQuery) Check() []fault.Field {
	switch {
	case q.DurationMs != nil && !q.Format.Moves():
		return []fault.Field{{Path: "durationMs", Rule: "is only for the formats gif and mp4", Of: []string{"durationMs", "format"}}}
	case q.DurationMs == nil && q.Format.Moves():
		length := int64(defaultPreviewMs)
		q.DurationMs = &length
	}

	return nil
}

// StoryboardQuery says which stretch of time a storyboard samples.
type StoryboardQuery struct {
	StartTimeMs int64 `json:"startTimeMs" query:"startTimeMs" check:"min=0,max=2147483647" default:"0"`
	DurationMs  int64 `json:"durationMs" query:"durationMs" check:"min=1,max=2147483647" default:"80000"`
}

// AutoCropInput says which frame is looked at.
type AutoCropInput struct {
	InpointMs int64 `json:"inpointMs" check:"min=0" default:"0"`
}
