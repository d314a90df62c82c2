package media_test

import (
	"fmt"
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/domain"
	"github.com/reelgraph/reelgraph/internal/render"
	reel "github.com/reelgraph/reelgraph/internal/testkit/footage"
	"github.com/reelgraph/reelgraph/internal/timeline"
)

// everyLayout are all layouts of a stage that look different, of every kind.
func everyLayout(st render.Stage) []domain.LayoutShape {
	var (
		all  []domain.LayoutShape
		seen = map[string]bool{}
	)

	add := func(s domain.LayoutShape) {
		if places := fmt.Sprint(s.Kind, render.Arrange(s, st)); !seen[places] {
			seen[places] = true
			all = append(all, s)
		}
	}

	for _, kind := range domain.LayoutKind("").Values() {
		for _, position := range domain.LayoutPosition("").Values() {
			for _, size := range domain.LayoutSize("").Values() {
				s := domain.LayoutShape{
					Kind: domain.LayoutKind(kind), Position: new(domain.LayoutPosition(position)), Size: new(domain.LayoutSize(size)),
				}

				for _, shape := range domain.CameraShape("").Values() {
					s.Shape = new(domain.CameraShape(shape))
					add(s)
				}

				for _, style := range domain.LayoutStyle("").Values() {
					s.Style = new(domain.LayoutStyle(style))
					add(s)
				}

				for _, fit := range domain.ScreenFit("").Values() {
					s.ScreenFit = new(domain.ScreenFit(fit))
					add(s)
				}
			}
		}
	}

	return all
}

// readable reports whether all of a picture is seen at the place with that index: it is not cropped, no circle
// cuts it, it is no smaller than its numbers, and nothing lies over it.
func readable(places []render.Place, i int, picture render.Size) bool {
	p := places[i]
	w, h := p.Box.Width*picture.Height, p.Box.Height*picture.Width
	whole := w-h <= 2*picture.Width && h-w <= 2*picture.Height && p.Zoom == 1 && p.Corner.Radius == 0 && p.Box.Height >= 60

	return whole && !slices.ContainsFunc(places[i+1:], func(o render.Place) bool {
		return o.Box.X < p.Box.X+p.Box.Width && p.Box.X < o.Box.X+o.Box.Width && o.Box.Y < p.Box.Y+p.Box.Height && p.Box.Y < o.Box.Y+o.Box.Height
	})
}

// layoutMs is how long each layout is shown.
const layoutMs = 600

// longest is the length of the recordings in seconds.
const longest = 60

// BenchmarkFrames exports every layout, in both lanes, over cuts, at four speeds and both rates, with cameras of
// three shapes and one to four workers by turns, and reads the number of every recording that is seen whole in every frame.
func BenchmarkFrames(b *testing.B) {
	cameras := []render.Size{{Width: 160, Height: 90}, {Width: 120, Height: 160}, {Width: 120, Height: 120}}
	run := 0

	for _, speed := range []timeline.Speed{{Num: 1, Den: 2}, {Num: 1, Den: 1}, {Num: 3, Den: 2}, {Num: 2, Den: 1}} {
		for _, fps := range []int64{30, 60} {
			camera, workers := cameras[run%len(cameras)], 1+run%4
			run++

			b.Run(fmt.Sprintf("%v at %d fps by %d", speed, fps, workers), func(b *testing.B) {
				for b.Loop() {
					s := newStudio(b)
					s.frame = render.Size{}
					s.engine.Workers = workers
					s.add(b, "screen", counter(b, reel.Film{Frames: longest * 30}, "screen.mp4"))
					s.add(b, "media", counter(b, reel.Film{Frames: 60}, "media.mp4"))
					s.add(b, "camera", counter(b, reel.Film{
						Frames: longest * 25, FPS: 25, Width: camera.Width, Height: camera.Height,
					}, "camera.mp4"))

					settings := small()
					settings.FPS, settings.Speed = fps, speed
					g := gallery{studio: s, size: camera, rate: timeline.Rate{FPS: fps, Speed: speed}, layouts: map[string]bool{}}
					read, wrong := g.read(b, settings)
					b.ReportMetric(float64(len(g.layouts)), "layouts")
					b.ReportMetric(float64(read), "numbers")
					b.ReportMetric(float64(wrong), "wrong")
					require.Zero(b, wrong)
				}
			})
		}
	}
}

