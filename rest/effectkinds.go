package rest

import (
	"context"

	"github.com/99designs/gqlgen/graphql"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/video/effect"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/rest/router"
)

// The names of each kind of effect in REST: routes, ids, responses, and operations in a batch.

// effectRoutes returns the rows of all effects. Each kind has the same four operations.
func effectRoutes() []router.Route[Graph] { //nolint:funlen // a table
	blurs := family[maskPath, effect.AddMaskInput, effect.UpdateMaskInput, *effect.Mask, maskOut, masksOut]{
		Kind:     kindOf(values.EffectKindBlur),
		adding:   func(in *effect.AddMaskInput) effect.AddEffectInput { return effect.AddEffectInput{Blur: in} },
		updating: func(in *effect.UpdateMaskInput) effect.UpdateEffectInput { return effect.UpdateEffectInput{Blur: in} },
		one:      func(e *effect.Mask) maskOut { return maskOut{e} },
		many:     func(all []*effect.Mask) masksOut { return masksOut{all} },
	}

	highlights := blurs
	highlights.Kind = kindOf(values.EffectKindHighlight)
	highlights.adding = func(in *effect.AddMaskInput) effect.AddEffectInput { return effect.AddEffectInput{Highlight: in} }
	highlights.updating = func(in *effect.UpdateMaskInput) effect.UpdateEffectInput {
		return effect.UpdateEffectInput{Highlight: in}
	}

	layouts := family[layoutPath, effect.AddLayoutInput, effect.UpdateLayoutInput, *effect.Layout, layoutOut, layoutsOut]{
		Kind:   kindOf(values.EffectKindLayout),
		adding: func(in *effect.AddLayoutInput) effect.AddEffectInput { return effect.AddEffectInput{Layout: in} },
		updating: func(in *effect.UpdateLayoutInput) effect.UpdateEffectInput {
			return effect.UpdateEffectInput{Layout: in}
		},
		first: func(ctx context.Context, g Graph, c *model.Clip) (*effect.Layout, error) {
			return g.Clip().BaseLayout(ctx, c)
		},
		one:  func(e *effect.Layout) layoutOut { return layoutOut{e} },
		many: func(all []*effect.Layout) layoutsOut { return layoutsOut{all} },
	}

	zooms := family[zoomPath, effect.AddZoomInput, effect.UpdateZoomInput, *effect.Zoom, zoomOut, zoomsOut]{
		Kind:     kindOf(values.EffectKindZoom),
		adding:   func(in *effect.AddZoomInput) effect.AddEffectInput { return effect.AddEffectInput{Zoom: in} },
		updating: func(in *effect.UpdateZoomInput) effect.UpdateEffectInput { return effect.UpdateEffectInput{Zoom: in} },
		one:      func(e *effect.Zoom) zoomOut { return zoomOut{e} },
		many:     func(all []*effect.Zoom) zoomsOut { return zoomsOut{all} },
	}

	overlays := family[
		overlayPath, effect.AddMediaOverlayInput, effect.UpdateMediaOverlayInput, *effect.MediaOverlay, overlayOut, overlaysOut,
	]{
		Kind: kindOf(values.EffectKindMediaOverlay),
		adding: func(in *effect.AddMediaOverlayInput) effect.AddEffectInput {
			return effect.AddEffectInput{MediaOverlay: in}
		},
		updating: func(in *effect.UpdateMediaOverlayInput) effect.UpdateEffectInput {
			return effect.UpdateEffectInput{MediaOverlay: in}
		},
		one:  func(e *effect.MediaOverlay) overlayOut { return overlayOut{e} },
		many: func(all []*effect.MediaOverlay) overlaysOut { return overlaysOut{all} },
	}

	texts := family[
		textOverlayPath, effect.AddTextOverlayInput, effect.UpdateTextOverlayInput, *effect.TextOverlay, textOverlayOut, textOverlaysOut,
	]{
		Kind: kindOf(values.EffectKindTextOverlay),
		adding: func(in *effect.AddTextOverlayInput) effect.AddEffectInput {
			return effect.AddEffectInput{TextOverlay: in}
		},
		updating: func(in *effect.UpdateTextOverlayInput) effect.UpdateEffectInput {
			return effect.UpdateEffectInput{TextOverlay: in}
		},
		one:  func(e *effect.TextOverlay) textOverlayOut { return textOverlayOut{e} },
		many: func(all []*effect.TextOverlay) textOverlaysOut { return textOverlaysOut{all} },
	}

	sounds := family[
		soundEffectPath, effect.AddSoundEffectInput, effect.UpdateSoundEffectInput, *effect.SoundEffect, soundEffectOut, soundEffectsOut,
	]{
		Kind: kindOf(values.EffectKindSoundEffect),
		adding: func(in *effect.AddSoundEffectInput) effect.AddEffectInput {
			return effect.AddEffectInput{SoundEffect: in}
		},
		updating: func(in *effect.UpdateSoundEffectInput) effect.UpdateEffectInput {
			return effect.UpdateEffectInput{SoundEffect: in}
		},
		one:  func(e *effect.SoundEffect) soundEffectOut { return soundEffectOut{e} },
		many: func(all []*effect.SoundEffect) soundEffectsOut { return soundEffectsOut{all} },
	}

	var all []router.Route[Graph]
	for _, rows := range []func() []router.Route[Graph]{
		blurs.rows, highlights.rows, layouts.rows, zooms.rows, overlays.rows, texts.rows, sounds.rows,
	} {
		all = append(all, rows()...)
	}

	return all
}

