package model

import (
	"context"

	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Place is the video and clip that an object must belong to. Empty fields allow any.
type Place struct {
	VideoID string
	ClipID  string
	Kind    values.EffectKind
}

type placeKey struct{}

// Below returns a context in which objects must belong to the place.
func Below(ctx context.Context, p Place) context.Context {
	return context.WithValue(ctx, placeKey{}, p)
}

// PlaceOf returns the place set by Below. Only REST sets one.
func PlaceOf(ctx context.Context) (Place, bool) {
	p, is := ctx.Value(placeKey{}).(Place)

	return p, is
}
