package model

import (
	"fmt"

	"github.com/99designs/gqlgen/graphql"

	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// RecordingInput describes the parts of a new clip: the sources that were recorded together and the pointer events,
// with the start time of each part. Start times are in milliseconds after the start of the screen recording or, if
// there is none, after the start of the camera recording.
type RecordingInput struct {
	SourceID           string                                `json:"sourceId" check:"required,chars=1.."`
	CameraSourceID     graphql.Omittable[*string]            `json:"cameraSourceId" check:"chars=1.."`
	MicrophoneSourceID graphql.Omittable[*string]            `json:"microphoneSourceId" check:"chars=1.."`
	MouseSourceID      graphql.Omittable[*string]            `json:"mouseSourceId" check:"chars=1.."`
	MouseEvents        graphql.Omittable[[]*MouseEventInput] `json:"mouseEvents" check:"items=..10000"`
	CameraOffsetMs     graphql.Omittable[*int]               `json:"cameraOffsetMs" check:"min=-60000,max=60000"`
	MicrophoneOffsetMs graphql.Omittable[*int]               `json:"microphoneOffsetMs" check:"min=-60000,max=60000"`
	MouseOffsetMs      graphql.Omittable[*int]               `json:"mouseOffsetMs" check:"min=-60000,max=60000"`
	WhenReady          graphql.Omittable[*bool]              `json:"whenReady"`
}

// Offsets returns the start times that the input gives.
func (in *RecordingInput) Offsets() values.Offsets {
	given := func(ms *int) values.Offset {
		if ms == nil {
			return values.Offset{}
		}

		return values.Offset{Ms: int64(*ms), Given: true}
	}

	return values.Offsets{
		Camera: given(in.CameraOffsetMs.Value()), Microphone: given(in.MicrophoneOffsetMs.Value()), Mouse: given(in.MouseOffsetMs.Value()),
	}
}

// Check implements input.Checker: pointer data in one form only, in ascending order, and offsets only for given
// tracks.
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

	if id := in.CameraSourceID.Value(); id != nil && *id == in.SourceID {
		faults = append(faults, fault.Field{
			Path: "cameraSourceId", Rule: "must not be the same as sourceId", Of: []string{"cameraSourceId", "sourceId"},
		})
	}

	pointed := in.MouseSourceID.Value() != nil || len(in.MouseEvents.Value()) > 0

	for _, of := range []struct {
		offset    *int
		is        bool
		of, needs string
	}{
		{in.CameraOffsetMs.Value(), in.CameraSourceID.Value() != nil, "cameraOffsetMs", "cameraSourceId"},
		{in.MicrophoneOffsetMs.Value(), in.MicrophoneSourceID.Value() != nil, "microphoneOffsetMs", "microphoneSourceId"},
		{in.MouseOffsetMs.Value(), pointed, "mouseOffsetMs", "mouseSourceId or mouseEvents"},
	} {
		if of.offset != nil && !of.is {
			faults = append(faults, fault.Field{Path: of.of, Rule: "needs " + of.needs, Of: []string{of.of}})
		}
	}

	for i, e := range in.MouseEvents.Value() {
		if e.TimeMs < lastMs {
			faults = append(faults, fault.Field{
				Path: fmt.Sprintf("mouseEvents[%d].timeMs", i), Rule: "must not be before that of the previous event",
				Of: []string{"mouseEvents"},
			})
		}

		lastMs = e.TimeMs
	}

	return faults
}

// MouseEventInput is a pointer position in percent of the screen. Its timestamp is in recording time.
type MouseEventInput struct {
	TimeMs int64                 `json:"timeMs" check:"required,min=0"`
	XPct   float64               `json:"xPct" check:"required,min=0,max=100"`
	YPct   float64               `json:"yPct" check:"required,min=0,max=100"`
	Type   values.MouseEventType `json:"type" check:"required"`
}

// MouseEvent is a pointer position. Its timestamp is in playback time.
type MouseEvent struct {
	TimeMs int64                 `json:"timeMs"`
	XPct   float64               `json:"xPct"`
	YPct   float64               `json:"yPct"`
	Type   values.MouseEventType `json:"type"`
}

// MouseWindow selects the time range of a clip for which pointer events are returned.
type MouseWindow struct {
	StartTimeMs int64  `json:"startTimeMs" query:"startTimeMs" check:"min=0" default:"0"`
	EndTimeMs   *int64 `json:"endTimeMs" query:"endTimeMs" check:"gt=0"`
	IntervalMs  int64  `json:"intervalMs" query:"intervalMs" check:"min=0" default:"100"`
}

// Check implements input.Checker.
func (w *MouseWindow) Check() []fault.Field {
	if w.EndTimeMs != nil && *w.EndTimeMs <= w.StartTimeMs {
		return []fault.Field{{Path: "endTimeMs", Rule: "must be after startTimeMs", Of: []string{"startTimeMs", "endTimeMs"}}}
	}

	return nil
}

// ClipTrack is one of the recordings that a clip was made from.
type ClipTrack struct {
	Medium   values.TrackMedium
	Source   *Source
	OffsetMs int64
	URL      *string
}

// AddClipInput appends a clip to a video.
type AddClipInput struct {
	RecordingInput

	Name graphql.Omittable[*string] `json:"name" check:"chars=1..255,notblank"`
}

// DuplicateClipInput lists how the copy of a clip must differ from the original.
type DuplicateClipInput struct {
	Name  graphql.Omittable[*string] `json:"name" check:"chars=1..255,notblank"`
	Order graphql.Omittable[*int]    `json:"order" check:"min=0"`
}

// ReorderClipInput moves a clip within its video.
type ReorderClipInput struct {
	Order int `json:"order" check:"required,min=0"`
}
