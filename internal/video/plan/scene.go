package plan

import (
	"reflect"
	"slices"
	"sort"

	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Scene is all that decides the pixels of a chunk in the compose lane. It is data: equal scenes have
// equal pixels, and it survives JSON. It names no source, only their contents.
//
// Whoever draws it reads a frame of every input that has one (Input.At), takes the view of the
// frame (At) and paints it, for each output frame from 0 on.
type Scene struct {
	Frame  Size           `json:"frame"`
	FPS    int64          `json:"fps"`
	Speed  timeline.Speed `json:"speed"`
	Frames int64          `json:"frames"`
	Inputs []Input        `json:"inputs,omitempty"`
	// Shots follow each other; the first begins with frame 0.
	Shots []Shot `json:"shots"`
	// Pointer is where the pointer is in each frame; nil when no cursor is drawn.
	Pointer []PointerAt `json:"pointer,omitempty"`
	// Before is the frozen last view of the clip before, from which View.Fade fades. Its inputs
	// are among Inputs, and still.
	Before *View `json:"before,omitempty"`
	// BeforeUs is its playback time in its own clip, as PhaseUs is that of the first frame.
	BeforeUs int64 `json:"beforeUs,omitempty"`
	// PhaseUs is the playback time of the first frame, for what moves by itself; zero when nothing does.
	PhaseUs int64 `json:"phaseUs,omitempty"`
	// Fonts names the state of the font catalogue; empty when nothing is written.
	Fonts string `json:"fonts,omitempty"`
}

// Shot is a series of frames that show the same view, but for the frames of its inputs. It lasts
// until the next one begins.
type Shot struct {
	First int64 `json:"first"`
	View  View  `json:"view"`
}

// At is the view of frame n of the scene, 0 to Frames-1. Shots, and the slices within them, are
// shared between calls and must not be written to.
func (s Scene) At(n int64) View {
	next := sort.Search(len(s.Shots), func(i int) bool { return s.Shots[i].First > n })
	v := s.Shots[max(next-1, 0)].View
	v.Seconds = float64(s.PhaseUs+s.Rate().PlayUs(n)) / 1e6

	if n < int64(len(s.Pointer)) {
		v = s.point(v, s.Pointer[n])
	}

	return v
}

// Frozen is the view from which it fades; false when there is none.
func (s Scene) Frozen() (View, bool) {
	if s.Before == nil {
		return View{}, false
	}

	v := *s.Before
	v.Seconds = float64(s.BeforeUs) / 1e6

	return v, true
}

// Rate is how the scene's frames follow each other in recording time.
func (s Scene) Rate() timeline.Rate { return timeline.Rate{FPS: s.FPS, Speed: s.Speed} }

// Input is one stream of pictures of a source, cropped and scaled by its decoder to frames of Size in
// planar 4:2:0, limited range, BT.709. Frame k of it belongs to frame First+k of the scene.
type Input struct {
	Content string `json:"content"`
	Size    Size   `json:"size"`
	// Alpha says that a fourth plane of Size follows, with how opaque each pixel is.
	Alpha bool `json:"alpha,omitempty"`
	// Still is a single frame that is shown again and again. It must not be drawn upon; the frames of
	// other inputs may be.
	Still bool `json:"still,omitempty"`
	// Decoded is what all pictures of the source are brought to first, as in Draw.
	Decoded Size   `json:"decoded,omitzero"`
	Mended  Mended `json:"mended,omitzero"`
	// Crop is the part of the decoded picture that is used, in its own pixels, all even.
	Crop Box `json:"crop"`
	// Part is the same as a share of the picture: 0, 0, 1, 1 is all of it. Masks and the pointer are
	// given in percent of the whole.
	Part   Rect   `json:"part"`
	Colour Colour `json:"colour"`
	First  int64  `json:"first,omitempty"`
	Takes  []Take `json:"takes"`
}

// Take is an unbroken piece of a source.
type Take struct {
	// FromUs is the time of the source from which its frames are counted, in microseconds.
	FromUs int64 `json:"fromUs"`
	// Skip is how many frames are left out there. What is shown does not depend on where a scene begins.
	Skip   int64 `json:"skip,omitempty"`
	Frames int64 `json:"frames"`
}

// ShownUs is the time of the source that the first frame shows, to the microsecond below.
func (t Take) ShownUs(rate timeline.Rate) int64 { return t.FromUs + rate.PlayUs(t.Skip) }

// leapUs is how much of a recording is decoded for nothing rather than begun behind anew: a decoder that starts
// costs as much as a second of decoding, and so does each second behind the key frame that it starts at. Those of
// common encoders are three to eight seconds apart.
const leapUs = 4_000_000

// Continues reports whether next, in the scene that follows s, is what in goes on with, at once or a short way
// ahead: whoever decodes the one has only to go on to have the other. AheadUs is how much lies between. Another part of
// the picture may be shown there, and larger or smaller, as where a zoom begins, unless it has many more colours than the
// export: to bring those into it takes hundreds of megabytes for each way in which a picture is shown.
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

// like reports whether two inputs show the same of a source, be it at different times.
func (in Input) like(other Input) bool {
	other.First, other.Takes = in.First, in.Takes

	return reflect.DeepEqual(in, other)
}

// joins reports whether another take goes on with the very next frame of this one.
func (t Take) joins(rate timeline.Rate, next Take) bool {
	end := t.Skip + t.Frames

	return (end-next.Skip)%rate.Beat() == 0 && t.FromUs+rate.PlayUs(end-next.Skip) == next.FromUs
}

// Append adds an input of one take behind others of the same source: its take to the last one, if that is shown in the
// same way, and as more of that one's last take where it goes on with the next frame.
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

// Frames is how many frames of the scene the input is there for.
func (in Input) Frames() int64 {
	var n int64
	for _, t := range in.Takes {
		n += t.Frames
	}

	return n
}

// At reports whether the input has a frame in frame n of its scene.
func (in Input) At(n int64) bool { return n >= in.First && n < in.First+in.Frames() }

// Rect is a rectangle whose sides need not be whole pixels.
type Rect struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

// View is what is seen in one output frame. It is painted in the order of its fields. Lengths are
// pixels of the output frame unless they say otherwise; a length that should look alike in every
// resolution is a multiple of Scene.Unit.
type View struct {
	Background Background `json:"background"`
	// Layers are the clip's own, bottom to top.
	Layers []Layer `json:"layers,omitempty"`
	// Overlays are pictures and texts, bottom to top.
	Overlays []Overlay `json:"overlays,omitempty"`
	Caption  *Caption  `json:"caption,omitempty"`
	// Fade is how much of Scene.Before is still seen over all this: 1 is nothing else, 0 none.
	Fade float64 `json:"fade,omitempty"`
	// Seconds is a clock of playback time for what moves by itself: a flowing background, a snake.
	Seconds float64 `json:"-"`
}

// Unit is the width of a line of one pixel in a frame of 1080p: a 1080th of the shorter side.
func (s Scene) Unit() float64 { return unit(s.Frame) }

func unit(frame Size) float64 { return float64(min(frame.Width, frame.Height)) / 1080 }

// Background fills the frame. Colours are #RRGGBBAA and stand on black.
type Background struct {
	Type values.BackgroundType `json:"type"`
	// Color is that of a solid, and the first of a gradient and of a shader gradient.
	Color  values.Color `json:"color,omitempty"`
	Color2 values.Color `json:"color2,omitempty"`
	// Angle turns a gradient clockwise, in degrees: 0 goes from the bottom up, 90 from left to right.
	Angle int `json:"angle,omitempty"`
	// Input is that of an image or a video, which covers the frame exactly.
	Input int `json:"input,omitempty"`
}

// Layer shows a part of an input in a box of the frame.
type Layer struct {
	Input int `json:"input"`
	// From is the part of the input's frame that is seen, in its pixels. Its aspect is To's but for
	// rounding; a zoom makes it smaller.
	From Rect `json:"from"`
	// To is where it is seen. Still layers have even whole sides, moving ones any; parts of it may lie
	// outside the frame. When the sizes of From and To are equal and whole, nothing is resampled.
	To Rect `json:"to"`
	// Corner and Border are none on layers that touch an edge of the frame.
	Corner Corner             `json:"corner"`
	Border values.BorderStyle `json:"border,omitempty"`
	// Opacity is 1 for a layer that is all there, less while one comes or goes, with its border.
	Opacity float64 `json:"opacity"`
	// Masks lie on the input before From is taken from it.
	Masks []Mask `json:"masks,omitempty"`
	// Screen marks the layer that shows the screen, on which a pointer moves.
	Screen bool `json:"screen,omitempty"`
	// Cursor is drawn over the layer and cut off at its edges and corners; nil is none.
	Cursor *Cursor `json:"cursor,omitempty"`
}

// Corner is how a layer's corners are cut. The zero Corner is square.
type Corner struct {
	// Radius is at most half the shorter side: a circle, when the sides are equal.
	Radius float64 `json:"radius,omitempty"`
	// Squircle corners are quarters of a superellipse |x|⁴+|y|⁴=r⁴ instead of a circle.
	Squircle bool `json:"squircle,omitempty"`
}

// Mask is a blur or highlight, in the pixels of the layer's input. Parts may lie outside the input.
type Mask struct {
	Type values.MaskType `json:"type"`
	Box  Rect            `json:"box"`
	// Cell is the side of the squares within which a blur keeps nothing but their mean.
	Cell float64 `json:"cell,omitempty"`
	// Dark is how much darker a highlight makes what lies outside it: 0 leaves it, 1 is black. Of several
	// highlights each leaves its own box bright, and the darkest rules outside.
	Dark float64 `json:"dark,omitempty"`
}

// Cursor is an animated pointer. X and Y are its tip, in the frame; Size is its height.
type Cursor struct {
	X    float64 `json:"x"`
	Y    float64 `json:"y"`
	Size float64 `json:"size"`
	// Press is 1 at a click and falls to 0 behind it.
	Press float64 `json:"press,omitempty"`
}

// Caption is a line or two of what is said, on a backdrop.
type Caption struct {
	Words []string `json:"words"`
	// Joined says of each word whether it follows the one before without a space. Without it none does.
	Joined []bool `json:"joined,omitempty"`
	// Active is the index of the word that is being said, which is marked when the style wants it; -1
	// is none.
	Active int                 `json:"active"`
	Style  values.CaptionStyle `json:"style"`
	// X and Y are the centre; the backdrop is moved to lie inside the frame.
	X        float64 `json:"x"`
	Y        float64 `json:"y"`
	FontSize float64 `json:"fontSize"`
	// MaxWidth is where lines are broken.
	MaxWidth float64 `json:"maxWidth"`
}

// PointerAt is where the pointer is, in thousandths of a percent of the uncropped screen, and how much
// of a click is left, in thousandths. The zero PointerAt with Hidden set is no pointer at all.
type PointerAt struct {
	X      int32 `json:"x"`
	Y      int32 `json:"y"`
	Press  int32 `json:"p,omitempty"`
	Hidden bool  `json:"h,omitempty"`
}

// cursorSize is the height of the drawn cursor in units.
const cursorSize = 32

// point puts the cursor onto the layer that shows the screen.
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
