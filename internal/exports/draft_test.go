package exports_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/exports"
	"github.com/reelgraph/reelgraph/internal/video/effect"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// The plan holds each sound at its effective volume, studio sound on the speech of clips that do not opt out, and the
// transition of the clip or else of the video.
func TestPlanOfSounds(t *testing.T) {
	t.Parallel()

	ptr := func(v float64) *float64 { return &v }
	microphone := values.SourceAudioMicrophone
	screen, camera := "screen", "camera"
	clip := func(id string, with *ent.Clip) *ent.Clip {
		with.ID, with.RecordingMs = id, 10_000
		if with.Transition == "" {
			with.Transition = values.ClipTransitionDefault
		}

		return with
	}

	v := &ent.Video{Width: 1920, Height: 1080, Editing: values.DefaultEditing()}
	v.Editing.StudioSound, v.Editing.MicrophoneVolume, v.Editing.SystemAudioVolume = true, 1.5, 0.5
	v.Editing.ClipTransition = values.VideoTransitionSmooth
	v.BackgroundMusic = &values.BackgroundMusic{SourceID: "song", Volume: 0.2}

	both := clip("cl_both", &ent.Clip{ScreenSourceID: &screen, CameraSourceID: &camera, SystemAudioVolume: ptr(0)})
	both.Edges.ScreenSource = &ent.Source{ID: screen, HasAudio: true}
	both.Edges.CameraSource = &ent.Source{ID: camera, HasAudio: true, Audio: &microphone}

	alone := clip("cl_alone", &ent.Clip{ScreenSourceID: &screen, Transition: values.ClipTransitionHardCut})
	alone.Edges.ScreenSource = &ent.Source{ID: screen, HasAudio: true}

	out := clip("cl_out", &ent.Clip{CameraSourceID: &camera, StudioSoundOff: true, MicrophoneVolume: ptr(0.7)})
	out.Edges.CameraSource = &ent.Source{ID: camera, HasAudio: true, Audio: &microphone}

	draft := exports.NewDraft(v, []*ent.Clip{both, alone, out}, map[string]*ent.Source{
		"bell": {ID: "bell", Kind: values.SourceKindAudio, Status: values.SourceStatusReady},
		"film": {ID: "film", Kind: values.SourceKindVideo, Status: values.SourceStatusReady},
	})
	bell := func(source string, startMs int64) *effect.AddEffectInput {
		return &effect.AddEffectInput{SoundEffect: &effect.AddSoundEffectInput{
			TimeInput: effect.TimeInput{StartTimeMs: startMs, DurationMs: 1_000}, SourceID: &source, Volume: ptr(2),
		}}
	}

	require.NoError(t, draft.Add("cl_alone", bell("bell", 9_500)))
	require.ErrorContains(t, draft.Add("cl_alone", bell("film", 0)), "sourceId must be a source of kind audio")
	require.ErrorContains(t, draft.Add("cl_alone", bell("nothing", 0)), "sourceId must be the id of one of the given sources")
	require.ErrorContains(t, draft.Add("cl_alone", bell("bell", 10_000)), "startTimeMs")

	heard := draft.Plan().Timeline
	require.Equal(t, &timeline.Sound{Source: "song", Volume: 0.2}, heard.Music)
	require.Equal(t, []timeline.Sound{
		{Source: screen, Volume: 0}, {Source: camera, Volume: 1.5, Studio: true, Speech: true},
	}, heard.Clips[0].Sounds)
	require.Equal(t, []timeline.Sound{{Source: screen, Volume: 0.5, Studio: true, Speech: true}}, heard.Clips[1].Sounds)
	require.Equal(t, []timeline.Sound{{Source: camera, Volume: 0.7, Speech: true}}, heard.Clips[2].Sounds)
	require.Equal(t, []bool{true, false, true}, []bool{heard.Clips[0].Smooth, heard.Clips[1].Smooth, heard.Clips[2].Smooth})
	require.Equal(t, []timeline.Cue{{
		Sound: timeline.Sound{Source: "bell", Volume: 2}, Span: values.Span{StartMs: 9_500, EndMs: 10_000},
	}}, heard.Clips[1].Cues)
}
