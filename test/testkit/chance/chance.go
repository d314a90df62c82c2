// Package chance generates random timelines from a seed. A timeline may use any feature at any time. Start with
// Cast.Timeline.
package chance

import (
	"math/rand/v2"
	"slices"

	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Cast holds the ids of the sources that a timeline may use. All sources must exist.
type Cast struct {
	Screen, Camera string // recordings with sound
	Film, Image    string // for B-roll, overlays and backgrounds
	Mouse          string
	Sound          string // for effects and music
	// LongestMs is the maximum length of a clip. It may exceed the length of its recordings.
	LongestMs int64
}

// Timeline generates a video with small pictures, its look and its export settings. The length of the video may be
// zero.
func (c Cast) Timeline(r *rand.Rand) (timeline.Video, values.Look, plan.Settings) {
	d := dice{r, c}

	var (
		v    timeline.Video
		look values.Look
	)

	for range d.between(1, 3) {
		clip := d.clip()
		v.Clips = append(v.Clips, clip)
		look.Clips = append(look.Clips, d.look(clip))
	}

	if d.one(3) {
		v.Music = &timeline.Sound{Source: c.Sound, Volume: d.Float64()}
	}

	if d.one(2) {
		look.Captions = &values.CaptionLook{
			Style: pick(d, values.CaptionPresets()).Style, Position: values.Position{X: d.Float64(), Y: d.Float64()},
		}
	}

	return v, look, d.settings()
}

// dice makes random choices.
type dice struct {
	*rand.Rand

	cast Cast
}

func (d dice) one(of int) bool { return d.IntN(of) == 0 }

func (d dice) between(low, high int64) int64 { return low + d.Int64N(high-low+1) }

func (d dice) percent() float64 { return 100 * d.Float64() }

func pick[T any](d dice, of []T) T { return of[d.IntN(len(of))] }

// value returns a random value of an enum.
func value[T interface {
	~string
	Values() []string
}](d dice,
) T {
	var zero T

	return T(pick(d, zero.Values()))
}

// maybe returns a random value of an enum, or nil.
func maybe[T interface {
	~string
	Values() []string
}](d dice,
) *T {
	if d.one(3) {
		return nil
	}

	return new(value[T](d))
}

// settings returns random aspect, rate, speed and granularity.
func (d dice) settings() plan.Settings {
	s := plan.Settings{
		Granularity: plan.Story, Resolution: plan.P1080, FPS: pick(d, []int64{30, 60}), Speed: pick(d, timeline.Speeds()),
	}

	if d.one(8) {
		s.Granularity = plan.Scenes
	}

	s.Frame = pick(d, []plan.Size{{Width: 320, Height: 180}, {Width: 180, Height: 320}, {Width: 240, Height: 240}})
	s.Artboard = plan.Size{Width: 4 * s.Frame.Width, Height: 4 * s.Frame.Height}

	return s
}

func (d dice) clip() timeline.Clip {
	c := timeline.Clip{ID: "clip", Name: "A clip", LengthMs: d.between(1, d.cast.LongestMs), Smooth: d.one(2)}

	cuts := make([]values.Span, d.IntN(4))
	for i := range cuts {
		cuts[i] = values.SpanOf(d.between(0, c.LengthMs-1), d.between(0, c.LengthMs/2))
	}

	c.Cuts = values.Normalise(c.LengthMs, cuts)

	if !d.one(3) {
		c.Screen = d.cast.Screen
		c.Sounds = append(c.Sounds, timeline.Sound{Source: c.Screen, Volume: 2 * d.Float64()})
	} else {
		c.Camera = d.cast.Camera
	}

	if c.Camera != "" || d.one(2) {
		c.Camera = d.cast.Camera
		c.Sounds = append(c.Sounds, timeline.Sound{Source: c.Camera, Volume: 2 * d.Float64(), Speech: true})
	}

	if d.one(3) {
		c.Cues = append(c.Cues, timeline.Cue{Sound: timeline.Sound{Source: d.cast.Sound, Volume: d.Float64()}, Span: d.span(c.LengthMs)})
	}

	return c
}

// span returns a random non-empty part of a recording.
func (d dice) span(lengthMs int64) values.Span {
	from := d.between(0, lengthMs-1)

	return values.Span{StartMs: from, EndMs: d.between(from+1, lengthMs)}
}

func (d dice) look(c timeline.Clip) values.ClipLook {
	l := values.ClipLook{
		Background: d.background(), BorderStyle: value[values.BorderStyle](d), Corners: value[values.Corners](d),
		Mouse: d.cast.Mouse, Cursor: d.one(2),
	}

	if d.one(3) {
		x, y := d.between(0, 80), d.between(0, 80)
		l.Crop = &values.CropBox{
			XPct: float64(x), YPct: float64(y),
			WidthPct: float64(d.between(10, 100-x)), HeightPct: float64(d.between(10, 100-y)),
		}
	}

	if d.one(2) {
		l.Base = new(d.shape(c, values.LayoutKindBRoll))
	}

	for range d.IntN(6) {
		l.Effects = append(l.Effects, d.effect(c))
	}

	l.Effects = apart(l.Effects)

	for at := d.between(0, 900); at < c.LengthMs; at += d.between(50, 900) {
		w := values.SpokenWord{Text: pick(d, []string{"a", "word", "éclair", "שלום", "🙂"}), StartMs: at, EndMs: at + 40}
		if c.LengthMs%2 == 0 { // as from a file, in captions of four words
			w.Cue = len(l.Words)/4 + 1
		}

		l.Words = append(l.Words, w)
	}

	return l
}

func (d dice) background() values.Background {
	b := values.Background{Type: value[values.BackgroundType](d)}

	switch b.Type {
	case values.BackgroundTypeSolid:
		b.Color = d.colour()
	case values.BackgroundTypeImage:
		b.SourceID = d.cast.Image
	case values.BackgroundTypeVideo:
		b.SourceID, b.VideoDurationMs = d.cast.Film, d.between(1, 1_500)
	default:
		b.GradientAngle, b.GradientColor1, b.GradientColor2 = d.IntN(360), d.colour(), d.colour()
	}

	return b
}

func (d dice) colour() values.Color {
	return pick(d, []values.Color{"#000000FF", "#FFFFFFFF", "#12AB34FF", "#C0FFEE80", "#FF000000"})
}

// shape returns a random layout with any fields that the clip has layers for, but not of the kind but.
func (d dice) shape(c timeline.Clip, but values.LayoutKind) values.LayoutShape {
	s := values.LayoutShape{
		Kind: value[values.LayoutKind](d), Position: maybe[values.LayoutPosition](d), Size: maybe[values.LayoutSize](d),
		Shape: maybe[values.CameraShape](d), Style: maybe[values.LayoutStyle](d), ScreenFit: maybe[values.ScreenFit](d),
	}

	if d.one(2) {
		s.PunchIn = new(d.one(2))
	}

	both := c.Screen != "" && c.Camera != ""
	lone := []values.LayoutKind{values.LayoutKindFullscreen, values.LayoutKindMiddle, values.LayoutKindBRoll}

	if s.Kind == but || !both && !slices.Contains(lone, s.Kind) {
		s.Kind = values.LayoutKindFullscreen
	}

	return s
}

func (d dice) effect(c timeline.Clip) values.ShownEffect {
	span := d.span(c.LengthMs)
	e := values.ShownEffect{StartMs: span.StartMs, EndMs: span.EndMs, Kind: value[values.EffectKind](d)}
	place := values.Point{XPct: d.percent(), YPct: d.percent()}

	switch e.Kind {
	case values.EffectKindLayout:
		e.Params.Layout = &values.LayoutParams{
			Shape: d.shape(c, ""), Intro: value[values.LayoutTransition](d), Outro: value[values.LayoutTransition](d),
		}
		e.SourceID = pick(d, []string{d.cast.Film, d.cast.Image})
	case values.EffectKindZoom:
		e.Params.Zoom = &values.ZoomParams{Type: value[values.ZoomType](d), Scale: 1 + 2.5*d.Float64(), Focus: &place}
	case values.EffectKindBlur, values.EffectKindHighlight:
		e.Params.Mask = &values.MaskParams{
			Point: place, Dimensions: values.Extent{WidthPct: 1 + d.percent(), HeightPct: 1 + d.percent()}, Intensity: d.Float64(),
		}
	case values.EffectKindMediaOverlay:
		e.SourceID = pick(d, []string{d.cast.Film, d.cast.Image})
		e.Params.Overlay = &values.OverlayParams{Point: place, Dimensions: d.size()}
	default: // sounds are added to the timeline
		e.Kind = values.EffectKindTextOverlay
		e.Params.Text = &values.TextParams{
			Text: pick(d, []string{"A title", "Two\nlines 🙂", "a line that is so long that it must be broken"}), Point: place, Dimensions: d.size(),
			TextStyle: values.TextStyle{
				Color: d.colour(), Background: pick(d, []string{values.Transparent, "#00000099"}),
				BackgroundShape: value[values.TextBackgroundShape](d), FontFamily: pick(d, values.Fonts()).Name,
				FontSize: float64(d.between(10, 200)), FontWeight: float64(d.between(1, 1000)), FontWidth: float64(d.between(50, 200)),
				TextAlign: value[values.TextAlign](d),
			},
		}
	}

	return e
}

func (d dice) size() values.Size {
	return values.Size{Width: float64(d.between(8, 1_280)), Height: float64(d.between(8, 1_280))}
}

// apart removes layouts that overlap others, and zooms likewise, because the API refuses them.
func apart(effects []values.ShownEffect) []values.ShownEffect {
	var kept []values.ShownEffect

	for _, e := range effects {
		overlaps := slices.ContainsFunc(kept, func(k values.ShownEffect) bool {
			return k.Kind == e.Kind && k.StartMs < e.EndMs && e.StartMs < k.EndMs
		})
		if !overlaps || e.Params.Layout == nil && e.Params.Zoom == nil {
			kept = append(kept, e)
		}
	}

	return kept
}
