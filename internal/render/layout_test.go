package render_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/domain"
	"github.com/reelgraph/reelgraph/internal/render"
)

func box(x, y, w, h int) render.Box {
	return render.Box{X: x, Y: y, Size: render.Size{Width: w, Height: h}}
}

func stage(w, h int) render.Stage {
	return render.Stage{
		Frame: render.Size{Width: w, Height: h}, Screen: render.Size{Width: 1920, Height: 1080},
		Camera: render.Size{Width: 1280, Height: 720}, Corners: domain.CornersRegular,
	}
}

func bubble(at domain.LayoutPosition) domain.LayoutShape {
	return domain.LayoutShape{Kind: domain.LayoutKindCameraBubble, Position: &at}
}

func full(shape domain.LayoutShape) domain.LayoutShape {
	shape.Style = new(domain.LayoutStyleFull)

	return shape
}

// A circle is round at the edge of the frame too, and is drawn so under the name that it was once stored with.
func TestCircles(t *testing.T) {
	t.Parallel()

	touching := full(bubble(domain.LayoutPositionTopLeft))
	for _, shape := range []domain.CameraShape{domain.CameraShapeCircle, domain.CameraShapeRound} {
		touching.Shape = &shape
		camera := render.Arrange(touching, stage(1920, 1080))[1]
		require.True(t, camera.Edge)
		require.InDelta(t, 216, camera.Corner.Radius, 0)
	}

	touching.Shape = new(domain.CameraShapeSquare)
	require.Zero(t, render.Arrange(touching, stage(1920, 1080))[1].Corner.Radius)

	wide := bubble(domain.LayoutPositionTopLeft)
	wide.Shape = new(domain.CameraShapeWide)

	var stored domain.LayoutShape
	require.NoError(t, json.Unmarshal([]byte(`{"kind":"camera-bubble","position":"top-left","shape":"wide"}`), &stored))
	require.Equal(t, domain.CameraShapeLandscape, *stored.Shape)
	require.Equal(t, render.Arrange(stored, stage(1920, 1080)), render.Arrange(wide, stage(1920, 1080)))
}

