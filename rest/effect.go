package rest

import (
	"context"
	"strings"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/rest/router"
	"github.com/reelgraph/reelgraph/rest/shape"
)

// effectRoutes are the rows of the seven families of effects. Each family has the same four
// operations; what sets them apart is said here.
func effectRoutes() []router.Route[Graph] {
	blurs := family[maskPath, model.AddMaskInput, model.UpdateMaskInput, *model.Mask, maskOut, masksOut]{
		kind: values.EffectKindBlur, path: "blurs/{maskId}",
		list: "listBlurs", add: "addBlur", update: "updateBlur", remove: "removeBlur",
		adding:   func(in *model.AddMaskInput) model.AddEffectInput { return model.AddEffectInput{Blur: in} },
		updating: func(in *model.UpdateMaskInput) model.UpdateEffectInput { return model.UpdateEffectInput{Blur: in} },
		one:      func(e *model.Mask) maskOut { return maskOut{e} },
		many:     func(all []*model.Mask) masksOut { return masksOut{all} },
	}

	highlights := blurs
	highlights.kind, highlights.path = values.EffectKindHighlight, "highlights/{maskId}"
	highlights.list, highlights.add = "listHighlights", "addHighlight"
	highlights.update, highlights.remove = "updateHighlight", "removeHighlight"
	highlights.adding = func(in *model.AddMaskInput) model.AddEffectInput { return model.AddEffectInput{Highlight: in} }
	highlights.updating = func(in *model.UpdateMaskInput) model.UpdateEffectInput {
		return model.UpdateEffectInput{Highlight: in}
	}

	layouts := family[layoutPath, model.AddLayoutInput, model.UpdateLayoutInput, *model.Layout, layoutOut, layoutsOut]{
		kind: values.EffectKindLayout, path: "layouts/{layoutId}",
		list: "listLayouts", add: "addLayout", update: "updateLayout", remove: "removeLayout",
		adding:   func(in *model.AddLayoutInput) model.AddEffectInput { return model.AddEffectInput{Layout: in} },
		updating: func(in *model.UpdateLayoutInput) model.UpdateEffectInput { return model.UpdateEffectInput{Layout: in} },
		first: func(ctx context.Context, g Graph, c *model.Clip) (*model.Layout, error) {
			return g.Clip().BaseLayout(ctx, c)
		},
		one:  func(e *model.Layout) layoutOut { return layoutOut{e} },
		many: func(all []*model.Layout) layoutsOut { return layoutsOut{all} },
	}

	zooms := family[zoomPath, model.AddZoomInput, model.UpdateZoomInput, *model.Zoom, zoomOut, zoomsOut]{
		kind: values.EffectKindZoom, path: "zooms/{zoomId}",
		list: "listZooms", add: "addZoom", update: "updateZoom", remove: "removeZoom",
		adding:   func(in *model.AddZoomInput) model.AddEffectInput { return model.AddEffectInput{Zoom: in} },
		updating: func(in *model.UpdateZoomInput) model.UpdateEffectInput { return model.UpdateEffectInput{Zoom: in} },
		one:      func(e *model.Zoom) zoomOut { return zoomOut{e} },
		many:     func(all []*model.Zoom) zoomsOut { return zoomsOut{all} },
	}

	overlays := family[overlayPath, model.AddMediaOverlayInput, model.UpdateMediaOverlayInput, *model.MediaOverlay, overlayOut, overlaysOut]{
		kind: values.EffectKindMediaOverlay, path: "overlays/{overlayId}",
		list: "listOverlays", add: "addOverlay", update: "updateOverlay", remove: "removeOverlay",
		adding: func(in *model.AddMediaOverlayInput) model.AddEffectInput {
			return model.AddEffectInput{MediaOverlay: in}
		},
		updating: func(in *model.UpdateMediaOverlayInput) model.UpdateEffectInput {
			return model.UpdateEffectInput{MediaOverlay: in}
		},
		one:  func(e *model.MediaOverlay) overlayOut { return overlayOut{e} },
		many: func(all []*model.MediaOverlay) overlaysOut { return overlaysOut{all} },
	}

	texts := family[
		textOverlayPath, model.AddTextOverlayInput, model.UpdateTextOverlayInput, *model.TextOverlay, textOverlayOut, textOverlaysOut,
	]{
		kind: values.EffectKindTextOverlay, path: "text-overlays/{textOverlayId}",
		list: "listTextOverlays", add: "addTextOverlay", update: "updateTextOverlay", remove: "removeTextOverlay",
		adding: func(in *model.AddTextOverlayInput) model.AddEffectInput {
			return model.AddEffectInput{TextOverlay: in}
		},
		updating: func(in *model.UpdateTextOverlayInput) model.UpdateEffectInput {
			return model.UpdateEffectInput{TextOverlay: in}
		},
		one:  func(e *model.TextOverlay) textOverlayOut { return textOverlayOut{e} },
		many: func(all []*model.TextOverlay) textOverlaysOut { return textOverlaysOut{all} },
	}

	sounds := family[
		soundEffectPath, model.AddSoundEffectInput, model.UpdateSoundEffectInput, *model.SoundEffect, soundEffectOut, soundEffectsOut,
	]{
		kind: values.EffectKindSoundEffect, path: "sound-effects/{soundEffectId}",
		list: "listSoundEffects", add: "addSoundEffect", update: "updateSoundEffect", remove: "removeSoundEffect",
		adding: func(in *model.AddSoundEffectInput) model.AddEffectInput {
			return model.AddEffectInput{SoundEffect: in}
		},
		updating: func(in *model.UpdateSoundEffectInput) model.UpdateEffectInput {
			return model.UpdateEffectInput{SoundEffect: in}
		},
		one:  func(e *model.SoundEffect) soundEffectOut { return soundEffectOut{e} },
		many: func(all []*model.SoundEffect) soundEffectsOut { return soundEffectsOut{all} },
	}

	var all []router.Route[Graph]
	for _, rows := range []func() []router.Route[Graph]{
		blurs.rows, highlights.rows, layouts.rows, zooms.rows, overlays.rows, texts.rows, sounds.rows,
	} {
		all = append(all, rows()...)
	}

	return all
}

