package rest

import (
	"context"
	"slices"
	"strings"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// clipPath names a clip of a video.
type clipPath struct {
	videoPath

	ClipID string `path:"clipId"`
}

// within is the request's context, in which the clip has to be the video's.
func (p clipPath) within(ctx context.Context) context.Context {
	return model.Below(ctx, model.Place{VideoID: p.ID, ClipID: p.ClipID})
}

type clipsOut struct {
	Clips []clip `json:"clips"`
}

// clipFields are what a clip is shown by: what is not asked for may not be read.
func clipFields() selection.Tree {
	return selection.Fields("id", "videoId", "name", "order", "createdAt", "updatedAt", "cuts", "durationSeconds", "maxDurationSeconds",
		"layoutSceneType", "background", "borderStyle", "corners", "crop", "transition", "studioSound", "animatedCursor",
		"microphoneVolume", "systemAudioVolume")
}

func listClips(ctx context.Context, g Graph, in videoPath) (clipsOut, error) {
	fields := selection.Fields("id", "editing", "revision").
		UnderWith("clips", map[string]any{"first": everything}, selection.Page(clipFields()))

	v, err := g.Query().Video(asking(ctx, fields), in.ID)
	if err != nil {
		return clipsOut{}, err
	}

	page, err := g.Video().Clips(ctx, v, everything, nil)
	if err != nil {
		return clipsOut{}, err
	}

	all, err := shapes(ctx, g, page.Nodes, clipOf)

	return clipsOut{Clips: all}, err
}

func getClip(ctx context.Context, g Graph, in clipPath) (clipOut, error) {
	c, err := g.Query().Clip(in.within(ctx), in.ClipID)
	if err != nil {
		return clipOut{}, err
	}

	return clipOutOf(ctx, g, c, c.Edges.Video)
}

type updateClipIn struct {
	clipPath

	Body model.UpdateClipInput `body:"json"`
}

func updateClip(ctx context.Context, g Graph, in updateClipIn) (clipOut, error) {
	changed, err := g.Mutation().UpdateClip(in.within(ctx), in.ClipID, in.Body, nil)
	if err != nil {
		return clipOut{}, err
	}

	return clipOutOf(ctx, g, changed.Clip, changed.Video)
}

type cutClipIn struct {
	clipPath

	Body cutClipBody `body:"json"`
}

// cutClipBody has two forms: a list of ranges, or the range itself.
type cutClipBody struct {
	Cuts   []*model.CutRangeInput `json:"cuts" check:"items=1..10000"`
	FromMs *int64                 `json:"fromMs" check:"min=0"`
	ToMs   *int64                 `json:"toMs" check:"gt=0"`
}

// Check implements input.Checker: one form, and all of it.
func (b *cutClipBody) Check() []fault.Field {
	short := b.FromMs != nil || b.ToMs != nil

	switch {
	case b.Cuts != nil && short:
		return []fault.Field{{Rule: "must have either cuts, or fromMs and toMs, and not both"}}
	case b.Cuts == nil && !short:
		return []fault.Field{{Path: "cuts", Rule: "is required, or fromMs and toMs"}}
	case short && b.FromMs == nil:
		return []fault.Field{{Path: "fromMs", Rule: "is required with toMs"}}
	case short && b.ToMs == nil:
		return []fault.Field{{Path: "toMs", Rule: "is required with fromMs"}}
	default:
		return nil
	}
}

func (b *cutClipBody) ranges() []*model.CutRangeInput {
	if b.Cuts != nil {
		return b.Cuts
	}

	return []*model.CutRangeInput{{FromMs: *b.FromMs, ToMs: *b.ToMs}}
}

// named names the range's own properties in a fault of the list that it was made into.
func (b *cutClipBody) named(err error) error {
	wrong, is := fault.As(err)
	if !is || b.Cuts != nil || len(wrong.Fields) == 0 {
		return err
	}

	fields := slices.Clone(wrong.Fields)
	for i := range fields {
		fields[i].Path = strings.TrimPrefix(strings.TrimPrefix(fields[i].Path, "cuts"), "[0].")
	}

	return fault.Invalid(fields)
}

func cutClip(ctx context.Context, g Graph, in cutClipIn) (clipOut, error) {
	changed, err := g.Mutation().CutClip(in.within(ctx), in.ClipID, model.CutClipInput{Cuts: in.Body.ranges()}, nil)
	if err != nil {
		return clipOut{}, in.Body.named(err)
	}

	return clipOutOf(ctx, g, changed.Clip, changed.Video)
}

type clipOut struct {
	Clip clip `json:"clip"`

	rev int64
}

// revision is that of the clip's video.
func (o clipOut) revision() int64 { return o.rev }

type clip struct {
	ID                 string                   `json:"id"`
	VideoID            string                   `json:"videoId"`
	Name               string                   `json:"name"`
	Order              int                      `json:"order"`
	CreatedAt          Datetime                 `json:"createdAt"`
	UpdatedAt          Datetime                 `json:"updatedAt"`
	Cuts               []*model.Cut             `json:"cuts"`
	DurationSeconds    float64                  `json:"durationSeconds"`
	MaxDurationSeconds float64                  `json:"maxDurationSeconds"`
	LayoutSceneType    values.LayoutSceneType   `json:"layoutSceneType"`
	Background         *model.Background        `json:"background"`
	BorderStyle        values.BorderStyle       `json:"borderStyle"`
	Corners            values.Corners           `json:"corners"`
	Crop               Optional[values.CropBox] `json:"crop"`
	Transition         values.ClipTransition    `json:"transition"`
	StudioSound        bool                     `json:"studioSound"`
	AnimatedCursor     *bool                    `json:"animatedCursor,omitempty"`
	MicrophoneVolume   Optional[float64]        `json:"microphoneVolume,omitzero"`
	SystemAudioVolume  Optional[float64]        `json:"systemAudioVolume,omitzero"`
}

func clipOutOf(ctx context.Context, g Graph, c *model.Clip, v *model.Video) (clipOut, error) {
	if v != nil {
		c.Edges.Video = v
	}

	shape, err := clipOf(ctx, g, c)
	if err != nil {
		return clipOut{}, err
	}

	return clipOut{Clip: shape, rev: c.Edges.Video.Revision}, nil
}

func clipOf(ctx context.Context, g Graph, c *model.Clip) (clip, error) {
	var (
		of  = g.Clip()
		err error
	)

	out := clip{
		ID: c.ID, VideoID: c.VideoID, Name: c.Name, Order: c.Position,
		CreatedAt: datetimeOf(c.CreatedAt), UpdatedAt: datetimeOf(c.UpdatedAt),
		DurationSeconds: model.Seconds(c.DurationMs), MaxDurationSeconds: model.Seconds(c.RecordingMs),
		Crop: SomeOrNull(c.Crop), Transition: c.Transition,
	}

	if out.Cuts, err = of.Cuts(ctx, c); err != nil {
		return out, err
	}

	if out.LayoutSceneType, err = of.LayoutSceneType(ctx, c); err != nil {
		return out, err
	}

	if out.Background, err = of.Background(ctx, c); err != nil {
		return out, err
	}

	if out.BorderStyle, err = of.BorderStyle(ctx, c); err != nil {
		return out, err
	}

	if out.Corners, err = of.Corners(ctx, c); err != nil {
		return out, err
	}

	if out.StudioSound, err = of.StudioSound(ctx, c); err != nil {
		return out, err
	}

	if out.AnimatedCursor, err = of.AnimatedCursor(ctx, c); err != nil {
		return out, err
	}

	if out.MicrophoneVolume, err = volumeOf(of.MicrophoneVolume(ctx, c)); err != nil {
		return out, err
	}

	out.SystemAudioVolume, err = volumeOf(of.SystemAudioVolume(ctx, c))

	return out, err
}

// volumeOf has the three states of the contract: absent without such sound, null to follow the
// video, or the clip's own.
func volumeOf(v *model.Volume, err error) (Optional[float64], error) {
	if v == nil || err != nil {
		return Optional[float64]{}, err
	}

	return SomeOrNull(v.Override), nil
}
