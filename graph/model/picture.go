package model

import (
	"github.com/99designs/gqlgen/graphql"

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

// SetThumbnailInput chooses the thumbnail of a video. The empty value restores the default.
type SetThumbnailInput struct {
	AtMs     graphql.Omittable[*int64]  `json:"atMs" check:"min=0"`
	SourceID graphql.Omittable[*string] `json:"sourceId" check:"chars=1.."`
	URL      graphql.Omittable[*string] `json:"url" check:"url,chars=..2048"`
}

// Check implements input.Checker: at most one of the three may be given.
func (in *SetThumbnailInput) Check() []fault.Field {
	if in.AtMs.IsSet() && in.SourceID.IsSet() || in.SourceID.IsSet() && in.URL.IsSet() || in.URL.IsSet() && in.AtMs.IsSet() {
		return []fault.Field{{Rule: "must have at most one of atMs, sourceId and url"}}
	}

	return nil
}

// ChosenThumbnail is the picture that was chosen to stand for a video.
type ChosenThumbnail struct {
	Kind     ThumbnailKind
	SourceID *string
	URL      *string
	Status   CustomThumbnailStatus
	Error    *string
	// Video is the video. The time of a chosen frame follows from its clips.
	Video *Video
}
