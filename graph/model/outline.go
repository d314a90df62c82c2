package model

import (
	"github.com/reelgraph/reelgraph/internal/video/effect"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Timeline is an overview of the clips and effects of a video.
type Timeline struct {
	VideoID    string            `json:"videoId"`
	Revision   int64             `json:"revision"`
	Dimensions values.Dimensions `json:"dimensions"`
	DurationMs int64             `json:"durationMs"`
	Clips      []*TimelineClip   `json:"clips"`
}

// TimelineClip is a clip in the overview of its video. Parts that were not requested are nil.
type TimelineClip struct {
	ID              string                  `json:"id"`
	Name            string                  `json:"name"`
	Order           int                     `json:"order"`
	StartTimeMs     int64                   `json:"startTimeMs"` // in the video's playback time
	DurationMs      int64                   `json:"durationMs"`
	LayoutSceneType values.LayoutSceneType  `json:"layoutSceneType"`
	Counts          *effect.TimelineCounts  `json:"counts"`
	Cuts            []*Cut                  `json:"cuts,omitzero"`
	Words           []*Word                 `json:"words,omitzero"`
	Effects         *effect.TimelineEffects `json:"effects,omitempty"`
}
