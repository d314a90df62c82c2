package plan_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

func sources() plan.Sources {
	return plan.Sources{
		"su_screen": {
			Content: "aaaa", Name: "Screen recording.mp4", Bytes: 1000, Sound: true,
			Picture: &plan.Picture{Size: plan.Size{Width: 1280, Height: 800}, FPSNum: 30, FPSDen: 1},
		},
		"su_camera": {
			Content: "bbbb", Name: "screen recording.MP4", Bytes: 500, Sound: true,
			Picture: &plan.Picture{Size: plan.Size{Width: 640, Height: 480}, FPSNum: 30, FPSDen: 1},
		},
		"su_silent": {
			Content: "cccc", Name: "silent.webm", Bytes: 7,
			Picture: &plan.Picture{Size: plan.Size{Width: 1920, Height: 1080}, FPSNum: 60, FPSDen: 1},
		},
		"su_sound": {Content: "dddd", Name: "sound.wav", Sound: true},
	}
}

func screen(lengthMs int64, cuts ...values.Span) timeline.Clip {
	return timeline.Clip{
		ID: "cl_1", Name: "Intro", LengthMs: lengthMs, Cuts: cuts, Screen: "su_screen",
		Sounds: []timeline.Sound{{Source: "su_screen", Volume: 1}},
	}
}

func defaults() plan.Settings { return plan.Defaults(plan.Size{Width: 1920, Height: 1080}) }

func TestOfTheStory(t *testing.T) {
	t.Parallel()

	v := timeline.Video{Clips: []timeline.Clip{screen(60_000, values.SpanOf(10_000, 10_000), values.SpanOf(30_000, 5_000))}}

	planned, err := plan.Of(v, values.Look{}, sources(), defaults())
	require.NoError(t, err)
	require.Equal(t, int64(1350), planned.Frames())
	require.Equal(t, []string{"su_screen"}, planned.Sources())

	o := planned.Outputs[0]
	require.Equal(t, int64(45_000), o.DurationMs())
	require.Equal(t, int64(45*plan.SampleRate), o.Mix.Samples)

	type part struct{ first, frames, fromUs int64 }

	var parts []part
	for _, c := range o.Chunks {
		parts = append(parts, part{c.First, c.Draw.Frames, c.Draw.FromUs})
	}

	require.Equal(t, []part{
		{0, 300, 0}, {300, 300, 20_000_000}, {600, 450, 35_000_000}, {1050, 300, 50_000_000},
	}, parts)

	require.Equal(t, plan.Box{X: 96, Size: plan.Size{Width: 1728, Height: 1080}}, o.Chunks[0].Draw.Picture)
	require.Equal(t, []plan.Piece{
		{RecordMs: 0, LengthMs: 10_000, Voices: []plan.Voice{{Source: "su_screen", Content: "aaaa", Volume: 1}}},
		{RecordMs: 20_000, LengthMs: 10_000, Voices: []plan.Voice{{Source: "su_screen", Content: "aaaa", Volume: 1}}},
		{RecordMs: 35_000, LengthMs: 25_000, Voices: []plan.Voice{{Source: "su_screen", Content: "aaaa", Volume: 1}}},
	}, o.Mix.Pieces)
}

