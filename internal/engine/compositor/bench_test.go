package compositor

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Each benchmark paints what a 1080p export shows, so cpu-ms/op is the cost of one frame:
//
//	go test -run xxx -bench . ./internal/engine/compositor

const benchWidth, benchHeight = 1920, 1080

// The screen inset of the reference timeline and its camera.
var (
	benchInset  = plan.Layer{From: box(0, 0, 1720, 968), To: box(100, 56, 1720, 968), Corner: plan.Corner{Radius: 24}, Opacity: 1}
	benchCamera = plan.Layer{
		Input: 1, From: box(0, 0, 320, 320), To: box(1560, 720, 320, 320), Corner: plan.Corner{Radius: 160, Squircle: true}, Opacity: 1,
	}
	benchPlate = plan.Background{Type: values.BackgroundTypeGradient, Color: "#112244FF", Color2: "#884466FF", Angle: 120}
)

func BenchmarkFrame(b *testing.B) {
	inputs := []Frame{noise(1720, 968, 1), noise(320, 320, 2), noise(benchWidth, benchHeight, 3)}

	with := func(change func(v *plan.View)) plan.View {
		screen, camera := benchInset, benchCamera
		screen.Border, camera.Border = values.BorderStyleDeepShadow, values.BorderStyleDeepShadow
		v := plan.View{Background: benchPlate, Layers: []plan.Layer{screen, camera}}
		change(&v)

		return v
	}
	alone := func(l plan.Layer) plan.View {
		return plan.View{Background: benchPlate, Layers: []plan.Layer{l}}
	}

	whole := plan.Layer{Input: 2, From: sized(benchWidth, benchHeight), To: sized(benchWidth, benchHeight), Opacity: 1}
	zoomed := whole
	zoomed.From = box(333.3, 222.2, 960, 540)

	masked := func(m plan.Mask) plan.View {
		l := whole
		l.Masks = []plan.Mask{m}

		return alone(l)
	}

	views := []struct {
		name string
		view plan.View
	}{
		{"steady inset and camera", with(func(*plan.View) {})},
		{"the same, screen zoomed", with(func(v *plan.View) { v.Layers[0].From = box(300.3, 200.7, 860, 484) })},
		{"whole frame", alone(whole)},
		{"whole frame, zoomed 2×", alone(zoomed)},
		{"whole frame, half opaque", alone(func() plan.Layer {
			l := whole
			l.Opacity = 0.5

			return l
		}())},
		{"blur 600×200", masked(plan.Mask{Type: values.MaskTypeBlur, Box: box(300, 300, 600, 200), Cell: 45})},
		{"highlight", masked(plan.Mask{Type: values.MaskTypeHighlight, Box: box(300, 300, 600, 200), Dark: 0.7})},
		{"snake", with(func(v *plan.View) { v.Layers[0].Border = values.BorderStyleSnake })},
		{"cursor and ripple", func() plan.View {
			l := whole
			l.Cursor = &plan.Cursor{X: 700, Y: 500, Size: 32, Press: 0.5}

			return alone(l)
		}()},
		{"flowing background", plan.View{Background: plan.Background{
			Type: values.BackgroundTypeShaderGradient, Color: "#112244FF", Color2: "#884466FF",
		}, Seconds: 2}},
		{"text 1152×270", plan.View{Background: benchPlate, Overlays: []plan.Overlay{{Text: &plan.Text{
			Text: "Text over the picture", Box: box(384, 405, 1152, 270), TextStyle: values.TextStyle{
				Color: "#FFFFFFFF", Background: "#000000CC", BackgroundShape: values.TextBackgroundShapeRounded,
				FontFamily: "Inter", FontSize: 81, FontWeight: 500, FontWidth: 100, TextAlign: values.TextAlignCenter,
			},
		}}}}},
		{"caption", plan.View{Background: benchPlate, Caption: &plan.Caption{
			Words: []string{"every", "word", "that", "is", "said", "lights", "up"}, Active: 3,
			Style: values.CaptionStyle{BackgroundColor: "#000000CC", TextColor: "#FFFFFFFF", WordLevelHighlights: true},
			X:     960, Y: 970, FontSize: 48, MaxWidth: 1536,
		}}},
	}

	for _, v := range views {
		b.Run(v.name, func(b *testing.B) { benchView(b, v.view, inputs, func(*plan.View, int) {}) })
	}

	b.Run("moving camera", func(b *testing.B) {
		benchView(b, with(func(*plan.View) {}), inputs, func(v *plan.View, i int) {
			v.Layers[1].To.X = 1500 + float64(i%50)*0.7
			v.Layers[1].To.Width = 300 + float64(i%50)*0.3
		})
	})
	b.Run("moving screen", func(b *testing.B) {
		benchView(b, with(func(*plan.View) {}), inputs, func(v *plan.View, i int) {
			v.Layers[0].To = box(100+float64(i%50)*0.7, 56.5, 1500.5, 844.5)
		})
	})
	b.Run("next word of a caption", func(b *testing.B) {
		benchView(b, views[len(views)-1].view, inputs, func(v *plan.View, i int) {
			c := *v.Caption
			c.Active = i % 7
			v.Caption = &c
		})
	})
}

func benchView(b *testing.B, v plan.View, inputs []Frame, change func(v *plan.View, i int)) {
	b.Helper()

	scene := plan.Scene{
		Frame: plan.Size{Width: benchWidth, Height: benchHeight}, FPS: 30, Frames: 1, Shots: []plan.Shot{{View: v}},
	}

	for _, f := range inputs {
		in := inputOf(f)
		in.Still = false
		scene.Inputs = append(scene.Inputs, in)
	}

	p, err := New(scene, installed(b), 0)
	require.NoError(b, err)

	dst := NewFrame(benchWidth, benchHeight)
	for range 2 {
		require.NoError(b, p.Paint(dst, v, inputs))
	}

	b.ReportAllocs()

	before, i := processor(b), 0
	for b.Loop() {
		change(&v, i)
		i++

		if err := p.Paint(dst, v, inputs); err != nil {
			b.Fatal(err)
		}
	}

	b.ReportMetric((processor(b)-before).Seconds()*1000/float64(b.N), "cpu-ms/op")
}

// processor returns the processor time used so far. Unlike wall time it does not grow on a busy machine.
func processor(b *testing.B) time.Duration {
	b.Helper()

	var used syscall.Rusage

	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &used))

	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// A fade blends two whole pictures.
func BenchmarkMix(b *testing.B) {
	one, two := noise(benchWidth, benchHeight, 1), noise(benchWidth, benchHeight, 2)
	dst := NewFrame(benchWidth, benchHeight)

	before := processor(b)
	for b.Loop() {
		Mix(dst, one, two, 0.3)
	}

	b.ReportMetric((processor(b)-before).Seconds()*1000/float64(b.N), "cpu-ms/op")
}

// A zoom by one thread and by two.
func BenchmarkZoom(b *testing.B) {
	src, dst := noise(benchWidth, benchHeight, 1), NewFrame(benchWidth, benchHeight)

	for threads := range 2 {
		b.Run(fmt.Sprintf("threads %d", threads+1), func(b *testing.B) {
			s := scaler{threads: threads + 1}
			for i := 0; b.Loop(); i++ {
				s.draw(dst, src, box(300+float64(i%90)*0.31, 200, 960, 540))
			}
		})
	}
}
