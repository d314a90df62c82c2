package plan_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

func box(x, y, w, h int) plan.Box {
	return plan.Box{X: x, Y: y, Size: plan.Size{Width: w, Height: h}}
}

func stage(w, h int) plan.Stage {
	return plan.Stage{
		Frame: plan.Size{Width: w, Height: h}, Screen: plan.Size{Width: 1920, Height: 1080},
		Camera: plan.Size{Width: 1280, Height: 720}, Corners: values.CornersRegular,
	}
}

func bubble(at values.LayoutPosition) values.LayoutShape {
	return values.LayoutShape{Kind: values.LayoutKindCameraBubble, Position: &at}
}

func full(shape values.LayoutShape) values.LayoutShape {
	shape.Style = new(values.LayoutStyleFull)

	return shape
}

// A circle is round at the edge of the frame too, also under the name that older versions stored.
func TestCircles(t *testing.T) {
	t.Parallel()

	touching := full(bubble(values.LayoutPositionTopLeft))
	for _, shape := range []values.CameraShape{values.CameraShapeCircle, values.CameraShapeRound} {
		touching.Shape = &shape
		camera := plan.Arrange(touching, stage(1920, 1080))[1]
		require.True(t, camera.Edge)
		require.InDelta(t, 216, camera.Corner.Radius, 0)
	}

	touching.Shape = new(values.CameraShapeSquare)
	require.Zero(t, plan.Arrange(touching, stage(1920, 1080))[1].Corner.Radius)

	wide := bubble(values.LayoutPositionTopLeft)
	wide.Shape = new(values.CameraShapeWide)

	var stored values.LayoutShape
	require.NoError(t, json.Unmarshal([]byte(`{"kind":"camera-bubble","position":"top-left","shape":"wide"}`), &stored))
	require.Equal(t, values.CameraShapeLandscape, *stored.Shape)
	require.Equal(t, plan.Arrange(stored, stage(1920, 1080)), plan.Arrange(wide, stage(1920, 1080)))
}

