package films_test

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/test/testkit/rendering"
)

// A color is the same after export, however the source encoded it.
func TestRenderKeepsColours(t *testing.T) {
	t.Parallel()

	const rgb = "0xC04080"

	for name, c := range map[string]struct{ size, filter, encoder string }{
		"HD that says nothing": {"1280x720", "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p", "libx264"},
		"HD whose tag is that of RGB": {
			"1280x720", "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p", "libx264 -bsf:v h264_metadata=matrix_coefficients=0",
		},
		"SD that says nothing": {"320x180", "scale=out_color_matrix=bt601:out_range=tv,format=yuv420p", "libx264"},
		"BT.601, full range": {
			"320x180", "scale=out_color_matrix=bt601:out_range=pc,format=yuv420p",
			"libx264 -colorspace smpte170m -color_range pc",
		},
		"BT.709, full range": {
			"320x180", "scale=out_color_matrix=bt709:out_range=pc,format=yuv420p",
			"libx264 -colorspace bt709 -color_range pc",
		},
		"BT.2020": {
			"320x180", "scale=out_color_matrix=bt2020:out_range=tv,format=yuv420p",
			"libx264 -colorspace bt2020nc -color_range tv",
		},
		"RGB": {"320x180", "format=rgb24", "libx264rgb"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			path := filepath.Join(t.TempDir(), "colour.mp4")
			args := []string{"-f", "lavfi", "-i", "color=c=" + rgb + ":s=" + c.size + ":r=30:d=0.3,format=gbrp", "-vf", c.filter, "-c:v"}
			require.NoError(t, rendering.Tools(t).Run(t.Context(), ffmpeg.Command{Args: append(append(args, strings.Fields(c.encoder)...), "-crf", "1", path)}))

			got := centre(t, path)
			for i, want := range []byte{0xC0, 0x40, 0x80} {
				require.InDelta(t, want, got[i], 4, "%x", got)
			}
		})
	}
}

// High dynamic range is mapped to the range of the export.
func TestRenderMapsTones(t *testing.T) {
	t.Parallel()

	for _, transfer := range []string{"smpte2084", "arib-std-b67"} {
		t.Run(transfer, func(t *testing.T) {
			t.Parallel()

			path := filepath.Join(t.TempDir(), "hdr.mp4")
			require.NoError(t, rendering.Tools(t).Run(t.Context(), ffmpeg.Command{Args: []string{
				"-f", "lavfi", "-i", "color=c=0x808080:s=320x180:r=30:d=0.3,format=yuv420p10le", "-c:v", "libx264",
				"-color_primaries", "bt2020", "-color_trc", transfer, "-colorspace", "bt2020nc", path,
			}}))

			got := centre(t, path)
			require.InDelta(t, got[0], got[1], 8, "grey stays grey")
			require.InDelta(t, got[0], got[2], 8, "grey stays grey")
			require.Greater(t, got[0], byte(60))
			require.Less(t, got[0], byte(230))
		})
	}
}

// centre returns the color in the middle of an exported file, as players show it.
func centre(t *testing.T, path string) []byte {
	t.Helper()

	s := rendering.New(t)
	s.Add(t, "su_a", path)

	var out bytes.Buffer

	require.NoError(t, rendering.Tools(t).Run(t.Context(), ffmpeg.Command{
		Stdout: &out,
		Args: []string{
			"-i", s.Render(t, rendering.Wide(), s.Clip("su_a")).Path, "-frames:v", "1",
			"-vf", "crop=2:2:80:44,scale=in_color_matrix=bt709:in_range=tv,format=rgb24", "-f", "rawvideo", "pipe:1",
		},
	}))
	require.Equal(t, 2*2*3, out.Len())

	return out.Bytes()[:3]
}
