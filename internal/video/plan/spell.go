package plan

import (
	"cmp"
	"math"
	"reflect"
	"slices"

	"github.com/reelgraph/reelgraph/internal/video/values"
)

// spell is a layout and its span, in playback time. The spells of a clip tile it.
type spell struct {
	values.Span

	places []Place
	media  string // the source of b-roll
	hard   bool   // it appears at once; otherwise it moves into place
}

// spellsOf returns the layouts of a clip in the order of time: its layout effects, with the base between them. A resuming
// layout, the base or one whose middle others covered, follows the outro of the layout before it. A beginning one
// follows its own intro, unless it directly follows a hard outro.
func (s *shown) spellsOf(layouts []timed) []spell {
	slices.SortFunc(layouts, func(a, b timed) int { return cmp.Compare(a.StartMs, b.StartMs) })

	var (
		all  []spell
		atMs int64
		base = values.DefaultLayout(values.SceneType(s.clip.Screen != "", s.clip.Camera != ""))
		hard = true
	)

	if s.look.Base != nil {
		base = *s.look.Base
	}

	rest := func(until int64) {
		if until > atMs {
			all = append(all, spell{Span: values.Span{StartMs: atMs, EndMs: until}, places: Arrange(base, s.stage), hard: hard})
		}
	}

	for i, l := range layouts {
		p := l.effect.Params.Layout
		rest(l.StartMs)

		follows := i > 0 && layouts[i-1].EndMs == l.StartMs
		if !follows || !resumes(layouts, i) {
			hard = follows && hard || p.Intro == values.LayoutTransitionHardCut
		}

		places := Arrange(shownAs(p.Shape, l.effect.SourceID), s.stage)
		all = append(all, spell{Span: l.Span, places: places, media: l.effect.SourceID, hard: hard})
		atMs, hard = l.EndMs, p.Outro == values.LayoutTransitionHardCut
	}

	rest(s.clock.DurationMs())

	return all
}

// shownAs returns the shape to draw: a layout with media is drawn as b-roll, whatever its kind.
func shownAs(shape values.LayoutShape, media string) values.LayoutShape {
	if media == "" || shape.Kind == values.LayoutKindBRoll {
		return shape
	}

	return values.LayoutShape{Kind: values.LayoutKindBRoll}
}

// resumes reports whether layout i continues an earlier one whose middle others covered without a gap. Its intro does not
// tell: an edit may have changed it.
func resumes(layouts []timed, i int) bool {
	for last := i - 1; last > 0 && layouts[last-1].EndMs == layouts[last].StartMs; last-- {
		was, is := layouts[last-1].effect, layouts[i].effect
		if was.SourceID == is.SourceID && reflect.DeepEqual(was.Params.Layout.Shape, is.Params.Layout.Shape) {
			return true
		}
	}

	return false
}

// spellAt returns the index of the spell at a playback time; past the end, the last one.
func (s *shown) spellAt(us int64) int {
	i := slices.IndexFunc(s.spells, func(sp spell) bool { return us < sp.EndMs*1000 })
	if i < 0 {
		return len(s.spells) - 1
	}

	return i
}

// layer is a place, maybe moving.
type layer struct {
	role    Role
	media   string
	fromMs  int64 // when its media began
	to      Rect
	corner  Corner
	edge    bool
	zoom    float64
	opacity float64
}

// layers returns the clip's layers at a playback time, bottom to top.
func (s *shown) layers(us int64) []layer {
	i := s.spellAt(us)
	if i < 0 {
		return nil
	}

	return s.layersOf(i, us)
}

func (s *shown) layersOf(i int, us int64) []layer {
	sp := s.spells[i]
	there := make([]layer, 0, len(sp.places))

	for _, p := range sp.places {
		l := layer{role: p.Role, to: rectOf(p.Box), corner: p.Corner, edge: p.Edge, zoom: p.Zoom, opacity: 1}
		if p.Role == RoleMedia {
			l.media, l.fromMs = sp.media, sp.StartMs
		}

		if s.sourceOf(l).source != "" {
			there = append(there, l)
		}
	}

	since := us - sp.StartMs*1000
	if i == 0 || sp.hard || since >= springUs {
		return there
	}

	return between(s.layersOf(i-1, sp.StartMs*1000), there, spring(since))
}

// faintest is the least opacity of a leaving layer: less changes no pixel. Without it, layouts that replace each other
// before they arrive would keep every layer ever shown.
const faintest = 1.0 / 512

// between returns the layers on their way from one layout to the next. Layers of both move; layers of one arrive or leave in
// place. A leaving layer stays below the layers that lay over it and above the arriving ones. Layers that change their
// z-order do so half way.
func between(from, to []layer, share float64) []layer {
	moving := make([]layer, 0, len(from)+len(to))

	if share < 0.5 {
		to = piled(to, from)
	}

	for _, l := range to {
		if i := slices.IndexFunc(from, l.same); i >= 0 {
			l = from[i].toward(l, share)
		} else {
			l.opacity *= share
		}

		moving = append(moving, l)
	}

	for i, l := range from {
		l.opacity *= 1 - share
		if l.opacity < faintest || slices.ContainsFunc(to, l.same) {
			continue
		}

		at := slices.IndexFunc(moving, func(m layer) bool { return slices.ContainsFunc(from[i+1:], m.same) })
		if at < 0 {
			at = len(moving)
		}

		moving = slices.Insert(moving, at, l)
	}

	return moving
}

