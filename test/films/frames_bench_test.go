package films_test

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
	reel "github.com/reelgraph/reelgraph/test/testkit/footage"
	"github.com/reelgraph/reelgraph/test/testkit/rendering"
)

// everyLayout returns all layouts of a stage that look different, of every kind.
func everyLayout(st plan.Stage) []values.LayoutShape {
	var (
		all  []values.LayoutShape
		seen = map[string]bool{}
	)

	add := func(s values.LayoutShape) {
		if places := fmt.Sprint(s.Kind, plan.Arrange(s, st)); !seen[places] {
			seen[places] = true

			all = append(all, s)
		}
	}

	for _, kind := range values.LayoutKind("").Values() {
		for _, position := range values.LayoutPosition("").Values() {
			for _, size := range values.LayoutSize("").Values() {
				s := values.LayoutShape{
					Kind: values.LayoutKind(kind), Position: new(values.LayoutPosition(position)), Size: new(values.LayoutSize(size)),
				}

				for _, shape := range values.CameraShape("").Values() {
					s.Shape = new(values.CameraShape(shape))
					add(s)
				}

				for _, style := range values.LayoutStyle("").Values() {
					s.Style = new(values.LayoutStyle(style))
					add(s)
				}

				for _, fit := range values.ScreenFit("").Values() {
					s.ScreenFit = new(values.ScreenFit(fit))
					add(s)
				}
			}
		}
	}

	return all
}

// numbered is a recording that shows its frame number repeatedly: in its middle and as often around it as fits, so that
// a number is fully visible wherever a layout crops, rounds or covers it.
type numbered struct {
	plan.Size

	across, down int // how many numbers fit horizontally and vertically
}

// add makes the recording: a counter tiled five by five, cropped to the middle.
func (n numbered) add(b *testing.B, to *rendering.Studio, id string, f reel.Film) {
	b.Helper()

	f.Width, f.Height = n.Width/n.across, n.Height/n.down
	f.Filter = fmt.Sprintf(
		"split=5[a][b][c][d][e];[a][b][c][d][e]hstack=5,split=5[f][g][h][i][j];[f][g][h][i][j]vstack=5,crop=%d:%d", n.Width, n.Height)
	to.Add(b, id, rendering.Counter(b, f, id+".mp4"))
}

// numbers returns the windows with a fully visible number in place i, which shows the recording, with blocks of at
// least four pixels.
func (n numbered) numbers(places []plan.Place, i int) []reel.Window {
	var (
		all    []reel.Window
		box    = places[i].Box
		scale  = max(float64(box.Width)/float64(n.Width), float64(box.Height)/float64(n.Height))
		width  = scale * float64(n.Width) / float64(n.across)
		height = scale * float64(n.Height) / float64(n.down)
	)

	for column := -2.5; column < 2; column++ {
		for row := -2.5; row < 2; row++ {
			w := reel.Window{
				X:     box.X + int(math.Round(float64(box.Width)/2+column*width)),
				Y:     box.Y + int(math.Round(float64(box.Height)/2+row*height)),
				Width: int(width), Height: int(height),
			}
			covered := slices.ContainsFunc(places[i+1:], func(o plan.Place) bool {
				return o.Box.X < w.X+w.Width && w.X < o.Box.X+o.Box.Width && o.Box.Y < w.Y+w.Height && w.Y < o.Box.Y+o.Box.Height
			})

			if w.Width >= 20 && w.Height >= 16 && holds(places[i], w) && !covered {
				all = append(all, w)
			}
		}
	}

	return all
}

// holds reports whether a window is inside a place with its rounded corners.
func holds(p plan.Place, w reel.Window) bool {
	r := p.Corner.Radius
	beyond := func(at, from, length int) float64 {
		return max(float64(from)+r-float64(at), float64(at)-float64(from+length)+r, 0)
	}

	for _, x := range []int{w.X, w.X + w.Width} {
		for _, y := range []int{w.Y, w.Y + w.Height} {
			if math.Hypot(beyond(x, p.Box.X, p.Box.Width), beyond(y, p.Box.Y, p.Box.Height)) > r {
				return false
			}
		}
	}

	return true
}

// layoutMs is the time each layout is shown.
const layoutMs = 600

// longest is the length of the recordings in seconds.
const longest = 60