// The boxes of the layouts, reckoned by hand from the formulas of Arrange: a 16:9 screen and camera on a
// wide artboard, whose padding is 54, and on a tall one.
func TestArrangeOnWideAndTall(t *testing.T) {
	t.Parallel()

	type boxes map[render.Role]render.Box

	at := func(p domain.LayoutPosition) *domain.LayoutPosition { return &p }
	style := func(s domain.LayoutStyle) *domain.LayoutStyle { return &s }
	size := func(s domain.LayoutSize) *domain.LayoutSize { return &s }

	for _, c := range []struct {
		w, h  int
		shape domain.LayoutShape
		want  boxes
	}{
		{1920, 1080, domain.LayoutShape{Kind: domain.LayoutKindScreenOnly}, boxes{render.RoleScreen: box(0, 0, 1920, 1080)}},
		{1080, 1920, domain.LayoutShape{Kind: domain.LayoutKindScreenOnly}, boxes{render.RoleScreen: box(0, 656, 1080, 608)}},
		{1080, 1920, domain.LayoutShape{Kind: domain.LayoutKindScreenOnly, ScreenFit: new(domain.ScreenFitCover)},
			boxes{render.RoleScreen: box(0, 0, 1080, 1920)}},
		{1920, 1080, domain.LayoutShape{Kind: domain.LayoutKindCameraOnly}, boxes{render.RoleCamera: box(54, 54, 1812, 972)}},
		{1920, 1080, domain.LayoutShape{Kind: domain.LayoutKindCameraOnly, Style: style(domain.LayoutStyleFullscreen)},
			boxes{render.RoleCamera: box(0, 0, 1920, 1080)}},
		{1920, 1080, domain.LayoutShape{Kind: domain.LayoutKindCameraBubble, Position: at(domain.LayoutPositionBottomLeft)},
			boxes{render.RoleScreen: box(96, 54, 1728, 972), render.RoleCamera: box(26, 728, 324, 324)}},
		{1920, 1080, domain.LayoutShape{
			Kind: domain.LayoutKindCameraBubble, Position: at(domain.LayoutPositionTopRight),
			Size: size(domain.LayoutSizeS), Shape: new(domain.CameraShapeLandscape),
		}, boxes{render.RoleScreen: box(96, 54, 1728, 972), render.RoleCamera: box(1576, 26, 316, 178)}},
		{1920, 1080, domain.LayoutShape{
			Kind: domain.LayoutKindSideBySide, Position: at(domain.LayoutPositionLeft), Style: style(domain.LayoutStyleEven),
		}, boxes{render.RoleScreen: box(960, 270, 960, 540), render.RoleCamera: box(0, 0, 960, 1080)}},
		{1080, 1920, domain.LayoutShape{
			Kind: domain.LayoutKindSideBySide, Position: at(domain.LayoutPositionBottom), Style: style(domain.LayoutStyleEven),
		}, boxes{render.RoleScreen: box(0, 176, 1080, 608), render.RoleCamera: box(0, 960, 1080, 960)}},
		{1920, 1080, domain.LayoutShape{Kind: domain.LayoutKindSideBySide, Position: at(domain.LayoutPositionRight)},
			boxes{render.RoleScreen: box(54, 186, 1254, 706), render.RoleCamera: box(1336, 186, 528, 706)}},
		{1920, 1080, domain.LayoutShape{Kind: domain.LayoutKindTvPresenter, Position: at(domain.LayoutPositionLeft)},
			boxes{render.RoleCamera: box(0, 0, 768, 1080), render.RoleScreen: box(822, 246, 1044, 588)}},
		{1920, 1080, domain.LayoutShape{Kind: domain.LayoutKindBRoll, Style: style(domain.LayoutStyleFramed)},
			boxes{render.RoleMedia: box(54, 54, 1812, 972)}},
		{1920, 1080, domain.LayoutShape{Kind: domain.LayoutKindMiddle, Size: size(domain.LayoutSizeL)},
			boxes{render.RoleScreen: box(96, 54, 1728, 972)}},
		{1920, 1080, domain.LayoutShape{Kind: domain.LayoutKindMiddle}, boxes{render.RoleScreen: box(240, 134, 1440, 810)}},
		{1920, 1080, domain.LayoutShape{
			Kind: domain.LayoutKindCameraBubble, Position: at(domain.LayoutPositionBottomRight), Shape: new(domain.CameraShapeSquare),
		}, boxes{render.RoleScreen: box(96, 54, 1728, 972), render.RoleCamera: box(1568, 728, 324, 324)}},
		{1920, 1080, domain.LayoutShape{
			Kind: domain.LayoutKindCameraBubble, Position: at(domain.LayoutPositionTopLeft),
			Size: size(domain.LayoutSizeL), Shape: new(domain.CameraShapePortrait),
		}, boxes{render.RoleScreen: box(96, 54, 1728, 972), render.RoleCamera: box(26, 26, 432, 576)}},
		{1920, 1080, domain.LayoutShape{Kind: domain.LayoutKindSideBySide, Position: at(domain.LayoutPositionLeft)},
			boxes{render.RoleCamera: box(54, 186, 528, 706), render.RoleScreen: box(610, 186, 1254, 706)}},
		{1920, 1080, domain.LayoutShape{
			Kind: domain.LayoutKindSideBySide, Position: at(domain.LayoutPositionRight),
			Style: style(domain.LayoutStyleOverlap), Size: size(domain.LayoutSizeS),
		}, boxes{render.RoleScreen: box(52, 82, 1630, 916), render.RoleCamera: box(1500, 296, 364, 486)}},
		{1920, 1080, domain.LayoutShape{
			Kind: domain.LayoutKindSideBySide, Position: at(domain.LayoutPositionLeft),
			Style: style(domain.LayoutStyleOverlap), Size: size(domain.LayoutSizeL),
		}, boxes{render.RoleScreen: box(356, 116, 1508, 848), render.RoleCamera: box(54, 134, 606, 810)}},
		{1080, 1920, domain.LayoutShape{
			Kind: domain.LayoutKindSideBySide, Position: at(domain.LayoutPositionTop), Style: style(domain.LayoutStyleEven),
		}, boxes{render.RoleScreen: box(0, 1136, 1080, 608), render.RoleCamera: box(0, 0, 1080, 960)}},
		{1080, 1080, domain.LayoutShape{
			Kind: domain.LayoutKindSideBySide, Position: at(domain.LayoutPositionBottom), Style: style(domain.LayoutStyleEven),
		}, boxes{render.RoleScreen: box(60, 0, 960, 540), render.RoleCamera: box(0, 540, 1080, 540)}},
		{1920, 1080, domain.LayoutShape{Kind: domain.LayoutKindTvPresenter, Position: at(domain.LayoutPositionRight)},
			boxes{render.RoleCamera: box(1152, 0, 768, 1080), render.RoleScreen: box(54, 246, 1044, 588)}},
		{1080, 1920, domain.LayoutShape{Kind: domain.LayoutKindTvPresenter, Position: at(domain.LayoutPositionLeft)},
			boxes{render.RoleCamera: box(0, 0, 1080, 1920), render.RoleScreen: box(54, 54, 972, 546)}},
		{1080, 1080, domain.LayoutShape{Kind: domain.LayoutKindTvPresenter, Position: at(domain.LayoutPositionLeft)},
			boxes{render.RoleCamera: box(0, 0, 1080, 1080), render.RoleScreen: box(336, 54, 690, 388)}},
		{1080, 1080, domain.LayoutShape{Kind: domain.LayoutKindTvPresenter, Position: at(domain.LayoutPositionRight)},
			boxes{render.RoleCamera: box(0, 0, 1080, 1080), render.RoleScreen: box(54, 54, 690, 388)}},
		{1920, 1080, domain.LayoutShape{Kind: domain.LayoutKindBRoll}, boxes{render.RoleMedia: box(0, 0, 1920, 1080)}},
		// The words of other clients: M is 324 high and wide, half the padding 27, L 432.
		{1920, 1080, bubble(domain.LayoutPositionTop), boxes{render.RoleScreen: box(96, 54, 1728, 972), render.RoleCamera: box(798, 26, 324, 324)}},
		{1920, 1080, bubble(domain.LayoutPositionBottom), boxes{render.RoleScreen: box(96, 54, 1728, 972), render.RoleCamera: box(798, 728, 324, 324)}},
		{1920, 1080, bubble(domain.LayoutPositionLeft), boxes{render.RoleScreen: box(96, 54, 1728, 972), render.RoleCamera: box(26, 378, 324, 324)}},
		{1920, 1080, bubble(domain.LayoutPositionRight), boxes{render.RoleScreen: box(96, 54, 1728, 972), render.RoleCamera: box(1568, 378, 324, 324)}},
		{1920, 1080, bubble(domain.LayoutPositionMiddle), boxes{render.RoleScreen: box(96, 54, 1728, 972), render.RoleCamera: box(798, 378, 324, 324)}},
		{1080, 1920, bubble(domain.LayoutPositionTop), boxes{render.RoleScreen: box(54, 686, 972, 546), render.RoleCamera: box(378, 26, 324, 324)}},
		{1920, 1080, full(bubble(domain.LayoutPositionTopRight)), boxes{render.RoleScreen: box(96, 54, 1728, 972), render.RoleCamera: box(1488, 0, 432, 432)}},
		{1920, 1080, full(bubble(domain.LayoutPositionBottomLeft)), boxes{render.RoleScreen: box(96, 54, 1728, 972), render.RoleCamera: box(0, 648, 432, 432)}},
		{1920, 1080, full(bubble(domain.LayoutPositionBottom)), boxes{render.RoleScreen: box(96, 54, 1728, 972), render.RoleCamera: box(744, 648, 432, 432)}},
		{1920, 1080, domain.LayoutShape{Kind: domain.LayoutKindCameraOnly, Style: style(domain.LayoutStyleMiddle)},
			boxes{render.RoleCamera: box(240, 134, 1440, 810)}},
		{1080, 1920, domain.LayoutShape{Kind: domain.LayoutKindFullscreen, ScreenFit: new(domain.ScreenFitStretch)},
			boxes{render.RoleScreen: box(0, 0, 1080, 1920)}},
	} {
		got := boxes{}
		for _, p := range render.Arrange(c.shape, stage(c.w, c.h)) {
			got[p.Role] = p.Box
		}

		require.Equal(t, c.want, got, "%s on %d×%d", c.shape.Kind, c.w, c.h)
	}
}

