package plan_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// The plan contains every audible sound by playback time and no inaudible one.
func TestMixOfEverything(t *testing.T) {
	t.Parallel()

	first := screen(3_000, values.SpanOf(1_000, 500))
	first.Cues = []timeline.Cue{
		{Sound: timeline.Sound{Source: "su_sound", Volume: 0.5}, Span: values.Span{StartMs: 1_600, EndMs: 2_000}},
		{Sound: timeline.Sound{Source: "su_sound"}, Span: values.Span{StartMs: 0, EndMs: 2_000}},
	}
	second := screen(300)
	second.Smooth = true
	second.Sounds = []timeline.Sound{{Source: "su_screen", Volume: 2, Studio: true, Speech: true}, {Source: "su_silent", Volume: 1}}
	v := timeline.Video{Clips: []timeline.Clip{first, second}, Music: &timeline.Sound{Source: "su_sound", Volume: 0.2}}

	planned, err := plan.Of(v, values.Look{}, sources(), defaults())
	require.NoError(t, err)

	m := planned.Outputs[0].Mix
	require.Equal(t, int64(2_800), m.LengthMs())
	require.Equal(t, []plan.Cue{{
		Voice: plan.Voice{Source: "su_sound", Content: "dddd", Volume: 0.5}, AtMs: 1_100, LengthMs: 400,
	}}, m.Cues)
	require.Equal(t, &plan.Voice{Source: "su_sound", Content: "dddd", Volume: 0.2}, m.Music)
	require.Equal(t, []plan.Fade{{AtMs: 2_500, FallMs: 200, RiseMs: 300}}, m.Fades)
	require.Equal(t, []plan.Voice{{Source: "su_screen", Content: "aaaa", Volume: 2, Studio: true, Speech: true}}, m.Pieces[2].Voices)
	require.Equal(t, []string{"su_screen", "su_sound"}, planned.Sources())

	// The music plays in every scene, and no scene blends with another.
	settings := defaults()
	settings.Granularity = plan.Scenes
	scenes, err := plan.Of(v, values.Look{}, sources(), settings)
	require.NoError(t, err)

	for _, o := range scenes.Outputs {
		require.Equal(t, m.Music, o.Mix.Music)
		require.Empty(t, o.Mix.Fades)
	}
}

// A mix's key depends on its sound: every change of it changes the key, another id does not.
func TestMixKeys(t *testing.T) {
	t.Parallel()

	keyOf := func(change func(v *timeline.Video, all plan.Sources)) string {
		all := sources()
		c := screen(1_000)
		c.Cues = []timeline.Cue{{Sound: timeline.Sound{Source: "su_sound", Volume: 1}, Span: values.SpanOf(0, 500)}}
		v := timeline.Video{Clips: []timeline.Clip{screen(500), c}, Music: &timeline.Sound{Source: "su_sound", Volume: 0.2}}
		change(&v, all)

		plan, err := plan.Of(v, values.Look{}, all, defaults())
		require.NoError(t, err)

		return plan.Outputs[0].Mix.Key
	}
	same := keyOf(func(*timeline.Video, plan.Sources) {})
	seen := map[string]bool{same: true}

	for name, change := range map[string]func(v *timeline.Video, all plan.Sources){
		"volume":      func(v *timeline.Video, _ plan.Sources) { v.Clips[1].Sounds[0].Volume = 0.9 },
		"studio":      func(v *timeline.Video, _ plan.Sources) { v.Clips[1].Sounds[0].Studio = true },
		"speech":      func(v *timeline.Video, _ plan.Sources) { v.Clips[1].Sounds[0].Speech = true },
		"cue":         func(v *timeline.Video, _ plan.Sources) { v.Clips[1].Cues[0].StartMs = 1 },
		"cue volume":  func(v *timeline.Video, _ plan.Sources) { v.Clips[1].Cues[0].Volume = 0.9 },
		"music":       func(v *timeline.Video, _ plan.Sources) { v.Music = nil },
		"music level": func(v *timeline.Video, _ plan.Sources) { v.Music.Volume = 0.3 },
		"transition":  func(v *timeline.Video, _ plan.Sources) { v.Clips[1].Smooth = true },
		"content": func(_ *timeline.Video, all plan.Sources) {
			s := all["su_sound"]
			s.Content = "eeee"
			all["su_sound"] = s
		},
	} {
		key := keyOf(change)
		require.False(t, seen[key], name)
		seen[key] = true
	}

	require.Equal(t, same, keyOf(func(v *timeline.Video, all plan.Sources) {
		all["su_other"] = all["su_sound"]
		v.Music.Source, v.Clips[1].Cues[0].Source = "su_other", "su_other"
	}))
}