// gallery is a film of all layouts.
type gallery struct {
	studio  *studio
	size    render.Size // of the camera
	rate    timeline.Rate
	layouts map[string]bool // in which something was read
}

// shot is a layout with what is seen whole in it.
type shot struct {
	timeline.Span

	name    string
	windows []reel.Window
	roles   []render.Role
}

// read renders the film and compares the numbers.
func (g gallery) read(b *testing.B, settings render.Settings) (read, wrong int) {
	b.Helper()

	stage := render.Stage{Frame: settings.Frame, Screen: render.Size{Width: 160, Height: 90}, Camera: g.size, Corners: domain.CornersNone}
	look := domain.ClipLook{Background: domain.DefaultBackground(), BorderStyle: domain.BorderStyleNone, Corners: domain.CornersNone}
	shapes := everyLayout(stage)
	clip := timeline.Clip{ID: "clip", LengthMs: int64(len(shapes)) * layoutMs, Screen: "screen", Camera: "camera"}

	for at := int64(7_250); at < clip.LengthMs; at += 9_100 {
		clip.Cuts = append(clip.Cuts, timeline.SpanOf(at, 217))
	}

	clip.Cuts = timeline.Normalise(clip.LengthMs, clip.Cuts)
	clock := clip.Clock()

	var shots []shot

	for i, shape := range shapes {
		span := timeline.SpanOf(int64(i)*layoutMs, layoutMs)
		e := domain.ShownEffect{Kind: domain.EffectKindLayout, StartMs: span.StartMs, EndMs: span.EndMs, Params: domain.EffectParams{
			Layout: &domain.LayoutParams{Shape: shape, Intro: domain.LayoutTransitionHardCut, Outro: domain.LayoutTransitionHardCut},
		}}

		if shape.Kind == domain.LayoutKindBRoll {
			e.SourceID = "media"
		}

		look.Effects = append(look.Effects, e)
		play, _ := clock.Report(span)
		places := render.Arrange(shape, stage)
		one := shot{Span: play, name: fmt.Sprint(shape.Kind, places)}

		for n, p := range places {
			picture := map[render.Role]render.Size{render.RoleCamera: g.size}[p.Role]
			if p.Role != render.RoleCamera {
				picture = stage.Screen
			}

			if readable(places, n, picture) {
				one.windows, one.roles = append(one.windows, window(p)), append(one.roles, p.Role)
			}
		}

		shots = append(shots, one)
	}

	plan := g.studio.planLook(b, domain.Look{Clips: []domain.ClipLook{look}}, settings, clip)
	result := g.studio.renderPlan(b, plan)

	var parts []shown
	for _, k := range clock.Kept() {
		parts = append(parts, shown{k.StartMs, k.EndMs})
	}

	ratio := big.NewRat(g.rate.Speed.Num, g.rate.Speed.Den)
	want := map[render.Role][]int{
		render.RoleScreen: expected(parts, g.rate.FPS, ratio, big.NewRat(30, 1), longest*30-1),
		render.RoleCamera: expected(parts, g.rate.FPS, ratio, big.NewRat(25, 1), longest*25-1),
	}
	at := func(n int) shot {
		us := g.rate.PlayUs(int64(n))
		i := slices.IndexFunc(shots, func(s shot) bool { return s.StartMs*1000 <= us && us < s.EndMs*1000 })

		return shots[max(i, 0)]
	}

	require.NoError(b, reel.IndicesIn(b.Context(), result.Path, settings.Frame.Width, settings.Frame.Height,
		func(n int) []reel.Window { return at(n).windows },
		func(n, i, number int) {
			s := at(n)
			var expect int

			switch role := s.roles[i]; role {
			case render.RoleMedia: // from its own beginning
				expect = min(int((g.rate.PlayUs(int64(n))-s.StartMs*1000+timeline.FrameSlackUs)*30/1_000_000), 59)
			default:
				expect = want[role][n]
			}

			read++
			g.layouts[s.name] = true

			if number != expect {
				if wrong++; wrong < 10 {
					b.Logf("frame %d shows %d, not %d: %s", n, number, expect, s.name)
				}
			}
		}))

	return read, wrong
}
