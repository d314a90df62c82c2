package model

import "github.com/reelgraph/reelgraph/internal/video/values"

// AutoZoomsInput says how zooms are made from a clip's clicks.
type AutoZoomsInput struct {
	Intensity       values.ZoomIntensity `json:"intensity" default:"medium"`
	Scale           float64              `json:"scale" check:"min=1,max=3.5" default:"2"`
	ReplaceExisting bool                 `json:"replaceExisting" default:"false"`
}

// AutoLayoutsInput says how the layouts of a clip are chosen.
type AutoLayoutsInput struct {
	Style        *values.EditingStyle `json:"style"`
	Instructions *string              `json:"instructions" check:"chars=..2000"`
}
