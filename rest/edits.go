package rest

import (
	"context"
	"fmt"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/input"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

type applyVideoEditsIn struct {
	videoPath

	Body videoEdits `body:"json"`
}

// videoEdits are the operations of a batch.
type videoEdits struct {
	Operations   []*videoEdit `json:"operations" check:"required,items=1..200"`
	BaseRevision *int64       `json:"baseRevision" check:"min=0"`
}

// Check implements input.Checker: every update changes something, and no two operations have one
// operationId.
func (b *videoEdits) Check() []fault.Field {
	var faults []fault.Field

	names := make([]string, len(b.Operations))

	for i, o := range b.Operations {
		names[i] = o.head().OperationID

		update := o.operation().Update
		if update == nil {
			continue
		}

		for _, f := range input.Struct(update.Effect) {
			if f.Rule == input.SomeRule {
				faults = append(faults, fault.Field{
					Path: fmt.Sprintf("operations[%d]", i), Rule: "must name something to change (" + o.head().Label() + ")",
				})
			}
		}
	}

	return append(faults, model.UniqueOperations(names)...)
}

type editsOut struct {
	Revision int64                    `json:"revision"`
	Results  []*model.VideoEditResult `json:"results"`
}

func applyVideoEdits(ctx context.Context, g Graph, in applyVideoEditsIn) (editsOut, error) {
	var batch model.ApplyVideoEditsInput
	for _, o := range in.Body.Operations {
		batch.Operations = append(batch.Operations, o.operation())
	}

	done, err := g.Mutation().ApplyVideoEdits(ctx, in.ID, batch, in.Body.BaseRevision)
	if err != nil {
		return editsOut{}, err
	}

	return editsOut{Revision: done.Revision, Results: done.Results}, nil
}

// operation is an edit as the graph is asked for it.
func (o *videoEdit) operation() *model.VideoEditOperation {
	switch {
	case o.AddLayout != nil:
		return o.added(model.AddEffectInput{Layout: &o.AddLayout.AddLayoutInput})
	case o.AddZoom != nil:
		return o.added(model.AddEffectInput{Zoom: &model.AddZoomInput{Type: o.AddZoom.ZoomType, ZoomInput: o.AddZoom.ZoomInput}})
	case o.AddBlur != nil:
		return o.added(model.AddEffectInput{Blur: &o.AddBlur.AddMaskInput})
	case o.AddHighlight != nil:
		return o.added(model.AddEffectInput{Highlight: &o.AddHighlight.AddMaskInput})
	case o.AddMediaOverlay != nil:
		return o.added(model.AddEffectInput{MediaOverlay: &o.AddMediaOverlay.AddMediaOverlayInput})
	case o.AddTextOverlay != nil:
		return o.added(model.AddEffectInput{TextOverlay: &o.AddTextOverlay.AddTextOverlayInput})
	case o.AddSoundEffect != nil:
		return o.added(model.AddEffectInput{SoundEffect: &o.AddSoundEffect.AddSoundEffectInput})
	default:
		return o.changing()
	}
}

func (o *videoEdit) changing() *model.VideoEditOperation {
	switch {
	case o.UpdateLayout != nil:
		return o.updated(o.UpdateLayout.LayoutID, model.UpdateEffectInput{Layout: &o.UpdateLayout.UpdateLayoutInput})
	case o.UpdateZoom != nil:
		zoom := &model.UpdateZoomInput{Type: o.UpdateZoom.ZoomType, ZoomChange: o.UpdateZoom.ZoomChange}

		return o.updated(o.UpdateZoom.ZoomID, model.UpdateEffectInput{Zoom: zoom})
	case o.UpdateBlur != nil:
		return o.updated(o.UpdateBlur.MaskID, model.UpdateEffectInput{Blur: &o.UpdateBlur.UpdateMaskInput})
	case o.UpdateHighlight != nil:
		return o.updated(o.UpdateHighlight.MaskID, model.UpdateEffectInput{Highlight: &o.UpdateHighlight.UpdateMaskInput})
	case o.UpdateMediaOverlay != nil:
		return o.updated(o.UpdateMediaOverlay.OverlayID, model.UpdateEffectInput{MediaOverlay: &o.UpdateMediaOverlay.UpdateMediaOverlayInput})
	case o.UpdateTextOverlay != nil:
		return o.updated(o.UpdateTextOverlay.TextOverlayID, model.UpdateEffectInput{TextOverlay: &o.UpdateTextOverlay.UpdateTextOverlayInput})
	case o.UpdateSoundEffect != nil:
		return o.updated(o.UpdateSoundEffect.SoundEffectID, model.UpdateEffectInput{SoundEffect: &o.UpdateSoundEffect.UpdateSoundEffectInput})
	default:
		return o.removing()
	}
}

func (o *videoEdit) removing() *model.VideoEditOperation {
	switch {
	case o.RemoveLayout != nil:
		return o.removed(o.RemoveLayout.LayoutID, values.EffectKindLayout)
	case o.RemoveZoom != nil:
		return o.removed(o.RemoveZoom.ZoomID, values.EffectKindZoom)
	case o.RemoveBlur != nil:
		return o.removed(o.RemoveBlur.MaskID, values.EffectKindBlur)
	case o.RemoveHighlight != nil:
		return o.removed(o.RemoveHighlight.MaskID, values.EffectKindHighlight)
	case o.RemoveMediaOverlay != nil:
		return o.removed(o.RemoveMediaOverlay.OverlayID, values.EffectKindMediaOverlay)
	case o.RemoveTextOverlay != nil:
		return o.removed(o.RemoveTextOverlay.TextOverlayID, values.EffectKindTextOverlay)
	default:
		return o.removed(o.RemoveSoundEffect.SoundEffectID, values.EffectKindSoundEffect)
	}
}

func (o *videoEdit) added(effect model.AddEffectInput) *model.VideoEditOperation {
	h := o.head()

	return &model.VideoEditOperation{Add: &model.AddEditInput{OperationID: h.OperationID, ClipID: h.ClipID, Effect: &effect}}
}

func (o *videoEdit) updated(id string, effect model.UpdateEffectInput) *model.VideoEditOperation {
	h := o.head()

	return &model.VideoEditOperation{Update: &model.UpdateEditInput{
		OperationID: h.OperationID, Within: model.Place{ClipID: h.ClipID}, ID: id, Effect: &effect,
	}}
}

func (o *videoEdit) removed(id string, kind values.EffectKind) *model.VideoEditOperation {
	h := o.head()

	return &model.VideoEditOperation{Remove: &model.RemoveEditInput{
		OperationID: h.OperationID, Within: model.Place{ClipID: h.ClipID, Kind: kind}, ID: id,
	}}
}