// Chunks tile their output and never cross a cut, and a plan survives JSON.
func TestChunksTileTheirOutput(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		v := timeline.Video{Clips: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) timeline.Clip {
			n := rapid.Int64Range(100, 90_000).Draw(t, "lengthMs")
			at := rapid.Int64Range(0, n-1).Draw(t, "cutMs")

			return screen(n, values.Normalise(n, []values.Span{values.SpanOf(at, rapid.Int64Range(0, n-1).Draw(t, "cutLength"))})...)
		}), 1, 4).Draw(t, "clips")}
		s := defaults()
		s.FPS = rapid.SampledFrom([]int64{30, 60}).Draw(t, "fps")
		s.Speed = rapid.SampledFrom(timeline.Speeds()).Draw(t, "speed")

		planned, err := plan.Of(v, values.Look{}, sources(), s)
		if errors.Is(err, plan.ErrEmpty) {
			require.Zero(t, v.DurationMs())

			return
		}

		require.NoError(t, err)

		var next, sound int64
		for _, c := range planned.Outputs[0].Chunks {
			require.Equal(t, next, c.First)
			require.Positive(t, c.Draw.Frames)
			require.LessOrEqual(t, c.Draw.Frames, plan.PassSeconds*s.FPS)
			next += c.Draw.Frames
		}

		for _, p := range planned.Outputs[0].Mix.Pieces {
			sound += p.LengthMs
		}

		require.Equal(t, planned.Outputs[0].Frames, next)
		require.Equal(t, v.DurationMs(), sound)

		var back plan.Plan

		b, err := json.Marshal(planned)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(b, &back))
		require.Equal(t, planned, back)
		require.Equal(t, planned.Hash(), back.Hash())
	})
}

// A chunk's key depends only on what it shows, not on its position or ids.
func TestKeysFollowTheContent(t *testing.T) {
	t.Parallel()

	of := func(sources plan.Sources, s plan.Settings, clips ...timeline.Clip) plan.Output {
		plan, err := plan.Of(timeline.Video{Clips: clips}, values.Look{}, sources, s)
		require.NoError(t, err)

		return plan.Outputs[0]
	}

	one := of(sources(), defaults(), screen(20_000))
	two := of(sources(), defaults(), screen(5_000), screen(20_000))
	require.Equal(t, one.Chunks[0].Key, two.Chunks[1].Key)
	require.NotEqual(t, one.Chunks[0].Key, one.Chunks[1].Key)
	require.NotEqual(t, one.Mix.Key, two.Mix.Key)

	renamed := sources()
	renamed["su_again"] = renamed["su_screen"]
	clip := screen(20_000)
	clip.Screen, clip.Sounds[0].Source = "su_again", "su_again"
	again := of(renamed, defaults(), clip)
	require.Equal(t, one.Chunks[0].Key, again.Chunks[0].Key)
	require.Equal(t, one.Mix.Key, again.Mix.Key)

	for name, change := range map[string]func(*plan.Settings){
		"fps":        func(s *plan.Settings) { s.FPS = 60 },
		"resolution": func(s *plan.Settings) { s.Resolution = plan.UHD4K },
		"speed":      func(s *plan.Settings) { s.Speed = timeline.Speed{Num: 3, Den: 2} },
		"artboard":   func(s *plan.Settings) { s.Artboard = plan.Size{Width: 1080, Height: 1080} },
	} {
		s := defaults()
		change(&s)
		require.NotEqual(t, one.Chunks[0].Key, of(sources(), s, screen(20_000)).Chunks[0].Key, name)
	}

	louder := screen(20_000)
	louder.Sounds = []timeline.Sound{{Source: "su_screen", Volume: 2}}
	loud := of(sources(), defaults(), louder)
	require.Equal(t, one.Chunks[0].Key, loud.Chunks[0].Key, "a volume changes no picture")
	require.NotEqual(t, one.Mix.Key, loud.Mix.Key)
}

func TestScenes(t *testing.T) {
	t.Parallel()

	s := defaults()
	s.Granularity = plan.Scenes
	second := timeline.Clip{ID: "cl_2", Name: "../Q1/Q2?", LengthMs: 3_000, Camera: "su_camera"}

	plan, err := plan.Of(timeline.Video{Clips: []timeline.Clip{screen(2_000), second, {LengthMs: 0, Screen: "su_screen"}}}, values.Look{}, sources(), s)
	require.NoError(t, err)
	require.Len(t, plan.Outputs, 2)
	require.Equal(t, "01 Intro.mp4", plan.Outputs[0].Name)
	require.Equal(t, "02 -Q1-Q2-.mp4", plan.Outputs[1].Name)
	require.Equal(t, int64(0), plan.Outputs[1].Chunks[0].First)
	require.Equal(t, "su_camera", plan.Outputs[1].Chunks[0].Inputs[0])
	require.Empty(t, plan.Outputs[1].Mix.Pieces[0].Voices)
	require.Equal(t, int64(150), plan.Frames())
}

