package effect

import (
	"github.com/99designs/gqlgen/graphql"

	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Kind describes one kind of effect.
type Kind struct {
	Name values.EffectKind
	Noun string // in messages
	// Input is the name of the field of this kind in AddEffectInput and UpdateEffectInput.
	Input string
	// Path is the REST path below a clip. ID is the name of the id in REST paths.
	Path, ID string

	// Exclusive effects replace others of their kind in their range. A remainder shorter than LeastMs is removed.
	Exclusive bool
	LeastMs   int64
	// AtOnce is the maximum number of effects of this kind that an export can decode at the same time. Zero means no
	// limit.
	AtOnce int
	// OnScreen marks effects of the screen layer. The clip must have a screen.
	OnScreen bool
	// Sources lists the allowed kinds of source for sourceId. It is empty if the effect has no sourceId.
	Sources []values.SourceKind

	// Heard marks effects that are mixed into the sound. All others are drawn into the picture.
	Heard bool
	// Hides marks effects that hide recorded content. Viewers of such a clip must not get the recording itself.
	Hides bool

	// Show builds the effect from its Placed and its stored fields.
	Show func(at Placed, e Stored) Effect
}

// Stored holds the stored fields of an effect, except its Place. Of its source it holds only the id, not the row.
type Stored struct {
	Params   values.EffectParams
	SourceID string
	Media    func() *ClipMedia // nil without a source
}

// All returns all kinds in the order of values.EffectKind.
func All() []Kind { return kinds }

// Of returns the kind with that name, or false if it does not exist.
func Of(name values.EffectKind) (Kind, bool) {
	for _, k := range kinds {
		if k.Name == name {
			return k, true
		}
	}

	return Kind{}, false
}

// kinds is the table of all kinds.
var kinds = []Kind{ //nolint:gochecknoglobals // a constant
	{
		Name: values.EffectKindLayout, Noun: "layout", Input: "layout", Path: "layouts", ID: "layoutId",
		Exclusive: true, LeastMs: 200,
		Show: func(at Placed, e Stored) Effect {
			p := e.Params.Layout

			return &Layout{Placed: at, Layout: &p.Shape, Media: e.Media(), TransitionStyle: &p.Intro}
		},
	},
	{
		Name: values.EffectKindZoom, Noun: "zoom", Input: "zoom", Path: "zooms", ID: "zoomId",
		Exclusive: true, LeastMs: 1, OnScreen: true,
		Show: func(at Placed, e Stored) Effect {
			p := e.Params.Zoom

			return &Zoom{Placed: at, Type: p.Type, Scale: p.Scale, FocusPoint: p.Focus}
		},
	},
	{
		Name: values.EffectKindBlur, Noun: "blur", Input: "blur", Path: "blurs", ID: "maskId",
		OnScreen: true, Hides: true, Show: showMask,
	},
	{
		Name: values.EffectKindHighlight, Noun: "highlight", Input: "highlight", Path: "highlights", ID: "maskId",
		OnScreen: true, Show: showMask,
	},
	{
		Name: values.EffectKindMediaOverlay, Noun: "overlay", Input: "mediaOverlay", Path: "overlays", ID: "overlayId",
		AtOnce: 16, Sources: []values.SourceKind{values.SourceKindImage, values.SourceKindVideo},
		Show: func(at Placed, e Stored) Effect {
			p, media := e.Params.Overlay, e.Media()

			return &MediaOverlay{
				Placed: at, Type: media.Type, SourceID: media.SourceID, URL: media.URL,
				Name: p.Name, Point: p.Point, Dimensions: p.Dimensions,
			}
		},
	},
	{
		Name: values.EffectKindTextOverlay, Noun: "text overlay", Input: "textOverlay", Path: "text-overlays", ID: "textOverlayId",
		Show: func(at Placed, e Stored) Effect {
			p := e.Params.Text

			return &TextOverlay{Placed: at, TextStyle: p.TextStyle, Text: p.Text, Point: p.Point, Dimensions: p.Dimensions}
		},
	},
	{
		Name: values.EffectKindSoundEffect, Noun: "sound effect", Input: "soundEffect", Path: "sound-effects", ID: "soundEffectId",
		AtOnce: 32, Sources: []values.SourceKind{values.SourceKindAudio}, Heard: true,
		Show: func(at Placed, e Stored) Effect {
			return &SoundEffect{Placed: at, SourceID: e.SourceID, Name: e.Params.Sound.Name, Volume: e.Params.Sound.Volume}
		},
	},
}

// AddEffectInput is a new effect. Exactly one field must be given; it determines the kind.
type AddEffectInput struct {
	Layout       *AddLayoutInput       `json:"layout"`
	Zoom         *AddZoomInput         `json:"zoom"`
	Blur         *AddMaskInput         `json:"blur"`
	Highlight    *AddMaskInput         `json:"highlight"`
	MediaOverlay *AddMediaOverlayInput `json:"mediaOverlay"`
	TextOverlay  *AddTextOverlayInput  `json:"textOverlay"`
	SoundEffect  *AddSoundEffectInput  `json:"soundEffect"`
}

func (in *AddEffectInput) given() []given {
	return []given{
		givenAs(values.EffectKindLayout, in.Layout),
		givenAs(values.EffectKindZoom, in.Zoom),
		givenAs(values.EffectKindBlur, in.Blur),
		givenAs(values.EffectKindHighlight, in.Highlight),
		givenAs(values.EffectKindMediaOverlay, in.MediaOverlay),
		givenAs(values.EffectKindTextOverlay, in.TextOverlay),
		givenAs(values.EffectKindSoundEffect, in.SoundEffect),
	}
}

// UpdateEffectInput changes an effect. Exactly one field must be given; it must match the kind of the effect.
type UpdateEffectInput struct {
	Layout       *UpdateLayoutInput       `json:"layout"`
	Zoom         *UpdateZoomInput         `json:"zoom"`
	Blur         *UpdateMaskInput         `json:"blur"`
	Highlight    *UpdateMaskInput         `json:"highlight"`
	MediaOverlay *UpdateMediaOverlayInput `json:"mediaOverlay"`
	TextOverlay  *UpdateTextOverlayInput  `json:"textOverlay"`
	SoundEffect  *UpdateSoundEffectInput  `json:"soundEffect"`
}

func (in *UpdateEffectInput) given() []given {
	return []given{
		givenAs(values.EffectKindLayout, in.Layout),
		givenAs(values.EffectKindZoom, in.Zoom),
		givenAs(values.EffectKindBlur, in.Blur),
		givenAs(values.EffectKindHighlight, in.Highlight),
		givenAs(values.EffectKindMediaOverlay, in.MediaOverlay),
		givenAs(values.EffectKindTextOverlay, in.TextOverlay),
		givenAs(values.EffectKindSoundEffect, in.SoundEffect),
	}
}

// Layout arranges the layers of a clip. A timed layout applies to its span; the base layout applies everywhere else.
type Layout struct {
	Placed

	Base            bool                     `json:"base"`
	Layout          *values.LayoutShape      `json:"layout"`
	Media           *ClipMedia               `json:"media,omitempty"`
	TransitionStyle *values.LayoutTransition `json:"transitionStyle,omitempty"`
}

// AddLayoutInput is a new layout. With times it is a timed layout; without times it is the base layout.
type AddLayoutInput struct {
	Layout          *LayoutShapeInput        `json:"layout"`
	Media           *ClipMediaInput          `json:"media"`
	StartTimeMs     *int64                   `json:"startTimeMs" check:"min=0"`
	DurationMs      *int64                   `json:"durationMs" check:"min=200"`
	TransitionStyle *values.LayoutTransition `json:"transitionStyle"`
}

// Check implements input.Checker. It requires both times or neither, and a layout or media.
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

func (in *AddLayoutInput) times() (start, length *int64) { return in.StartTimeMs, in.DurationMs }

// onBase is the fault of fields that a base layout must not have.
const onBase = "does not apply to the base layout; give startTimeMs and durationMs too"

// UpdateLayoutInput changes a layout. For the base layout, only the field layout may be given.
type UpdateLayoutInput struct {
	_ struct{} `check:"some"`

	Layout          graphql.Omittable[*LayoutShapeInput]        `json:"layout"`
	Media           graphql.Omittable[*ClipMediaInput]          `json:"media"`
	StartTimeMs     graphql.Omittable[*int64]                   `json:"startTimeMs" check:"min=0"`
	DurationMs      graphql.Omittable[*int64]                   `json:"durationMs" check:"min=200"`
	TransitionStyle graphql.Omittable[*values.LayoutTransition] `json:"transitionStyle"`
}

func (in *UpdateLayoutInput) times() (start, length *int64) {
	return in.StartTimeMs.Value(), in.DurationMs.Value()
}

// Zoom enlarges a part of the screen.
type Zoom struct {
	Placed

	Type       values.ZoomType `json:"type"`
	Scale      float64         `json:"scale"`
	FocusPoint *values.Point   `json:"focusPoint,omitempty"`
}

// AddZoomInput is a new zoom.
type AddZoomInput struct {
	Type values.ZoomType `json:"type" check:"required"`

	ZoomInput
}

// ZoomInput holds the fields of a new zoom.
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

// ZoomChange holds the fields of a zoom that can change.
type ZoomChange struct {
	TimeChange

	Scale      graphql.Omittable[*float64]          `json:"scale" check:"min=1,max=3.5"`
	FocusPoint graphql.Omittable[*ScreenPointInput] `json:"focusPoint"`
}

// Mask blurs or highlights a part of the screen.
type Mask struct {
	Placed

	Type       values.MaskType `json:"type"`
	Point      values.Point    `json:"point"`
	Dimensions values.Extent   `json:"dimensions"`
	Intensity  float64         `json:"intensity"`
}

func showMask(at Placed, e Stored) Effect {
	p := e.Params.Mask

	return &Mask{Placed: at, Type: values.MaskType(at.Kind), Point: p.Point, Dimensions: p.Dimensions, Intensity: p.Intensity}
}

// AddMaskInput is a new blur or highlight.
type AddMaskInput struct {
	TimeInput

	Point      ScreenPointInput  `json:"point" check:"required"`
	Dimensions ScreenExtentInput `json:"dimensions" check:"required"`
	Intensity  *float64          `json:"intensity" check:"min=0,max=1"`
}

// Check implements input.Checker. It requires the box to be inside the screen.
func (in *AddMaskInput) Check() []fault.Field { return InsideScreen(in.Point, in.Dimensions) }

// UpdateMaskInput changes a blur or highlight.
type UpdateMaskInput struct {
	_ struct{} `check:"some"`

	TimeChange

	Point      graphql.Omittable[*ScreenPointInput]  `json:"point"`
	Dimensions graphql.Omittable[*ScreenExtentInput] `json:"dimensions"`
	Intensity  graphql.Omittable[*float64]           `json:"intensity" check:"min=0,max=1"`
}

// MediaOverlay is an image or video shown over the artboard.
type MediaOverlay struct {
	Placed

	Type       values.MediaType `json:"type"`
	SourceID   string           `json:"sourceId"`
	URL        *string          `json:"url,omitempty"`
	Name       string           `json:"name"`
	Point      values.Point     `json:"point"`
	Dimensions values.Size      `json:"dimensions"`
}

// AddMediaOverlayInput is a new image or video overlay.
type AddMediaOverlayInput struct {
	TimeInput

	SourceID   string              `json:"sourceId" check:"required,chars=1.."`
	Name       *string             `json:"name" check:"chars=1..255,notblank"`
	Point      *ArtboardPointInput `json:"point"`
	Dimensions *ArtboardSizeInput  `json:"dimensions"`
}

// UpdateMediaOverlayInput changes an image or video overlay.
type UpdateMediaOverlayInput struct {
	_ struct{} `check:"some"`

	TimeChange

	Name       graphql.Omittable[*string]             `json:"name" check:"chars=1..255,notblank"`
	Point      graphql.Omittable[*ArtboardPointInput] `json:"point"`
	Dimensions graphql.Omittable[*ArtboardSizeInput]  `json:"dimensions"`
}

// TextOverlay is a text shown over the artboard.
type TextOverlay struct {
	Placed

	values.TextStyle

	Text       string       `json:"text"`
	Point      values.Point `json:"point"`
	Dimensions values.Size  `json:"dimensions"`
}

// AddTextOverlayInput is a new text overlay.
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

// Check implements input.Checker. It checks the background color.
func (in *AddTextOverlayInput) Check() []fault.Field { return checkTextBackground(in.Background) }

// UpdateTextOverlayInput changes a text overlay.
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

// Check implements input.Checker. It checks the background color.
func (in *UpdateTextOverlayInput) Check() []fault.Field {
	return checkTextBackground(in.Background.Value())
}

// SoundEffect is a sound that plays during a span of a clip.
type SoundEffect struct {
	Placed

	SourceID string  `json:"sourceId"`
	Name     string  `json:"name"`
	Volume   float64 `json:"volume"`
}

// AddSoundEffectInput is a new sound effect: either a preset of the catalog or a source.
type AddSoundEffectInput struct {
	TimeInput

	PresetID *string  `json:"presetId" check:"chars=1.."`
	SourceID *string  `json:"sourceId" check:"chars=1.."`
	Name     *string  `json:"name" check:"chars=1..255,notblank"`
	Volume   *float64 `json:"volume" check:"min=0"`
}

// Check implements input.Checker. It requires exactly one of presetId and sourceId.
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

// UpdateSoundEffectInput changes a sound effect.
type UpdateSoundEffectInput struct {
	_ struct{} `check:"some"`

	TimeChange

	Name   graphql.Omittable[*string]  `json:"name" check:"chars=1..255,notblank"`
	Volume graphql.Omittable[*float64] `json:"volume" check:"min=0"`
}

// TimelineCounts holds the number of visible effects of each kind, and the number of cuts.
type TimelineCounts struct {
	Layouts      int `json:"layouts"`
	Zooms        int `json:"zooms"`
	Blurs        int `json:"blurs"`
	Highlights   int `json:"highlights"`
	Overlays     int `json:"overlays"`
	TextOverlays int `json:"textOverlays"`
	SoundEffects int `json:"soundEffects"`
	Cuts         int `json:"cuts"`
}

// TimelineEffects holds the visible effects of a clip, grouped by kind.
type TimelineEffects struct {
	Layouts      []*Layout       `json:"layouts"`
	Zooms        []*Zoom         `json:"zooms"`
	Blurs        []*Mask         `json:"blurs"`
	Highlights   []*Mask         `json:"highlights"`
	Overlays     []*MediaOverlay `json:"overlays"`
	TextOverlays []*TextOverlay  `json:"textOverlays"`
	SoundEffects []*SoundEffect  `json:"soundEffects"`
}

// CountsOf returns TimelineCounts for the number of visible effects of each kind in n and the given number of cuts.
// The base layout counts as a layout.
func CountsOf(n map[values.EffectKind]int, cuts int) *TimelineCounts {
	return &TimelineCounts{
		Layouts: 1 + n[values.EffectKindLayout], Zooms: n[values.EffectKindZoom],
		Blurs: n[values.EffectKindBlur], Highlights: n[values.EffectKindHighlight],
		Overlays: n[values.EffectKindMediaOverlay], TextOverlays: n[values.EffectKindTextOverlay],
		SoundEffects: n[values.EffectKindSoundEffect], Cuts: cuts,
	}
}

// Sorted groups the effects of a clip by kind. The base layout comes first.
func Sorted(base *Layout, all []Effect) *TimelineEffects {
	return &TimelineEffects{
		Layouts: append([]*Layout{base}, of[*Layout](all, values.EffectKindLayout)...), Zooms: of[*Zoom](all, values.EffectKindZoom),
		Blurs: of[*Mask](all, values.EffectKindBlur), Highlights: of[*Mask](all, values.EffectKindHighlight),
		Overlays:     of[*MediaOverlay](all, values.EffectKindMediaOverlay),
		TextOverlays: of[*TextOverlay](all, values.EffectKindTextOverlay),
		SoundEffects: of[*SoundEffect](all, values.EffectKindSoundEffect),
	}
}
