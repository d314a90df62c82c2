package rest

import (
	"context"
	"slices"
	"strings"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/rest/shape"
)

// clipPath is the path of a clip of a video.
type clipPath struct {
	videoPath

	ClipID string `path:"clipId"`
}

// within returns a context in which the clip must belong to the video.
func (p clipPath) within(ctx context.Context) context.Context {
	return model.Below(ctx, model.Place{VideoID: p.ID, ClipID: p.ClipID})
}

func listClips(ctx context.Context, g Graph, in videoPath) (shape.ClipsOut, error) {
	fields := selection.Fields("id", "editing", "revision").
		UnderWith("clips", map[string]any{"first": shape.Everything}, selection.Page(shape.ClipFields()))

	v, err := g.Query().Video(asking(ctx, fields), in.ID)
	if err != nil {
		return shape.ClipsOut{}, err
	}

	page, err := g.Video().Clips(ctx, v, shape.Everything, nil)
	if err != nil {
		return shape.ClipsOut{}, err
	}

	all, err := shape.Shapes(ctx, g, page.Nodes, shape.ClipOf)

	return shape.ClipsOut{Clips: all}, err
}

func getClip(ctx context.Context, g Graph, in clipPath) (shape.ClipOut, error) {
	c, err := g.Query().Clip(in.within(ctx), in.ClipID)
	if err != nil {
		return shape.ClipOut{}, err
	}

	return shape.ClipOutOf(ctx, g, c, c.Edges.Video)
}

type updateClipIn struct {
	clipPath

	Body model.UpdateClipInput `body:"json"`
}

func updateClip(ctx context.Context, g Graph, in updateClipIn) (shape.ClipOut, error) {
	changed, err := g.Mutation().UpdateClip(in.within(ctx), in.ClipID, in.Body, nil)
	if err != nil {
		return shape.ClipOut{}, err
	}

	return shape.ClipOutOf(ctx, g, changed.Clip, changed.Video)
}

type cutClipIn struct {
	clipPath

	Body cutClipBody `body:"json"`
}

// cutClipBody has two forms: a list of ranges, or one range.
type cutClipBody struct {
	Cuts   []*model.CutRangeInput `json:"cuts" check:"items=1..10000"`
	FromMs *int64                 `json:"fromMs" check:"min=0"`
	ToMs   *int64                 `json:"toMs" check:"gt=0"`
}

// Check returns a fault unless the body has exactly one of the two forms, and has it completely. It implements
// input.Checker.
func (b *cutClipBody) Check() []fault.Field {
	short := b.FromMs != nil || b.ToMs != nil

	switch {
	case b.Cuts != nil && short:
		return []fault.Field{{Rule: "must have either cuts or both fromMs and toMs"}}
	case b.Cuts == nil && !short:
		return []fault.Field{{Path: "cuts", Rule: "is required without fromMs and toMs"}}
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

// named changes the property names of a list error to those of the single range.
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

func cutClip(ctx context.Context, g Graph, in cutClipIn) (shape.ClipOut, error) {
	changed, err := g.Mutation().CutClip(in.within(ctx), in.ClipID, model.CutClipInput{Cuts: in.Body.ranges()}, nil)
	if err != nil {
		return shape.ClipOut{}, in.Body.named(err)
	}

	return shape.ClipOutOf(ctx, g, changed.Clip, changed.Video)
}