// Each family has its own name for the id in the path and for its effects in the response.
type (
	maskPath struct {
		clipPath

		MaskID string `path:"maskId"`
	}
	layoutPath struct {
		clipPath

		LayoutID string `path:"layoutId"`
	}
	zoomPath struct {
		clipPath

		ZoomID string `path:"zoomId"`
	}
	overlayPath struct {
		clipPath

		OverlayID string `path:"overlayId"`
	}
	textOverlayPath struct {
		clipPath

		TextOverlayID string `path:"textOverlayId"`
	}
	soundEffectPath struct {
		clipPath

		SoundEffectID string `path:"soundEffectId"`
	}

	maskOut struct {
		Mask *effect.Mask `json:"mask"`
	}
	masksOut struct {
		Masks []*effect.Mask `json:"masks"`
	}
	layoutOut struct {
		Layout *effect.Layout `json:"layout"`
	}
	layoutsOut struct {
		Layouts []*effect.Layout `json:"layouts"`
	}
	zoomOut struct {
		Zoom *effect.Zoom `json:"zoom"`
	}
	zoomsOut struct {
		Zooms []*effect.Zoom `json:"zooms"`
	}
	overlayOut struct {
		Overlay *effect.MediaOverlay `json:"overlay"`
	}
	overlaysOut struct {
		Overlays []*effect.MediaOverlay `json:"overlays"`
	}
	textOverlayOut struct {
		TextOverlay *effect.TextOverlay `json:"textOverlay"`
	}
	textOverlaysOut struct {
		TextOverlays []*effect.TextOverlay `json:"textOverlays"`
	}
	soundEffectOut struct {
		SoundEffect *effect.SoundEffect `json:"soundEffect"`
	}
	soundEffectsOut struct {
		SoundEffects []*effect.SoundEffect `json:"soundEffects"`
	}
)

func (p maskPath) effect() (clipPath, string)        { return p.clipPath, p.MaskID }
func (p layoutPath) effect() (clipPath, string)      { return p.clipPath, p.LayoutID }
func (p zoomPath) effect() (clipPath, string)        { return p.clipPath, p.ZoomID }
func (p overlayPath) effect() (clipPath, string)     { return p.clipPath, p.OverlayID }
func (p textOverlayPath) effect() (clipPath, string) { return p.clipPath, p.TextOverlayID }
func (p soundEffectPath) effect() (clipPath, string) { return p.clipPath, p.SoundEffectID }

