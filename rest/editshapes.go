package rest

import (
	"github.com/99designs/gqlgen/graphql"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// videoEdit is one operation of a batch: what its type says, with the fields of the single operation.
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

// head returns what every operation has.
func (o *videoEdit) head() *editHead {
	switch {
	case o.AddLayout != nil:
		return &o.AddLayout.editHead
	case o.AddZoom != nil:
		return &o.AddZoom.editHead
	case o.AddBlur != nil:
		return &o.AddBlur.editHead
	case o.AddHighlight != nil:
		return &o.AddHighlight.editHead
	case o.AddMediaOverlay != nil:
		return &o.AddMediaOverlay.editHead
	case o.AddTextOverlay != nil:
		return &o.AddTextOverlay.editHead
	case o.AddSoundEffect != nil:
		return &o.AddSoundEffect.editHead
	case o.UpdateLayout != nil:
		return &o.UpdateLayout.editHead
	case o.UpdateZoom != nil:
		return &o.UpdateZoom.editHead
	case o.UpdateBlur != nil:
		return &o.UpdateBlur.editHead
	case o.UpdateHighlight != nil:
		return &o.UpdateHighlight.editHead
	case o.UpdateMediaOverlay != nil:
		return &o.UpdateMediaOverlay.editHead
	case o.UpdateTextOverlay != nil:
		return &o.UpdateTextOverlay.editHead
	case o.UpdateSoundEffect != nil:
		return &o.UpdateSoundEffect.editHead
	case o.RemoveLayout != nil:
		return &o.RemoveLayout.editHead
	case o.RemoveZoom != nil:
		return &o.RemoveZoom.editHead
	case o.RemoveBlur != nil:
		return &o.RemoveBlur.editHead
	case o.RemoveHighlight != nil:
		return &o.RemoveHighlight.editHead
	case o.RemoveMediaOverlay != nil:
		return &o.RemoveMediaOverlay.editHead
	case o.RemoveTextOverlay != nil:
		return &o.RemoveTextOverlay.editHead
	default:
		return &o.RemoveSoundEffect.editHead
	}
}

// editHead is what every operation has.
type editHead struct {
	Type        string `json:"type" check:"required"`
	OperationID string `json:"operationId" check:"required,chars=1..64"`
	ClipID      string `json:"clipId" check:"required,chars=1.."`
}

// Label implements input.Labelled.
func (h *editHead) Label() string { return model.OperationLabel(h.OperationID) }

// The operations. A zoom's own type is zoomType here.
type (
	addLayoutEdit struct {
		editHead
		model.AddLayoutInput
	}

	addZoomEdit struct {
		editHead
		model.ZoomInput

		ZoomType values.ZoomType `json:"zoomType" check:"required"`
	}

	addMaskEdit struct {
		editHead
		model.AddMaskInput
	}

	addMediaOverlayEdit struct {
		editHead
		model.AddMediaOverlayInput
	}

	addTextOverlayEdit struct {
		editHead
		model.AddTextOverlayInput
	}

	addSoundEffectEdit struct {
		editHead
		model.AddSoundEffectInput
	}

	updateLayoutEdit struct {
		editHead
		model.UpdateLayoutInput

		LayoutID string `json:"layoutId" check:"required,chars=1.."`
	}

	updateZoomEdit struct {
		editHead
		model.ZoomChange

		ZoomID   string                              `json:"zoomId" check:"required,chars=1.."`
		ZoomType graphql.Omittable[*values.ZoomType] `json:"zoomType"`
	}

	updateMaskEdit struct {
		editHead
		model.UpdateMaskInput

		MaskID string `json:"maskId" check:"required,chars=1.."`
	}

	updateMediaOverlayEdit struct {
		editHead
		model.UpdateMediaOverlayInput

		OverlayID string `json:"overlayId" check:"required,chars=1.."`
	}

	updateTextOverlayEdit struct {
		editHead
		model.UpdateTextOverlayInput

		TextOverlayID string `json:"textOverlayId" check:"required,chars=1.."`
	}

	updateSoundEffectEdit struct {
		editHead
		model.UpdateSoundEffectInput

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