// Each family's id has a name of its own in the path, and its effects in the answer.
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
		Mask *model.Mask `json:"mask"`
	}
	masksOut struct {
		Masks []*model.Mask `json:"masks"`
	}
	layoutOut struct {
		Layout *model.Layout `json:"layout"`
	}
	layoutsOut struct {
		Layouts []*model.Layout `json:"layouts"`
	}
	zoomOut struct {
		Zoom *model.Zoom `json:"zoom"`
	}
	zoomsOut struct {
		Zooms []*model.Zoom `json:"zooms"`
	}
	overlayOut struct {
		Overlay *model.MediaOverlay `json:"overlay"`
	}
	overlaysOut struct {
		Overlays []*model.MediaOverlay `json:"overlays"`
	}
	textOverlayOut struct {
		TextOverlay *model.TextOverlay `json:"textOverlay"`
	}
	textOverlaysOut struct {
		TextOverlays []*model.TextOverlay `json:"textOverlays"`
	}
	soundEffectOut struct {
		SoundEffect *model.SoundEffect `json:"soundEffect"`
	}
	soundEffectsOut struct {
		SoundEffects []*model.SoundEffect `json:"soundEffects"`
	}
)

func (p maskPath) effect() (clipPath, string)        { return p.clipPath, p.MaskID }
func (p layoutPath) effect() (clipPath, string)      { return p.clipPath, p.LayoutID }
func (p zoomPath) effect() (clipPath, string)        { return p.clipPath, p.ZoomID }
func (p overlayPath) effect() (clipPath, string)     { return p.clipPath, p.OverlayID }
func (p textOverlayPath) effect() (clipPath, string) { return p.clipPath, p.TextOverlayID }
func (p soundEffectPath) effect() (clipPath, string) { return p.clipPath, p.SoundEffectID }

type textPresetsOut struct {
	Presets []*model.TextPreset `json:"presets"`
}

func listTextPresets(ctx context.Context, g Graph, _ struct{}) (textPresetsOut, error) {
	presets, err := g.Query().TextPresets(ctx)

	return textPresetsOut{Presets: presets}, err
}