// The boxes of the layouts, calculated by hand from the formulas of Arrange: a 16:9 screen and camera on a
// wide artboard, whose padding is 54, and on a tall one.
func TestArrangeOnWideAndTall(t *testing.T) {
	t.Parallel()

	type boxes map[plan.Role]plan.Box

	at := func(p values.LayoutPosition) *values.LayoutPosition { return &p }
	style := func(s values.LayoutStyle) *values.LayoutStyle { return &s }
	size := func(s values.LayoutSize) *values.LayoutSize { return &s }

	for _, c := range []struct {
		w, h  int
		shape values.LayoutShape
		want  boxes
	}{
		{1920, 1080, values.LayoutShape{Kind: values.LayoutKindScreenOnly}, boxes{plan.RoleScreen: box(0, 0, 1920, 1080)}},
		{1080, 1920, values.LayoutShape{Kind: values.LayoutKindScreenOnly}, boxes{plan.RoleScreen: box(0, 656, 1080, 608)}},
		{
			1080, 1920,
			values.LayoutShape{Kind: values.LayoutKindScreenOnly, ScreenFit: new(values.ScreenFitCover)},
			boxes{plan.RoleScreen: box(0, 0, 1080, 1920)},
		},
		{1920, 1080, values.LayoutShape{Kind: values.LayoutKindCameraOnly}, boxes{plan.RoleCamera: box(54, 54, 1812, 972)}},
		{
			1920, 1080,
			values.LayoutShape{Kind: values.LayoutKindCameraOnly, Style: style(values.LayoutStyleFullscreen)},
			boxes{plan.RoleCamera: box(0, 0, 1920, 1080)},
		},
		{
			1920, 1080,
			values.LayoutShape{Kind: values.LayoutKindCameraBubble, Position: at(values.LayoutPositionBottomLeft)},
			boxes{plan.RoleScreen: box(96, 54, 1728, 972), plan.RoleCamera: box(26, 728, 324, 324)},
		},
		{1920, 1080, values.LayoutShape{
			Kind: values.LayoutKindCameraBubble, Position: at(values.LayoutPositionTopRight),
			Size: size(values.LayoutSizeS), Shape: new(values.CameraShapeLandscape),
		}, boxes{plan.RoleScreen: box(96, 54, 1728, 972), plan.RoleCamera: box(1576, 26, 316, 178)}},
		{1920, 1080, values.LayoutShape{
			Kind: values.LayoutKindSideBySide, Position: at(values.LayoutPositionLeft), Style: style(values.LayoutStyleEven),
		}, boxes{plan.RoleScreen: box(960, 270, 960, 540), plan.RoleCamera: box(0, 0, 960, 1080)}},
		{1080, 1920, values.LayoutShape{
			Kind: values.LayoutKindSideBySide, Position: at(values.LayoutPositionBottom), Style: style(values.LayoutStyleEven),
		}, boxes{plan.RoleScreen: box(0, 176, 1080, 608), plan.RoleCamera: box(0, 960, 1080, 960)}},
		{
			1920, 1080,
			values.LayoutShape{Kind: values.LayoutKindSideBySide, Position: at(values.LayoutPositionRight)},
			boxes{plan.RoleScreen: box(54, 186, 1254, 706), plan.RoleCamera: box(1336, 186, 528, 706)},
		},
		{
			1920, 1080,
			values.LayoutShape{Kind: values.LayoutKindTvPresenter, Position: at(values.LayoutPositionLeft)},
			boxes{plan.RoleCamera: box(0, 0, 768, 1080), plan.RoleScreen: box(822, 246, 1044, 588)},
		},
		{
			1920, 1080,
			values.LayoutShape{Kind: values.LayoutKindBRoll, Style: style(values.LayoutStyleFramed)},
			boxes{plan.RoleMedia: box(54, 54, 1812, 972)},
		},
		{
			1920, 1080,
			values.LayoutShape{Kind: values.LayoutKindMiddle, Size: size(values.LayoutSizeL)},
			boxes{plan.RoleScreen: box(96, 54, 1728, 972)},
		},
		{1920, 1080, values.LayoutShape{Kind: values.LayoutKindMiddle}, boxes{plan.RoleScreen: box(240, 134, 1440, 810)}},
		{1920, 1080, values.LayoutShape{
			Kind: values.LayoutKindCameraBubble, Position: at(values.LayoutPositionBottomRight), Shape: new(values.CameraShapeSquare),
		}, boxes{plan.RoleScreen: box(96, 54, 1728, 972), plan.RoleCamera: box(1568, 728, 324, 324)}},
		{1920, 1080, values.LayoutShape{
			Kind: values.LayoutKindCameraBubble, Position: at(values.LayoutPositionTopLeft),
			Size: size(values.LayoutSizeL), Shape: new(values.CameraShapePortrait),
		}, boxes{plan.RoleScreen: box(96, 54, 1728, 972), plan.RoleCamera: box(26, 26, 432, 576)}},
		{
			1920, 1080,
			values.LayoutShape{Kind: values.LayoutKindSideBySide, Position: at(values.LayoutPositionLeft)},
			boxes{plan.RoleCamera: box(54, 186, 528, 706), plan.RoleScreen: box(610, 186, 1254, 706)},
		},
		{1920, 1080, values.LayoutShape{
			Kind: values.LayoutKindSideBySide, Position: at(values.LayoutPositionRight),
			Style: style(values.LayoutStyleOverlap), Size: size(values.LayoutSizeS),
		}, boxes{plan.RoleScreen: box(52, 82, 1630, 916), plan.RoleCamera: box(1500, 296, 364, 486)}},
		{1920, 1080, values.LayoutShape{
			Kind: values.LayoutKindSideBySide, Position: at(values.LayoutPositionLeft),
			Style: style(values.LayoutStyleOverlap), Size: size(values.LayoutSizeL),
		}, boxes{plan.RoleScreen: box(356, 116, 1508, 848), plan.RoleCamera: box(54, 134, 606, 810)}},
		{1080, 1920, values.LayoutShape{
			Kind: values.LayoutKindSideBySide, Position: at(values.LayoutPositionTop), Style: style(values.LayoutStyleEven),
		}, boxes{plan.RoleScreen: box(0, 1136, 1080, 608), plan.RoleCamera: box(0, 0, 1080, 960)}},
		{1080, 1080, values.LayoutShape{
			Kind: values.LayoutKindSideBySide, Position: at(values.LayoutPositionBottom), Style: style(values.LayoutStyleEven),
		}, boxes{plan.RoleScreen: box(60, 0, 960, 540), plan.RoleCamera: box(0, 540, 1080, 540)}},
		{
			1920, 1080,
			values.LayoutShape{Kind: values.LayoutKindTvPresenter, Position: at(values.LayoutPositionRight)},
			boxes{plan.RoleCamera: box(1152, 0, 768, 1080), plan.RoleScreen: box(54, 246, 1044, 588)},
		},
		{
			1080, 1920,
			values.LayoutShape{Kind: values.LayoutKindTvPresenter, Position: at(values.LayoutPositionLeft)},
			boxes{plan.RoleCamera: box(0, 0, 1080, 1920), plan.RoleScreen: box(54, 54, 972, 546)},
		},
		{
			1080, 1080,
			values.LayoutShape{Kind: values.LayoutKindTvPresenter, Position: at(values.LayoutPositionLeft)},
			boxes{plan.RoleCamera: box(0, 0, 1080, 1080), plan.RoleScreen: box(336, 54, 690, 388)},
		},
		{
			1080, 1080,
			values.LayoutShape{Kind: values.LayoutKindTvPresenter, Position: at(values.LayoutPositionRight)},
			boxes{plan.RoleCamera: box(0, 0, 1080, 1080), plan.RoleScreen: box(54, 54, 690, 388)},
		},
		{1920, 1080, values.LayoutShape{Kind: values.LayoutKindBRoll}, boxes{plan.RoleMedia: box(0, 0, 1920, 1080)}},
		// Names that other clients use: M is 324 high and wide, half the padding 27, L 432.
		{1920, 1080, bubble(values.LayoutPositionTop), boxes{plan.RoleScreen: box(96, 54, 1728, 972), plan.RoleCamera: box(798, 26, 324, 324)}},
		{1920, 1080, bubble(values.LayoutPositionBottom), boxes{plan.RoleScreen: box(96, 54, 1728, 972), plan.RoleCamera: box(798, 728, 324, 324)}},
		{1920, 1080, bubble(values.LayoutPositionLeft), boxes{plan.RoleScreen: box(96, 54, 1728, 972), plan.RoleCamera: box(26, 378, 324, 324)}},
		{1920, 1080, bubble(values.LayoutPositionRight), boxes{plan.RoleScreen: box(96, 54, 1728, 972), plan.RoleCamera: box(1568, 378, 324, 324)}},
		{1920, 1080, bubble(values.LayoutPositionMiddle), boxes{plan.RoleScreen: box(96, 54, 1728, 972), plan.RoleCamera: box(798, 378, 324, 324)}},
		{1080, 1920, bubble(values.LayoutPositionTop), boxes{plan.RoleScreen: box(54, 686, 972, 546), plan.RoleCamera: box(378, 26, 324, 324)}},
		{1920, 1080, full(bubble(values.LayoutPositionTopRight)), boxes{plan.RoleScreen: box(96, 54, 1728, 972), plan.RoleCamera: box(1488, 0, 432, 432)}},
		{1920, 1080, full(bubble(values.LayoutPositionBottomLeft)), boxes{plan.RoleScreen: box(96, 54, 1728, 972), plan.RoleCamera: box(0, 648, 432, 432)}},
		{1920, 1080, full(bubble(values.LayoutPositionBottom)), boxes{plan.RoleScreen: box(96, 54, 1728, 972), plan.RoleCamera: box(744, 648, 432, 432)}},
		{
			1920, 1080,
			values.LayoutShape{Kind: values.LayoutKindCameraOnly, Style: style(values.LayoutStyleMiddle)},
			boxes{plan.RoleCamera: box(240, 134, 1440, 810)},
		},
		{
			1080, 1920,
			values.LayoutShape{Kind: values.LayoutKindFullscreen, ScreenFit: new(values.ScreenFitStretch)},
			boxes{plan.RoleScreen: box(0, 0, 1080, 1920)},
		},
	} {
		got := boxes{}
		for _, p := range plan.Arrange(c.shape, stage(c.w, c.h)) {
			got[p.Role] = p.Box
		}

		require.Equal(t, c.want, got, "%s on %d×%d", c.shape.Kind, c.w, c.h)
	}
}

