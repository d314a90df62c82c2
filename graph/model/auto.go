package model

import "github.com/reelgraph/reelgraph/internal/video/values"

// AutoZoomsInput holds the settings for creating zooms from the clicks of a clip.
type AutoZoomsInput struct {
	Intensity       values.ZoomIntensity `json:"intensity" default:"medium"`
	Scale           float64              `json:"scale" check:"min=1,max=3.5" default:"2"`
	ReplaceExisting bool                 `json:"replaceExisting" default:"false"`
}

// AutoLayoutsInput holds the settings for choosing the layouts of a clip.
type AutoLayoutsInput struct {
	Style        *values.EditingStyle `json:"style"`
	Instructions *string              `json:"instructions" check:"chars=..2000"`
}
