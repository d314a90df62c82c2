package model

import (
	"fmt"

	"github.com/99designs/gqlgen/graphql"

	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// AddEffectInput is a new effect. Exactly one field is given, and is its kind.
type AddEffectInput struct {
	Layout       *AddLayoutInput       `json:"layout"`
	Zoom         *AddZoomInput         `json:"zoom"`
	Blur         *AddMaskInput         `json:"blur"`
	Highlight    *AddMaskInput         `json:"highlight"`
	MediaOverlay *AddMediaOverlayInput `json:"mediaOverlay"`
	TextOverlay  *AddTextOverlayInput  `json:"textOverlay"`
	SoundEffect  *AddSoundEffectInput  `json:"soundEffect"`
}

// Check implements input.Checker: exactly one.
func (in *AddEffectInput) Check() []fault.Field {
	return exactlyOne("kind of effect", in.Layout != nil, in.Zoom != nil, in.Blur != nil, in.Highlight != nil,
		in.MediaOverlay != nil, in.TextOverlay != nil, in.SoundEffect != nil)
}

// UpdateEffectInput changes an effect. Exactly one field is given, and is its kind.
type UpdateEffectInput struct {
	Layout       *UpdateLayoutInput       `json:"layout"`
	Zoom         *UpdateZoomInput         `json:"zoom"`
	Blur         *UpdateMaskInput         `json:"blur"`
	Highlight    *UpdateMaskInput         `json:"highlight"`
	MediaOverlay *UpdateMediaOverlayInput `json:"mediaOverlay"`
	TextOverlay  *UpdateTextOverlayInput  `json:"textOverlay"`
	SoundEffect  *UpdateSoundEffectInput  `json:"soundEffect"`
}

// Check implements input.Checker: exactly one.
func (in *UpdateEffectInput) Check() []fault.Field {
	return exactlyOne("kind of effect", in.Layout != nil, in.Zoom != nil, in.Blur != nil, in.Highlight != nil,
		in.MediaOverlay != nil, in.TextOverlay != nil, in.SoundEffect != nil)
}

func exactlyOne(noun string, given ...bool) []fault.Field {
	n := 0

	for _, is := range given {
		if is {
			n++
		}
	}

	if n == 1 {
		return nil
	}

	return []fault.Field{{Rule: fmt.Sprintf("must have exactly one %s and has %d", noun, n)}}
}

// TimeInput is when a new effect is seen, in playback time.
type TimeInput struct {
	StartTimeMs int64 `json:"startTimeMs" check:"required,min=0"`
	DurationMs  int64 `json:"durationMs" check:"required,gt=0"`
}

// TimeChange moves an effect. A time that is absent stays as it is reported.
type TimeChange struct {
	StartTimeMs graphql.Omittable[*int64] `json:"startTimeMs" check:"min=0"`
	DurationMs  graphql.Omittable[*int64] `json:"durationMs" check:"gt=0"`
}

// LayoutShapeInput is an arrangement of layers; which fields apply, the kind and the clip say.
type LayoutShapeInput struct {
	Kind      values.LayoutKind      `json:"kind" check:"required"`
	Position  *values.LayoutPosition `json:"position"`
	Size      *values.LayoutSize     `json:"size"`
	Shape     *values.CameraShape    `json:"shape"`
	Style     *values.LayoutStyle    `json:"style"`
	ScreenFit *values.ScreenFit      `json:"screenFit"`
	PunchIn   *bool                  `json:"punchIn"`
}

// ClipMediaInput is the picture or film that a layout shows: a source, or a picture that is still to be fetched.
type ClipMediaInput struct {
	Type     values.MediaType `json:"type" check:"required"`
	SourceID *string          `json:"sourceId" check:"chars=1.."`
	ImageURL *string          `json:"imageUrl" check:"url,chars=..2048"`
	Width    *int             `json:"width" check:"gt=0"`
	Height   *int             `json:"height" check:"gt=0"`
}

// Check implements input.Checker: exactly one of sourceId and imageUrl.
func (in *ClipMediaInput) Check() []fault.Field {
	of := []string{"type", "sourceId", "imageUrl"}

	switch {
	case in.SourceID == nil && in.ImageURL == nil:
		return []fault.Field{{Path: "sourceId", Rule: "is required, or imageUrl", Of: of}}
	case in.SourceID != nil && in.ImageURL != nil:
		return []fault.Field{{Path: "imageUrl", Rule: "must not be given together with sourceId", Of: of}}
	case in.ImageURL != nil && in.Type != values.MediaTypeImage:
		return []fault.Field{{Path: "imageUrl", Rule: "applies to type image alone", Of: of}}
	default:
		return nil
	}
}

// AddLayoutInput is a new layout: for a while, or, without times, the base.
type AddLayoutInput struct {
	Layout          *LayoutShapeInput        `json:"layout"`
	Media           *ClipMediaInput          `json:"media"`
	StartTimeMs     *int64                   `json:"startTimeMs" check:"min=0"`
	DurationMs      *int64                   `json:"durationMs" check:"min=200"`
	TransitionStyle *values.LayoutTransition `json:"transitionStyle"`
}

// Check implements input.Checker: both times or none, and something to show.
func (in *AddLayoutInput) Check() []fault.Field {
	var faults []fault.Field

	refuse := func(wrong bool, path, rule string) {
		if wrong {
			faults = append(faults, fault.Field{Path: path, Rule: rule})
		}
	}

	timed := in.StartTimeMs != nil || in.DurationMs != nil
	broll := in.Layout == nil || in.Layout.Kind == values.LayoutKindBRoll

	refuse(timed && in.StartTimeMs == nil, "startTimeMs", "is required with durationMs")
	refuse(timed && in.DurationMs == nil, "durationMs", "is required with startTimeMs")
	refuse(!timed && in.Media != nil, "media", onBase)
	refuse(!timed && in.TransitionStyle != nil, "transitionStyle", onBase)
	refuse(in.Layout == nil && (in.Media == nil || !timed), "layout", "is required")
	refuse(in.Layout != nil && broll && in.Media == nil, "media", "is required for kind b-roll")

	return faults
}

// onBase is what a base layout has none of.
const onBase = "does not apply to the base layout: it needs startTimeMs and durationMs"

// UpdateLayoutInput changes a layout, or, with layout alone, the base.
type UpdateLayoutInput struct {
	_ struct{} `check:"some"`

	Layout          graphql.Omittable[*LayoutShapeInput]        `json:"layout"`
	Media           graphql.Omittable[*ClipMediaInput]          `json:"media"`
	StartTimeMs     graphql.Omittable[*int64]                   `json:"startTimeMs" check:"min=0"`
	DurationMs      graphql.Omittable[*int64]                   `json:"durationMs" check:"min=200"`
	TransitionStyle graphql.Omittable[*values.LayoutTransition] `json:"transitionStyle"`
}

// AddZoomInput is a new zoom.
type AddZoomInput struct {
	Type values.ZoomType `json:"type" check:"required"`

	ZoomInput
}

// ZoomInput is what a new zoom has beside its type.
type ZoomInput struct {
	TimeInput

	Scale      float64           `json:"scale" check:"required,min=1,max=3.5"`
	FocusPoint *ScreenPointInput `json:"focusPoint"`
}

// UpdateZoomInput changes a zoom.
type UpdateZoomInput struct {
	_ struct{} `check:"some"`

	Type graphql.Omittable[*values.ZoomType] `json:"type"`

	ZoomChange
}

// ZoomChange is what may change of a zoom beside its type.
type ZoomChange struct {
	TimeChange

	Scale      graphql.Omittable[*float64]          `json:"scale" check:"min=1,max=3.5"`
	FocusPoint graphql.Omittable[*ScreenPointInput] `json:"focusPoint"`
}

// ScreenPointInput is a place on the uncropped screen source, in percent.
type ScreenPointInput struct {
	XPct float64 `json:"xPct" check:"required,min=0,max=100"`
	YPct float64 `json:"yPct" check:"required,min=0,max=100"`
}

// ScreenExtentInput is a size on the uncropped screen source, in percent.
type ScreenExtentInput struct {
	WidthPct  float64 `json:"widthPct" check:"required,gt=0,max=100"`
	HeightPct float64 `json:"heightPct" check:"required,gt=0,max=100"`
}

// AddMaskInput is a new blur or highlight.
type AddMaskInput struct {
	TimeInput

	Point      ScreenPointInput  `json:"point" check:"required"`
	Dimensions ScreenExtentInput `json:"dimensions" check:"required"`
	Intensity  *float64          `json:"intensity" check:"min=0,max=1"`
}

// Check implements input.Checker: the box lies inside the screen.
func (in *AddMaskInput) Check() []fault.Field { return InsideScreen(in.Point, in.Dimensions) }

// InsideScreen refuses a box that does not lie inside the screen source.
func InsideScreen(at ScreenPointInput, size ScreenExtentInput) []fault.Field {
	if at.XPct+size.WidthPct <= 100 && at.YPct+size.HeightPct <= 100 {
		return nil
	}

	return []fault.Field{{Path: "dimensions", Rule: "must keep the box inside the screen: from point, at most 100 in all"}}
}

// UpdateMaskInput changes a blur or highlight.
type UpdateMaskInput struct {
	_ struct{} `check:"some"`

	TimeChange

	Point      graphql.Omittable[*ScreenPointInput]  `json:"point"`
	Dimensions graphql.Omittable[*ScreenExtentInput] `json:"dimensions"`
	Intensity  graphql.Omittable[*float64]           `json:"intensity" check:"min=0,max=1"`
}

// ArtboardPointInput is a place on the artboard, in percent; it may lie beyond its edges.
type ArtboardPointInput struct {
	XPct float64 `json:"xPct" check:"required,min=-100,max=200"`
	YPct float64 `json:"yPct" check:"required,min=-100,max=200"`
}

// ArtboardSizeInput is a size in artboard pixels.
type ArtboardSizeInput struct {
	Width  float64 `json:"width" check:"required,gt=0"`
	Height float64 `json:"height" check:"required,gt=0"`
}

// AddMediaOverlayInput is a new picture or film over the artboard.
type AddMediaOverlayInput struct {
	TimeInput

	SourceID   string              `json:"sourceId" check:"required,chars=1.."`
	Name       *string             `json:"name" check:"chars=1..255,notblank"`
	Point      *ArtboardPointInput `json:"point"`
	Dimensions *ArtboardSizeInput  `json:"dimensions"`
}

// UpdateMediaOverlayInput changes a picture or film over the artboard.
type UpdateMediaOverlayInput struct {
	_ struct{} `check:"some"`

	TimeChange

	Name       graphql.Omittable[*string]             `json:"name" check:"chars=1..255,notblank"`
	Point      graphql.Omittable[*ArtboardPointInput] `json:"point"`
	Dimensions graphql.Omittable[*ArtboardSizeInput]  `json:"dimensions"`
}

// AddTextOverlayInput is a new text over the artboard.
type AddTextOverlayInput struct {
	TimeInput

	Text            string                      `json:"text" check:"required,chars=1..5000"`
	Point           *ArtboardPointInput         `json:"point"`
	Dimensions      *ArtboardSizeInput          `json:"dimensions"`
	Color           *values.Color               `json:"color" check:"color"`
	Background      *string                     `json:"background"`
	BackgroundShape *values.TextBackgroundShape `json:"backgroundShape"`
	FontFamily      *string                     `json:"fontFamily" check:"oneof=Inter|Roboto|Open Sans|Lato|Noto Sans|Noto Serif|JetBrains Mono|EB Garamond|Comfortaa|Lobster"`
	FontSize        *float64                    `json:"fontSize" check:"gt=0"`
	FontWeight      *float64                    `json:"fontWeight" check:"min=1,max=1000"`
	FontWidth       *float64                    `json:"fontWidth" check:"gt=0"`
	TextAlign       *values.TextAlign           `json:"textAlign"`
}

// Check implements input.Checker.
func (in *AddTextOverlayInput) Check() []fault.Field { return checkTextBackground(in.Background) }

// checkTextBackground refuses what is neither transparent nor a colour.
func checkTextBackground(background *string) []fault.Field {
	if background == nil || *background == values.Transparent {
		return nil
	}

	if _, err := values.ParseColor(*background); err != nil {
		return []fault.Field{{Path: "background", Rule: "must be transparent or a color: #RGB, #RRGGBB or #RRGGBBAA", Of: []string{"background"}}}
	}

	return nil
}

// UpdateTextOverlayInput changes a text over the artboard.
type UpdateTextOverlayInput struct {
	_ struct{} `check:"some"`

	TimeChange

	Text            graphql.Omittable[*string]                     `json:"text" check:"chars=1..5000"`
	Point           graphql.Omittable[*ArtboardPointInput]         `json:"point"`
	Dimensions      graphql.Omittable[*ArtboardSizeInput]          `json:"dimensions"`
	Color           graphql.Omittable[*values.Color]               `json:"color" check:"color"`
	Background      graphql.Omittable[*string]                     `json:"background"`
	BackgroundShape graphql.Omittable[*values.TextBackgroundShape] `json:"backgroundShape"`
	FontFamily      graphql.Omittable[*string]                     `json:"fontFamily" check:"oneof=Inter|Roboto|Open Sans|Lato|Noto Sans|Noto Serif|JetBrains Mono|EB Garamond|Comfortaa|Lobster"`
	FontSize        graphql.Omittable[*float64]                    `json:"fontSize" check:"gt=0"`
	FontWeight      graphql.Omittable[*float64]                    `json:"fontWeight" check:"min=1,max=1000"`
	FontWidth       graphql.Omittable[*float64]                    `json:"fontWidth" check:"gt=0"`
	TextAlign       graphql.Omittable[*values.TextAlign]           `json:"textAlign"`
}

// Check implements input.Checker.
func (in *UpdateTextOverlayInput) Check() []fault.Field {
	return checkTextBackground(in.Background.Value())
}

// AddSoundEffectInput is a new sound: a preset of the catalogue or a source, not both.
type AddSoundEffectInput struct {
	TimeInput

	PresetID *string  `json:"presetId" check:"chars=1.."`
	SourceID *string  `json:"sourceId" check:"chars=1.."`
	Name     *string  `json:"name" check:"chars=1..255,notblank"`
	Volume   *float64 `json:"volume" check:"min=0"`
}

// Check implements input.Checker: exactly one of presetId and sourceId.
func (in *AddSoundEffectInput) Check() []fault.Field {
	switch {
	case in.PresetID != nil && in.SourceID != nil:
		return []fault.Field{{Path: "presetId", Rule: "must not be given together with sourceId"}}
	case in.PresetID == nil && in.SourceID == nil:
		return []fault.Field{{Path: "sourceId", Rule: "is required unless presetId is given"}}
	default:
		return nil
	}
}

// UpdateSoundEffectInput changes a sound.
type UpdateSoundEffectInput struct {
	_ struct{} `check:"some"`

	TimeChange

	Name   graphql.Omittable[*string]  `json:"name" check:"chars=1..255,notblank"`
	Volume graphql.Omittable[*float64] `json:"volume" check:"min=0"`
}
