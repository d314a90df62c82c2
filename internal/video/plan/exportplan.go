package plan

import (
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// ExportPlan is the content of an export at the time when the export was requested. Later edits do not change it.
type ExportPlan struct {
	Timeline timeline.Video    `json:"timeline"`
	Artboard values.Dimensions `json:"artboard"`
	Look     values.Look       `json:"look,omitzero"`
	// Shorter lists the lengths of recordings that end before their clips do: if one grows, the film changes.
	Shorter []int64 `json:"shorter,omitempty"`
}
