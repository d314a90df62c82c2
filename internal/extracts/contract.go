package extracts

import (
	"context"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Media is what has to be computed from pictures and sound. What is asked has been checked: the
// caller may read the subject, and the times lie inside it.
type Media interface {
	// Silences are the stretches of a source in which nobody speaks, in recording time.
	Silences(ctx context.Context, s *ent.Source) ([]values.Span, error)
	// MeasuredSilences finds, in one statement, of which sources Silences was asked before, and how to read them, by the ids
	// of the sources.
	MeasuredSilences(ctx context.Context, of []*ent.Source) (map[string]ReadSilences, error)
	// Reach is how long what can be decoded of a source is of which so many bytes have arrived.
	Reach(ctx context.Context, s *ent.Source, bytes int64) (lengthMs int64, err error)
	// Waveform is the shape of a source's sound.
	Waveform(ctx context.Context, s *ent.Source) (*model.Waveform, error)
	// Still returns the signed address of a picture.
	Still(ctx context.Context, of Picture, q model.StillQuery) (string, error)
	// Storyboard returns a sheet of pictures.
	Storyboard(ctx context.Context, of Picture, q model.StoryboardQuery) (*model.Storyboard, error)
	// Window finds the window in a screen recording at a recording time.
	Window(ctx context.Context, screen *ent.Source, atMs int64) (values.FoundWindow, error)
}

// ReadSilences reads silences that were measured before.
type ReadSilences func(ctx context.Context) ([]values.Span, error)

// Picture is what is pictured: a source as it was recorded, or a video, or a clip of it, as it is played.
type Picture struct {
	Source *ent.Source // nil for what is played
	// VideoID is the video that is played, or that the clip is of.
	VideoID string
	// Plan reads what is played.
	Plan func(ctx context.Context) (plan.ExportPlan, error)
	// LengthMs is how long what is pictured plays.
	LengthMs int64
}
