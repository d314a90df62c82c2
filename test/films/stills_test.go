package films_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/engine/encode"
	"github.com/reelgraph/reelgraph/internal/engine/probe"
	"github.com/reelgraph/reelgraph/internal/engine/still"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/test/testkit/rendering"
)

// Stills of many places equal, to the byte, stills taken separately: between key frames, among sparse pictures, in
// files that cannot seek well, and past the end.
func TestStillsAreWhatFilmsShow(t *testing.T) {
	t.Parallel()

	for name, c := range map[string]struct{ file, settings string }{
		"pictures out of order":     {"a.mp4", "-c:v libx264 -preset veryfast -g 40 -c:a aac"},
		"pictures that come seldom": {"a.mkv", rendering.Seldom + " -c:v libx264 -preset ultrafast -c:a aac"},
		"no index":                  {"a.ts", "-c:v libx264 -preset ultrafast -c:a aac"},
		"larger than a few may be":  {"a.mp4", "-vf scale=3840:2160 -frames:v 5 -c:v libx264 -preset ultrafast"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			path := rendering.Recording(t, c.file, c.settings)
			e := &encode.Engine{Tools: rendering.Tools(t), Dir: t.TempDir()}
			r, err := probe.Open(t.Context(), e.Tools, probe.Source{Path: path, Info: rendering.Probe(t, path, probe.KindVideo)})
			require.NoError(t, err)

			var (
				of       []plan.Sample
				together bytes.Buffer
				alone    bytes.Buffer
			)

			for _, us := range []int64{0, 1_234_567, 1_000_000, 9_000_000} {
				of = append(of, plan.Sample{FromUs: us, Frames: 1, FPS: 10, Frame: plan.Size{Width: 64, Height: 36}})
				require.NoError(t, still.Film(t.Context(), e.Runner(), r, of[len(of)-1], &alone))
			}

			require.NoError(t, still.Stills(t.Context(), e.Runner(), r, of, &together))
			require.Len(t, together.Bytes(), len(of)*still.FrameBytes(of[0].Frame))
			require.True(t, bytes.Equal(alone.Bytes(), together.Bytes()))
		})
	}
}
