package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/cmd/reelgraph/film"
	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/platform/input"
	effects "github.com/reelgraph/reelgraph/internal/video/effect"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/test/testkit/footage"
)

// examples writes the films of the documentation to a folder with the files that they use.
func examples(t *testing.T) string {
	t.Helper()

	folder := t.TempDir()
	found, err := filepath.Glob("../../docs/examples/*.json")
	require.NoError(t, err)
	require.NotEmpty(t, found)

	for _, path := range found {
		document, err := os.ReadFile(path)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(folder, filepath.Base(path)), document, 0o600))
	}

	at := func(name string) string { return filepath.Join(folder, name) }
	require.NoError(t, footage.Counter(t.Context(), at("screen.mp4"), footage.Film{Frames: 60, Tone: 300}))
	require.NoError(t, footage.Counter(t.Context(), at("camera.mp4"), footage.Film{Frames: 60, Tone: 500}))

	for name, source := range map[string]string{
		"music.wav": "sine=frequency=220:duration=1", "bell.wav": "sine=frequency=1760:duration=1", "logo.png": "color=red:s=64x64",
	} {
		_, err := footage.Said(t.Context(), "-f", "lavfi", "-i", source, "-t", "1", "-frames:v", "1", at(name))
		require.NoError(t, err)
	}

	require.NoError(t, os.WriteFile(at("pointer.jsonl"), []byte(
		`{"timeMs":0,"xPct":10,"yPct":10,"type":"move"}`+"\n"+`{"timeMs":500,"xPct":50,"yPct":50,"type":"click"}`+"\n"), 0o600))

	return folder
}

// The examples of docs/render.md render films of the documented length.
func TestRenderExamples(t *testing.T) {
	t.Parallel()

	folder := examples(t)

	for name, frames := range map[string]int{
		"cuts.json":    48, // 1.0 s of 60 frames at 1.25
		"sound.json":   36,
		"picture.json": 27,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			out := filepath.Join(t.TempDir(), "film.mp4")
			_, err := command(t, nil, "render", "--spec", filepath.Join(folder, name), "--out", out, "--quiet")
			require.NoError(t, err)
			require.Equal(t, frames, framesOf(t.Context(), t, out))
			require.Empty(t, hidden(t, filepath.Dir(out)), "nothing else is left")
		})
	}
}

// The pointer of a film is drawn at the position in its file.
func TestRenderDrawsThePointer(t *testing.T) {
	t.Parallel()

	folder := examples(t)
	f, err := film.Read(filepath.Join(folder, "picture.json"))
	require.NoError(t, err)

	found, err := ffmpeg.Find(exec.LookPath)
	require.NoError(t, err)

	s, err := film.Open(t.Context(), found, folder, f)
	require.NoError(t, err)

	planned, err := s.Plan()
	require.NoError(t, err)

	scene := planned.Outputs[0].Chunks[0].Scene
	require.NotNil(t, scene)
	require.NotEmpty(t, scene.Pointer)
	require.Equal(t, plan.PointerAt{X: 10_000, Y: 10_000}, scene.Pointer[0])
	require.Equal(t, plan.PointerAt{X: 50_000, Y: 50_000, Press: 1000}, scene.Pointer[15], "the click at 500 ms")
}

func framesOf(ctx context.Context, t *testing.T, path string) int {
	t.Helper()

	times, err := footage.FrameTimes(ctx, path)
	require.NoError(t, err)

	return len(times)
}

func hidden(t *testing.T, folder string) []string {
	t.Helper()

	found, err := filepath.Glob(filepath.Join(folder, ".*"))
	require.NoError(t, err)

	return found
}

// The documentation names every field and every example.
func TestRenderIsDocumented(t *testing.T) {
	t.Parallel()

	page, err := os.ReadFile("../../docs/render.md")
	require.NoError(t, err)

	found, err := filepath.Glob("../../docs/examples/*.json")
	require.NoError(t, err)

	for _, path := range found {
		require.Contains(t, string(page), "examples/"+filepath.Base(path))
	}

	for _, part := range []any{film.Film{}, film.Source{}, film.Clip{}, film.Word{}, film.Music{}, effects.AddEffectInput{}} {
		for _, p := range input.ShapeOf(reflect.TypeOf(part)).Properties {
			require.Contains(t, string(page), "`"+p.Name+"`")
		}
	}
}

