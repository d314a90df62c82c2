package shape

import (
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

type AutoLayoutsOut struct {
	Layouts      []*model.Layout     `json:"layouts"`
	EditingStyle values.EditingStyle `json:"editingStyle"`
}
