package plan

import (
	"math"
	"slices"
	"strings"

	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Role tells which recording a layer shows.
type Role int

// The roles of the layers of a clip.
const (
	RoleScreen Role = iota
	RoleCamera
	RoleMedia // the picture or film of b-roll

	roleOverlay
	roleBehind
)

// Place is where a layout puts a layer. The layer fills its box: if the picture has another aspect ratio, it is
// cropped evenly on two sides.
type Place struct {
	Role   Role
	Box    Box // inside the frame, even
	Corner Corner
	// Edge means that the box touches an edge of the frame, so that it has neither corners nor border.
	Edge bool
	// Zoom enlarges the picture within its box, around a point above its middle; 1 is unchanged.
	Zoom float64

	round bool // a circle, whatever the corners are
}

// Stage is the size of the frame and the displayed sizes of the recordings to arrange. The size of the screen is that
// of its crop. The size of a missing recording is ignored.
type Stage struct {
	Frame          Size
	Screen, Camera Size
	Corners        values.Corners
}

// middleS, middleM and middleL are the shares of the frame that a middle layout takes.
const middleS, middleM, middleL = 0.6, 0.75, 0.9

// punchIn is how much larger a camera gets when it punches in.
const punchIn = 1.25

// Arrange returns where a layout puts its layers on a stage, bottom to top. It is a pure function. Every box is inside
// the frame and on even pixels.
//
// In the table, s is the shorter side of the frame, p is the padding (5 % of s), and A is the frame without the padding
// on every side. A picture that is fit into an area is shown whole, as large as possible. Everything is centered unless
// the table says otherwise.
//
//	fullscreen, screen-only  letterbox: the screen is fit into the frame; cover, stretch: it fills the frame
//	fullscreen of a camera,  regular: the camera fills A; stretch, fullscreen: it fills the frame; middle: it
//	camera-only              fills 75 % of the width and of the height of the frame
//	middle                   q is 60, 75 or 90 % for S, M or L. A screen is fit into q of the frame. The size of a
//	                         camera depends on its shape: circle and square are q·s wide and high; portrait (3:4)
//	                         and landscape (16:9) are fit into q of the frame
//	side-by-side regular     the screen and a 3:4 camera have the same height, with p/2 between them, and are as
//	                         high as fits into A
//	side-by-side even        the camera fills one half of the frame, the screen is fit into the other
//	side-by-side overlap     a 3:4 camera is 45, 60 or 75 % of the frame high (S, M, L). Half of it covers a part
//	                         of the screen, which is as large as fits into A beside the other half
//	tv-presenter             in a wide frame, the camera fills 40 % of the width, starting at its edge, and the
//	                         screen is fit into the rest without p on every side. In other frames, the camera
//	                         fills the frame, and the screen is fit into the upper 40 % of A, at the opposite side
//	camera-bubble            the screen is fit into A. The camera is above it, p/2 from a corner, or p/2 from the
//	                         middle of an edge, or in the middle of the frame. d is 22, 30 or 40 % of s for S, M
//	                         or L. Circle and square are d×d; portrait is d wide and 4/3·d high; landscape is
//	                         4/3·d wide and 3/4·d high. Full is like L but touches its edges
//	b-roll                   fullscreen: the media fills the frame; framed: it fills A. The clip is not visible
//
// A layer that does not touch an edge of the frame has rounded corners. Their radius is s/45 for regular and s/15 for
// squircle. For a camera in a bubble or in the middle, the radius is an eighth (regular) or half (squircle) of its
// shorter side. A circle is always round, whatever the corners are, even if it touches an edge.
func Arrange(shape values.LayoutShape, st Stage) []Place {
	if shape.Shape != nil {
		shape.Shape = new(shape.Shape.Named())
	}

	a := arranger{Stage: st, s: float64(min(st.Frame.Width, st.Frame.Height))}
	a.pad = max(2, float64(int(a.s*0.05/2)*2))

	places := a.places(shape)
	for i := range places {
		p := &places[i]

		p.Edge = p.Box.X <= 0 || p.Box.Y <= 0 ||
			p.Box.X+p.Box.Width >= st.Frame.Width || p.Box.Y+p.Box.Height >= st.Frame.Height
		if p.Edge && !p.round {
			p.Corner = Corner{}
		}

		if p.Zoom == 0 {
			p.Zoom = 1
		}
	}

	return places
}

// LeavesOut reports whether a layout hides a recording of the clip. screen and camera say which recordings the clip
// has.
func LeavesOut(shape values.LayoutShape, screen, camera bool) bool {
	st := Stage{Frame: Size{Width: 1920, Height: 1080}} // sizes do not decide what is seen

	if screen {
		st.Screen = st.Frame
	}

	if camera {
		st.Camera = st.Frame
	}

	places := Arrange(shape, st)
	seen := func(role Role) bool {
		return slices.ContainsFunc(places, func(p Place) bool { return p.Role == role })
	}

	return screen && !seen(RoleScreen) || camera && !seen(RoleCamera)
}

type arranger struct {
	Stage

	s, pad float64
}

func (a arranger) places(shape values.LayoutShape) []Place {
	switch shape.Kind {
	case values.LayoutKindMiddle:
		return a.middle(shape)
	case values.LayoutKindSideBySide:
		return a.sideBySide(shape)
	case values.LayoutKindTvPresenter:
		return a.presenter(shape)
	case values.LayoutKindCameraBubble:
		return a.bubble(shape)
	case values.LayoutKindCameraOnly:
		return a.cameraAlone(shape)
	case values.LayoutKindBRoll:
		box := a.whole()
		if is(shape.Style, values.LayoutStyleFramed) {
			box = a.padded()
		}

		return []Place{a.card(RoleMedia, box)}
	default: // fullscreen and screen-only
		if a.Screen == (Size{}) {
			return a.cameraAlone(shape)
		}

		if is(shape.ScreenFit, values.ScreenFitCover) || is(shape.ScreenFit, values.ScreenFitStretch) {
			return []Place{a.card(RoleScreen, a.whole())}
		}

		return []Place{a.card(RoleScreen, within(a.whole(), a.Screen))}
	}
}

func (a arranger) cameraAlone(shape values.LayoutShape) []Place {
	box := a.padded()
	if is(shape.Style, values.LayoutStyleStretch) || is(shape.Style, values.LayoutStyleFullscreen) {
		box = a.whole()
	}

	if is(shape.Style, values.LayoutStyleMiddle) {
		q := bySize(nil, middleS, middleM, middleL)
		box = centred(a.whole(), q*float64(a.Frame.Width), q*float64(a.Frame.Height))
	}

	p := a.card(RoleCamera, box)
	if shape.PunchIn != nil && *shape.PunchIn {
		p.Zoom = punchIn
	}

	return []Place{p}
}

func (a arranger) middle(shape values.LayoutShape) []Place {
	q := bySize(shape.Size, middleS, middleM, middleL)
	area := centred(a.whole(), q*float64(a.Frame.Width), q*float64(a.Frame.Height))

	if a.Screen != (Size{}) {
		return []Place{a.card(RoleScreen, within(area, a.Screen))}
	}

	box := centred(a.whole(), q*a.s, q*a.s)

	switch {
	case is(shape.Shape, values.CameraShapePortrait):
		box = within(area, Size{3, 4})
	case shape.Shape == nil, is(shape.Shape, values.CameraShapeLandscape):
		box = within(area, Size{16, 9})
	}

	return []Place{a.bubbled(shape, box)}
}

func (a arranger) sideBySide(shape values.LayoutShape) []Place {
	switch {
	case is(shape.Style, values.LayoutStyleEven), a.Frame.Width <= a.Frame.Height:
		return a.halves(shape)
	case is(shape.Style, values.LayoutStyleOverlap):
		return a.overlap(shape)
	}

	in, gap := a.padded(), a.pad/2
	aspect := float64(a.Screen.Width) / float64(a.Screen.Height)
	h := min(float64(in.Height), (float64(in.Width)-gap)/(aspect+0.75))
	sw, cw := h*aspect, h*0.75
	x := (float64(a.Frame.Width) - sw - gap - cw) / 2
	y := (float64(a.Frame.Height) - h) / 2

	screen, camera := evenBox(x, y, sw, h), evenBox(x+sw+gap, y, cw, h)
	if is(shape.Position, values.LayoutPositionLeft) {
		camera, screen = evenBox(x, y, cw, h), evenBox(x+cw+gap, y, sw, h)
	}

	return []Place{a.card(RoleScreen, screen), a.card(RoleCamera, camera)}
}

// halves gives the camera one half of the frame and the screen the other.
func (a arranger) halves(shape values.LayoutShape) []Place {
	w, h := a.Frame.Width, a.Frame.Height
	first := Box{Size: Size{w / 2 &^ 1, h}}
	second := Box{X: first.Width, Size: Size{w - first.Width, h}}

	if is(shape.Position, values.LayoutPositionTop) || is(shape.Position, values.LayoutPositionBottom) {
		first = Box{Size: Size{w, h / 2 &^ 1}}
		second = Box{Y: first.Height, Size: Size{w, h - first.Height}}
	}

	camera, screen := first, second
	if is(shape.Position, values.LayoutPositionRight) || is(shape.Position, values.LayoutPositionBottom) {
		camera, screen = second, first
	}

	return []Place{a.card(RoleScreen, within(screen, a.Screen)), a.card(RoleCamera, camera)}
}

func (a arranger) overlap(shape values.LayoutShape) []Place {
	in := a.padded()
	ch := min(bySize(shape.Size, 0.45, 0.6, 0.75)*float64(a.Frame.Height), float64(in.Height))
	cw := ch * 0.75
	screen := within(Box{Size: Size{in.Width - int(cw/2), in.Height}}, a.Screen)
	sw, sh := float64(screen.Width), float64(screen.Height)
	x := (float64(a.Frame.Width) - cw/2 - sw) / 2
	y, cy := (float64(a.Frame.Height)-sh)/2, (float64(a.Frame.Height)-ch)/2

	if is(shape.Position, values.LayoutPositionLeft) {
		return []Place{a.card(RoleScreen, evenBox(x+cw/2, y, sw, sh)), a.card(RoleCamera, evenBox(x, cy, cw, ch))}
	}

	return []Place{a.card(RoleScreen, evenBox(x, y, sw, sh)), a.card(RoleCamera, evenBox(x+sw-cw/2, cy, cw, ch))}
}

func (a arranger) presenter(shape values.LayoutShape) []Place {
	w, h := a.Frame.Width, a.Frame.Height
	left := is(shape.Position, values.LayoutPositionLeft)
	pad := int(a.pad)

	if w <= h {
		in := a.padded()
		screen := within(Box{X: in.X, Y: in.Y, Size: Size{in.Width, in.Height * 2 / 5}}, a.Screen)
		screen.Y = in.Y

		if screen.X = in.X; left {
			screen.X = in.X + (in.Width-screen.Width)&^1
		}

		return []Place{a.card(RoleCamera, a.whole()), a.card(RoleScreen, screen)}
	}

	column := w * 2 / 5 &^ 1
	camera := Box{X: w - column, Size: Size{column, h}}
	rest := Box{X: pad, Y: pad, Size: Size{w - column - 2*pad, h - 2*pad}}

	if left {
		camera.X = 0
		rest.X = column + pad
	}

	return []Place{a.card(RoleCamera, camera), a.card(RoleScreen, within(rest, a.Screen))}
}

func (a arranger) bubble(shape values.LayoutShape) []Place {
	size, gap := shape.Size, a.pad/2
	if is(shape.Style, values.LayoutStyleFull) {
		size, gap = new(values.LayoutSizeL), 0
	}

	d := bySize(size, 0.22, 0.3, 0.4) * a.s
	w, h := d, d

	switch {
	case is(shape.Shape, values.CameraShapePortrait):
		h = d * 4 / 3
	case is(shape.Shape, values.CameraShapeLandscape):
		w, h = d*4/3, d*3/4
	}

	x, y := a.bubbleAt(shape.Position, gap, w, h)

	return []Place{a.card(RoleScreen, within(a.padded(), a.Screen)), a.bubbled(shape, evenBox(x, y, w, h))}
}

// bubbleAt returns the top left corner of a bubble: against the edges that its position names, otherwise centred. The default
// position is the bottom left.
func (a arranger) bubbleAt(position *values.LayoutPosition, gap, w, h float64) (x, y float64) {
	at := values.LayoutPositionBottomLeft
	if position != nil {
		at = *position
	}

	x, y = (float64(a.Frame.Width)-w)/2, (float64(a.Frame.Height)-h)/2

	if named := string(at); strings.HasSuffix(named, "left") {
		x = gap
	} else if strings.HasSuffix(named, "right") {
		x = float64(a.Frame.Width) - gap - w
	}

	if named := string(at); strings.HasPrefix(named, "top") {
		y = gap
	} else if strings.HasPrefix(named, "bottom") {
		y = float64(a.Frame.Height) - gap - h
	}

	return x, y
}

// card returns a layer with the corners of a large one.
func (a arranger) card(role Role, box Box) Place {
	p := Place{Role: role, Box: box}
	most := float64(min(box.Width, box.Height)) / 2

	switch a.Corners {
	case values.CornersNone:
	case values.CornersRegular:
		p.Corner.Radius = min(a.s/45, most)
	case values.CornersSquircle:
		p.Corner = Corner{Radius: min(a.s/15, most), Squircle: true}
	}

	return p
}

// bubbled returns a camera in its shape.
func (a arranger) bubbled(shape values.LayoutShape, box Box) Place {
	p := Place{Role: RoleCamera, Box: box}
	side := float64(min(box.Width, box.Height))

	switch {
	case is(shape.Shape, values.CameraShapeCircle), shape.Shape == nil && shape.Kind == values.LayoutKindCameraBubble:
		p.Corner.Radius, p.round = side/2, true
	case a.Corners == values.CornersRegular:
		p.Corner.Radius = side / 8
	case a.Corners == values.CornersSquircle:
		p.Corner = Corner{Radius: side / 2, Squircle: true}
	}

	return p
}

func (a arranger) whole() Box { return Box{Size: a.Frame} }

// padded returns the frame without its padding.
func (a arranger) padded() Box {
	p := int(a.pad)

	return Box{X: p, Y: p, Size: Size{max(2, a.Frame.Width-2*p), max(2, a.Frame.Height-2*p)}}
}

// within returns the largest box of a picture's aspect in the middle of an area.
func within(area Box, picture Size) Box {
	b := letterbox(picture, area.Size)
	b.X += area.X
	b.Y += area.Y

	return b
}

func centred(area Box, w, h float64) Box {
	return evenBox(float64(area.X)+(float64(area.Width)-w)/2, float64(area.Y)+(float64(area.Height)-h)/2, w, h)
}

// evenBox returns the box on even pixels, position and size rounded down.
func evenBox(x, y, w, h float64) Box {
	down := func(v float64) int { return max(2, int(v/2+1e-9)*2) }

	return Box{X: int(math.Floor(x/2+1e-9)) * 2, Y: int(math.Floor(y/2+1e-9)) * 2, Size: Size{down(w), down(h)}}
}

// bySize returns the value for a layout's size; the default is M.
func bySize(size *values.LayoutSize, s, m, l float64) float64 {
	switch {
	case is(size, values.LayoutSizeS):
		return s
	case is(size, values.LayoutSizeL):
		return l
	default:
		return m
	}
}

// is reports whether an optional value equals value.
func is[T comparable](given *T, value T) bool { return given != nil && *given == value }
