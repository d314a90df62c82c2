package model

import (
	"context"

	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Place names the video and the clip to which a requested object must belong. An empty field allows any.
type Place struct {
	VideoID string
	ClipID  string
	Kind    values.EffectKind
}

type placeKey struct{}

// Below returns a context in which requested objects must belong to the given place.
func Below(ctx context.Context, p Place) context.Context {
	return context.WithValue(ctx, placeKey{}, p)
}

// PlaceOf returns the Place that the function Below stored in the context. It returns false without one: only REST
// calls Below.
func PlaceOf(ctx context.Context) (Place, bool) {
	p, is := ctx.Value(placeKey{}).(Place)

	return p, is
}
