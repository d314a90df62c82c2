package compositor

import (
	"slices"
	"strings"

	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Artboards of the sheet.
var (
	wideBoard   = plan.Size{Width: 1920, Height: 1080}
	tallBoard   = plan.Size{Width: 1080, Height: 1920}
	squareBoard = plan.Size{Width: 1080, Height: 1080}
)

// clipMs is the length of the clips of the sheet.
const clipMs = 3_000

// Recordings of the tiles.
var (
	screenClip = timeline.Clip{LengthMs: clipMs, Screen: "screen"}
	cameraClip = timeline.Clip{LengthMs: clipMs, Camera: "camera"}
	combiClip  = timeline.Clip{LengthMs: clipMs, Screen: "screen", Camera: "camera"}
	filmClip   = timeline.Clip{LengthMs: clipMs, Screen: "film"}
)

var (
	dusk  = values.Background{Type: values.BackgroundTypeGradient, GradientColor1: "#4F46E5FF", GradientColor2: "#EC4899FF", GradientAngle: 120}
	pale  = values.Background{Type: values.BackgroundTypeSolid, Color: "#E5E7EBFF"}
	night = values.Background{Type: values.BackgroundTypeSolid, Color: "#111827FF"}
)

// tile shows a clip one second after its start, with defaults for what look leaves open: a gradient and regular
// corners.
func tile(name string, clip timeline.Clip, look values.ClipLook) feature {
	return feature{
		name: name, artboard: wideBoard, atMs: 1_000,
		video: timeline.Video{Clips: []timeline.Clip{clip}}, look: values.Look{Clips: []values.ClipLook{completed(look)}},
	}
}

func completed(look values.ClipLook) values.ClipLook {
	if look.Background == (values.Background{}) {
		look.Background = dusk
	}

	if look.Corners == "" {
		look.Corners = values.CornersRegular
	}

	if look.BorderStyle == "" {
		look.BorderStyle = values.BorderStyleNone
	}

	return look
}

func (f feature) on(artboard plan.Size) feature {
	f.artboard = artboard

	return f
}

func (f feature) at(ms int64) feature {
	f.atMs = ms

	return f
}

func (f feature) closer() feature {
	f.near, f.name = true, f.name+", ×2"

	return f
}

// arranged returns a look with only a layout.
func arranged(shape values.LayoutShape) values.ClipLook { return values.ClipLook{Base: &shape} }

// middle returns a screen small enough to see what is around it.
func middle() *values.LayoutShape {
	return &values.LayoutShape{Kind: values.LayoutKindMiddle, Size: new(values.LayoutSizeS)}
}

// laid returns a look with only effects, which last for the whole clip.
func laid(effects ...values.EffectParams) values.ClipLook {
	var look values.ClipLook
	for _, e := range effects {
		look.Effects = append(look.Effects, values.ShownEffect{Kind: kindOf(e), EndMs: clipMs, Params: e})
	}

	return look
}

// kindOf returns the kind of an effect that is not a mask.
func kindOf(e values.EffectParams) values.EffectKind {
	switch {
	case e.Layout != nil:
		return values.EffectKindLayout
	case e.Zoom != nil:
		return values.EffectKindZoom
	case e.Overlay != nil:
		return values.EffectKindMediaOverlay
	default:
		return values.EffectKindTextOverlay
	}
}

// features returns the tiles of the contact sheet.
func features() []feature {
	return slices.Concat(layouts(), bubbles(), motions(), backgrounds(), borders(), masks(), overlays(), texts(), captioned())
}

func layouts() []feature {
	type shape = values.LayoutShape

	left, right := new(values.LayoutPositionLeft), new(values.LayoutPositionRight)
	even, cover := new(values.LayoutStyleEven), new(values.ScreenFitCover)

	media := func(style values.LayoutStyle) values.ClipLook {
		look := laid(values.EffectParams{Layout: &values.LayoutParams{
			Shape: shape{Kind: values.LayoutKindBRoll, Style: &style}, Intro: values.LayoutTransitionHardCut, Outro: values.LayoutTransitionHardCut,
		}})
		look.Effects[0].SourceID = "film"

		return look
	}

	return []feature{
		tile("fullscreen", screenClip, arranged(shape{Kind: values.LayoutKindFullscreen})),
		tile("fullscreen, cover, tall", screenClip, arranged(shape{Kind: values.LayoutKindFullscreen, ScreenFit: cover})).on(tallBoard),
		tile("fullscreen camera", cameraClip, arranged(shape{Kind: values.LayoutKindFullscreen})),
		tile("fullscreen camera, stretch", cameraClip, arranged(shape{Kind: values.LayoutKindFullscreen, Style: new(values.LayoutStyleStretch)})),
		tile("middle", screenClip, arranged(shape{Kind: values.LayoutKindMiddle})),
		tile("middle, camera, wide", cameraClip, arranged(shape{Kind: values.LayoutKindMiddle})),
		tile("middle, camera, round, S", cameraClip, arranged(shape{Kind: values.LayoutKindMiddle, Shape: new(values.CameraShapeCircle), Size: new(values.LayoutSizeS)})),
		tile("middle, camera, portrait, L", cameraClip, arranged(shape{Kind: values.LayoutKindMiddle, Shape: new(values.CameraShapePortrait), Size: new(values.LayoutSizeL)})),
		tile("side-by-side", combiClip, arranged(shape{Kind: values.LayoutKindSideBySide, Position: right})),
		tile("side-by-side, even", combiClip, arranged(shape{Kind: values.LayoutKindSideBySide, Position: left, Style: even})),
		tile("side-by-side, overlap", combiClip, arranged(shape{Kind: values.LayoutKindSideBySide, Position: left, Style: new(values.LayoutStyleOverlap)})),
		tile("side-by-side, bottom, tall", combiClip, arranged(shape{Kind: values.LayoutKindSideBySide, Position: new(values.LayoutPositionBottom), Style: even})).on(tallBoard),
		tile("side-by-side, top, square", combiClip, arranged(shape{Kind: values.LayoutKindSideBySide, Position: new(values.LayoutPositionTop), Style: even})).on(squareBoard),
		tile("tv-presenter", combiClip, arranged(shape{Kind: values.LayoutKindTvPresenter, Position: right})),
		tile("tv-presenter, tall", combiClip, arranged(shape{Kind: values.LayoutKindTvPresenter, Position: left})).on(tallBoard),
		tile("camera-only", combiClip, arranged(shape{Kind: values.LayoutKindCameraOnly})),
		tile("camera-only, punched in", combiClip, arranged(shape{Kind: values.LayoutKindCameraOnly, Style: new(values.LayoutStyleFullscreen), PunchIn: new(true)})),
		tile("screen-only, square", combiClip, arranged(shape{Kind: values.LayoutKindScreenOnly})).on(squareBoard),
		tile("b-roll", combiClip, media(values.LayoutStyleFullscreen)),
		tile("b-roll, framed", combiClip, media(values.LayoutStyleFramed)),
	}
}

// bubbles shows a camera over the screen in its shapes, sizes and positions.
func bubbles() []feature {
	bubble := func(name string, shape values.CameraShape, size values.LayoutSize, at values.LayoutPosition) feature {
		return tile(name, combiClip, arranged(values.LayoutShape{Kind: values.LayoutKindCameraBubble, Shape: &shape, Size: &size, Position: &at}))
	}

	squircle := bubble("camera-bubble, squircle", values.CameraShapeSquare, values.LayoutSizeM, values.LayoutPositionBottomLeft)
	squircle.look.Clips[0].Corners = values.CornersSquircle

	return []feature{
		bubble("camera-bubble, round", values.CameraShapeCircle, values.LayoutSizeM, values.LayoutPositionBottomLeft),
		bubble("camera-bubble, square, S", values.CameraShapeSquare, values.LayoutSizeS, values.LayoutPositionTopLeft),
		bubble("camera-bubble, portrait", values.CameraShapePortrait, values.LayoutSizeM, values.LayoutPositionTopRight),
		bubble("camera-bubble, wide, L", values.CameraShapeLandscape, values.LayoutSizeL, values.LayoutPositionBottomRight),
		squircle,
	}
}

// motions shows transitions, zooms, crops and the cursor.
func motions() []feature {
	spring := func(shape values.LayoutShape) values.ClipLook {
		look := laid(values.EffectParams{Layout: &values.LayoutParams{
			Shape: shape, Intro: values.LayoutTransitionSpring, Outro: values.LayoutTransitionSpring,
		}})
		look.Effects[0].StartMs = 1_000

		return look
	}

	zoom := laid(values.EffectParams{Zoom: &values.ZoomParams{
		Type: values.ZoomTypeManualZoom, Scale: 2, Focus: &values.Point{XPct: 40, YPct: 30},
	}})
	zoom.Base = middle()

	tracking := laid(values.EffectParams{Zoom: &values.ZoomParams{Type: values.ZoomTypeTrackingZoom, Scale: 1.6}})
	tracking.Mouse, tracking.Cursor = "mouse", true

	crop := values.ClipLook{Crop: &values.CropBox{XPct: 20, YPct: 9, WidthPct: 60, HeightPct: 91}}

	smooth := tile("smooth transition, half way", filmClip, values.ClipLook{}).at(clipMs + 200)
	next := screenClip
	next.Smooth = true
	smooth.video.Clips = append(smooth.video.Clips, next)
	smooth.look.Clips = append(smooth.look.Clips, completed(values.ClipLook{}))

	return []feature{
		// Half way is 140 ms: a spring is fast at first.
		tile("spring, half way", combiClip, spring(values.LayoutShape{Kind: values.LayoutKindCameraOnly})).at(1_140),
		smooth,
		tile("zoom", screenClip, zoom),
		tile("zoom to the pointer", screenClip, tracking),
		tile("crop", screenClip, crop),
		tile("cursor", screenClip, values.ClipLook{Mouse: "mouse", Cursor: true}).closer(),
		tile("click", screenClip, values.ClipLook{Mouse: "mouse", Cursor: true}).at(1_640).closer(),
	}
}

func backgrounds() []feature {
	behind := func(name string, b values.Background) feature {
		return tile(name, screenClip, values.ClipLook{Background: b, Base: middle()})
	}

	return []feature{
		behind("solid", values.Background{Type: values.BackgroundTypeSolid, Color: "#0EA5E9FF"}),
		behind("gradient, 120°", dusk),
		behind("shader gradient", values.Background{Type: values.BackgroundTypeShaderGradient, GradientColor1: "#0F172AFF", GradientColor2: "#22D3EEFF"}),
		behind("image or video", values.Background{Type: values.BackgroundTypeImage, SourceID: "film"}),
	}
}

// borders shows the corners and borders of layers.
func borders() []feature {
	around := func(name string, b values.BorderStyle, c values.Corners, on values.Background) feature {
		return tile(name, screenClip, values.ClipLook{Background: on, BorderStyle: b, Corners: c, Base: middle()})
	}

	return []feature{
		around("corners, none", values.BorderStyleNone, values.CornersNone, dusk).closer(),
		around("corners, regular", values.BorderStyleNone, values.CornersRegular, dusk).closer(),
		around("corners, squircle", values.BorderStyleNone, values.CornersSquircle, dusk).closer(),
		around("subtle-shadow", values.BorderStyleSubtleShadow, values.CornersRegular, pale),
		around("deep-shadow", values.BorderStyleDeepShadow, values.CornersRegular, pale),
		around("transparent", values.BorderStyleTransparent, values.CornersRegular, dusk),
		around("solid-shadow-left", values.BorderStyleSolidShadowLeft, values.CornersRegular, pale),
		around("solid-shadow-right", values.BorderStyleSolidShadowRight, values.CornersRegular, pale),
		around("snake", values.BorderStyleSnake, values.CornersRegular, night),
	}
}

func masks() []feature {
	masked := func(kind values.EffectKind, lines ...values.MaskParams) values.ClipLook {
		var look values.ClipLook
		for _, m := range lines {
			look.Effects = append(look.Effects, values.ShownEffect{Kind: kind, EndMs: clipMs, Params: values.EffectParams{Mask: &m}})
		}

		return look
	}
	line := func(y, intensity float64) values.MaskParams {
		return values.MaskParams{
			Point: values.Point{XPct: 24, YPct: y}, Dimensions: values.Extent{WidthPct: 46, HeightPct: 9}, Intensity: intensity,
		}
	}

	return []feature{
		tile("blur, least and most", screenClip, masked(values.EffectKindBlur, line(28, 0), line(52, 1))),
		tile("highlights", screenClip, masked(values.EffectKindHighlight, line(28, 0.7), line(52, 0.7))),
	}
}

func overlays() []feature {
	over := func(source string, x, y, width, height float64) values.ClipLook {
		look := laid(values.EffectParams{Overlay: &values.OverlayParams{
			Point: values.Point{XPct: x, YPct: y}, Dimensions: values.Size{Width: width, Height: height},
		}})
		look.Effects[0].SourceID = source

		return look
	}

	return []feature{
		tile("overlay, picture with alpha", screenClip, over("logo", 78, 14, 320, 320)),
		tile("overlay, video", screenClip, over("film", 52, 44, 864, 486)),
	}
}

func texts() []feature {
	text := func(s, family string, y float64, change func(*values.TextParams)) values.EffectParams {
		t := &values.TextParams{
			Text: s, Point: values.Point{XPct: 18.75, YPct: y}, Dimensions: values.Size{Width: 1200, Height: 320},
			TextStyle: values.TextStyle{
				Color: "#FFFFFFFF", Background: "#111827E6", BackgroundShape: values.TextBackgroundShapeRounded,
				FontFamily: family, FontSize: 104, FontWeight: 500, FontWidth: 100, TextAlign: values.TextAlignCenter,
			},
		}
		change(t)

		return values.EffectParams{Text: t}
	}
	weight := func(s string, weight, y float64) values.EffectParams {
		return text(s, "Inter", y, func(t *values.TextParams) { t.FontWeight, t.Background = weight, values.Transparent })
	}

	return []feature{
		tile("text, thin to black", filmClip, laid(weight("Thin 100", 100, 4), weight("Medium 500", 500, 35), weight("Black 900", 900, 66))),
		tile("text, square, left", filmClip, laid(text("Set in lines that break between words", "Noto Serif", 25, func(t *values.TextParams) {
			t.BackgroundShape, t.TextAlign, t.Dimensions.Height = values.TextBackgroundShapeSquare, values.TextAlignLeft, 540
		}))),
		tile("text, rounded, right", filmClip, laid(text("Condensed\nRoboto 75", "Roboto", 35, func(t *values.TextParams) {
			t.FontWidth, t.TextAlign = 75, values.TextAlignRight
		}))),
		tile("text, pill, emoji", filmClip, laid(text("Ship it 🚀 👩‍💻 ❤️", "Comfortaa", 35, func(t *values.TextParams) {
			t.BackgroundShape = values.TextBackgroundShapePill
		}))),
		tile("text, squircle", filmClip, laid(text("Lobster", "Lobster", 35, func(t *values.TextParams) {
			t.BackgroundShape, t.FontSize = values.TextBackgroundShapeSquircle, 180
		}))),
	}
}

// captioned shows captions from a file, in two lines and more.
func captioned() []feature {
	caption := func(name, said, preset string, at values.Position) feature {
		var look values.ClipLook

		for i, w := range strings.Fields(said) {
			ms := int64(i) * 180
			look.Words = append(look.Words, values.SpokenWord{Text: w, StartMs: ms, EndMs: ms + 180, Cue: 1})
		}

		f := tile(name, filmClip, look)
		presets := values.CaptionPresets()
		i := slices.IndexFunc(presets, func(p values.CaptionPreset) bool { return p.ID == preset })
		f.look.Captions = &values.CaptionLook{Style: presets[i].Style, Position: at}

		return f
	}

	return []feature{
		caption("captions", "Every word that is said lights up when it is heard", "classic", values.DefaultEditing().CaptionPosition),
		caption("captions, sun", "Every word lights up when heard", "sun", values.Position{X: 0.25, Y: 0.4}).at(500).closer(),
	}
}
