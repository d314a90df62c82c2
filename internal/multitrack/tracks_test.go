package multitrack_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/multitrack"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

func source(ms int64, sound values.SourceAudio) *ent.Source {
	s := &ent.Source{DurationMs: ms, Status: values.SourceStatusReady, HasAudio: sound != ""}
	if sound != "" {
		s.Audio = &sound
	}

	return s
}

func clocked(s *ent.Source, id string, at float64) *ent.Source {
	s.Clock, s.BeganMs = &values.TrackClock{ID: id}, &at

	return s
}

func given(ms int64) values.Offset { return values.Offset{Ms: ms, Given: true} }

func TestLength(t *testing.T) {
	t.Parallel()

	screen, camera := source(10_000, ""), source(8_000, "")
	for want, o := range map[int64]values.Offsets{
		10_000: {Camera: given(1_500)}, 10_500: {Camera: given(2_500)}, 68_000: {Camera: given(60_000)},
	} {
		require.Equal(t, want, multitrack.Tracks{Screen: screen, Camera: camera}.LengthMs(o))
	}

	require.EqualValues(t, 10_000, multitrack.Tracks{Screen: screen, Camera: camera}.LengthMs(values.Offsets{Camera: given(-60_000)}))
	require.EqualValues(t, 8_000, multitrack.Tracks{Camera: camera, Microphone: source(90_000, "")}.LengthMs(values.Offsets{}),
		"sound after the end of the picture does not count")
}

func TestAlign(t *testing.T) {
	t.Parallel()

	tracks := multitrack.Tracks{
		Screen: clocked(source(1, ""), "a", 1000.4), Camera: clocked(source(1, ""), "a", 1250.3),
		Microphone: clocked(source(1, ""), "b", 1100), Mouse: clocked(source(1, ""), "a", 900),
	}
	require.Equal(t, values.Offsets{Camera: values.Offset{Ms: 250}, Mouse: values.Offset{Ms: -100}}, tracks.Align(values.Offsets{}))

	given := values.Offsets{Camera: given(0), Microphone: given(-7), Mouse: given(3)}
	require.Equal(t, given, tracks.Align(given), "given offsets stay, even zero")

	tracks.Screen.BeganMs = nil
	require.Equal(t, values.Offsets{}, tracks.Align(values.Offsets{}), "a clock without a result of the probe")

	alone := multitrack.Tracks{Camera: tracks.Camera, Microphone: clocked(source(1, ""), "a", 1200.3)}
	require.Equal(t, values.Offsets{Microphone: values.Offset{Ms: -50}}, alone.Align(values.Offsets{}))
}

func TestSpeech(t *testing.T) {
	t.Parallel()

	system, camera := source(1, values.SourceAudioSystem), source(1, values.SourceAudioMicrophone)
	apart, silent := source(1, values.SourceAudioSystem), source(1, "")
	o := values.Offsets{Camera: given(1), Microphone: given(2)}

	for _, one := range []struct {
		tracks multitrack.Tracks
		want   multitrack.Sound
	}{
		{multitrack.Tracks{Screen: system, Camera: camera, Microphone: apart}, multitrack.Sound{Source: apart, Microphone: true, OffsetMs: 2}},
		{multitrack.Tracks{Screen: system, Camera: camera}, multitrack.Sound{Source: camera, Microphone: true, OffsetMs: 1}},
		{multitrack.Tracks{Screen: camera, Camera: system}, multitrack.Sound{Source: camera, Microphone: true}},
		{multitrack.Tracks{Screen: system, Camera: silent, Microphone: silent}, multitrack.Sound{Source: system}},
		{multitrack.Tracks{Screen: silent}, multitrack.Sound{}},
	} {
		require.Equal(t, one.want, one.tracks.Speech(o))
	}
}

func TestUsable(t *testing.T) {
	t.Parallel()

	failed := &ent.Source{Status: values.SourceStatusFailed}
	camera, sound := source(1, ""), source(1, "")
	o := values.Offsets{Camera: given(100), Microphone: given(250)}

	kept, offsets := multitrack.Tracks{Screen: camera, Camera: failed, Microphone: sound}.Usable(o)
	require.Equal(t, multitrack.Tracks{Screen: camera, Microphone: sound}, kept)
	require.Equal(t, o, offsets)

	kept, offsets = multitrack.Tracks{Screen: failed, Camera: camera, Microphone: sound}.Usable(o)
	require.Equal(t, multitrack.Tracks{Camera: camera, Microphone: sound}, kept)
	require.Equal(t, values.Offsets{Microphone: given(150)}, offsets, "recording time begins with the camera")
}
