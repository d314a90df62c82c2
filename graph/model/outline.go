package model

import "github.com/reelgraph/reelgraph/internal/video/values"

// Timeline is the outline of a video.
type Timeline struct {
	VideoID    string            `json:"videoId"`
	Revision   int64             `json:"revision"`
	Dimensions values.Dimensions `json:"dimensions"`
	DurationMs int64             `json:"durationMs"`
	Clips      []*TimelineClip   `json:"clips"`
}

// TimelineClip is a clip in the outline of its video. What was not asked for is nil.
type TimelineClip struct {
	ID              string                 `json:"id"`
	Name            string                 `json:"name"`
	Order           int                    `json:"order"`
	StartTimeMs     int64                  `json:"startTimeMs"` // on the video
	DurationMs      int64                  `json:"durationMs"`
	LayoutSceneType values.LayoutSceneType `json:"layoutSceneType"`
	Counts          *TimelineCounts        `json:"counts"`
	Cuts            []*Cut                 `json:"cuts,omitzero"`
	Words           []*Word                `json:"words,omitzero"`
	Effects         *TimelineEffects       `json:"effects,omitempty"`
}

// TimelineCounts say how much there is of what is seen.
type TimelineCounts struct {
	Layouts      int `json:"layouts"`
	Zooms        int `json:"zooms"`
	Blurs        int `json:"blurs"`
	Highlights   int `json:"highlights"`
	Overlays     int `json:"overlays"`
	TextOverlays int `json:"textOverlays"`
	SoundEffects int `json:"soundEffects"`
	Cuts         int `json:"cuts"`
}

// TimelineEffects are the effects of a clip that are seen, by family.
type TimelineEffects struct {
	Layouts      []*Layout       `json:"layouts"`
	Zooms        []*Zoom         `json:"zooms"`
	Blurs        []*Mask         `json:"blurs"`
	Highlights   []*Mask         `json:"highlights"`
	Overlays     []*MediaOverlay `json:"overlays"`
	TextOverlays []*TextOverlay  `json:"textOverlays"`
	SoundEffects []*SoundEffect  `json:"soundEffects"`
}