// videoEdit is one operation of a batch: a type, and the fields of the single operation.
type videoEdit struct {
	_ struct{} `check:"variant=type"`

	AddLayout       *addLayoutEdit       `variant:"add_layout"`
	AddZoom         *addZoomEdit         `variant:"add_zoom"`
	AddBlur         *addMaskEdit         `variant:"add_blur"`
	AddHighlight    *addMaskEdit         `variant:"add_highlight"`
	AddMediaOverlay *addMediaOverlayEdit `variant:"add_media_overlay"`
	AddTextOverlay  *addTextOverlayEdit  `variant:"add_text_overlay"`
	AddSoundEffect  *addSoundEffectEdit  `variant:"add_sound_effect"`

	UpdateLayout       *updateLayoutEdit       `variant:"update_layout"`
	UpdateZoom         *updateZoomEdit         `variant:"update_zoom"`
	UpdateBlur         *updateMaskEdit         `variant:"update_blur"`
	UpdateHighlight    *updateMaskEdit         `variant:"update_highlight"`
	UpdateMediaOverlay *updateMediaOverlayEdit `variant:"update_media_overlay"`
	UpdateTextOverlay  *updateTextOverlayEdit  `variant:"update_text_overlay"`
	UpdateSoundEffect  *updateSoundEffectEdit  `variant:"update_sound_effect"`

	RemoveLayout       *removeLayoutEdit       `variant:"remove_layout"`
	RemoveZoom         *removeZoomEdit         `variant:"remove_zoom"`
	RemoveBlur         *removeMaskEdit         `variant:"remove_blur"`
	RemoveHighlight    *removeMaskEdit         `variant:"remove_highlight"`
	RemoveMediaOverlay *removeMediaOverlayEdit `variant:"remove_media_overlay"`
	RemoveTextOverlay  *removeTextOverlayEdit  `variant:"remove_text_overlay"`
	RemoveSoundEffect  *removeSoundEffectEdit  `variant:"remove_sound_effect"`
}

// The operations. A zoom has a property type itself, which is zoomType here.
type (
	addLayoutEdit struct {
		editHead
		effect.AddLayoutInput
	}

	addZoomEdit struct {
		editHead
		effect.ZoomInput

		ZoomType values.ZoomType `json:"zoomType" check:"required"`
	}

	addMaskEdit struct {
		editHead
		effect.AddMaskInput
	}

	addMediaOverlayEdit struct {
		editHead
		effect.AddMediaOverlayInput
	}

	addTextOverlayEdit struct {
		editHead
		effect.AddTextOverlayInput
	}

	addSoundEffectEdit struct {
		editHead
		effect.AddSoundEffectInput
	}

	updateLayoutEdit struct {
		editHead
		effect.UpdateLayoutInput

		LayoutID string `json:"layoutId" check:"required,chars=1.."`
	}

	updateZoomEdit struct {
		editHead
		effect.ZoomChange

		ZoomID   string                              `json:"zoomId" check:"required,chars=1.."`
		ZoomType graphql.Omittable[*values.ZoomType] `json:"zoomType"`
	}

	updateMaskEdit struct {
		editHead
		effect.UpdateMaskInput

		MaskID string `json:"maskId" check:"required,chars=1.."`
	}

	updateMediaOverlayEdit struct {
		editHead
		effect.UpdateMediaOverlayInput

		OverlayID string `json:"overlayId" check:"required,chars=1.."`
	}

	updateTextOverlayEdit struct {
		editHead
		effect.UpdateTextOverlayInput

		TextOverlayID string `json:"textOverlayId" check:"required,chars=1.."`
	}

	updateSoundEffectEdit struct {
		editHead
		effect.UpdateSoundEffectInput

		SoundEffectID string `json:"soundEffectId" check:"required,chars=1.."`
	}

	removeLayoutEdit struct {
		editHead

		LayoutID string `json:"layoutId" check:"required,chars=1.."`
	}

	removeZoomEdit struct {
		editHead

		ZoomID string `json:"zoomId" check:"required,chars=1.."`
	}

	removeMaskEdit struct {
		editHead

		MaskID string `json:"maskId" check:"required,chars=1.."`
	}

	removeMediaOverlayEdit struct {
		editHead

		OverlayID string `json:"overlayId" check:"required,chars=1.."`
	}

	removeTextOverlayEdit struct {
		editHead

		TextOverlayID string `json:"textOverlayId" check:"required,chars=1.."`
	}

	removeSoundEffectEdit struct {
		editHead

		SoundEffectID string `json:"soundEffectId" check:"required,chars=1.."`
	}
)

