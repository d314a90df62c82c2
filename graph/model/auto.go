package model

import "github.com/reelgraph/reelgraph/internal/video/values"

// AutoZoomsInput says how a clip is zoomed by its clicks.
type AutoZoomsInput struct {
	Intensity       values.ZoomIntensity `json:"intensity" default:"medium"`
	Scale           float64              `json:"scale" check:"min=1,max=3.5" default:"2"`
	ReplaceExisting bool                 `json:"replaceExisting" default:"false"`
}

// AutoLayoutsInput says how a clip should be laid out.
type AutoLayoutsInput struct {
	Style        *values.EditingStyle `json:"style"`
	Instructions *string              `json:"instructions" check:"chars=..2000"`
}