// The boxes of a camera without a screen, calculated by hand.
func TestArrangeACameraAlone(t *testing.T) {
	t.Parallel()

	alone := stage(1920, 1080)
	alone.Screen = plan.Size{}

	for _, c := range []struct {
		shape values.LayoutShape
		want  plan.Box
	}{
		{values.LayoutShape{Kind: values.LayoutKindFullscreen}, box(54, 54, 1812, 972)},
		{values.LayoutShape{Kind: values.LayoutKindFullscreen, Style: new(values.LayoutStyleStretch)}, box(0, 0, 1920, 1080)},
		{values.LayoutShape{Kind: values.LayoutKindMiddle}, box(240, 134, 1440, 810)},
		{values.LayoutShape{Kind: values.LayoutKindMiddle, Shape: new(values.CameraShapeLandscape)}, box(240, 134, 1440, 810)},
		{values.LayoutShape{Kind: values.LayoutKindMiddle, Shape: new(values.CameraShapePortrait)}, box(656, 134, 608, 810)},
		{
			values.LayoutShape{Kind: values.LayoutKindMiddle, Shape: new(values.CameraShapeCircle), Size: new(values.LayoutSizeL)},
			box(474, 54, 972, 972),
		},
		{
			values.LayoutShape{Kind: values.LayoutKindMiddle, Shape: new(values.CameraShapeSquare), Size: new(values.LayoutSizeS)},
			box(636, 216, 648, 648),
		},
	} {
		places := plan.Arrange(c.shape, alone)
		require.Len(t, places, 1)
		require.Equal(t, c.want, places[0].Box, "%+v", c.shape)
	}
}

