package model

import (
	"fmt"

	"github.com/99designs/gqlgen/graphql"

	"github.com/reelgraph/reelgraph/internal/domain"
	"github.com/reelgraph/reelgraph/internal/fault"
)

// RecordingInput is what a clip is made of: ready sources, and what the pointer did meanwhile.
type RecordingInput struct {
	SourceID       string                                `json:"sourceId" check:"required,chars=1.."`
	CameraSourceID graphql.Omittable[*string]            `json:"cameraSourceId" check:"chars=1.."`
	MouseSourceID  graphql.Omittable[*string]            `json:"mouseSourceId" check:"chars=1.."`
	MouseEvents    graphql.Omittable[[]*MouseEventInput] `json:"mouseEvents" check:"items=..10000"`
}

// Check implements check.Checker: one form of pointer data, ascending by time.
func (in *RecordingInput) Check() []fault.Field {
	var (
		faults []fault.Field
		lastMs int64
	)

	if in.MouseSourceID.Value() != nil && in.MouseEvents.IsSet() {
		faults = append(faults, fault.Field{
			Path: "mouseEvents", Rule: "must not be given together with mouseSourceId", Of: []string{"mouseEvents", "mouseSourceId"},
		})
	}

	for i, e := range in.MouseEvents.Value() {
		if e.TimeMs < lastMs {
			faults = append(faults, fault.Field{
				Path: fmt.Sprintf("mouseEvents[%d].timeMs", i), Rule: "must not be before that of the event above it",
				Of: []string{"mouseEvents"},
			})
		}

		lastMs = e.TimeMs
	}

	return faults
}

// MouseEventInput is where the pointer was, in recording time and in percent of the screen.
type MouseEventInput struct {
	TimeMs int64                 `json:"timeMs" check:"required,min=0"`
	XPct   float64               `json:"xPct" check:"required,min=0,max=100"`
	YPct   float64               `json:"yPct" check:"required,min=0,max=100"`
	Type   domain.MouseEventType `json:"type" check:"required"`
}

// MouseEvent is where the pointer was, in playback time.
type MouseEvent struct {
	TimeMs int64                 `json:"timeMs"`
	XPct   float64               `json:"xPct"`
	YPct   float64               `json:"yPct"`
	Type   domain.MouseEventType `json:"type"`
}

// MouseWindow says which pointer events of a clip are wanted.
type MouseWindow struct {
	StartTimeMs int64  `json:"startTimeMs" query:"startTimeMs" check:"min=0" default:"0"`
	EndTimeMs   *int64 `json:"endTimeMs" query:"endTimeMs" check:"gt=0"`
	IntervalMs  int64  `json:"intervalMs" query:"intervalMs" check:"min=0" default:"100"`
}

// Check implements check.Checker.
func (w *MouseWindow) Check() []fault.Field {
	if w.EndTimeMs != nil && *w.EndTimeMs <= w.StartTimeMs {
		return []fault.Field{{Path: "endTimeMs", Rule: "must be after startTimeMs", Of: []string{"startTimeMs", "endTimeMs"}}}
	}

	return nil
}

// AddClipInput appends a clip to a video.
type AddClipInput struct {
	RecordingInput

	Name graphql.Omittable[*string] `json:"name" check:"chars=1..255,notblank"`
}

// DuplicateClipInput says how the copy of a clip differs.
type DuplicateClipInput struct {
	Name  graphql.Omittable[*string] `json:"name" check:"chars=1..255,notblank"`
	Order graphql.Omittable[*int]    `json:"order" check:"min=0"`
}

// ReorderClipInput moves a clip within its video.
type ReorderClipInput struct {
	Order int `json:"order" check:"required,min=0"`
}
