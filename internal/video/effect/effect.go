package effect

import (
	"github.com/99designs/gqlgen/graphql"

	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Effect is one effect of a clip. Each kind has its own type.
type Effect interface {
	IsEffect()
	placed() *Placed
}

// Placed holds the fields that all effects share: the identifier and the playback times.
type Placed struct {
	ID          string `json:"id"`
	StartTimeMs int64  `json:"startTimeMs"`
	DurationMs  int64  `json:"durationMs"`

	ClipID string            `json:"-"`
	Kind   values.EffectKind `json:"-"`
	Place  Place             `json:"-"`
}

// Place is the sort key of an effect within its clip: first StartMs, the start in recording time, then Z, the order
// of creation.
type Place struct{ StartMs, Z int64 }

// IsEffect marks Placed as a member of the Effect union.
func (*Placed) IsEffect() {}

func (p *Placed) placed() *Placed { return p }

// PlacedOf returns the Placed of an effect: the fields that effects of every kind have.
func PlacedOf(e Effect) *Placed { return e.placed() }

// ClipMedia is the image or video that a b-roll layout shows.
type ClipMedia struct {
	Type     values.MediaType `json:"type"`
	SourceID string           `json:"sourceId"`
	URL      *string          `json:"url,omitempty"`
	Width    int              `json:"width"`
	Height   int              `json:"height"`
}

// TimeInput sets when a new effect is shown, in playback time.
type TimeInput struct {
	StartTimeMs int64 `json:"startTimeMs" check:"required,min=0"`
	DurationMs  int64 `json:"durationMs" check:"required,gt=0"`
}

// TimeChange changes the times of an effect. A missing time stays unchanged.
type TimeChange struct {
	StartTimeMs graphql.Omittable[*int64] `json:"startTimeMs" check:"min=0"`
	DurationMs  graphql.Omittable[*int64] `json:"durationMs" check:"gt=0"`
}

func (in *TimeInput) times() (start, length *int64) { return &in.StartTimeMs, &in.DurationMs }

func (in *TimeChange) times() (start, length *int64) {
	return in.StartTimeMs.Value(), in.DurationMs.Value()
}

// LayoutShapeInput is an arrangement of layers. Which fields apply depends on the kind and on the clip.
type LayoutShapeInput struct {
	Kind      values.LayoutKind      `json:"kind" check:"required"`
	Position  *values.LayoutPosition `json:"position"`
	Size      *values.LayoutSize     `json:"size"`
	Shape     *values.CameraShape    `json:"shape"`
	Style     *values.LayoutStyle    `json:"style"`
	ScreenFit *values.ScreenFit      `json:"screenFit"`
	PunchIn   *bool                  `json:"punchIn"`
}

// ClipMediaInput is the image or video that a layout shows: a source, or the address of an image to fetch.
type ClipMediaInput struct {
	Type     values.MediaType `json:"type" check:"required"`
	SourceID *string          `json:"sourceId" check:"chars=1.."`
	ImageURL *string          `json:"imageUrl" check:"url,chars=..2048"`
	Width    *int             `json:"width" check:"gt=0"`
	Height   *int             `json:"height" check:"gt=0"`
}

// Check implements input.Checker. It requires exactly one of sourceId and imageUrl.
func (in *ClipMediaInput) Check() []fault.Field {
	of := []string{"type", "sourceId", "imageUrl"}

	switch {
	case in.SourceID == nil && in.ImageURL == nil:
		return []fault.Field{{Path: "sourceId", Rule: "is required unless imageUrl is given", Of: of}}
	case in.SourceID != nil && in.ImageURL != nil:
		return []fault.Field{{Path: "imageUrl", Rule: "must not be given together with sourceId", Of: of}}
	case in.ImageURL != nil && in.Type != values.MediaTypeImage:
		return []fault.Field{{Path: "imageUrl", Rule: "is allowed only for type image", Of: of}}
	default:
		return nil
	}
}

// ScreenPointInput is a point on the uncropped screen source, in percent.
type ScreenPointInput struct {
	XPct float64 `json:"xPct" check:"required,min=0,max=100"`
	YPct float64 `json:"yPct" check:"required,min=0,max=100"`
}

// ScreenExtentInput is a size on the uncropped screen source, in percent.
type ScreenExtentInput struct {
	WidthPct  float64 `json:"widthPct" check:"required,gt=0,max=100"`
	HeightPct float64 `json:"heightPct" check:"required,gt=0,max=100"`
}

// InsideScreen returns a fault if a box is not entirely inside the screen source.
func InsideScreen(at ScreenPointInput, size ScreenExtentInput) []fault.Field {
	if at.XPct+size.WidthPct <= 100 && at.YPct+size.HeightPct <= 100 {
		return nil
	}

	return []fault.Field{{Path: "dimensions", Rule: "must keep the box inside the screen: point plus dimensions must be at most 100"}}
}

// ArtboardPointInput is a point on the artboard, in percent. It may be outside the artboard.
type ArtboardPointInput struct {
	XPct float64 `json:"xPct" check:"required,min=-100,max=200"`
	YPct float64 `json:"yPct" check:"required,min=-100,max=200"`
}

// ArtboardSizeInput is a size in artboard pixels.
type ArtboardSizeInput struct {
	Width  float64 `json:"width" check:"required,gt=0"`
	Height float64 `json:"height" check:"required,gt=0"`
}

// checkTextBackground returns a fault if the background is neither "transparent" nor a color.
func checkTextBackground(background *string) []fault.Field {
	if background == nil || *background == values.Transparent {
		return nil
	}

	if _, err := values.ParseColor(*background); err != nil {
		return []fault.Field{{Path: "background", Rule: "must be transparent or a color: #RGB, #RRGGBB or #RRGGBBAA", Of: []string{"background"}}}
	}

	return nil
}

// TextPreset is a predefined look for texts.
type TextPreset struct {
	PresetID string           `json:"presetId"`
	Name     string           `json:"name"`
	Style    values.TextStyle `json:"style"`
}

// of returns the effects of one kind. The result is never nil.
func of[E Effect](all []Effect, kind values.EffectKind) []E {
	some := []E{}

	for _, e := range all {
		if e.placed().Kind == kind {
			some = append(some, e.(E)) //nolint:forcetypeassert // the table fixes the type of each kind
		}
	}

	return some
}
