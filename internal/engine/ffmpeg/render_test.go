package ffmpeg_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
	reel "github.com/reelgraph/reelgraph/test/testkit/footage"
)

// studio is what a test renders with. Its films are as small as frame says; the zero size leaves them
// as the interface's resolutions are.
type studio struct {
	frame   plan.Size
	engine  *ffmpeg.Engine
	cache   ffmpeg.DirCache
	files   ffmpeg.Sources
	sources plan.Sources
}

func newStudio(tb testing.TB) *studio {
	tb.Helper()

	dir := tb.TempDir()

	return &studio{
		frame:   plan.Size{Width: 160, Height: 90},
		engine:  &ffmpeg.Engine{Tools: tools(tb), Dir: filepath.Join(dir, "it's scratch")},
		cache:   ffmpeg.DirCache{Dir: filepath.Join(dir, "cache")},
		files:   ffmpeg.Sources{},
		sources: plan.Sources{},
	}
}

// add makes a source of a file, as an upload would.
func (s *studio) add(tb testing.TB, id, path string) ffmpeg.Info {
	tb.Helper()

	return s.addAs(tb, id, path, ffmpeg.KindVideo)
}

func (s *studio) addAs(tb testing.TB, id, path string, kind string) ffmpeg.Info {
	tb.Helper()

	info, err := ffmpeg.Probe(tb.Context(), s.engine.Tools, path, kind)
	require.NoError(tb, err)

	bytes, err := os.ReadFile(path)
	require.NoError(tb, err)

	sum := sha256.Sum256(bytes)
	s.files[id] = ffmpeg.Source{Path: path, Info: info}
	s.sources[id] = info.RenderSource(hex.EncodeToString(sum[:]), filepath.Base(path))

	return info
}

// beside is a studio with the same sources and nothing rendered yet.
func (s *studio) beside(tb testing.TB) *studio {
	tb.Helper()

	other := newStudio(tb)
	other.frame, other.files, other.sources = s.frame, s.files, s.sources

	return other
}

// clip is a whole source as a clip.
func (s *studio) clip(id string, cuts ...values.Span) timeline.Clip {
	c := timeline.Clip{ID: "cl_" + id, Name: id, LengthMs: s.files[id].Info.DurationMs, Cuts: cuts, Screen: id}
	if s.sources[id].Sound {
		c.Sounds = []timeline.Sound{{Source: id, Volume: 1}}
	}

	return c
}

func (s *studio) plan(tb testing.TB, settings plan.Settings, clips ...timeline.Clip) plan.Plan {
	tb.Helper()

	return s.planVideo(tb, settings, timeline.Video{Clips: clips})
}

func (s *studio) planVideo(tb testing.TB, settings plan.Settings, v timeline.Video) plan.Plan {
	tb.Helper()

	settings.Frame = s.frame

	planned, err := plan.Of(v, values.Look{}, s.sources, settings)
	require.NoError(tb, err)

	if s.frame == (plan.Size{}) {
		return planned
	}

	for i := range planned.Outputs {
		for j := range planned.Outputs[i].Chunks {
			if draw := planned.Outputs[i].Chunks[j].Draw; draw != nil { // not composed
				draw.Picture = plan.Box{Size: s.frame}
			}
		}
	}

	return planned
}

// render exports clips and checks what is promised of every export.
func (s *studio) render(tb testing.TB, settings plan.Settings, clips ...timeline.Clip) ffmpeg.Result {
	tb.Helper()

	return s.renderPlan(tb, s.plan(tb, settings, clips...))
}

func (s *studio) renderPlan(tb testing.TB, plan plan.Plan) ffmpeg.Result {
	tb.Helper()

	meter := &heard{}

	result, err := s.engine.Render(tb.Context(), plan, s.files, s.cache, meter.hear)
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, result.Discard()) })
	meter.check(tb)

	stat, err := os.Stat(result.Path)
	require.NoError(tb, err)
	require.Equal(tb, stat.Size(), result.Bytes)
	require.Equal(tb, plan.Frames(), result.Frames)

	return result
}

func wide() plan.Settings { return plan.Defaults(plan.Size{Width: 1920, Height: 1080}) }

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

func counter(tb testing.TB, f reel.Film, name string) string {
	tb.Helper()

	path := filepath.Join(tb.TempDir(), name)
	require.NoError(tb, reel.Counter(tb.Context(), path, f))

	return path
}
