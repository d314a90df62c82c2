package story

import (
	"github.com/99designs/gqlgen/graphql"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/demo"
	"github.com/reelgraph/reelgraph/internal/video/effect"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// A story is a video of the demo. Its times are recording times: the cut is made last.
type story struct {
	Name, description string
	shots             []shot
	look              model.VideoFields
	chapters          []*model.ChapterInput
	cut               *model.CutRangeInput // of the first clip; nil: none
	tags              []string
	comments          []model.AddCommentInput
	export            bool
}

// A shot is a clip of a story: a screen, a person before a camera, or both, and its effects.
type shot struct {
	name     string
	screen   func() demo.Screen // nil: only a camera
	camera   *demo.Look         // nil: only a screen, whose sound is the voice
	lengthMs int                // if there is only a camera
	says     []demo.Line
	look     model.UpdateClipInput
	effects  []effect.AddEffectInput // in order of creation
	zooms    *model.AutoZoomsInput   // nil: only those in effects
}

// set is a field of an input with a value.
func set[T any](v T) graphql.Omittable[*T] { return graphql.OmittableOf(&v) }

func chapter(at float64, title string) *model.ChapterInput {
	return &model.ChapterInput{TimestampSeconds: at, Title: title}
}

func remark(at float64, text string) model.AddCommentInput {
	return model.AddCommentInput{AtSeconds: &at, Body: text}
}

func gradient(from, to values.Color) graphql.Omittable[*model.BackgroundInput] {
	return set(model.BackgroundInput{
		Type: values.BackgroundTypeGradient, GradientAngle: new(135), GradientColor1: &from, GradientColor2: &to,
	})
}

func baseLayout(is effect.LayoutShapeInput) effect.AddEffectInput {
	return effect.AddEffectInput{Layout: &effect.AddLayoutInput{Layout: &is}}
}

func layout(startMs, lengthMs int64, is effect.LayoutShapeInput) effect.AddEffectInput {
	return effect.AddEffectInput{Layout: &effect.AddLayoutInput{Layout: &is, StartTimeMs: &startMs, DurationMs: &lengthMs}}
}

func span(startMs, lengthMs int64) effect.TimeInput {
	return effect.TimeInput{StartTimeMs: startMs, DurationMs: lengthMs}
}

func manualZoom(startMs, lengthMs int64, scale, x, y float64) effect.AddEffectInput {
	return effect.AddEffectInput{Zoom: &effect.AddZoomInput{Type: values.ZoomTypeManualZoom, ZoomInput: effect.ZoomInput{
		TimeInput: span(startMs, lengthMs), Scale: scale, FocusPoint: &effect.ScreenPointInput{XPct: x, YPct: y},
	}}}
}

func trackingZoom(startMs, lengthMs int64, scale float64) effect.AddEffectInput {
	return effect.AddEffectInput{Zoom: &effect.AddZoomInput{Type: values.ZoomTypeTrackingZoom, ZoomInput: effect.ZoomInput{
		TimeInput: span(startMs, lengthMs), Scale: scale,
	}}}
}

// Stories returns the videos of the demo.
func Stories() []story { return []story{productTour(), walkthrough(), billing()} }

func productTour() story {
	looks := demo.Looks()

	return story{
		Name: "Product tour", description: "Two clips, layouts, zooms, captions and a cut, and an export.",
		shots: []shot{{
			name: "Tour", screen: demo.Page, camera: &looks[0], says: []demo.Line{
				{AtMs: 600, Text: "Hi, I am Ada. This is Northwind in half a minute."},
				{AtMs: 4_700, Text: "Um, let me start again."},
				{AtMs: 6_700, Text: "Here is your whole week."},
				{AtMs: 9_000, Text: "Your team shares it, with one gentle reminder a day."},
				{AtMs: 13_600, Text: "Since spring, that saves us five hours a week."},
				{AtMs: 18_300, Text: "Choose a plan, and invite somebody."},
				{AtMs: 23_700, Text: "And you are done."},
			},
			look: model.UpdateClipInput{
				Background: gradient("#4338CAFF", "#0EA5E9FF"), BorderStyle: set(values.BorderStyleSubtleShadow), Corners: set(values.CornersRegular),
			},
			effects: tourEffects(),
		}, {
			name: "Goodbye", camera: &looks[0], lengthMs: 4_000, says: []demo.Line{{AtMs: 400, Text: "Thanks for watching. See you on Monday!"}},
			look: model.UpdateClipInput{
				Background: gradient("#0EA5E9FF", "#4338CAFF"), Transition: set(values.ClipTransitionSmooth), Corners: set(values.CornersSquircle),
			},
		}},
		look: model.VideoFields{
			SubtitlesEnabled: set(true), CaptionsDefaultEnabled: set(true), CaptionPosition: set(model.PositionInput{X: 0.5, Y: 0.9}),
		},
		chapters: []*model.ChapterInput{
			chapter(0, "Hello"), chapter(6.6, "One page"), chapter(13.2, "What it saves"), chapter(18.1, "Choose a plan"), chapter(26, "Goodbye"),
		},
		cut:  &model.CutRangeInput{FromMs: 4_500, ToMs: 6_680},
		tags: []string{"Product", "Onboarding"},
		comments: []model.AddCommentInput{
			remark(12, "The zoom on the figures is lovely."), remark(12, "Could we say which spring?"),
			remark(26, "Shared it with the sales team, thank you!"),
		},
		export: true,
	}
}

func tourEffects() []effect.AddEffectInput {
	return []effect.AddEffectInput{
		baseLayout(effect.LayoutShapeInput{Kind: values.LayoutKindCameraBubble, Position: new(values.LayoutPositionBottomRight)}),
		layout(0, 3_600, effect.LayoutShapeInput{Kind: values.LayoutKindCameraOnly, Style: new(values.LayoutStyleFullscreen)}),
		layout(8_600, 4_300, effect.LayoutShapeInput{Kind: values.LayoutKindSideBySide, Position: new(values.LayoutPositionRight)}),
		manualZoom(13_800, 3_600, 1.5, 72, 48),
		trackingZoom(19_200, 4_600, 1.8),
		{TextOverlay: &effect.AddTextOverlayInput{
			Text: "Northwind in half a minute", TimeInput: span(700, 2_700), Point: &effect.ArtboardPointInput{XPct: 6, YPct: 74},
			Dimensions: &effect.ArtboardSizeInput{Width: 700, Height: 90}, Background: new("#1E1B4BE6"),
			BackgroundShape: new(values.TextBackgroundShapePill), FontWeight: new(600.0), FontSize: new(34.0),
		}},
	}
}

func walkthrough() story {
	looks := demo.Looks()

	return story{
		Name: "Coupons in three lines", description: "A walk through a change of code, with a highlight on the lines that matter.",
		shots: []shot{{
			name: "Editor", screen: demo.Editor, camera: &looks[1], says: []demo.Line{
				{AtMs: 700, Text: "Coupons are missing from the total. Let us add them."},
				{AtMs: 5_200, Text: "If the order has a valid coupon, we take its percent off."},
				{AtMs: 10_600, Text: "Three lines, right before the result."},
				{AtMs: 14_600, Text: "And now the tests."},
				{AtMs: 18_200, Text: "Twelve passed. Ship it!"},
			},
			look: model.UpdateClipInput{
				Background: gradient("#0F172AFF", "#334155FF"), BorderStyle: set(values.BorderStyleDeepShadow), Corners: set(values.CornersRegular),
			},
			effects: []effect.AddEffectInput{
				baseLayout(effect.LayoutShapeInput{
					Kind: values.LayoutKindCameraBubble, Position: new(values.LayoutPositionBottomRight), Shape: new(values.CameraShapeSquare),
				}),
				layout(0, 3_900, effect.LayoutShapeInput{Kind: values.LayoutKindTvPresenter, Position: new(values.LayoutPositionLeft)}),
				manualZoom(4_300, 5_700, 1.7, 45, 38),
				trackingZoom(14_400, 6_000, 1.4),
				{Highlight: &effect.AddMaskInput{
					TimeInput: span(10_400, 3_200), Point: effect.ScreenPointInput{XPct: 25, YPct: 34},
					Dimensions: effect.ScreenExtentInput{WidthPct: 46, HeightPct: 13},
				}},
			},
		}},
		look:     model.VideoFields{CaptionsDefaultEnabled: set(true)},
		chapters: []*model.ChapterInput{chapter(0, "What is missing"), chapter(4.4, "The change"), chapter(14.4, "The tests")},
		tags:     []string{"Engineering"},
		comments: []model.AddCommentInput{
			remark(6, "What if the coupon is worth more than the order?"), remark(7, "Valid refuses those, see coupon.go."),
		},
	}
}

func billing() story {
	return story{
		Name: "How to change billing details", description: "A screen alone: zooms follow the clicks, and the card number is blurred.",
		shots: []shot{{
			name: "Form", screen: demo.Form, says: []demo.Line{
				{AtMs: 300, Text: "Here is how to change your billing details."},
				{AtMs: 4_300, Text: "Fill in who pays, and where we send invoices."},
				{AtMs: 8_800, Text: "Your card number stays between us."},
				{AtMs: 13_000, Text: "Choose your country,"},
				{AtMs: 16_600, Text: "and save. That is all."},
			},
			look: model.UpdateClipInput{
				Background: gradient("#F59E0BFF", "#DB2777FF"), BorderStyle: set(values.BorderStyleSubtleShadow), Corners: set(values.CornersSquircle),
			},
			effects: []effect.AddEffectInput{{Blur: &effect.AddMaskInput{
				TimeInput: span(demo.FormCardMs-300, 13_400),
				Point: effect.ScreenPointInput{
					XPct: 100 * demo.FormCardX / demo.ScreenWidth, YPct: 100 * demo.FormCardY / demo.ScreenHeight,
				},
				Dimensions: effect.ScreenExtentInput{
					WidthPct: 100.0 * demo.FormCardWidth / demo.ScreenWidth, HeightPct: 100.0 * demo.FormCardHeight / demo.ScreenHeight,
				},
			}}},
			zooms: &model.AutoZoomsInput{Intensity: values.ZoomIntensityMedium, Scale: 1.5},
		}},
		look:     model.VideoFields{SubtitlesEnabled: set(true)},
		chapters: []*model.ChapterInput{chapter(0, "Who pays"), chapter(8.3, "Your card"), chapter(12.8, "Your country")},
		cut:      &model.CutRangeInput{FromMs: 20_000, ToMs: 22_000},
		tags:     []string{"Support", "Onboarding"},
		comments: []model.AddCommentInput{remark(2, "Sent this to two customers today.")},
	}
}