// The corners, calculated by hand: the shorter side of the frame is 1080, that of the bubble 324.
func TestArrangeCorners(t *testing.T) {
	t.Parallel()

	round := plan.Corner{Radius: 162}

	for _, c := range []struct {
		corners        values.Corners
		shape          *values.CameraShape
		screen, camera plan.Corner
	}{
		{values.CornersNone, nil, plan.Corner{}, round},
		{values.CornersNone, new(values.CameraShapeSquare), plan.Corner{}, plan.Corner{}},
		{values.CornersRegular, new(values.CameraShapeCircle), plan.Corner{Radius: 24}, round},
		{values.CornersRegular, new(values.CameraShapeSquare), plan.Corner{Radius: 24}, plan.Corner{Radius: 40.5}},
		{values.CornersSquircle, nil, plan.Corner{Radius: 72, Squircle: true}, round},
		{
			values.CornersSquircle, new(values.CameraShapeSquare),
			plan.Corner{Radius: 72, Squircle: true},
			plan.Corner{Radius: 162, Squircle: true},
		},
	} {
		st := stage(1920, 1080)
		st.Corners = c.corners
		places := plan.Arrange(values.LayoutShape{Kind: values.LayoutKindCameraBubble, Shape: c.shape}, st)
		require.Equal(t, c.screen, places[0].Corner, "the screen, %s", c.corners)
		require.Equal(t, c.camera, places[1].Corner, "the camera, %s", c.corners)
	}
}

