package extracts_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/footage"
)

func TestSilencesAndWaveform(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	l.work()

	v, src := l.video(func(path string) error {
		return footage.Talk(t.Context(), path, footage.Film{FPS: 10, Frames: 60}, 500, 1500, 1700, 2500, 3700, 5400)
	})
	clip := "/v1/videos/" + v.ID + "/clips/" + v.Edges.Clips[0].ID

	var heard struct {
		Silences []struct{ StartTimeMs, DurationMs int64 }
	}

	l.get(clip+"/silences?minDurationMs=100", &heard)
	require.Len(t, heard.Silences, 4)

	for i, known := range [][2]int64{{0, 500}, {1500, 1700}, {2500, 3700}, {5400, 6000}} {
		got := heard.Silences[i]
		require.InDelta(t, known[0], got.StartTimeMs, 30)
		require.InDelta(t, known[1], got.StartTimeMs+got.DurationMs, 30)
	}

	var shape struct {
		Version, Channels, SampleRate, SamplesPerPixel, Bits, Length int
		Data                                                         []int
	}

	l.get(clip+"/sources/"+src.ID+"/waveform", &shape)
	require.Equal(t, []int{2, 1, 256, 8}, []int{shape.Version, shape.Channels, shape.SamplesPerPixel, shape.Bits})
	require.InDelta(t, 6*shape.SampleRate/256, shape.Length, 4)
	require.Len(t, shape.Data, 2*shape.Length)

	pixel := func(ms int) (low, top int) {
		i := ms * shape.SampleRate / 1000 / 256

		return shape.Data[2*i], shape.Data[2*i+1]
	}

	low, top := pixel(1000)
	require.True(t, low < -15 && top > 15 && low >= -128 && top <= 127, "%d %d", low, top)

	low, top = pixel(3000)
	require.True(t, low >= -2 && top <= 2, "%d %d", low, top)

	made := l.made()

	var cut struct {
		Clip struct{ DurationSeconds float64 }
	}

	l.post(clip+"/remove-silences", `{"mode":"natural"}`, &cut)
	require.InDelta(t, 6-(1.2-0.2), cut.Clip.DurationSeconds, 0.06, "one silence is longer than 800 ms")
	l.post(clip+"/remove-silences", `{"mode":"faster"}`, &cut)
	require.InDelta(t, 6-(1.2-0.2)-(0.5-0.2)-(0.6-0.2), cut.Clip.DurationSeconds, 0.15)
	require.Equal(t, made, l.made(), "silences are measured once")
}

// Without a transcript, speech is assumed wherever it is not silent.
func TestLayoutsFollowTheVoice(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	l.work()

	camera := l.source(func(path string) error {
		return footage.Talk(t.Context(), path, footage.Film{FPS: 10, Frames: 60}, 500, 2500, 2800, 5400)
	})
	l.member.Do(t, l.Store, func(ctx context.Context, c *ent.Client) {
		camera = c.Source.UpdateOneID(camera.ID).SetAudio(values.SourceAudioMicrophone).SaveX(ctx)
	})

	screen := l.source(func(path string) error {
		return footage.Counter(t.Context(), path, footage.Film{FPS: 10, Frames: 60})
	})
	v := testkit.NewVideo(t, l.Store, l.member, testkit.VideoOpts{Source: screen, Camera: camera})
	clip := v.Edges.Clips[0]

	var chosen struct {
		EditingStyle string
		Layouts      []struct {
			Base                    bool
			Layout                  struct{ Kind string }
			StartTimeMs, DurationMs int64
		}
	}

	l.post("/v1/videos/"+v.ID+"/clips/"+clip.ID+"/layouts/auto", "", &chosen)
	require.Equal(t, "tutorial-round", chosen.EditingStyle)
	require.Len(t, chosen.Layouts, 2)

	face := chosen.Layouts[1]
	require.Equal(t, "camera-only", face.Layout.Kind)
	require.InDelta(t, 500, face.StartTimeMs, 30)
	require.InDelta(t, 5400, face.StartTimeMs+face.DurationMs, 30)
}

func TestAClipWithoutSound(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	v, src := l.video(counter(t))
	clip := "/v1/videos/" + v.ID + "/clips/" + v.Edges.Clips[0].ID

	a := l.Call(t, l.member.Key, http.MethodGet, clip+"/sources/"+src.ID+"/waveform", "")
	require.Equal(t, http.StatusNotFound, a.Status)

	var heard struct{ Silences []any }

	l.get(clip+"/silences", &heard)
	require.Empty(t, heard.Silences)
}

// Channels in opposite phase are audible: they have a waveform, are not silence, and stay when silences are removed.
func TestOppositePhaseIsHeard(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	l.work()

	v, src := l.video(func(path string) error {
		return footage.FFmpeg(t.Context(), nil, nil, "-v", "error", "-f", "lavfi", "-i", "color=black:s=64x36:r=30:d=4",
			"-f", "lavfi", "-i", "aevalsrc=exprs='0.5*sin(2*PI*440*t)*gte(t,1)*lt(t,3)|-0.5*sin(2*PI*440*t)*gte(t,1)*lt(t,3)':s=48000:d=4",
			"-c:v", "libx264", "-preset", "ultrafast", "-c:a", "flac", "-strict", "-2", path)
	})
	clip := "/v1/videos/" + v.ID + "/clips/" + v.Edges.Clips[0].ID

	var heard struct {
		Silences []struct{ StartTimeMs, DurationMs int64 }
	}

	l.get(clip+"/silences?minDurationMs=100", &heard)
	require.Equal(t, []struct{ StartTimeMs, DurationMs int64 }{{0, 1000}, {3000, 1000}}, heard.Silences)

	var shape struct {
		SampleRate int
		Data       []int
	}

	l.get(clip+"/sources/"+src.ID+"/waveform", &shape)

	for ms, want := range map[int]int{500: 0, 1100: 63, 2000: 63, 2900: 63, 3500: 0} {
		require.InDelta(t, want, shape.Data[2*(ms*shape.SampleRate/1000/256)+1], 1, "at %d ms", ms)
	}

	var cut struct {
		Clip struct{ DurationSeconds float64 }
	}

	l.post(clip+"/remove-silences", `{"mode":"natural"}`, &cut)
	require.InDelta(t, 2.4, cut.Clip.DurationSeconds, 0.001)
}