// BenchmarkFrames exports every layout, in both lanes, across cuts, at four speeds and both rates, with cameras of
// three shapes and one to four workers in turn. It reads every fully visible number in every frame, at least one for
// each recording of each layout.
func BenchmarkFrames(b *testing.B) {
	screen := numbered{plan.Size{Width: 480, Height: 270}, 3, 3}
	cameras := []numbered{screen, {plan.Size{Width: 240, Height: 320}, 2, 5}, {plan.Size{Width: 240, Height: 240}, 2, 4}}
	run := 0

	for _, speed := range []timeline.Speed{{Num: 1, Den: 2}, {Num: 1, Den: 1}, {Num: 3, Den: 2}, {Num: 2, Den: 1}} {
		for _, fps := range []int64{30, 60} {
			camera, workers := cameras[run%len(cameras)], 1+run%4
			run++

			b.Run(fmt.Sprintf("%v at %d fps by %d", speed, fps, workers), func(b *testing.B) {
				for b.Loop() {
					s := rendering.New(b)
					s.Frame = plan.Size{}
					s.Engine.Workers = workers
					screen.add(b, s, "screen", reel.Film{Frames: longest * 30})
					screen.add(b, s, "media", reel.Film{Frames: 60})
					camera.add(b, s, "camera", reel.Film{Frames: longest * 25, FPS: 25})

					settings := rendering.Small()
					settings.FPS, settings.Speed = fps, speed
					g := gallery{
						studio: s, screen: screen, camera: camera, rate: timeline.Rate{FPS: fps, Speed: speed}, layouts: map[string]bool{},
					}
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
	studio         *rendering.Studio
	screen, camera numbered // media uses the screen
	rate           timeline.Rate
	layouts        map[string]bool // layouts with at least one number read
}

// shot is a layout with the numbers that are fully visible in it.
type shot struct {
	values.Span

	name    string
	windows []reel.Window
	roles   []plan.Role
}

// read renders the film, compares the numbers, and counts the numbers read and the wrong ones.
func (g gallery) read(b *testing.B, settings plan.Settings) (read, wrong int) {
	b.Helper()

	stage := plan.Stage{Frame: settings.Frame, Screen: g.screen.Size, Camera: g.camera.Size, Corners: values.CornersNone}
	look := values.ClipLook{Background: values.DefaultBackground(), BorderStyle: values.BorderStyleNone, Corners: values.CornersNone}
	shapes := everyLayout(stage)
	clip := timeline.Clip{ID: "clip", LengthMs: int64(len(shapes)) * layoutMs, Screen: "screen", Camera: "camera"}

	for at := int64(7_250); at < clip.LengthMs; at += 9_100 {
		clip.Cuts = append(clip.Cuts, values.SpanOf(at, 217))
	}

	clip.Cuts = values.Normalise(clip.LengthMs, clip.Cuts)
	clock := clip.Clock()

	var shots []shot

	for i, shape := range shapes {
		span := values.SpanOf(int64(i)*layoutMs, layoutMs)
		e := values.ShownEffect{Kind: values.EffectKindLayout, StartMs: span.StartMs, EndMs: span.EndMs, Params: values.EffectParams{
			Layout: &values.LayoutParams{Shape: shape, Intro: values.LayoutTransitionHardCut, Outro: values.LayoutTransitionHardCut},
		}}

		if shape.Kind == values.LayoutKindBRoll {
			e.SourceID = "media"
		}

		look.Effects = append(look.Effects, e)
		play, _ := clock.ToPlayback(span)
		places := plan.Arrange(shape, stage)
		one := shot{Span: play, name: fmt.Sprint(shape.Kind, places)}

		require.NotEmpty(b, places, one.name)

		for n, p := range places {
			of := g.screen
			if p.Role == plan.RoleCamera {
				of = g.camera
			}

			require.InDelta(b, 1, p.Zoom, 0, "a zoomed camera shows its numbers elsewhere")

			seen := of.numbers(places, n)
			require.NotEmpty(b, seen, "no number of role %d in %s", p.Role, one.name)

			one.windows = append(one.windows, seen...)
			one.roles = append(one.roles, slices.Repeat([]plan.Role{p.Role}, len(seen))...)
		}

		shots = append(shots, one)
	}

	planned := g.studio.PlanLook(b, values.Look{Clips: []values.ClipLook{look}}, settings, clip)
	result := g.studio.RenderPlan(b, planned)

	var parts []shown
	for _, k := range clock.Kept() {
		parts = append(parts, shown{k.StartMs, k.EndMs})
	}

	ratio := big.NewRat(g.rate.Speed.Num, g.rate.Speed.Den)
	want := map[plan.Role][]int{
		plan.RoleScreen: expected(parts, g.rate.FPS, ratio, big.NewRat(30, 1), longest*30-1),
		plan.RoleCamera: expected(parts, g.rate.FPS, ratio, big.NewRat(25, 1), longest*25-1),
	}
	at := func(n int) shot {
		us := g.rate.PlayUs(int64(n))
		i := slices.IndexFunc(shots, func(s shot) bool { return s.StartMs*1000 <= us && us < s.EndMs*1000 })

		return shots[max(i, 0)]
	}

	promised := 0
	for n := range want[plan.RoleScreen] {
		promised += len(at(n).windows)
	}

	require.NoError(b, reel.IndicesIn(b.Context(), result.Path, settings.Frame.Width, settings.Frame.Height,
		func(n int) []reel.Window { return at(n).windows },
		func(n, i, number int) {
			s := at(n)

			var expect int

			switch role := s.roles[i]; role {
			case plan.RoleMedia: // counted from its own start
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

	require.Equal(b, promised, read, "at least one number of every recording in every frame")
	require.Len(b, g.layouts, len(shapes))

	return read, wrong
}
