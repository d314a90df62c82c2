package rendering

import (
	"crypto/sha256"
	"encoding/hex"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/engine/encode"
	"github.com/reelgraph/reelgraph/internal/engine/probe"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
	reel "github.com/reelgraph/reelgraph/test/testkit/footage"
)

// Studio renders films in tests. The films have the size Frame; if Frame is zero, they have the resolutions of the
// API.
type Studio struct {
	Frame   plan.Size
	Engine  *encode.Engine
	Cache   encode.DirCache
	Files   probe.Sources
	Sources plan.Sources
}

// New creates an empty studio, which is removed at the end of the test.
func New(tb testing.TB) *Studio {
	tb.Helper()

	dir := tb.TempDir()

	return &Studio{
		Frame:   plan.Size{Width: 160, Height: 90},
		Engine:  &encode.Engine{Tools: Tools(tb), Dir: filepath.Join(dir, "it's scratch")},
		Cache:   encode.DirCache{Dir: filepath.Join(dir, "cache")},
		Files:   probe.Sources{},
		Sources: plan.Sources{},
	}
}

// Add adds a file as a video source, as an upload would.
func (s *Studio) Add(tb testing.TB, id, path string) probe.Info {
	tb.Helper()

	return s.AddAs(tb, id, path, probe.KindVideo)
}

// AddAs is like Add, for a source of any kind.
func (s *Studio) AddAs(tb testing.TB, id, path string, kind string) probe.Info {
	tb.Helper()

	info, err := probe.File(tb.Context(), s.Engine.Tools, path, kind)
	require.NoError(tb, err)

	bytes, err := os.ReadFile(path)
	require.NoError(tb, err)

	sum := sha256.Sum256(bytes)
	s.Files[id] = probe.Source{Path: path, Info: info}
	s.Sources[id] = info.RenderSource(hex.EncodeToString(sum[:]), filepath.Base(path))

	return info
}

// Beside returns another studio that has the same sources but an empty cache.
func (s *Studio) Beside(tb testing.TB) *Studio {
	tb.Helper()

	other := New(tb)
	other.Frame, other.Files, other.Sources = s.Frame, s.Files, s.Sources

	return other
}

// Clip returns a clip of the whole source, with the given cuts.
func (s *Studio) Clip(id string, cuts ...values.Span) timeline.Clip {
	c := timeline.Clip{ID: "cl_" + id, Name: id, LengthMs: s.Files[id].Info.DurationMs, Cuts: cuts, Screen: id}
	if s.Sources[id].Sound {
		c.Sounds = []timeline.Sound{{Source: id, Volume: 1}}
	}

	return c
}

// Plan returns the export plan of clips.
func (s *Studio) Plan(tb testing.TB, settings plan.Settings, clips ...timeline.Clip) plan.Plan {
	tb.Helper()

	return s.PlanVideo(tb, settings, timeline.Video{Clips: clips})
}

// PlanVideo returns the export plan of a video without a look.
func (s *Studio) PlanVideo(tb testing.TB, settings plan.Settings, v timeline.Video) plan.Plan {
	tb.Helper()

	settings.Frame = s.Frame

	planned, err := plan.Of(v, values.Look{}, s.Sources, settings)
	require.NoError(tb, err)

	if s.Frame == (plan.Size{}) {
		return planned
	}

	for i := range planned.Outputs {
		for j := range planned.Outputs[i].Chunks {
			if draw := planned.Outputs[i].Chunks[j].Draw; draw != nil { // nil in the passthrough lane
				draw.Picture = plan.Box{Size: s.Frame}
			}
		}
	}

	return planned
}

// Render exports clips and checks the guarantees that hold for every export.
func (s *Studio) Render(tb testing.TB, settings plan.Settings, clips ...timeline.Clip) encode.Result {
	tb.Helper()

	return s.RenderPlan(tb, s.Plan(tb, settings, clips...))
}

