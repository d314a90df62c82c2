package probe_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/engine/probe"
)

// A file whose name has no extension gets that of its format.
func TestExtensions(t *testing.T) {
	t.Parallel()

	for format, want := range map[ffmpeg.Format]string{
		ffmpeg.FormatMP4: ".mp4", ffmpeg.FormatMatroska: ".mkv", ffmpeg.FormatMPEGTS: ".ts", ffmpeg.FormatMPEGPS: ".mpg", ffmpeg.FormatAVI: ".avi",
		ffmpeg.FormatOgg: ".ogg", ffmpeg.FormatASF: ".wmv", ffmpeg.FormatWAV: ".wav", ffmpeg.FormatJPEG: ".jpeg", ffmpeg.FormatWebP: ".webp", "": "",
	} {
		require.Equal(t, want, probe.Info{Format: format}.RenderSource("content", "cam").Ext, format)
	}
}
