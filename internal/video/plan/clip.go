package plan

import (
	"cmp"
	"reflect"
	"slices"

	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// fadeUs is how long a smooth transition blends.
const fadeUs = 400_000

// blendUs is how long a smooth transition into a clip blends: at most as long as the clip, as for its sound.
func blendUs(c timeline.Clock) int64 { return min(fadeUs, c.DurationMs()*1000) }

// shown is a clip as it is drawn, on its playback clock.
type shown struct {
	clip     timeline.Clip
	look     values.ClipLook
	captions *values.CaptionLook
	clock    timeline.Clock
	stage    Stage
	// scaleX and scaleY are frame pixels per artboard pixel.
	scaleX, scaleY float64
	sources        Sources
	fonts          string
	// blendUs is how long the end of the clip before blends into this one; zero is a hard cut.
	blendUs int64

	layouts  []timed
	spells   []spell
	zooms    []zoom
	masks    []timed
	overlays []timed
	cues     []cue
	track    track
	// changes are the spans in which an effect is seen or moves; they split chunks. moments are the playback times, ascending,
	// at which the picture may change. Words of captions split no chunk.
	changes []values.Span
	moments []int64
}

// timed is an effect and its span in playback time.
type timed struct {
	values.Span

	effect values.ShownEffect
	slot   int
}

// zoom is a zoom and the pointer path it follows; chase is empty when the zoom is manual.
type zoom struct {
	timed

	chase chase
}

// show prepares a clip for drawing. It returns a *SourceError for a source that cannot be shown.
func (p planner) show(c timeline.Clip, look values.ClipLook, fades bool) (*shown, error) {
	s := &shown{
		clip: c, look: look, captions: p.look.Captions, clock: c.Clock(), sources: p.sources, fonts: p.settings.Fonts,
		stage: Stage{Frame: p.settings.frame(), Corners: look.Corners},
	}
	if fades {
		s.blendUs = blendUs(s.clock)
	}

	s.scaleX = float64(s.stage.Frame.Width) / float64(p.settings.Artboard.Width)
	s.scaleY = float64(s.stage.Frame.Height) / float64(p.settings.Artboard.Height)

	for _, of := range []struct {
		id   string
		size *Size
	}{{c.Screen, &s.stage.Screen}, {c.Camera, &s.stage.Camera}} {
		if of.id == "" {
			continue
		}

		src, err := p.sources.picture(of.id)
		if err != nil {
			return nil, err
		}

		*of.size = src.Picture.Size
	}

	if c.Screen != "" && look.Crop != nil {
		s.stage.Screen = cropped(s.stage.Screen, *look.Crop)
	}

	s.track = track(p.sources[look.Mouse].Mouse).late(look.MouseOffsetMs)

	if s.captions != nil {
		s.cues = cuesOf(look.Words, s.clock)
	}

	if err := s.sort(); err != nil {
		return nil, err
	}

	s.changes = s.spans()
	s.moments = s.times()

	return s, nil
}

// sort sorts the effects by kind and leaves out those that lie wholly within cuts.
func (s *shown) sort() error {
	for i, e := range s.look.Effects {
		play, seen := s.clock.ToPlayback(values.Span{StartMs: e.StartMs, EndMs: e.EndMs})
		if !seen {
			continue
		}

		if e.SourceID != "" {
			if _, err := s.sources.picture(e.SourceID); err != nil {
				return err
			}
		}

		if put, is := planners[e.Kind]; is {
			put(s, timed{Span: play, effect: e, slot: i})
		}
	}

	s.spells = s.spellsOf(s.layouts)

	return nil
}

// spans returns when layouts move in and when zooms, masks and overlays are seen.
func (s *shown) spans() []values.Span {
	var all []values.Span

	for i, sp := range s.spells {
		if i > 0 && !sp.hard {
			all = append(all, values.SpanOf(sp.StartMs, springUs/1000))
		} else {
			all = append(all, values.SpanOf(sp.StartMs, 0))
		}
	}

	for _, z := range s.zooms {
		all = append(all, z.Span)
	}

	for _, t := range slices.Concat(s.masks, s.overlays) {
		all = append(all, t.Span)
	}

	return all
}

// times returns when a change, a caption, a caption word or a fade begins or ends.
func (s *shown) times() []int64 {
	var at []int64

	for _, c := range s.changes {
		at = append(at, c.StartMs, c.EndMs)
	}

	for _, c := range s.cues {
		at = append(at, c.StartMs, c.EndMs)

		if s.captions.Style.WordLevelHighlights {
			at = append(at, c.starts...)
		}
	}

	if s.blendUs > 0 {
		at = append(at, s.blendUs/1000)
	}

	slices.Sort(at)

	return slices.Compact(at)
}

// calm returns until when, in playback time, only the streams change; false when every frame may differ.
func (s *shown) calm(us int64) (untilUs int64, calm bool) {
	if us < s.blendUs {
		return 0, false
	}

	for _, z := range s.zooms {
		if z.StartMs*1000 <= us && us < z.EndMs*1000 {
			return 0, false
		}
	}

	if i := s.spellAt(us); i > 0 && !s.spells[i].hard && us < s.spells[i].StartMs*1000+springUs {
		return 0, false
	}

	i, _ := slices.BinarySearchFunc(s.moments, us, func(ms, us int64) int { return cmp.Compare(ms*1000, us+1) })
	if i == len(s.moments) {
		return 1 << 62, true
	}

	return s.moments[i] * 1000, true
}

// at returns what is seen at a playback time.
func (s *shown) at(us int64) sight {
	v := sight{}
	v.background, v.behind = s.backdrop()

	for _, l := range s.layers(us) {
		v.figures = append(v.figures, s.figure(l, us))
	}

	if slices.ContainsFunc(v.figures, func(f figure) bool {
		return f.hides(s.stage.Frame) && !s.sources[f.stream.source].Picture.alpha()
	}) {
		v.background, v.behind = Background{Type: values.BackgroundTypeSolid, Color: black}, nil
	}

	for _, t := range s.overlays {
		if t.holds(us) {
			if l, seen := s.overlay(t); seen {
				v.overlays = append(v.overlays, l)
			}
		}
	}

	for _, c := range s.cues {
		if c.StartMs*1000 <= us && us < c.EndMs*1000 {
			v.caption = c.caption(*s.captions, s.stage.Frame, us)
		}
	}

	if us < s.blendUs {
		v.fade = 1 - float64(us)/float64(s.blendUs)
	}

	return v
}

// black is drawn where nothing else is.
const black = "#000000FF"

func (t timed) holds(us int64) bool { return t.StartMs*1000 <= us && us < t.EndMs*1000 }

func (v *sight) equal(other *sight) bool { return reflect.DeepEqual(v, other) }

// backdrop returns the background behind the layers.
func (s *shown) backdrop() (Background, *figure) {
	b := s.look.Background
	drawn := Background{Type: b.Type, Color: b.Color, Angle: b.GradientAngle}

	switch b.Type {
	case values.BackgroundTypeSolid:
	case values.BackgroundTypeGradient, values.BackgroundTypeShaderGradient:
		drawn.Color, drawn.Color2 = b.GradientColor1, b.GradientColor2
	case values.BackgroundTypeImage, values.BackgroundTypeVideo:
		id := b.Source()

		src, err := s.sources.picture(id)
		if err != nil {
			return Background{Type: values.BackgroundTypeSolid, Color: black}, nil
		}

		frame := rectOf(Box{Size: s.stage.Frame})

		return Background{Type: b.Type}, &figure{
			stream: stream{source: id, role: roleBehind, own: true, loopMs: b.VideoDurationMs},
			part:   cover(wholePart(), src.Picture.Size, frame.Width, frame.Height),
			to:     frame, opacity: 1,
		}
	}

	return drawn, nil
}

// box converts an artboard box to frame pixels.
func (s *shown) box(at values.Point, size values.Size) Rect {
	return Rect{
		X: at.XPct / 100 * float64(s.stage.Frame.Width), Y: at.YPct / 100 * float64(s.stage.Frame.Height),
		Width: size.Width * s.scaleX, Height: size.Height * s.scaleY,
	}
}
