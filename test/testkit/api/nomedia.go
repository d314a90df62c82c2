package api

import (
	"context"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/extracts"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// NoMedia implements Media for tests that need nothing computed.
type NoMedia struct{}

func notComputed(what string) error {
	return fault.NotImplemented(what + " are not computed by this server yet.")
}

// Silences implements Media.
func (NoMedia) Silences(context.Context, *ent.Source) ([]values.Span, error) {
	return nil, notComputed("Silences")
}

// MeasuredSilences implements Media.
func (NoMedia) MeasuredSilences(context.Context, []*ent.Source) (map[string]extracts.ReadSilences, error) {
	return map[string]extracts.ReadSilences{}, nil
}

// Reach implements Media.
func (NoMedia) Reach(context.Context, *ent.Source, int64) (int64, error) {
	return 0, notComputed("Pictures of what still arrives")
}

// Waveform implements Media.
func (NoMedia) Waveform(context.Context, *ent.Source) (*model.Waveform, error) {
	return nil, notComputed("Waveforms")
}

// Still implements Media.
func (NoMedia) Still(context.Context, extracts.Picture, model.StillQuery) (string, error) {
	return "", notComputed("Thumbnails")
}

// Prepare implements Media.
func (NoMedia) Prepare(context.Context, extracts.Picture) error { return notComputed("Thumbnails") }

// Storyboard implements Media.
func (NoMedia) Storyboard(context.Context, extracts.Picture, model.StoryboardQuery) (*model.Storyboard, error) {
	return nil, notComputed("Storyboards")
}

// Window implements Media.
func (NoMedia) Window(context.Context, *ent.Source, int64) (values.FoundWindow, error) {
	return values.FoundWindow{}, notComputed("Crops")
}
