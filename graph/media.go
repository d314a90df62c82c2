package graph

import (
	"context"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/domain"
	"github.com/reelgraph/reelgraph/internal/fault"
	"github.com/reelgraph/reelgraph/internal/timeline"
)

// Media is what has to be computed from pictures and sound. What is asked has been checked: the
// caller may read the subject, and the times lie inside it.
type Media interface {
	// Silences are the stretches of a source in which nobody speaks, in recording time.
	Silences(ctx context.Context, s *ent.Source) ([]timeline.Span, error)
	// Waveform is the shape of a source's sound.
	Waveform(ctx context.Context, s *ent.Source) (*model.Waveform, error)
	// Still returns the signed address of a picture.
	Still(ctx context.Context, of Picture, q model.StillQuery) (string, error)
	// Storyboard returns a sheet of pictures.
	Storyboard(ctx context.Context, of Picture, q model.StoryboardQuery) (*model.Storyboard, error)
	// Window finds the window in a clip's screen recording at a recording time; a confidence of zero
	// means that there is none.
	Window(ctx context.Context, c *ent.Clip, atMs int64) (box domain.CropBox, confidence float64, err error)
}

// Picture is what is pictured: a rendered video, a rendered clip of it, or a source as it was recorded.
type Picture struct {
	Video  *ent.Video
	Clip   *ent.Clip
	Source *ent.Source
	// LengthMs is how long what is pictured plays.
	LengthMs int64
}

// NoMedia is the Media of a server that computes none.
type NoMedia struct{}

func notComputed(what string) error {
	return fault.NotImplemented(what + " are not computed by this server yet.")
}

// Silences implements Media.
func (NoMedia) Silences(context.Context, *ent.Source) ([]timeline.Span, error) {
	return nil, notComputed("Silences")
}

// Waveform implements Media.
func (NoMedia) Waveform(context.Context, *ent.Source) (*model.Waveform, error) {
	return nil, notComputed("Waveforms")
}

// Still implements Media.
func (NoMedia) Still(context.Context, Picture, model.StillQuery) (string, error) {
	return "", notComputed("Thumbnails")
}

// Storyboard implements Media.
func (NoMedia) Storyboard(context.Context, Picture, model.StoryboardQuery) (*model.Storyboard, error) {
	return nil, notComputed("Storyboards")
}

// Window implements Media.
func (NoMedia) Window(context.Context, *ent.Clip, int64) (domain.CropBox, float64, error) {
	return domain.CropBox{}, 0, notComputed("Crops")
}