// Every layout, for all kinds of artboards and recordings, is inside the frame, on even pixels, and has
// corners only where it touches no edge.
func TestArrangeIsInside(t *testing.T) {
	t.Parallel()

	for _, shape := range shapes() {
		for _, frame := range []plan.Size{{1920, 1080}, {1080, 1920}, {1080, 1080}, {3840, 128}, {128, 3840}, {640, 358}, {128, 128}} {
			for _, screen := range []plan.Size{{1920, 1080}, {1170, 2532}, {500, 500}, {5000, 200}, {}} {
				for _, corners := range []values.Corners{values.CornersNone, values.CornersRegular, values.CornersSquircle} {
					st := plan.Stage{Frame: frame, Screen: screen, Camera: plan.Size{Width: 1280, Height: 720}, Corners: corners}
					if screen == (plan.Size{}) && shape.Kind != values.LayoutKindFullscreen && shape.Kind != values.LayoutKindMiddle {
						continue
					}

					for _, p := range plan.Arrange(shape, st) {
						if fault := inside(p, frame); fault != "" {
							require.Fail(t, fault, "%+v of %+v on %+v", p, shape, st)
						}
					}
				}
			}
		}
	}
}

// inside returns what is wrong with a place.
func inside(p plan.Place, frame plan.Size) string {
	b := p.Box
	edge := b.X == 0 || b.Y == 0 || b.X+b.Width == frame.Width || b.Y+b.Height == frame.Height

	circle := p.Role == plan.RoleCamera && p.Corner == plan.Corner{Radius: float64(min(b.Width, b.Height)) / 2}

	switch {
	case (b.X|b.Y|b.Width|b.Height)&1 != 0:
		return "odd"
	case min(b.X, b.Y) < 0 || min(b.Width, b.Height) < 2 || b.X+b.Width > frame.Width || b.Y+b.Height > frame.Height:
		return "outside"
	case p.Edge != edge:
		return "edge"
	case p.Corner.Radius > float64(min(b.Width, b.Height))/2 || edge && p.Corner != plan.Corner{} && !circle:
		return "corners"
	default:
		return ""
	}
}

// shapes returns layouts with every value of each field.
func shapes() []values.LayoutShape {
	var all []values.LayoutShape

	for _, kind := range values.LayoutKind("").Values() {
		one := values.LayoutShape{Kind: values.LayoutKind(kind)}
		all = append(all, one)

		for _, p := range values.LayoutPosition("").Values() {
			with := one
			with.Position = new(values.LayoutPosition(p))

			for _, s := range values.LayoutStyle("").Values() {
				styled := with
				styled.Style = new(values.LayoutStyle(s))
				all = append(all, styled)
			}

			for _, s := range values.CameraShape("").Values() {
				for _, n := range values.LayoutSize("").Values() {
					shaped := with
					shaped.Shape, shaped.Size = new(values.CameraShape(s)), new(values.LayoutSize(n))
					all = append(all, shaped)
				}
			}
		}
	}

	return all
}

// Layouts that show one of two recordings, and b-roll, leave out a recording.
func TestLeavesOut(t *testing.T) {
	t.Parallel()

	for kind, out := range map[values.LayoutKind]bool{
		values.LayoutKindSideBySide: false, values.LayoutKindTvPresenter: false, values.LayoutKindCameraBubble: false,
		values.LayoutKindCameraOnly: true, values.LayoutKindScreenOnly: true, values.LayoutKindBRoll: true,
	} {
		require.Equal(t, out, plan.LeavesOut(values.LayoutShape{Kind: kind}, true, true), kind)
	}

	for kind, out := range map[values.LayoutKind]bool{
		values.LayoutKindFullscreen: false, values.LayoutKindMiddle: false, values.LayoutKindBRoll: true,
	} {
		require.Equal(t, out, plan.LeavesOut(values.LayoutShape{Kind: kind}, true, false), kind)
		require.Equal(t, out, plan.LeavesOut(values.LayoutShape{Kind: kind}, false, true), kind)
	}
}
