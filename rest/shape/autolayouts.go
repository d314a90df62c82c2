package shape

import (
	"github.com/reelgraph/reelgraph/internal/video/effect"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// AutoLayoutsOut is the response with the chosen layouts.
type AutoLayoutsOut struct {
	Layouts      []*effect.Layout    `json:"layouts"`
	EditingStyle values.EditingStyle `json:"editingStyle"`
}
