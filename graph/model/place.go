package model

import (
	"context"

	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Place is where a thing has to be. Empty fields are any.
type Place struct {
	VideoID string
	ClipID  string
	Kind    values.EffectKind
}

type placeKey struct{}

// Below returns a context in which things are named below that place.
func Below(ctx context.Context, p Place) context.Context {
	return context.WithValue(ctx, placeKey{}, p)
}

// PlaceOf is the place below which things are named; none outside of REST.
func PlaceOf(ctx context.Context) (Place, bool) {
	p, is := ctx.Value(placeKey{}).(Place)

	return p, is
}
