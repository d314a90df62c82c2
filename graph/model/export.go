package model

import "github.com/reelgraph/reelgraph/internal/video/values"

// StartExportInput holds the settings of an export. Absent fields get the default values of the API contract.
type StartExportInput struct {
	Fps         *values.FPS         `json:"fps"`
	Granularity *values.Granularity `json:"granularity"`
	Resolution  *values.Resolution  `json:"resolution"`
	Speed       *values.Speed       `json:"speed"`
	Subtitles   *bool               `json:"subtitles"`
}