func (e *addLayoutEdit) operation() *model.VideoEditOperation {
	return e.added(effect.AddEffectInput{Layout: &e.AddLayoutInput})
}

func (e *addZoomEdit) operation() *model.VideoEditOperation {
	return e.added(effect.AddEffectInput{Zoom: &effect.AddZoomInput{Type: e.ZoomType, ZoomInput: e.ZoomInput}})
}

func (e *addMaskEdit) operation() *model.VideoEditOperation {
	if e.kind() == values.EffectKindBlur {
		return e.added(effect.AddEffectInput{Blur: &e.AddMaskInput})
	}

	return e.added(effect.AddEffectInput{Highlight: &e.AddMaskInput})
}

func (e *addMediaOverlayEdit) operation() *model.VideoEditOperation {
	return e.added(effect.AddEffectInput{MediaOverlay: &e.AddMediaOverlayInput})
}

func (e *addTextOverlayEdit) operation() *model.VideoEditOperation {
	return e.added(effect.AddEffectInput{TextOverlay: &e.AddTextOverlayInput})
}

func (e *addSoundEffectEdit) operation() *model.VideoEditOperation {
	return e.added(effect.AddEffectInput{SoundEffect: &e.AddSoundEffectInput})
}

func (e *updateLayoutEdit) operation() *model.VideoEditOperation {
	return e.updated(e.LayoutID, effect.UpdateEffectInput{Layout: &e.UpdateLayoutInput})
}

func (e *updateZoomEdit) operation() *model.VideoEditOperation {
	return e.updated(e.ZoomID, effect.UpdateEffectInput{Zoom: &effect.UpdateZoomInput{Type: e.ZoomType, ZoomChange: e.ZoomChange}})
}

func (e *updateMaskEdit) operation() *model.VideoEditOperation {
	if e.kind() == values.EffectKindBlur {
		return e.updated(e.MaskID, effect.UpdateEffectInput{Blur: &e.UpdateMaskInput})
	}

	return e.updated(e.MaskID, effect.UpdateEffectInput{Highlight: &e.UpdateMaskInput})
}

func (e *updateMediaOverlayEdit) operation() *model.VideoEditOperation {
	return e.updated(e.OverlayID, effect.UpdateEffectInput{MediaOverlay: &e.UpdateMediaOverlayInput})
}

func (e *updateTextOverlayEdit) operation() *model.VideoEditOperation {
	return e.updated(e.TextOverlayID, effect.UpdateEffectInput{TextOverlay: &e.UpdateTextOverlayInput})
}

func (e *updateSoundEffectEdit) operation() *model.VideoEditOperation {
	return e.updated(e.SoundEffectID, effect.UpdateEffectInput{SoundEffect: &e.UpdateSoundEffectInput})
}

func (e *removeLayoutEdit) operation() *model.VideoEditOperation { return e.removed(e.LayoutID) }

func (e *removeZoomEdit) operation() *model.VideoEditOperation { return e.removed(e.ZoomID) }

func (e *removeMaskEdit) operation() *model.VideoEditOperation { return e.removed(e.MaskID) }

func (e *removeMediaOverlayEdit) operation() *model.VideoEditOperation { return e.removed(e.OverlayID) }

func (e *removeTextOverlayEdit) operation() *model.VideoEditOperation {
	return e.removed(e.TextOverlayID)
}

func (e *removeSoundEffectEdit) operation() *model.VideoEditOperation {
	return e.removed(e.SoundEffectID)
}
