package compositor

import (
	"slices"
	"strings"

	"github.com/reelgraph/reelgraph/internal/domain"
	"github.com/reelgraph/reelgraph/internal/render"
	"github.com/reelgraph/reelgraph/internal/timeline"
)

// Artboards of the sheet.
var (
	wideBoard   = render.Size{Width: 1920, Height: 1080}
	tallBoard   = render.Size{Width: 1080, Height: 1920}
	squareBoard = render.Size{Width: 1080, Height: 1080}
)

// clipMs is how long the clips of the sheet are.
const clipMs = 3_000

// What was recorded for a tile.
var (
	screenClip = timeline.Clip{LengthMs: clipMs, Screen: "screen"}
	cameraClip = timeline.Clip{LengthMs: clipMs, Camera: "camera"}
	combiClip  = timeline.Clip{LengthMs: clipMs, Screen: "screen", Camera: "camera"}
	filmClip   = timeline.Clip{LengthMs: clipMs, Screen: "film"}
)

var (
	dusk  = domain.Background{Type: domain.BackgroundTypeGradient, GradientColor1: "#4F46E5FF", GradientColor2: "#EC4899FF", GradientAngle: 120}
	pale  = domain.Background{Type: domain.BackgroundTypeSolid, Color: "#E5E7EBFF"}
	night = domain.Background{Type: domain.BackgroundTypeSolid, Color: "#111827FF"}
)

// tile shows a clip a second after it begins, in what its look leaves open on a gradient with regular corners.
func tile(name string, clip timeline.Clip, look domain.ClipLook) feature {
	return feature{
		name: name, artboard: wideBoard, atMs: 1_000,
		video: timeline.Video{Clips: []timeline.Clip{clip}}, look: domain.Look{Clips: []domain.ClipLook{completed(look)}},
	}
}

func completed(look domain.ClipLook) domain.ClipLook {
	if look.Background == (domain.Background{}) {
		look.Background = dusk
	}

	if look.Corners == "" {
		look.Corners = domain.CornersRegular
	}

	if look.BorderStyle == "" {
		look.BorderStyle = domain.BorderStyleNone
	}

	return look
}

