package rest

import (
	"context"
	"strings"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/video/effect"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/rest/router"
	"github.com/reelgraph/reelgraph/rest/shape"
)

type textPresetsOut struct {
	Presets []*effect.TextPreset `json:"presets"`
}

func listTextPresets(ctx context.Context, g Graph, _ struct{}) (textPresetsOut, error) {
	presets, err := g.Query().TextPresets(ctx)

	return textPresetsOut{Presets: presets}, err
}

// kindOf returns the kind with that name.
func kindOf(name values.EffectKind) effect.Kind {
	k, _ := effect.Of(name)

	return k
}

// effectPath is the path of an effect of a clip.
type effectPath interface{ effect() (clipPath, string) }

// family describes the routes for a kind of effect: P is the path of one effect, E the effect.
type family[P effectPath, Add, Update any, E effect.Effect, One, Many any] struct {
	effect.Kind

	adding   func(*Add) effect.AddEffectInput
	updating func(*Update) effect.UpdateEffectInput
	first    func(ctx context.Context, g Graph, c *model.Clip) (E, error) // placed before the list; may return nil
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

// ofClip is the path prefix of the parts of a clip.
const ofClip = "/v1/videos/{id}/clips/{clipId}/"

// rows returns the four operations of the family.
func (f family[P, Add, Update, E, One, Many]) rows() []router.Route[Graph] {
	all := ofClip + f.Path
	one := all + "/{" + f.ID + "}"

	words := strings.Split(f.Path, "-")
	for i, word := range words {
		words[i] = strings.ToUpper(word[:1]) + word[1:]
	}

	plural := strings.Join(words, "")
	singular := strings.TrimSuffix(plural, "s")

	return []router.Route[Graph]{
		named("list"+plural, router.Get(all, f.listEffects)),
		named("add"+singular, router.Post(all, f.addEffect)),
		named("update"+singular, router.Patch(one, f.updateEffect)),
		named("remove"+singular, router.Del(one, f.removeEffect)),
	}
}

// named sets the operationId of a row whose function is shared.
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

	page, err := g.Clip().Effects(ctx, c, []values.EffectKind{f.Name}, shape.Everything, nil)
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

// within returns a context in which the effect must belong to the clip and the family.
func (f family[P, Add, Update, E, One, Many]) within(ctx context.Context, at clipPath) context.Context {
	return model.Below(ctx, model.Place{VideoID: at.ID, ClipID: at.ClipID, Kind: f.Name})
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
