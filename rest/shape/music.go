package shape

import (
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

type BackgroundMusicOut struct {
	BackgroundMusic *values.BackgroundMusic `json:"backgroundMusic"`
}

type SubtitlePresetsOut struct {
	Presets []*model.SubtitlePreset `json:"presets"`
}