func (f feature) on(artboard render.Size) feature {
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

// arranged is a look of nothing but a layout.
func arranged(shape domain.LayoutShape) domain.ClipLook { return domain.ClipLook{Base: &shape} }

// middle shows a screen small enough to see what is around it.
func middle() *domain.LayoutShape {
	return &domain.LayoutShape{Kind: domain.LayoutKindMiddle, Size: new(domain.LayoutSizeS)}
}

// laid is a look of nothing but effects, which last for the whole clip.
func laid(effects ...domain.EffectParams) domain.ClipLook {
	var look domain.ClipLook
	for _, e := range effects {
		look.Effects = append(look.Effects, domain.ShownEffect{EndMs: clipMs, Params: e})
	}

	return look
}

// features are the tiles of the contact sheet.
func features() []feature {
	return slices.Concat(layouts(), bubbles(), motions(), backgrounds(), borders(), masks(), overlays(), texts(), captioned())
}

func layouts() []feature {
	type shape = domain.LayoutShape

	left, right := new(domain.LayoutPositionLeft), new(domain.LayoutPositionRight)
	even, cover := new(domain.LayoutStyleEven), new(domain.ScreenFitCover)

	media := func(style domain.LayoutStyle) domain.ClipLook {
		look := laid(domain.EffectParams{Layout: &domain.LayoutParams{
			Shape: shape{Kind: domain.LayoutKindBRoll, Style: &style}, Intro: domain.LayoutTransitionHardCut, Outro: domain.LayoutTransitionHardCut,
		}})
		look.Effects[0].SourceID = "film"

		return look
	}

	return []feature{
		tile("fullscreen", screenClip, arranged(shape{Kind: domain.LayoutKindFullscreen})),
		tile("fullscreen, cover, tall", screenClip, arranged(shape{Kind: domain.LayoutKindFullscreen, ScreenFit: cover})).on(tallBoard),
		tile("fullscreen camera", cameraClip, arranged(shape{Kind: domain.LayoutKindFullscreen})),
		tile("fullscreen camera, stretch", cameraClip, arranged(shape{Kind: domain.LayoutKindFullscreen, Style: new(domain.LayoutStyleStretch)})),
		tile("middle", screenClip, arranged(shape{Kind: domain.LayoutKindMiddle})),
		tile("middle, camera, wide", cameraClip, arranged(shape{Kind: domain.LayoutKindMiddle})),
		tile("middle, camera, round, S", cameraClip, arranged(shape{Kind: domain.LayoutKindMiddle, Shape: new(domain.CameraShapeCircle), Size: new(domain.LayoutSizeS)})),
		tile("middle, camera, portrait, L", cameraClip, arranged(shape{Kind: domain.LayoutKindMiddle, Shape: new(domain.CameraShapePortrait), Size: new(domain.LayoutSizeL)})),
		tile("side-by-side", combiClip, arranged(shape{Kind: domain.LayoutKindSideBySide, Position: right})),
		tile("side-by-side, even", combiClip, arranged(shape{Kind: domain.LayoutKindSideBySide, Position: left, Style: even})),
		tile("side-by-side, overlap", combiClip, arranged(shape{Kind: domain.LayoutKindSideBySide, Position: left, Style: new(domain.LayoutStyleOverlap)})),
		tile("side-by-side, bottom, tall", combiClip, arranged(shape{Kind: domain.LayoutKindSideBySide, Position: new(domain.LayoutPositionBottom), Style: even})).on(tallBoard),
		tile("side-by-side, top, square", combiClip, arranged(shape{Kind: domain.LayoutKindSideBySide, Position: new(domain.LayoutPositionTop), Style: even})).on(squareBoard),
		tile("tv-presenter", combiClip, arranged(shape{Kind: domain.LayoutKindTvPresenter, Position: right})),
		tile("tv-presenter, tall", combiClip, arranged(shape{Kind: domain.LayoutKindTvPresenter, Position: left})).on(tallBoard),
		tile("camera-only", combiClip, arranged(shape{Kind: domain.LayoutKindCameraOnly})),
		tile("camera-only, punched in", combiClip, arranged(shape{Kind: domain.LayoutKindCameraOnly, Style: new(domain.LayoutStyleFullscreen), PunchIn: new(true)})),
		tile("screen-only, square", combiClip, arranged(shape{Kind: domain.LayoutKindScreenOnly})).on(squareBoard),
		tile("b-roll", combiClip, media(domain.LayoutStyleFullscreen)),
		tile("b-roll, framed", combiClip, media(domain.LayoutStyleFramed)),
	}
}

// bubbles are a camera over the screen in its shapes, sizes and positions.
func bubbles() []feature {
	bubble := func(name string, shape domain.CameraShape, size domain.LayoutSize, at domain.LayoutPosition) feature {
		return tile(name, combiClip, arranged(domain.LayoutShape{Kind: domain.LayoutKindCameraBubble, Shape: &shape, Size: &size, Position: &at}))
	}

	squircle := bubble("camera-bubble, squircle", domain.CameraShapeSquare, domain.LayoutSizeM, domain.LayoutPositionBottomLeft)
	squircle.look.Clips[0].Corners = domain.CornersSquircle

	return []feature{
		bubble("camera-bubble, round", domain.CameraShapeCircle, domain.LayoutSizeM, domain.LayoutPositionBottomLeft),
		bubble("camera-bubble, square, S", domain.CameraShapeSquare, domain.LayoutSizeS, domain.LayoutPositionTopLeft),
		bubble("camera-bubble, portrait", domain.CameraShapePortrait, domain.LayoutSizeM, domain.LayoutPositionTopRight),
		bubble("camera-bubble, wide, L", domain.CameraShapeLandscape, domain.LayoutSizeL, domain.LayoutPositionBottomRight),
		squircle,
	}
}

// motions are what is under way, and what is seen of a screen.
func motions() []feature {
	spring := func(shape domain.LayoutShape) domain.ClipLook {
		look := laid(domain.EffectParams{Layout: &domain.LayoutParams{
			Shape: shape, Intro: domain.LayoutTransitionSpring, Outro: domain.LayoutTransitionSpring,
		}})
		look.Effects[0].StartMs = 1_000

		return look
	}

	zoom := laid(domain.EffectParams{Zoom: &domain.ZoomParams{
		Type: domain.ZoomTypeManualZoom, Scale: 2, Focus: &domain.Point{XPct: 40, YPct: 30},
	}})
	zoom.Base = middle()

	tracking := laid(domain.EffectParams{Zoom: &domain.ZoomParams{Type: domain.ZoomTypeTrackingZoom, Scale: 1.6}})
	tracking.Mouse, tracking.Cursor = "mouse", true

	crop := domain.ClipLook{Crop: &domain.CropBox{XPct: 20, YPct: 9, WidthPct: 60, HeightPct: 91}}

	smooth := tile("smooth transition, half way", filmClip, domain.ClipLook{}).at(clipMs + 200)
	next := screenClip
	next.Smooth = true
	smooth.video.Clips = append(smooth.video.Clips, next)
	smooth.look.Clips = append(smooth.look.Clips, completed(domain.ClipLook{}))

	return []feature{
		// Half way is 140 ms: a spring is fast at first.
		tile("spring, half way", combiClip, spring(domain.LayoutShape{Kind: domain.LayoutKindCameraOnly})).at(1_140),
		smooth,
		tile("zoom", screenClip, zoom),
		tile("zoom to the pointer", screenClip, tracking),
		tile("crop", screenClip, crop),
		tile("cursor", screenClip, domain.ClipLook{Mouse: "mouse", Cursor: true}).closer(),
		tile("click", screenClip, domain.ClipLook{Mouse: "mouse", Cursor: true}).at(1_640).closer(),
	}
}

func backgrounds() []feature {
	behind := func(name string, b domain.Background) feature {
		return tile(name, screenClip, domain.ClipLook{Background: b, Base: middle()})
	}

	return []feature{
		behind("solid", domain.Background{Type: domain.BackgroundTypeSolid, Color: "#0EA5E9FF"}),
		behind("gradient, 120°", dusk),
		behind("shader gradient", domain.Background{Type: domain.BackgroundTypeShaderGradient, GradientColor1: "#0F172AFF", GradientColor2: "#22D3EEFF"}),
		behind("image or video", domain.Background{Type: domain.BackgroundTypeImage, SourceID: "film"}),
	}
}

// borders are the corners of layers, and what is around them.
func borders() []feature {
	around := func(name string, b domain.BorderStyle, c domain.Corners, on domain.Background) feature {
		return tile(name, screenClip, domain.ClipLook{Background: on, BorderStyle: b, Corners: c, Base: middle()})
	}

	return []feature{
		around("corners, none", domain.BorderStyleNone, domain.CornersNone, dusk).closer(),
		around("corners, regular", domain.BorderStyleNone, domain.CornersRegular, dusk).closer(),
		around("corners, squircle", domain.BorderStyleNone, domain.CornersSquircle, dusk).closer(),
		around("subtle-shadow", domain.BorderStyleSubtleShadow, domain.CornersRegular, pale),
		around("deep-shadow", domain.BorderStyleDeepShadow, domain.CornersRegular, pale),
		around("transparent", domain.BorderStyleTransparent, domain.CornersRegular, dusk),
		around("solid-shadow-left", domain.BorderStyleSolidShadowLeft, domain.CornersRegular, pale),
		around("solid-shadow-right", domain.BorderStyleSolidShadowRight, domain.CornersRegular, pale),
		around("snake", domain.BorderStyleSnake, domain.CornersRegular, night),
	}
}

func masks() []feature {
	masked := func(kind domain.EffectKind, lines ...domain.MaskParams) domain.ClipLook {
		var look domain.ClipLook
		for _, m := range lines {
			look.Effects = append(look.Effects, domain.ShownEffect{Kind: kind, EndMs: clipMs, Params: domain.EffectParams{Mask: &m}})
		}

		return look
	}
	line := func(y, intensity float64) domain.MaskParams {
		return domain.MaskParams{
			Point: domain.Point{XPct: 24, YPct: y}, Dimensions: domain.Extent{WidthPct: 46, HeightPct: 9}, Intensity: intensity,
		}
	}

	return []feature{
		tile("blur, least and most", screenClip, masked(domain.EffectKindBlur, line(28, 0), line(52, 1))),
		tile("highlights", screenClip, masked(domain.EffectKindHighlight, line(28, 0.7), line(52, 0.7))),
	}
}

func overlays() []feature {
	over := func(source string, x, y, width, height float64) domain.ClipLook {
		look := laid(domain.EffectParams{Overlay: &domain.OverlayParams{
			Point: domain.Point{XPct: x, YPct: y}, Dimensions: domain.Size{Width: width, Height: height},
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
	text := func(s, family string, y float64, change func(*domain.TextParams)) domain.EffectParams {
		t := &domain.TextParams{
			Text: s, Point: domain.Point{XPct: 18.75, YPct: y}, Dimensions: domain.Size{Width: 1200, Height: 320},
			TextStyle: domain.TextStyle{
				Color: "#FFFFFFFF", Background: "#111827E6", BackgroundShape: domain.TextBackgroundShapeRounded,
				FontFamily: family, FontSize: 104, FontWeight: 500, FontWidth: 100, TextAlign: domain.TextAlignCenter,
			},
		}
		change(t)

		return domain.EffectParams{Text: t}
	}
	weight := func(s string, weight, y float64) domain.EffectParams {
		return text(s, "Inter", y, func(t *domain.TextParams) { t.FontWeight, t.Background = weight, domain.Transparent })
	}

	return []feature{
		tile("text, thin to black", filmClip, laid(weight("Thin 100", 100, 4), weight("Medium 500", 500, 35), weight("Black 900", 900, 66))),
		tile("text, square, left", filmClip, laid(text("Set in lines that break between words", "Noto Serif", 25, func(t *domain.TextParams) {
			t.BackgroundShape, t.TextAlign, t.Dimensions.Height = domain.TextBackgroundShapeSquare, domain.TextAlignLeft, 540
		}))),
		tile("text, rounded, right", filmClip, laid(text("Condensed\nRoboto 75", "Roboto", 35, func(t *domain.TextParams) {
			t.FontWidth, t.TextAlign = 75, domain.TextAlignRight
		}))),
		tile("text, pill, emoji", filmClip, laid(text("Ship it 🚀 👩‍💻 ❤️", "Comfortaa", 35, func(t *domain.TextParams) {
			t.BackgroundShape = domain.TextBackgroundShapePill
		}))),
		tile("text, squircle", filmClip, laid(text("Lobster", "Lobster", 35, func(t *domain.TextParams) {
			t.BackgroundShape, t.FontSize = domain.TextBackgroundShapeSquircle, 180
		}))),
	}
}

// captioned are captions of a file, which has them in two lines and more.
func captioned() []feature {
	caption := func(name, said, preset string, at domain.Position) feature {
		var look domain.ClipLook
		for i, w := range strings.Fields(said) {
			ms := int64(i) * 180
			look.Words = append(look.Words, domain.SpokenWord{Text: w, StartMs: ms, EndMs: ms + 180, Cue: 1})
		}

		f := tile(name, filmClip, look)
		presets := domain.CaptionPresets()
		i := slices.IndexFunc(presets, func(p domain.CaptionPreset) bool { return p.ID == preset })
		f.look.Captions = &domain.CaptionLook{Style: presets[i].Style, Position: at}

		return f
	}

	return []feature{
		caption("captions", "Every word that is said lights up when it is heard", "classic", domain.DefaultEditing().CaptionPosition),
		caption("captions, sun", "Every word lights up when heard", "sun", domain.Position{X: 0.25, Y: 0.4}).at(500).closer(),
	}
}