// The boxes of a camera without a screen, reckoned by hand too.
func TestArrangeACameraAlone(t *testing.T) {
	t.Parallel()

	alone := stage(1920, 1080)
	alone.Screen = render.Size{}

	for _, c := range []struct {
		shape domain.LayoutShape
		want  render.Box
	}{
		{domain.LayoutShape{Kind: domain.LayoutKindFullscreen}, box(54, 54, 1812, 972)},
		{domain.LayoutShape{Kind: domain.LayoutKindFullscreen, Style: new(domain.LayoutStyleStretch)}, box(0, 0, 1920, 1080)},
		{domain.LayoutShape{Kind: domain.LayoutKindMiddle}, box(240, 134, 1440, 810)},
		{domain.LayoutShape{Kind: domain.LayoutKindMiddle, Shape: new(domain.CameraShapeLandscape)}, box(240, 134, 1440, 810)},
		{domain.LayoutShape{Kind: domain.LayoutKindMiddle, Shape: new(domain.CameraShapePortrait)}, box(656, 134, 608, 810)},
		{domain.LayoutShape{Kind: domain.LayoutKindMiddle, Shape: new(domain.CameraShapeCircle), Size: new(domain.LayoutSizeL)},
			box(474, 54, 972, 972)},
		{domain.LayoutShape{Kind: domain.LayoutKindMiddle, Shape: new(domain.CameraShapeSquare), Size: new(domain.LayoutSizeS)},
			box(636, 216, 648, 648)},
	} {
		places := render.Arrange(c.shape, alone)
		require.Len(t, places, 1)
		require.Equal(t, c.want, places[0].Box, "%+v", c.shape)
	}
}

