package model

import (
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// defaultPreviewMs is the default length of an animated thumbnail.
const defaultPreviewMs = 3000

// StillQuery describes the still picture that a client requests.
type StillQuery struct {
	Format     values.StillFormat `json:"format" query:"format" default:"jpg"`
	InpointMs  int64              `json:"inpointMs" query:"inpointMs" check:"min=0" default:"0"`
	DurationMs *int64             `json:"durationMs" query:"durationMs" check:"min=1,max=10000"`
	Width      *int               `json:"width" query:"width" check:"min=16,max=3840"`
	Height     *int               `json:"height" query:"height" check:"min=16,max=3840"`
	Download   bool               `json:"download"`
}

// Check implements input.Checker: only animated formats have a duration.
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

// StoryboardQuery selects the time range for the pictures of a storyboard.
type StoryboardQuery struct {
	StartTimeMs int64 `json:"startTimeMs" query:"startTimeMs" check:"min=0,max=2147483647" default:"0"`
	DurationMs  int64 `json:"durationMs" query:"durationMs" check:"min=1,max=2147483647" default:"80000"`
}

// AutoCropInput selects the frame of a recording in which the server looks for a window.
type AutoCropInput struct {
	InpointMs int64 `json:"inpointMs" check:"min=0" default:"0"`
}
