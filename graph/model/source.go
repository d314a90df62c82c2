package model

import (
	"fmt"

	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// CreateSourceInput declares an upload.
type CreateSourceInput struct {
	SourceDeclared

	DurationSeconds *float64 `json:"durationSeconds" check:"gt=0,max=604800"`
}

// SourceDeclared holds the input fields that have the same names in REST and GraphQL. Kind, role, audio and streaming
// are binding. All other fields are hints.
type SourceDeclared struct {
	Kind        values.SourceKind   `json:"kind" default:"video"`
	Width       *int                `json:"width" check:"min=1,max=65535"`
	Height      *int                `json:"height" check:"min=1,max=65535"`
	Name        *string             `json:"name" check:"chars=1..255,notblank"`
	ContentType *string             `json:"contentType" check:"chars=1..255"`
	Role        *values.SourceRole  `json:"role"`
	Audio       *values.SourceAudio `json:"audio"`
	Streaming   *bool               `json:"streaming"`
	Bytes       *int64              `json:"bytes" check:"min=0"`
	Clock       *TrackClockInput    `json:"clock"`
}

// UpdateSourceInput changes a source.
type UpdateSourceInput struct {
	_ struct{} `check:"some"`

	Name  *string          `json:"name" check:"chars=1..255,notblank"`
	Clock *TrackClockInput `json:"clock"`
}

// CompleteSourceInput completes an upload.
type CompleteSourceInput struct {
	Clock *TrackClockInput `json:"clock"`
	// Interrupted completes the recording with what has arrived; the rest can still be sent later.
	Interrupted *bool `json:"interrupted"`
}

// TrackClockInput holds the times at which the first frames of a track were captured.
type TrackClockInput struct {
	ID                  string      `json:"id" check:"required,chars=1..64,notblank"`
	CaptureTimesMs      []float64   `json:"captureTimesMs" check:"required,items=1..200"`
	StartedAtMs         *float64    `json:"startedAtMs"`
	FirstDeliveredIndex *int        `json:"firstDeliveredIndex" check:"min=0"`
	PausesMs            [][]float64 `json:"pausesMs" check:"items=..1000" each:"items=2..2"`
}

// Check implements input.Checker.
func (c *TrackClockInput) Check() []fault.Field {
	var faults []fault.Field

	for i := 1; i < len(c.CaptureTimesMs); i++ {
		if c.CaptureTimesMs[i] < c.CaptureTimesMs[i-1] {
			faults = append(faults, fault.Field{
				Path: fmt.Sprintf("captureTimesMs[%d]", i), Rule: "must not be before the previous time",
				Of: []string{"captureTimesMs"},
			})

			break
		}
	}

	if n := len(c.CaptureTimesMs); c.FirstDeliveredIndex != nil && *c.FirstDeliveredIndex >= n {
		faults = append(faults, fault.Field{
			Path: "firstDeliveredIndex", Rule: "must be an index of captureTimesMs",
			Of: []string{"captureTimesMs", "firstDeliveredIndex"},
		})
	}

	for i, pause := range c.PausesMs {
		switch {
		case len(pause) != 2: // reported by the tag rules
		case pause[1] < pause[0]:
			faults = append(faults, fault.Field{
				Path: fmt.Sprintf("pausesMs[%d]", i), Rule: "must not end before it starts", Of: []string{"pausesMs"},
			})
		case i > 0 && len(c.PausesMs[i-1]) == 2 && pause[0] < c.PausesMs[i-1][1]:
			faults = append(faults, fault.Field{
				Path: fmt.Sprintf("pausesMs[%d]", i), Rule: "must not start before the previous pause ends", Of: []string{"pausesMs"},
			})
		}
	}

	return faults
}

// Clock returns the input in its stored form. It returns nil for a nil input.
func (c *TrackClockInput) Clock() *values.TrackClock {
	if c == nil {
		return nil
	}

	kept := &values.TrackClock{
		ID: c.ID, CaptureTimesMs: c.CaptureTimesMs, StartedAtMs: c.StartedAtMs, FirstDeliveredIndex: c.FirstDeliveredIndex,
	}

	for _, pause := range c.PausesMs {
		kept.PausesMs = append(kept.PausesMs, [2]float64{pause[0], pause[1]})
	}

	return kept
}
