package rest

import (
	"context"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/rest/shape"
)

type setBackgroundMusicIn struct {
	videoPath

	Body model.SetBackgroundMusicInput `body:"json"`
}

func setBackgroundMusic(ctx context.Context, g Graph, in setBackgroundMusicIn) (shape.BackgroundMusicOut, error) {
	set, err := g.Mutation().SetBackgroundMusic(ctx, in.ID, in.Body, nil)
	if err != nil {
		return shape.BackgroundMusicOut{}, err
	}

	return shape.BackgroundMusicOut{BackgroundMusic: set.BackgroundMusic}, nil
}

func removeBackgroundMusic(ctx context.Context, g Graph, in videoPath) (shape.Ok, error) {
	_, err := g.Mutation().RemoveBackgroundMusic(ctx, in.ID, nil)

	return shape.Done(), err
}

func listSubtitlePresets(ctx context.Context, g Graph, _ struct{}) (shape.SubtitlePresetsOut, error) {
	all, err := g.Query().SubtitlePresets(ctx)

	return shape.SubtitlePresetsOut{Presets: all}, err
}

type applySubtitlePresetIn struct {
	videoPath

	Body applySubtitlePresetInput `body:"json"`
}

type applySubtitlePresetInput struct {
	PresetID string `json:"presetId" check:"required,chars=1..255"`
}

func applySubtitlePreset(ctx context.Context, g Graph, in applySubtitlePresetIn) (shape.VideoOut, error) {
	applied, err := g.Mutation().ApplySubtitlePreset(ctx, in.ID, in.Body.PresetID, nil)
	if err != nil {
		return shape.VideoOut{}, err
	}

	return shape.VideoOutOf(ctx, g, applied.Video)
}
