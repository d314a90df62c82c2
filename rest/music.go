package rest

import (
	"context"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

type setBackgroundMusicIn struct {
	videoPath

	Body model.SetBackgroundMusicInput `body:"json"`
}

type backgroundMusicOut struct {
	BackgroundMusic *values.BackgroundMusic `json:"backgroundMusic"`
}

func setBackgroundMusic(ctx context.Context, g Graph, in setBackgroundMusicIn) (backgroundMusicOut, error) {
	set, err := g.Mutation().SetBackgroundMusic(ctx, in.ID, in.Body, nil)
	if err != nil {
		return backgroundMusicOut{}, err
	}

	return backgroundMusicOut{BackgroundMusic: set.BackgroundMusic}, nil
}

func removeBackgroundMusic(ctx context.Context, g Graph, in videoPath) (ok, error) {
	_, err := g.Mutation().RemoveBackgroundMusic(ctx, in.ID, nil)

	return done(), err
}

type subtitlePresetsOut struct {
	Presets []*model.SubtitlePreset `json:"presets"`
}

func listSubtitlePresets(ctx context.Context, g Graph, _ struct{}) (subtitlePresetsOut, error) {
	all, err := g.Query().SubtitlePresets(ctx)

	return subtitlePresetsOut{Presets: all}, err
}

type applySubtitlePresetIn struct {
	videoPath

	Body applySubtitlePresetInput `body:"json"`
}

type applySubtitlePresetInput struct {
	PresetID string `json:"presetId" check:"required,chars=1..255"`
}

func applySubtitlePreset(ctx context.Context, g Graph, in applySubtitlePresetIn) (videoOut, error) {
	applied, err := g.Mutation().ApplySubtitlePreset(ctx, in.ID, in.Body.PresetID, nil)
	if err != nil {
		return videoOut{}, err
	}

	return videoOutOf(ctx, g, applied.Video)
}
