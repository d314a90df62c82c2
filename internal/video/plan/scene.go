package plan

import (
	"reflect"
	"slices"
	"sort"

	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Scene is everything that decides the pixels of a chunk in the compose lane. A Scene can be stored as JSON without
// loss. Equal scenes have equal pixels. A scene refers to its sources by the hash of their content, not by their ids.
//
// For each output frame, counted from 0, the renderer reads a frame of every input that has one (Input.At) and paints
// the view of the frame (At).
type Scene struct {
	Frame  Size           `json:"frame"`
	FPS    int64          `json:"fps"`
	Speed  timeline.Speed `json:"speed"`
	Frames int64          `json:"frames"`
	Inputs []Input        `json:"inputs,omitempty"`
	// Shots are in order; the first begins at frame 0.
	Shots []Shot `json:"shots"`
	// Pointer is the pointer in each frame; nil draws no cursor.
	Pointer []PointerAt `json:"pointer,omitempty"`
	// Before is the frozen last view of the clip before, which View.Fade fades out. Its inputs are stills among Inputs.
	Before *View `json:"before,omitempty"`
	// BeforeUs is the playback time of Before within its own clip. Like PhaseUs, it is used for animations.
	BeforeUs int64 `json:"beforeUs,omitempty"`
	// PhaseUs is the playback time of the first frame, used for animations. It is zero if there are none.
	PhaseUs int64 `json:"phaseUs,omitempty"`
	// Fonts is the identity of the installed fonts. It is empty if the scene has no text.
	Fonts string `json:"fonts,omitempty"`
}

// Shot is a series of frames that have the same view and differ only in the frames of their inputs. It ends where the
// next Shot begins.
type Shot struct {
	First int64 `json:"first"`
	View  View  `json:"view"`
}

// At returns the view of frame n of the scene, from 0 to Frames-1. The views share Shots and the slices in them, so
// do not write to them.
func (s Scene) At(n int64) View {
	next := sort.Search(len(s.Shots), func(i int) bool { return s.Shots[i].First > n })
	v := s.Shots[max(next-1, 0)].View
	v.Seconds = float64(s.PhaseUs+s.Rate().PlayUs(n)) / 1e6

	if n < int64(len(s.Pointer)) {
		v = s.point(v, s.Pointer[n])
	}

	return v
}

// Frozen returns the view that fades out. It returns false if there is none.
func (s Scene) Frozen() (View, bool) {
	if s.Before == nil {
		return View{}, false
	}

	v := *s.Before
	v.Seconds = float64(s.BeforeUs) / 1e6

	return v, true
}

// Rate is the frame rate and speed that convert the frames of the scene to recording time.
func (s Scene) Rate() timeline.Rate { return timeline.Rate{FPS: s.FPS, Speed: s.Speed} }

// Input is one stream of pictures of a source. Its decoder crops and scales the pictures to frames of Size in planar
// 4:2:0, limited range, BT.709. Frame k of the input belongs to frame First+k of the scene.
type Input struct {
	Content string `json:"content"`
	Size    Size   `json:"size"`
	// Alpha means that a fourth plane of Size follows, with the opacity of each pixel.
	Alpha bool `json:"alpha,omitempty"`
	// Still is a single frame that is shown again and again. Do not draw on it; the frames of other inputs may be drawn on.
	Still bool `json:"still,omitempty"`
	// Decoded is the size to which all pictures of the source are scaled first, as in Draw.
	Decoded Size   `json:"decoded,omitzero"`
	Mended  Mended `json:"mended,omitzero"`
	// Crop is the part of the decoded picture that is used, in its own pixels, all even.
	Crop Box `json:"crop"`
	// Part is Crop as a share of the picture: 0, 0, 1, 1 is the whole picture. Masks and the pointer are percentages of the
	// whole picture.
	Part   Rect   `json:"part"`
	Colour Colour `json:"colour"`
	First  int64  `json:"first,omitempty"`
	Takes  []Take `json:"takes"`
}

// Take is a continuous part of a source.
type Take struct {
	// FromUs is the source time from which frames are counted, in microseconds.
	FromUs int64 `json:"fromUs"`
	// Skip is how many frames after FromUs are left out, so that the frames do not depend on where a scene begins.
	Skip   int64 `json:"skip,omitempty"`
	Frames int64 `json:"frames"`
}

// ShownUs is the source time of the first frame shown, rounded down to a microsecond.
func (t Take) ShownUs(rate timeline.Rate) int64 { return t.FromUs + rate.PlayUs(t.Skip) }

// leapUs is the longest part of a recording that a decoder skips by decoding and dropping it. For a longer part
// another decoder is started. A start costs as much as decoding one second, plus every second since the key frame at
// which it starts. Key frames of common encoders are three to eight seconds apart.
const leapUs = 4_000_000

// Continues reports whether one decoder can serve two inputs: first in, an input of scene s, and then next, an input
// of the following scene. aheadUs is the number of microseconds that the decoder skips between them; zero means none.
// next may show another part or size of the picture, as where a zoom begins. It may not do so if the picture has a
// high dynamic range, because converting such a picture takes hundreds of megabytes for each way in which it is shown.
func (in Input) Continues(s Scene, next Input) (aheadUs int64, ok bool) {
	if in.Still || len(in.Takes) != 1 || len(next.Takes) != 1 || in.First+in.Frames() != s.Frames || next.First != 0 {
		return 0, false
	}

	alike := next
	if !in.Colour.wide() {
		alike.Size, alike.Crop, alike.Part = in.Size, in.Crop, in.Part
	}

	if !in.like(alike) {
		return 0, false
	}

	rate := s.Rate()
	from, to := in.Takes[0], next.Takes[0]

	if from.joins(rate, to) {
		return 0, true
	}

	aheadUs = to.ShownUs(rate) - from.FromUs - rate.PlayUs(from.Skip+from.Frames)

	return aheadUs, aheadUs >= 0 && aheadUs <= leapUs
}

// like reports whether two inputs show a source in the same way. Their times may differ.
func (in Input) like(other Input) bool {
	other.First, other.Takes = in.First, in.Takes

	return reflect.DeepEqual(in, other)
}

// joins reports whether next begins with the very next frame of this take.
func (t Take) joins(rate timeline.Rate, next Take) bool {
	end := t.Skip + t.Frames

	return (end-next.Skip)%rate.Beat() == 0 && t.FromUs+rate.PlayUs(end-next.Skip) == next.FromUs
}

// Append adds the input next, which has one take, to the inputs in views, which show the same source. If the last
// input of views shows the source in the same way as next, Append adds the take of next to that input instead. If no
// frame lies between this take and the last take of that input, Append joins the two takes.
func Append(views []Input, rate timeline.Rate, next Input) []Input {
	end := len(views) - 1
	if end < 0 || !views[end].like(next) {
		return append(views, next)
	}

	takes := slices.Clone(views[end].Takes) // the scene keeps its own
	if last := len(takes) - 1; takes[last].joins(rate, next.Takes[0]) {
		takes[last].Frames += next.Takes[0].Frames
	} else {
		takes = append(takes, next.Takes[0])
	}

	views[end].Takes = takes

	return views
}

// Frames is the number of frames of the input.
func (in Input) Frames() int64 {
	var n int64
	for _, t := range in.Takes {
		n += t.Frames
	}

	return n
}

// At reports whether the input has a frame for frame n of its scene.
func (in Input) At(n int64) bool { return n >= in.First && n < in.First+in.Frames() }

// Rect is a rectangle whose sides may be fractions of pixels.
type Rect struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

// View is everything that is visible in one output frame. It is painted in the order of its fields. Lengths are in
// pixels of the output frame unless stated otherwise. A length that should look the same in every resolution is a
// multiple of Scene.Unit.
type View struct {
	Background Background `json:"background"`
	// Layers are the clip's recordings and media, bottom to top.
	Layers []Layer `json:"layers,omitempty"`
	// Overlays are pictures and texts, bottom to top.
	Overlays []Overlay `json:"overlays,omitempty"`
	Caption  *Caption  `json:"caption,omitempty"`
	// Fade is the opacity of Scene.Before over this view: 1 hides the view, 0 shows no Before.
	Fade float64 `json:"fade,omitempty"`
	// Seconds is the playback time for animations: a flowing background, a snake border.
	Seconds float64 `json:"-"`
}

// Unit is one pixel of a 1080p frame: a 1080th of the shorter side.
func (s Scene) Unit() float64 { return unit(s.Frame) }

func unit(frame Size) float64 { return float64(min(frame.Width, frame.Height)) / 1080 }

// Background fills the frame. Its colors are #RRGGBBAA, drawn on black.
type Background struct {
	Type values.BackgroundType `json:"type"`
	// Color is the colour of a solid, or the first of a gradient or a shader gradient.
	Color  values.Color `json:"color,omitempty"`
	Color2 values.Color `json:"color2,omitempty"`
	// Angle turns a gradient clockwise, in degrees: 0 goes from the bottom up, 90 from left to right.
	Angle int `json:"angle,omitempty"`
	// Input is the input of an image or a video, which covers the frame exactly.
	Input int `json:"input,omitempty"`
}

// Layer shows a part of an input in a box of the frame.
type Layer struct {
	Input int `json:"input"`
	// From is the part of the input's frame that is shown, in pixels of that frame. It has the aspect ratio of To,
	// except for rounding. A zoom makes From smaller.
	From Rect `json:"from"`
	// To is where the layer is in the frame. The sides of a layer at rest are whole and even; those of a moving layer
	// may have any length. Parts of To may be outside the frame. When From and To have the same whole size, nothing is
	// resampled.
	To Rect `json:"to"`
	// Corner and Border are empty on layers that touch an edge of the frame.
	Corner Corner             `json:"corner"`
	Border values.BorderStyle `json:"border,omitempty"`
	// Opacity applies to the layer and its border. It is 1, or less while a layer appears or disappears.
	Opacity float64 `json:"opacity"`
	// Masks are applied to the input before From is taken from it.
	Masks []Mask `json:"masks,omitempty"`
	// Screen marks the layer that shows the screen, over which the pointer moves.
	Screen bool `json:"screen,omitempty"`
	// Cursor is drawn over the layer and clipped at its edges and corners; nil is no cursor.
	Cursor *Cursor `json:"cursor,omitempty"`
}

// Corner is the shape of a layer's corners. The zero Corner is square.
type Corner struct {
	// Radius is at most half the shorter side. With that radius, a layer with equal sides is a circle.
	Radius float64 `json:"radius,omitempty"`
	// Squircle corners are quarters of a superellipse |x|⁴+|y|⁴=r⁴ instead of a circle.
	Squircle bool `json:"squircle,omitempty"`
}

// Mask is a blur or a highlight, in pixels of the layer's input. Parts of it may be outside the input.
type Mask struct {
	Type values.MaskType `json:"type"`
	Box  Rect            `json:"box"`
	// Cell is the side of the squares of a blur, each filled with its mean colour.
	Cell float64 `json:"cell,omitempty"`
	// Dark is how much a highlight darkens everything outside it: 0 is unchanged, 1 is black. Of several
	// highlights, each keeps its own box bright, and the darkest decides the rest.
	Dark float64 `json:"dark,omitempty"`
}

// Cursor is an animated pointer. X and Y are the position of its tip in the frame; Size is its height.
type Cursor struct {
	X    float64 `json:"x"`
	Y    float64 `json:"y"`
	Size float64 `json:"size"`
	// Press is 1 at a click and falls to 0 after it.
	Press float64 `json:"press,omitempty"`
}

// Caption is one or two lines of speech on a backdrop.
type Caption struct {
	Words []string `json:"words"`
	// Joined is true for each word that follows the one before without a space. Empty means none.
	Joined []bool `json:"joined,omitempty"`
	// Active is the index of the word being said, to be highlighted if the style asks for it; -1 is none.
	Active int                 `json:"active"`
	Style  values.CaptionStyle `json:"style"`
	// X and Y are the centre; the backdrop is moved to lie inside the frame.
	X        float64 `json:"x"`
	Y        float64 `json:"y"`
	FontSize float64 `json:"fontSize"`
	// MaxWidth is the width at which lines break.
	MaxWidth float64 `json:"maxWidth"`
}

// PointerAt is the position of the pointer at one frame, in thousandths of a percent of the uncropped screen. It also
// has the remaining strength of a click, in thousandths. Hidden means that there is no pointer.
type PointerAt struct {
	X      int32 `json:"x"`
	Y      int32 `json:"y"`
	Press  int32 `json:"p,omitempty"`
	Hidden bool  `json:"h,omitempty"`
}

// cursorSize is the height of the drawn cursor in units.
const cursorSize = 32

// point puts the cursor on the layer that shows the screen.
func (s Scene) point(v View, at PointerAt) View {
	if at.Hidden {
		return v
	}

	layers := make([]Layer, len(v.Layers))
	copy(layers, v.Layers)

	for i, l := range layers {
		if !l.Screen {
			continue
		}

		in := s.Inputs[l.Input]
		x := (float64(at.X)/100_000 - in.Part.X) / in.Part.Width * float64(in.Size.Width)
		y := (float64(at.Y)/100_000 - in.Part.Y) / in.Part.Height * float64(in.Size.Height)
		layers[i].Cursor = &Cursor{
			X:     l.To.X + (x-l.From.X)/l.From.Width*l.To.Width,
			Y:     l.To.Y + (y-l.From.Y)/l.From.Height*l.To.Height,
			Size:  cursorSize * s.Unit(),
			Press: float64(at.Press) / 1000,
		}
	}

	v.Layers = layers

	return v
}

func (s Scene) key() string {
	return hash(struct {
		Engine   int
		Encoding []string
		Scene    Scene
	}{Engine, s.Encoding(), s})
}
