package extracts

import (
	"context"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Media computes pictures and measurements from video and sound. The callers have already checked that the viewer may
// read the subject and that the requested times are within its length.
type Media interface {
	// Silences returns the parts of a source in which nobody speaks, in recording time.
	Silences(ctx context.Context, s *ent.Source) ([]values.Span, error)
	// MeasuredSilences finds, with one statement, the sources whose silences have already been measured. It returns a
	// function that reads the silences, for each source by its id.
	MeasuredSilences(ctx context.Context, of []*ent.Source) (map[string]ReadSilences, error)
	// Reach returns the length that can be decoded if only the given number of bytes of the source has been uploaded.
	Reach(ctx context.Context, s *ent.Source, bytes int64) (lengthMs int64, err error)
	// Waveform returns the waveform of a source's sound.
	Waveform(ctx context.Context, s *ent.Source) (*model.Waveform, error)
	// Still returns the signed address of a picture.
	Still(ctx context.Context, of Picture, q model.StillQuery) (string, error)
	// Prepare requests the still thumbnails of a video before anybody asks for them. It does not wait for them.
	Prepare(ctx context.Context, of Picture) error
	// Storyboard returns a contact sheet: one image with many small pictures.
	Storyboard(ctx context.Context, of Picture, q model.StoryboardQuery) (*model.Storyboard, error)
	// Window finds the window that a screen recording shows at a recording time.
	Window(ctx context.Context, screen *ent.Source, atMs int64) (values.FoundWindow, error)
}

// ReadSilences reads silences that have already been measured.
type ReadSilences func(ctx context.Context) ([]values.Span, error)

// Picture describes what a picture shows. This is either a source as it was recorded, or an edited video or clip as
// it is played.
type Picture struct {
	Source *ent.Source // nil for a playing video or clip, and for a copy
	// Copy is the key of a stored picture that was chosen to stand for the video; empty for everything else.
	Copy string
	// VideoID is the video that plays, or the video of the clip that plays, or of the copy.
	VideoID string
	// Plan returns the plan of the playing video or clip.
	Plan func(ctx context.Context) (plan.ExportPlan, error)
	// LengthMs is how long the subject plays.
	LengthMs int64
	// FromMs is the time that still thumbnails show.
	FromMs int64
}
