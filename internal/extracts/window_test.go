package extracts_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/test/testkit/footage"
)

// desktop writes a recording of a window on a colored desktop.
func desktop(t *testing.T) func(path string) error {
	t.Helper()

	return func(path string) error {
		return footage.FFmpeg(t.Context(), nil, nil, "-loglevel", "error", "-f", "lavfi", "-i", "color=0x1e7890:s=640x360:r=5:d=2",
			"-f", "lavfi", "-i", "testsrc=s=320x200:r=5:d=2", "-filter_complex", "[0][1]overlay=120:60", "-pix_fmt", "yuv420p", path)
	}
}

func TestAutoCrop(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	l.work()

	var found struct {
		Crop        struct{ XPct, YPct, WidthPct, HeightPct float64 }
		Confidence  float64
		AspectRatio string
		InpointMs   int64
	}

	v, _ := l.video(desktop(t))
	clip := "/v1/videos/" + v.ID + "/clips/" + v.Edges.Clips[0].ID
	l.post(clip+"/auto-crop", `{"inpointMs":700}`, &found)
	require.InDelta(t, 120, found.Crop.XPct*6.4, 2)
	require.InDelta(t, 60, found.Crop.YPct*3.6, 2)
	require.InDelta(t, 320, found.Crop.WidthPct*6.4, 2)
	require.InDelta(t, 200, found.Crop.HeightPct*3.6, 2)
	require.Greater(t, found.Confidence, 0.5)
	require.EqualValues(t, 700, found.InpointMs)

	var c struct {
		Clip struct {
			Crop *struct{ XPct, YPct, WidthPct, HeightPct float64 }
		}
	}

	l.get(clip, &c)
	require.NotNil(t, c.Clip.Crop, "the found window is applied")
	require.Equal(t, found.Crop, *c.Clip.Crop)

	// A film that fills the frame has no window: nothing is cropped.
	v, _ = l.video(counter(t))
	clip = "/v1/videos/" + v.ID + "/clips/" + v.Edges.Clips[0].ID
	l.post(clip+"/auto-crop", "", &found)
	require.Zero(t, found.Confidence)
	require.InDelta(t, 100, found.Crop.WidthPct, 0)

	c.Clip.Crop = nil
	l.get(clip, &c)
	require.Nil(t, c.Clip.Crop)
}
