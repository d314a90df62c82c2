package shape

import (
	"github.com/reelgraph/reelgraph/graph/model"
)

// TimelineOut is the response with the overview of a video.
type TimelineOut struct {
	Timeline *model.Timeline `json:"timeline"`
}