// The corners, reckoned by hand: the shorter side of the frame is 1080, that of the bubble 324.
func TestArrangeCorners(t *testing.T) {
	t.Parallel()

	round := render.Corner{Radius: 162}

	for _, c := range []struct {
		corners        domain.Corners
		shape          *domain.CameraShape
		screen, camera render.Corner
	}{
		{domain.CornersNone, nil, render.Corner{}, round},
		{domain.CornersNone, new(domain.CameraShapeSquare), render.Corner{}, render.Corner{}},
		{domain.CornersRegular, new(domain.CameraShapeCircle), render.Corner{Radius: 24}, round},
		{domain.CornersRegular, new(domain.CameraShapeSquare), render.Corner{Radius: 24}, render.Corner{Radius: 40.5}},
		{domain.CornersSquircle, nil, render.Corner{Radius: 72, Squircle: true}, round},
		{domain.CornersSquircle, new(domain.CameraShapeSquare),
			render.Corner{Radius: 72, Squircle: true}, render.Corner{Radius: 162, Squircle: true}},
	} {
		st := stage(1920, 1080)
		st.Corners = c.corners
		places := render.Arrange(domain.LayoutShape{Kind: domain.LayoutKindCameraBubble, Shape: c.shape}, st)
		require.Equal(t, c.screen, places[0].Corner, "the screen, %s", c.corners)
		require.Equal(t, c.camera, places[1].Corner, "the camera, %s", c.corners)
	}
}

