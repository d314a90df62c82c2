package shape

import (
	"github.com/reelgraph/reelgraph/graph/model"
)

type TimelineOut struct {
	Timeline *model.Timeline `json:"timeline"`
}
