package model

import "github.com/reelgraph/reelgraph/internal/video/values"

// StartExportInput chooses what an export is like. Absent fields have the contract's defaults.
type StartExportInput struct {
	Fps         *values.FPS         `json:"fps"`
	Granularity *values.Granularity `json:"granularity"`
	Resolution  *values.Resolution  `json:"resolution"`
	Speed       *values.Speed       `json:"speed"`
	Subtitles   *bool               `json:"subtitles"`
}
