package films_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/values"
	reel "github.com/reelgraph/reelgraph/test/testkit/footage"
	"github.com/reelgraph/reelgraph/test/testkit/rendering"
)

func unzip(t *testing.T, path string) map[string][]byte {
	t.Helper()

	z, err := zip.OpenReader(path)
	require.NoError(t, err)

	defer z.Close()

	files := map[string][]byte{}

	for _, f := range z.File {
		require.GreaterOrEqual(t, f.Modified.Year(), 1980, "a valid ZIP date")

		in, err := f.Open()
		require.NoError(t, err)
		files[f.Name], err = io.ReadAll(in)
		require.NoError(t, err)
	}

	return files
}

func TestRenderRaw(t *testing.T) {
	t.Parallel()

	s := rendering.New(t)
	screen := rendering.Counter(t, reel.Film{Frames: 300, Tone: 440}, "take.mp4")
	camera := rendering.Counter(t, reel.Film{Frames: 30}, "take.mov")
	s.Add(t, "su_a", screen)
	s.Add(t, "su_b", camera)

	clip := s.Clip("su_a", values.SpanOf(500, 1_000))
	clip.Camera = "su_b"

	began := time.Now()
	result := s.Render(t, plan.Settings{Granularity: plan.Raw}, clip, s.Clip("su_a"))
	t.Logf("%d bytes in %v", result.Bytes, time.Since(began))
	require.Equal(t, "application/zip", result.ContentType)

	files := unzip(t, result.Path)
	require.Len(t, files, 3)

	for name, path := range map[string]string{"take.mp4": screen, "take.mov": camera} {
		uploaded, err := os.ReadFile(path)
		require.NoError(t, err)
		require.True(t, bytes.Equal(uploaded, files[name]), name)
	}

	var manifest struct {
		Version int
		Files   []struct {
			File, SourceID, SHA256 string
			Bytes                  int
		}
		Clips []struct {
			Name                           string
			ScreenSourceID, CameraSourceID string
			Cuts                           []values.Span
		}
	}

	require.NoError(t, json.Unmarshal(files["manifest.json"], &manifest))
	require.Equal(t, 1, manifest.Version)
	require.Equal(t, s.Sources["su_a"].Content, manifest.Files[0].SHA256)
	require.Equal(t, len(files["take.mp4"]), manifest.Files[0].Bytes)
	require.Equal(t, "su_b", manifest.Clips[0].CameraSourceID)
	require.Equal(t, []values.Span{{StartMs: 500, EndMs: 1_500}}, manifest.Clips[0].Cuts)
}

func TestRenderScenes(t *testing.T) {
	t.Parallel()

	s := rendering.New(t)
	s.Add(t, "su_a", rendering.Counter(t, reel.Film{Frames: 90, Tone: 440}, "a.mp4"))

	settings := rendering.Wide()
	settings.Granularity = plan.Scenes
	first, second := s.Clip("su_a", values.SpanOf(1_000, 500)), s.Clip("su_a", values.SpanOf(0, 2_000))
	first.Name, second.Name = "Intro", "Outro"
	first.LengthMs, second.LengthMs = 3_000, 3_000
	result := s.Render(t, settings, first, second)

	require.Equal(t, "application/zip", result.ContentType)
	require.Equal(t, int64(3_500), result.DurationMs)

	files := unzip(t, result.Path)
	require.Len(t, files, 2)

	for name, parts := range map[string][]shown{
		"01 Intro.mp4": {{0, 1_000}, {1_500, 3_000}},
		"02 Outro.mp4": {{2_000, 3_000}},
	} {
		path := filepath.Join(t.TempDir(), name)
		require.NoError(t, os.WriteFile(path, files[name], 0o600))
		requireFrames(t, path, expected(parts, 30, big.NewRat(1, 1), big.NewRat(30, 1), 89), 30)
	}
}