func TestRaw(t *testing.T) {
	t.Parallel()

	s := plan.Settings{Granularity: plan.Raw}
	combi := screen(2_000, values.SpanOf(500, 500))
	combi.Camera = "su_camera"

	planned, err := plan.Of(timeline.Video{Clips: []timeline.Clip{combi, screen(9_000)}}, values.Look{}, sources(), s)
	require.NoError(t, err)
	require.Empty(t, planned.Outputs)
	require.Zero(t, planned.Frames())
	require.Equal(t, []plan.File{
		{Name: "Screen recording.mp4", Source: "su_screen", Content: "aaaa", Bytes: 1000},
		{Name: "screen recording (2).MP4", Source: "su_camera", Content: "bbbb", Bytes: 500},
	}, planned.Files)
	require.Equal(t, values.Cuts{{StartMs: 500, EndMs: 1000}}, planned.Clips[0].Cuts)
	require.Equal(t, []string{"su_screen", "su_camera"}, planned.Sources())
}

func TestRawNamesStayInTheirFolder(t *testing.T) {
	t.Parallel()

	for name, want := range map[string]string{
		"../../etc/passwd":                  "passwd.webm",
		`C:\videos\take.mov`:                "take.mov",
		"manifest.json":                     "manifest (2).json",
		"..":                                "su_screen.webm",
		"a\x00b\nc.mp4":                     "a-b-c.mp4",
		"...hidden. ":                       "hidden.webm",
		"":                                  "su_screen.webm",
		"über <1>.mp4":                      "über -1-.mp4",
		"AUX.mp4":                           "_AUX.mp4",
		"a\u202e4pm.exe":                    "a4pm.exe",
		"notes. " + strings.Repeat("x", 40): "notes. " + strings.Repeat("x", 40) + ".webm",
		strings.Repeat("画", 90):             strings.Repeat("画", 83) + ".webm",
		strings.Repeat("画", 90) + ".MOV":    strings.Repeat("画", 83) + ".MOV",
		strings.Repeat("👩‍💻", 40) + ".webm": strings.Repeat("👩‍💻", 22) + ".webm",
	} {
		all := sources()
		src := all["su_screen"]
		src.Name, src.Ext = name, ".webm"
		all["su_screen"] = src

		plan, err := plan.Of(timeline.Video{Clips: []timeline.Clip{screen(1000)}}, values.Look{}, all, plan.Settings{Granularity: plan.Raw})
		require.NoError(t, err)
		require.Equal(t, want, plan.Files[0].Name, "%q", name)
	}
}

func TestOfRefuses(t *testing.T) {
	t.Parallel()

	clip := func(screen string) timeline.Video {
		return timeline.Video{Clips: []timeline.Clip{{LengthMs: 1000, Screen: screen}}}
	}
	unhashed := sources()
	unhashed["su_screen"] = plan.Source{}

	var bad *plan.SourceError

	_, err := plan.Of(clip("su_gone"), values.Look{}, sources(), defaults())
	require.ErrorAs(t, err, &bad)
	require.EqualError(t, err, "plan the export: source su_gone is unknown")

	_, err = plan.Of(clip("su_sound"), values.Look{}, sources(), defaults())
	require.EqualError(t, err, "plan the export: source su_sound has no picture")

	_, err = plan.Of(clip("su_screen"), values.Look{}, unhashed, defaults())
	require.EqualError(t, err, "plan the export: source su_screen has no content hash")

	_, err = plan.Of(timeline.Video{}, values.Look{}, sources(), defaults())
	require.ErrorIs(t, err, plan.ErrEmpty)

	s := defaults()
	s.FPS = 25
	_, err = plan.Of(clip("su_screen"), values.Look{}, sources(), s)
	require.EqualError(t, err, "plan the export: unsupported frame rate 25; use 30 or 60")
}