// Every fault names its field, and no output is written.
func TestRenderRefuses(t *testing.T) {
	t.Parallel()

	folder := examples(t)
	require.NoError(t, os.WriteFile(filepath.Join(folder, "list.mp4"), []byte("#EXTM3U\n#EXT-X-TARGETDURATION:10\nscreen.mp4\n"), 0o600))

	require.NoError(t, os.WriteFile(filepath.Join(folder, "moves.jsonl"), []byte(`{"timeMs":0,"xPct":101,"yPct":10,"type":"move"}`), 0o600))

	clip := `{"screenSourceId": "a"}`
	of := func(clips, more string) string {
		return fmt.Sprintf(`{"sources": [{"sourceId": "a", "file": "screen.mp4"}, {"sourceId": "s", "file": "bell.wav", "kind": "audio"}], "clips": [%s]%s}`, clips, more)
	}

	for document, want := range map[string]string{
		`{`:                                   "is not valid JSON",
		`{"clips": []}`:                       "sources is required",
		of(clip, `, "studiosound": 1`):        "studiosound",
		of(clip, `, "export": {"fps": "50"}`): "export.fps must be one of",
		of(clip, `, "backgroundMusic": {"sourceId": "a"}`):                                  "backgroundMusic.sourceId must be a source of kind audio",
		of(`{"name": "x"}`, ""):                                                             "clips[0].screenSourceId or cameraSourceId is required",
		of(`{"screenSourceId": "b"}`, ""):                                                   "clips[0].screenSourceId must be the sourceId of one of the sources",
		of(`{"screenSourceId": "a", "cuts": [{"startTimeMs": 0, "durationMs": 0}]}`, ""):    "clips[0].cuts[0].durationMs must be at least 1",
		of(`{"screenSourceId": "a", "cuts": [{"startTimeMs": 9000, "durationMs": 1}]}`, ""): "clips[0].cuts[0].startTimeMs must be before the end of the clip",
		of(`{"screenSourceId": "a", "effects": [{}]}`, ""):                                  "clips[0].effects[0] must have exactly one kind of effect",
		of(`{"screenSourceId": "a", "effects": [{"zoom": {"type": "manualZoom", "startTimeMs": 0, "durationMs": 100, "scale": 9, "focusPoint": {"xPct": 1, "yPct": 1}}}]}`, ""): "clips[0].effects[0].zoom.scale must be at least 1 and at most 3.5",
		of(`{"screenSourceId": "a", "effects": [{"layout": {"layout": {"kind": "tv-presenter", "position": "left"}}}]}`, ""):                                                    "clips[0].effects[0]",
		of(`{"screenSourceId": "a", "effects": [{"soundEffect": {"sourceId": "s", "startTimeMs": 99000, "durationMs": 100}}]}`, ""):                                             "clips[0].effects[0].soundEffect.startTimeMs must be before the end",
		of(`{"cameraSourceId": "a", "crop": {"xPct": 0, "yPct": 0, "widthPct": 50, "heightPct": 50}}`, ""):                                                                      "clips[0].crop does not apply",
		of(`{"cameraSourceId": "a", "animatedCursor": true}`, ""):                                                                                                               "clips[0].animatedCursor does not apply",
		of(`{"screenSourceId": "a", "microphoneVolume": 0.5}`, ""):                                                                                                              "clips[0].microphoneVolume does not apply",
		of(`{"cameraSourceId": "a", "systemAudioVolume": 0.5}`, ""):                                                                                                             "clips[0].systemAudioVolume does not apply",
		of(`{"screenSourceId": "a", "borderStyle": "custom"}`, ""):                                                                                                              "clips[0].borderStyle must not be \"custom\"",
		of(`{"screenSourceId": "a", "words": [{"text": "no", "startTimeMs": 500, "endTimeMs": 500}]}`, ""):                                                                      "clips[0].words[0].endTimeMs must be after startTimeMs",
		`{"sources": [{"sourceId": "a", "file": "."}], "clips": [` + clip + `]}`:                                                                                                "sources[0].file must be a file",
		of(clip, `, "borderStyle": "custom"`):                                                                                                                                   "borderStyle must not be \"custom\"",
		`{"sources": [{"sourceId": "a", "file": "list.mp4"}], "clips": [` + clip + `]}`:                                                                                         "sources[0].file cannot be used",
		`{"sources": [{"sourceId": "a", "file": "screen.mp4"}, {"sourceId": "m", "file": "moves.jsonl", "kind": "mouse"}], "clips": [` + clip + `]}`:                            "sources[1].file cannot be used: Mouse events, line 1",
		`{"sources": [{"sourceId": "a", "file": "nobody.mp4"}], "clips": [` + clip + `]}`:                                                                                       "sources[0].file must exist",
	} {
		spec := filepath.Join(t.TempDir(), "film.json")
		document = strings.NewReplacer(`"file": "`, `"file": "`+folder+`/`).Replace(document)
		require.NoError(t, os.WriteFile(spec, []byte(document), 0o600))

		out := filepath.Join(t.TempDir(), "film.mp4")
		_, err := command(t, nil, "render", "--spec", spec, "--out", out, "--quiet")
		require.ErrorContains(t, err, want, document)
		require.ErrorContains(t, err, spec)
		require.NoFileExists(t, out)
	}
}

