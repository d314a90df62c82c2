package plan

import (
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// ExportPlan is what an export was asked to show, as it stood at that moment: later edits change
// nothing of it.
type ExportPlan struct {
	Timeline timeline.Video    `json:"timeline"`
	Artboard values.Dimensions `json:"artboard"`
	Look     values.Look       `json:"look,omitzero"`
	// Shorter are how long those recordings are that end before their clips do: one that grows makes another film.
	Shorter []int64 `json:"shorter,omitempty"`
}