// piled returns the layers with those in before in their former order.
func piled(layers, before []layer) []layer {
	was := func(l layer) int { return slices.IndexFunc(before, l.same) }
	kept := slices.DeleteFunc(slices.Clone(layers), func(l layer) bool { return was(l) < 0 })
	slices.SortFunc(kept, func(a, b layer) int { return cmp.Compare(was(a), was(b)) })

	layers = slices.Clone(layers)
	for i, l := range layers {
		if was(l) >= 0 {
			layers[i], kept = kept[0], kept[1:]
		}
	}

	return layers
}

func (l layer) same(other layer) bool {
	return l.role == other.role && l.media == other.media && l.fromMs == other.fromMs
}

// toward returns the layer on its way to another place.
func (l layer) toward(other layer, share float64) layer {
	other.to = lerpRect(l.to, other.to, share)
	other.zoom = lerp(l.zoom, other.zoom, share)
	other.opacity = lerp(l.opacity, other.opacity, share)
	other.corner.Radius = lerp(l.corner.Radius, other.corner.Radius, share)
	other.corner.Squircle = other.corner.Squircle || l.corner.Squircle && other.corner.Radius > 0
	other.edge = other.edge && l.edge

	return other
}

// sourceOf returns the stream that a layer shows.
func (s *shown) sourceOf(l layer) stream {
	switch l.role {
	case RoleScreen:
		return stream{source: s.clip.Screen, role: RoleScreen}
	case RoleCamera:
		return stream{source: s.clip.Camera, role: RoleCamera}
	default:
		return stream{source: l.media, role: RoleMedia, own: true, fromMs: l.fromMs}
	}
}

// cameraFocus is the point of a camera's picture, as a share from the top, that stays fixed when it punches in.
const cameraFocus = 0.45

// cropped is the size of a screen's crop, whose aspect layouts use.
func cropped(screen Size, c values.CropBox) Size {
	side := func(of int, pct float64) int { return max(1, int(math.Round(float64(of)*pct/100))) }

	return Size{Width: side(screen.Width, c.WidthPct), Height: side(screen.Height, c.HeightPct)}
}

// figure returns a layer with the visible part of its stream's picture.
func (s *shown) figure(l layer, us int64) figure {
	f := figure{stream: s.sourceOf(l), to: l.to, corner: l.corner, opacity: l.opacity}
	if !l.edge && s.look.BorderStyle != values.BorderStyleNone {
		f.border = s.look.BorderStyle
	}

	picture := s.sources[f.stream.source].Picture.Size
	part := wholePart()

	if l.role == RoleScreen {
		if c := s.look.Crop; c != nil {
			part = Rect{X: c.XPct / 100, Y: c.YPct / 100, Width: c.WidthPct / 100, Height: c.HeightPct / 100}
		}

		f.part = s.zoomed(cover(part, picture, l.to.Width, l.to.Height), us)
		f.masks = s.veils(us)
		f.pointer = true

		return f
	}

	f.part = cover(part, picture, l.to.Width, l.to.Height)
	if l.zoom != 1 {
		x, y := f.part.X+f.part.Width/2, f.part.Y+f.part.Height*(cameraFocus+(0.5-cameraFocus)/l.zoom)
		f.part = closer(f.part, l.zoom, x, y)
	}

	return f
}

// zoomed returns the part of the screen that the zooms show at a playback time.
func (s *shown) zoomed(part Rect, us int64) Rect {
	for _, z := range s.zooms {
		if !z.holds(us) {
			continue
		}

		since, left := us-z.StartMs*1000, z.EndMs*1000-us
		ramp := min(rampUs, z.LengthMs()*500)
		open := ease(float64(min(since, left)) / float64(ramp))
		x, y := 50.0, 50.0

		switch p := z.effect.Params.Zoom; {
		case z.chase != nil:
			x, y = z.chase.at(since)
		case p.Focus != nil:
			x, y = p.Focus.XPct, p.Focus.YPct
		}

		return closer(part, 1+(z.effect.Params.Zoom.Scale-1)*open, x/100, y/100)
	}

	return part
}

// veils returns the masks at a playback time.
func (s *shown) veils(us int64) []veil {
	var all []veil

	for _, t := range s.masks {
		if !t.holds(us) {
			continue
		}

		p := t.effect.Params.Mask
		all = append(all, veil{kind: values.MaskType(t.effect.Kind), intensity: p.Intensity, box: Rect{
			X: p.Point.XPct / 100, Y: p.Point.YPct / 100,
			Width: p.Dimensions.WidthPct / 100, Height: p.Dimensions.HeightPct / 100,
		}})
	}

	return all
}