// Every layout, on artboards and recordings of every kind: inside the frame, on even pixels, with
// corners only where no edge is touched.
func TestArrangeIsInside(t *testing.T) {
	t.Parallel()

	for _, shape := range shapes() {
		for _, frame := range []render.Size{{1920, 1080}, {1080, 1920}, {1080, 1080}, {3840, 128}, {128, 3840}, {640, 358}, {128, 128}} {
			for _, screen := range []render.Size{{1920, 1080}, {1170, 2532}, {500, 500}, {5000, 200}, {}} {
				for _, corners := range []domain.Corners{domain.CornersNone, domain.CornersRegular, domain.CornersSquircle} {
					st := render.Stage{Frame: frame, Screen: screen, Camera: render.Size{Width: 1280, Height: 720}, Corners: corners}
					if screen == (render.Size{}) && shape.Kind != domain.LayoutKindFullscreen && shape.Kind != domain.LayoutKindMiddle {
						continue
					}

					for _, p := range render.Arrange(shape, st) {
						if fault := inside(p, frame); fault != "" {
							require.Fail(t, fault, "%+v of %+v on %+v", p, shape, st)
						}
					}
				}
			}
		}
	}
}

// inside says what is wrong with a place.
func inside(p render.Place, frame render.Size) string {
	b := p.Box
	edge := b.X == 0 || b.Y == 0 || b.X+b.Width == frame.Width || b.Y+b.Height == frame.Height

	circle := p.Role == render.RoleCamera && p.Corner == render.Corner{Radius: float64(min(b.Width, b.Height)) / 2}

	switch {
	case (b.X|b.Y|b.Width|b.Height)&1 != 0:
		return "odd"
	case min(b.X, b.Y) < 0 || min(b.Width, b.Height) < 2 || b.X+b.Width > frame.Width || b.Y+b.Height > frame.Height:
		return "outside"
	case p.Edge != edge:
		return "edge"
	case p.Corner.Radius > float64(min(b.Width, b.Height))/2 || edge && p.Corner != render.Corner{} && !circle:
		return "corners"
	default:
		return ""
	}
}

// shapes are layouts with every value that a field may have.
func shapes() []domain.LayoutShape {
	var all []domain.LayoutShape

	for _, kind := range domain.LayoutKind("").Values() {
		one := domain.LayoutShape{Kind: domain.LayoutKind(kind)}
		all = append(all, one)

		for _, p := range domain.LayoutPosition("").Values() {
			with := one
			with.Position = new(domain.LayoutPosition(p))

			for _, s := range domain.LayoutStyle("").Values() {
				styled := with
				styled.Style = new(domain.LayoutStyle(s))
				all = append(all, styled)
			}

			for _, s := range domain.CameraShape("").Values() {
				for _, n := range domain.LayoutSize("").Values() {
					shaped := with
					shaped.Shape, shaped.Size = new(domain.CameraShape(s)), new(domain.LayoutSize(n))
					all = append(all, shaped)
				}
			}
		}
	}

	return all
}

// What a clip has is left out by the layouts that show one recording of two, and by b-roll.
func TestLeavesOut(t *testing.T) {
	t.Parallel()

	for kind, out := range map[domain.LayoutKind]bool{
		domain.LayoutKindSideBySide: false, domain.LayoutKindTvPresenter: false, domain.LayoutKindCameraBubble: false,
		domain.LayoutKindCameraOnly: true, domain.LayoutKindScreenOnly: true, domain.LayoutKindBRoll: true,
	} {
		require.Equal(t, out, render.LeavesOut(domain.LayoutShape{Kind: kind}, true, true), kind)
	}

	for kind, out := range map[domain.LayoutKind]bool{
		domain.LayoutKindFullscreen: false, domain.LayoutKindMiddle: false, domain.LayoutKindBRoll: true,
	} {
		require.Equal(t, out, render.LeavesOut(domain.LayoutShape{Kind: kind}, true, false), kind)
		require.Equal(t, out, render.LeavesOut(domain.LayoutShape{Kind: kind}, false, true), kind)
	}
}