// RenderPlan is like Render, for a plan.
func (s *Studio) RenderPlan(tb testing.TB, plan plan.Plan) encode.Result {
	tb.Helper()

	meter := &heard{}

	result, err := s.Engine.Render(tb.Context(), plan, s.Files, s.Cache, meter.hear)
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, result.Discard()) })
	meter.check(tb)

	stat, err := os.Stat(result.Path)
	require.NoError(tb, err)
	require.Equal(tb, stat.Size(), result.Bytes)
	require.Equal(tb, plan.Frames(), result.Frames)

	return result
}

// Wide returns export settings with the aspect ratio of a screen.
func Wide() plan.Settings { return plan.Defaults(plan.Size{Width: 1920, Height: 1080}) }

// heard collects progress.
type heard struct {
	mu          sync.Mutex
	done, total []int
}

func (h *heard) hear(done, total int) {
	h.mu.Lock()
	defer h.mu.Unlock()

	h.done, h.total = append(h.done, done), append(h.total, total)
}

func (h *heard) check(tb testing.TB) {
	tb.Helper()
	require.IsIncreasing(tb, append([]int{-1}, h.done...))
	require.Equal(tb, h.total[len(h.total)-1], h.done[len(h.done)-1])

	for _, total := range h.total {
		require.Equal(tb, h.total[0], total)
	}
}

// Counter makes a film in which every frame shows its number, in a folder of the test.
func Counter(tb testing.TB, f reel.Film, name string) string {
	tb.Helper()

	path := filepath.Join(tb.TempDir(), name)
	require.NoError(tb, reel.Counter(tb.Context(), path, f))

	return path
}

// Drawn adds a PNG source. at returns the color of each pixel.
func (s *Studio) Drawn(tb testing.TB, id string, width, height int, at func(x, y int) color.NRGBA) {
	tb.Helper()

	picture := image.NewNRGBA(image.Rect(0, 0, width, height))

	for y := range height {
		for x := range width {
			picture.SetNRGBA(x, y, at(x, y))
		}
	}

	path := filepath.Join(tb.TempDir(), id+".png")
	file, err := os.Create(path)
	require.NoError(tb, err)
	require.NoError(tb, png.Encode(file, picture))
	require.NoError(tb, file.Close())
	s.AddAs(tb, id, path, probe.KindImage)
}

// PlanLook returns the export plan of clips with a look.
func (s *Studio) PlanLook(tb testing.TB, look values.Look, settings plan.Settings, clips ...timeline.Clip) plan.Plan {
	tb.Helper()

	var err error

	settings.Fonts, err = s.Engine.Fonts()
	require.NoError(tb, err)

	plan, err := plan.Of(timeline.Video{Clips: clips}, look, s.Sources, settings)
	require.NoError(tb, err)

	return plan
}

// Chunks returns the bytes of a plan's chunks, in order.
func (s *Studio) Chunks(tb testing.TB, plan plan.Plan) [][]byte {
	tb.Helper()

	var all [][]byte

	for _, c := range plan.Outputs[0].Chunks {
		b, err := os.ReadFile(filepath.Join(s.Cache.Dir, c.Key+".mp4"))
		require.NoError(tb, err)

		all = append(all, b)
	}

	return all
}

// Small returns export settings for small, quickly rendered pictures with a padding of 18.
func Small() plan.Settings {
	s := Wide()
	s.Frame = plan.Size{Width: 640, Height: 360}

	return s
}

// Tiny returns settings with the smallest pictures in which an inset is still readable. Use them in tests about which
// frame is shown. They are too small for tests about where it is shown.
func Tiny() plan.Settings {
	s := Wide()
	s.Frame = plan.Size{Width: 320, Height: 180}

	return s
}

// Plain returns a look that the passthrough lane cannot draw, because it has a background. It has no rounded corners,
// so that the number of a counter film is completely visible.
func Plain(effects ...values.ShownEffect) values.Look {
	return values.Look{Clips: []values.ClipLook{{
		Background:  values.Background{Type: values.BackgroundTypeSolid, Color: "#00FF00FF"},
		BorderStyle: values.BorderStyleNone, Corners: values.CornersNone, Effects: effects,
		Base: &values.LayoutShape{
			Kind: values.LayoutKindCameraBubble, Position: new(values.LayoutPositionTopRight),
			Shape: new(values.CameraShapeLandscape), Size: new(values.LayoutSizeL),
		},
	}}}
}