// effectPath names an effect of a clip.
type effectPath interface{ effect() (clipPath, string) }

// family is what a row of a family of effects needs to know: P is the path of one, E the effect.
type family[P effectPath, Add, Update any, E model.Effect, One, Many any] struct {
	kind                      values.EffectKind
	path                      string // below the clip
	list, add, update, remove string // operationIds

	adding   func(*Add) model.AddEffectInput
	updating func(*Update) model.UpdateEffectInput
	first    func(ctx context.Context, g Graph, c *model.Clip) (E, error) // stands before the list; nil is nothing
	one      func(E) One
	many     func([]E) Many
}

type addEffectIn[Add any] struct {
	clipPath

	Body Add `body:"json"`
}

type updateEffectIn[P effectPath, Update any] struct {
	Path P      `path:""`
	Body Update `body:"json"`
}

type removeEffectIn[P effectPath] struct {
	Path P `path:""`
}

// ofClip is where the parts of a clip are.
const ofClip = "/v1/videos/{id}/clips/{clipId}/"

// rows are the four operations of the family.
func (f family[P, Add, Update, E, One, Many]) rows() []router.Route[Graph] {
	plural, _, _ := strings.Cut(f.path, "/")
	one, all := ofClip+f.path, ofClip+plural

	return []router.Route[Graph]{
		named(f.list, router.Get(all, f.listEffects)),
		named(f.add, router.Post(all, f.addEffect)),
		named(f.update, router.Patch(one, f.updateEffect)),
		named(f.remove, router.Del(one, f.removeEffect)),
	}
}

// named gives a row the operationId that the name of a shared function cannot be.
func named(operation string, rt router.Route[Graph]) router.Route[Graph] {
	rt.Operation = operation

	return rt
}

func (f family[P, Add, Update, E, One, Many]) listEffects(ctx context.Context, g Graph, in clipPath) (Many, error) {
	var none Many

	c, err := g.Query().Clip(in.within(ctx), in.ClipID)
	if err != nil {
		return none, err
	}

	page, err := g.Clip().Effects(ctx, c, []values.EffectKind{f.kind}, shape.Everything, nil)
	if err != nil {
		return none, err
	}

	all := make([]E, 0, len(page.Nodes)+1)

	if f.first != nil {
		first, err := f.first(ctx, g, c)
		if err != nil {
			return none, err
		}

		all = append(all, first)
	}

	for _, e := range page.Nodes {
		all = append(all, e.(E)) //nolint:forcetypeassert // the list has one kind
	}

	return f.many(all), nil
}

func (f family[P, Add, Update, E, One, Many]) addEffect(ctx context.Context, g Graph, in addEffectIn[Add]) (One, error) {
	added, err := g.Mutation().AddEffect(in.within(ctx), in.ClipID, f.adding(&in.Body), nil)
	if err != nil {
		var none One

		return none, err
	}

	return f.one(added.Effect.(E)), nil //nolint:forcetypeassert // what was added is of the kind
}

// within is the request's context, in which an effect has to be the clip's and of the family.
func (f family[P, Add, Update, E, One, Many]) within(ctx context.Context, at clipPath) context.Context {
	return model.Below(ctx, model.Place{VideoID: at.ID, ClipID: at.ClipID, Kind: f.kind})
}

func (f family[P, Add, Update, E, One, Many]) updateEffect(ctx context.Context, g Graph, in updateEffectIn[P, Update]) (One, error) {
	at, id := in.Path.effect()

	changed, err := g.Mutation().UpdateEffect(f.within(ctx, at), id, f.updating(&in.Body), nil)
	if err != nil {
		var none One

		return none, err
	}

	return f.one(changed.Effect.(E)), nil //nolint:forcetypeassert // the input finds its kind only
}

func (f family[P, Add, Update, E, One, Many]) removeEffect(ctx context.Context, g Graph, in removeEffectIn[P]) (shape.Ok, error) {
	at, id := in.Path.effect()
	_, err := g.Mutation().RemoveEffect(f.within(ctx, at), id, nil)

	return shape.Done(), err
}