// Inputs of the film are not overwritten under any name, and the extension must match the format.
func TestRenderDoesNotOverwriteInputs(t *testing.T) {
	t.Parallel()

	folder := examples(t)
	at := func(name string) string { return filepath.Join(folder, name) }
	require.NoError(t, os.Symlink(at("screen.mp4"), at("another name.mp4")))

	before, err := os.ReadFile(at("screen.mp4"))
	require.NoError(t, err)

	for out, want := range map[string]string{
		"screen.mp4": "is an input of the video", "another name.mp4": "is an input of the video", "film.avi": "ends with .mp4", "film.zip": "ends with .mp4",
		".": "--out is the folder",
	} {
		_, err = command(t, nil, "render", "--spec", at("cuts.json"), "--out", at(out), "--quiet")
		require.ErrorContains(t, err, want)
	}

	after, err := os.ReadFile(at("screen.mp4"))
	require.NoError(t, err)
	require.Equal(t, before, after)
	require.NoFileExists(t, at("film.avi"))
}

func TestRenderRejectsZeroWorkers(t *testing.T) {
	t.Parallel()

	_, err := command(t, nil, "render", "--spec", "film.json", "--out", "film.mp4", "--workers", "0")
	require.ErrorContains(t, err, "--workers must be at least 1")
}

// An invalid cache folder is rejected before anything is drawn.
func TestRenderRejectsCacheFile(t *testing.T) {
	t.Parallel()

	folder := examples(t)
	at := func(name string) string { return filepath.Join(folder, name) }

	var said strings.Builder

	a := app{stdout: io.Discard, stderr: &said, getenv: func(string) string { return "" }}
	err := a.run(t.Context(), []string{"reelgraph", "render", "--spec", at("cuts.json"), "--out", at("film.mp4"), "--cache", at("bell.wav")})
	require.ErrorContains(t, err, "create the cache folder")
	require.NotContains(t, said.String(), "%", "nothing was drawn")
	require.NoFileExists(t, at("film.mp4"))
	require.Empty(t, hidden(t, folder))
}

// In a file or a pipe, each tenth has a line.
func TestProgressInLines(t *testing.T) {
	t.Parallel()

	var said strings.Builder

	say, end := filmJob{meter: &said}.progress()
	for done := range 61 {
		say(done, 60)
	}

	end()
	require.Equal(t, "  0 %\n 10 %\n 20 %\n 30 %\n 40 %\n 50 %\n 60 %\n 70 %\n 80 %\n 90 %\n100 %\n", said.String())
}
