package shape

import (
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// BackgroundMusicOut is the response with the music of a video.
type BackgroundMusicOut struct {
	BackgroundMusic *values.BackgroundMusic `json:"backgroundMusic"`
}

// SubtitlePresetsOut is the response with the caption styles.
type SubtitlePresetsOut struct {
	Presets []*model.SubtitlePreset `json:"presets"`
}
