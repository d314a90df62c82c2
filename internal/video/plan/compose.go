package plan

import (
	"math"
	"slices"

	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// part is a series of frames of one run; all belong to one clip.
type part struct {
	*shown

	rate    timeline.Rate
	run     timeline.Run
	startMs int64 // playback time of the video at which the clip begins
	// first is the index of the first frame within the video.
	first, frames int64
}

// us returns the clip's playback time at a frame.
func (p part) us(n int64) int64 { return p.rate.PlayUs(n) - p.startMs*1000 }

// view is a sight and the frame of the part at which it begins.
type view struct {
	sight

	first int64
}

// views returns the sights of the part in order.
func (p part) views() []view {
	var all []view

	for n := p.first; n < p.first+p.frames; {
		us := p.us(n)
		if v := p.at(us); len(all) == 0 || !v.equal(&all[len(all)-1].sight) {
			all = append(all, view{v, n - p.first})
		}

		until, calm := p.calm(us)
		n++

		if calm && until < 1<<61 {
			n = max(n, p.rate.FirstAt(p.startMs+until/1000))
		} else if calm {
			break
		}
	}

	return all
}

// all returns the figures of a sight, the background's first.
func (v *sight) all() []*figure {
	var all []*figure

	if v.behind != nil {
		all = append(all, v.behind)
	}

	for i := range v.figures {
		all = append(all, &v.figures[i])
	}

	for _, o := range v.overlays {
		if o.figure != nil {
			all = append(all, o.figure)
		}
	}

	return all
}

// use collects what a scene needs of a stream.
type use struct {
	stream      stream
	first, last int64 // frames of the scene, last included
	parts, tos  []Rect
	size        Size // of the pictures that the decoder delivers
	crop        Box
	part        Rect
}

func (u *use) add(f *figure, first, last int64) {
	u.first, u.last = min(u.first, first), max(u.last, last)

	to := Rect{Width: f.to.Width, Height: f.to.Height}
	if n := len(u.parts); n == 0 || u.parts[n-1] != f.part || u.tos[n-1] != to {
		u.parts, u.tos = append(u.parts, f.part), append(u.tos, to)
	}
}

// maxInput limits the pixels of an input to those of a 4k frame.
const maxInput = 3840 * 2160

// choose decides what the decoder delivers: exactly the shown part when it never changes, otherwise everything that is shown
// at some time, at the largest size needed but never enlarged.
func (u *use) choose(picture Picture) {
	u.part = u.parts[0]
	scale := 0.0
	same := true

	for i, part := range u.parts {
		x1 := max(u.part.X+u.part.Width, part.X+part.Width)
		y1 := max(u.part.Y+u.part.Height, part.Y+part.Height)
		u.part.X, u.part.Y = min(u.part.X, part.X), min(u.part.Y, part.Y)
		u.part.Width, u.part.Height = x1-u.part.X, y1-u.part.Y
		same = same && part == u.parts[0] && u.tos[i] == u.tos[0]
		scale = max(scale, u.tos[i].Width/(part.Width*float64(picture.Width)), u.tos[i].Height/(part.Height*float64(picture.Height)))
	}

	u.crop, u.part = cropOf(u.part, picture.decoded())
	u.size = Size{int(u.tos[0].Width), int(u.tos[0].Height)}

	if same && u.exact() {
		return
	}

	w, h := u.part.Width*float64(picture.Width), u.part.Height*float64(picture.Height)
	scale = min(scale, 1, math.Sqrt(maxInput/(w*h)))
	up := func(v float64) int { return max(2, int(math.Ceil(v/2-1e-6))*2) }
	u.size = Size{up(w * scale), up(h * scale)}
}

// exact reports whether the box has whole, even sides.
func (u *use) exact() bool {
	return float64(u.size.Width) == u.tos[0].Width && float64(u.size.Height) == u.tos[0].Height &&
		u.size.Width%2+u.size.Height%2 == 0
}

// cropOf aligns a part of a picture to even pixels and returns the crop and its part. The zero Box is the whole picture.
func cropOf(part Rect, decoded Size) (Box, Rect) {
	if part == wholePart() {
		return Box{}, part
	}

	w, h := float64(decoded.Width), float64(decoded.Height)
	axis := func(at, length float64, of int) (int, int) {
		size := min(max(2, int(math.Round(length/2))*2), max(2, of&^1))

		return min(max(0, int(math.Round(at/2))*2), of-size) &^ 1, size
	}

	var b Box

	b.X, b.Width = axis(part.X*w, part.Width*w, decoded.Width)
	b.Y, b.Height = axis(part.Y*h, part.Height*h, decoded.Height)

	return b, Rect{X: float64(b.X) / w, Y: float64(b.Y) / h, Width: float64(b.Width) / w, Height: float64(b.Height) / h}
}

// scene returns the part as data and the source ids of its inputs. last is the frame that a fade starts from; it may be nil.
func (p part) scene(views []view, last *part) (Scene, []string) {
	s := Scene{Frame: p.stage.Frame, FPS: p.rate.FPS, Speed: p.rate.Speed, Frames: p.frames}

	var (
		uses   []*use
		before *sight
	)

	collect := func(v *sight, first, end int64) {
		for _, f := range v.all() {
			i := slices.IndexFunc(uses, func(u *use) bool { return u.stream == f.stream })
			if i < 0 {
				i = len(uses)
				uses = append(uses, &use{stream: f.stream, first: first})
			}

			uses[i].add(f, first, end-1)
		}
	}

	for i := range views {
		end := p.frames
		if i+1 < len(views) {
			end = views[i+1].first
		}

		collect(&views[i].sight, views[i].first, end)
	}

	if last != nil && slices.ContainsFunc(views, func(v view) bool { return v.fade > 0 }) {
		frozen := last.at(last.us(last.first))
		frozen.fade = 0

		for _, f := range frozen.all() {
			f.stream.frozen = true
		}

		collect(&frozen, 0, 1)
		before = &frozen
	}

	ids := make([]string, len(uses))

	for i, u := range uses {
		of := p
		if u.stream.frozen {
			of = *last
		}

		ids[i] = u.stream.source
		s.Inputs = append(s.Inputs, of.input(u))
	}

	for _, v := range views {
		s.Shots = append(s.Shots, Shot{First: v.first, View: drawn(v.sight, uses)})
	}

	if before != nil {
		last.freeze(&s, *before, drawn(*before, uses))
	}

	p.enliven(&s, views)

	return s, ids
}

// freeze adds the frame that a fade starts from as it was seen, with its cursor and the state of its animations.
func (p part) freeze(s *Scene, v sight, before View) {
	if p.points(&v) {
		before = s.point(before, p.track.sample(p.run.AtUs(p.rate, p.first)))
	}

	if v.flows() {
		s.BeforeUs = p.us(p.first)
	}

	if v.written() {
		s.Fonts = p.fonts
	}

	s.Before = &before
}

// points reports whether to draw a cursor.
func (p part) points(v *sight) bool {
	return p.look.Cursor && len(p.track) > 0 && slices.ContainsFunc(v.figures, func(f figure) bool { return f.pointer })
}

// enliven adds animations, the pointer and the font state.
func (p part) enliven(s *Scene, views []view) {
	for i, v := range views {
		if v.written() {
			s.Fonts = p.fonts
		}

		if v.flows() {
			s.PhaseUs = p.us(p.first)
		}

		if !p.points(&v.sight) {
			continue
		}

		if s.Pointer == nil {
			s.Pointer = make([]PointerAt, p.frames)
			for n := range s.Pointer {
				s.Pointer[n].Hidden = true
			}
		}

		end := p.frames
		if i+1 < len(views) {
			end = views[i+1].first
		}

		for n := v.first; n < end; n++ {
			s.Pointer[n] = p.track.sample(p.run.AtUs(p.rate, p.first+n))
		}
	}
}

// input returns the stream for the frames that need it.
func (p part) input(u *use) Input {
	src := p.sources[u.stream.source]
	u.choose(*src.Picture)

	in := Input{
		Content: src.Content, Size: u.size, Alpha: src.Picture.alpha(), Still: src.Picture.Still || u.stream.frozen,
		Decoded: src.Picture.kept(), Mended: src.Picture.Mended,
		Crop: u.crop, Part: u.part, Colour: src.Picture.Colour.resolved(src.Picture.Size),
	}

	switch {
	case src.Picture.Still:
		in.Takes = []Take{{Frames: 1}}
	case u.stream.frozen:
		in.Takes = p.takes(u.stream, 0, 1)
	default:
		in.First = u.first
		in.Takes = p.takes(u.stream, u.first, u.last-u.first+1)
	}

	return in
}

// recordedUs returns the recording time shown at a frame. It may lie outside the recording, whose first or last picture is
// then shown.
func (p part) recordedUs(s stream, n int64) int64 {
	us := p.run.AtUs(p.rate, n)
	if s.role == RoleCamera {
		us -= p.clip.CameraOffsetMs * 1000
	}

	return us
}

// takes returns the pieces of a stream for frames of the part.
func (p part) takes(s stream, first, frames int64) []Take {
	if !s.own {
		from := p.first + first
		skip := (from - p.run.First) % p.rate.Beat()

		return []Take{{FromUs: p.recordedUs(s, from-skip), Skip: skip, Frames: frames}}
	}

	us := max(0, p.us(p.first+first)-s.fromMs*1000)
	if s.loopMs <= 0 {
		return []Take{{FromUs: us, Frames: frames}}
	}

	var all []Take

	for us %= s.loopMs * 1000; frames > 0; {
		n := int64(1)
		for n < frames && us+p.rate.PlayUs(n) < s.loopMs*1000 {
			n++
		}

		all = append(all, Take{FromUs: us, Frames: n})
		us = max(0, us+p.rate.PlayUs(n)-s.loopMs*1000) % (s.loopMs * 1000)
		frames -= n
	}

	return all
}

// drawn returns a sight in the pixels of its inputs.
func drawn(v sight, uses []*use) View {
	input := func(f figure) int { return slices.IndexFunc(uses, func(u *use) bool { return u.stream == f.stream }) }
	out := View{Background: v.background, Caption: v.caption, Fade: v.fade}

	if v.behind != nil {
		out.Background.Input = input(*v.behind)
	}

	layer := func(f figure) Layer {
		n := input(f)
		u := uses[n]
		l := Layer{
			Input: n, From: u.within(f.part), To: f.to, Corner: f.corner, Border: f.border, Opacity: f.opacity, Screen: f.pointer,
		}

		for _, m := range f.masks {
			l.Masks = append(l.Masks, u.mask(m))
		}

		return l
	}

	for _, f := range v.figures {
		out.Layers = append(out.Layers, layer(f))
	}

	for _, o := range v.overlays {
		if o.figure != nil {
			o.Picture = new(layer(*o.figure))
		}

		out.Overlays = append(out.Overlays, o.Overlay)
	}

	return out
}

// within returns a part of the picture in pixels of the input. A single part is the whole input: the crop differs by
// rounding only.
func (u *use) within(part Rect) Rect {
	whole := Rect{Width: float64(u.size.Width), Height: float64(u.size.Height)}
	if len(u.parts) == 1 {
		return whole
	}

	r := u.pixels(part)
	r.X, r.Y = min(max(r.X, 0), whole.Width-2), min(max(r.Y, 0), whole.Height-2)
	r.Width, r.Height = min(r.Width, whole.Width-r.X), min(r.Height, whole.Height-r.Y)

	return r
}

func (u *use) pixels(part Rect) Rect {
	w, h := float64(u.size.Width)/u.part.Width, float64(u.size.Height)/u.part.Height

	return Rect{X: (part.X - u.part.X) * w, Y: (part.Y - u.part.Y) * h, Width: part.Width * w, Height: part.Height * h}
}

// blurCell is the side of a blur's squares, as a share of the screen's shorter side. It is larger than most text on a screen.
// At full intensity the cells are three times as wide.
const blurCell = 1.0 / 24

func (u *use) mask(m veil) Mask {
	drawn := Mask{Type: m.kind, Box: u.pixels(m.box)}
	if m.kind == values.MaskTypeHighlight {
		drawn.Dark = m.intensity

		return drawn
	}

	whole := u.pixels(wholePart())
	drawn.Cell = blurCell * (1 + 2*m.intensity) * min(whole.Width, whole.Height)

	return drawn
}
