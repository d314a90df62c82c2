package model

import "github.com/reelgraph/reelgraph/internal/domain"

// StartExportInput chooses what an export is like. Absent fields have the contract's defaults.
type StartExportInput struct {
	Fps         *domain.FPS         `json:"fps"`
	Granularity *domain.Granularity `json:"granularity"`
	Resolution  *domain.Resolution  `json:"resolution"`
	Speed       *domain.Speed       `json:"speed"`
	Subtitles   *bool               `json:"subtitles"`
}
