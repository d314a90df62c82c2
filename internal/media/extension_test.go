package media_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/media"
)

// A file whose name ends in nothing is named as others of its format are.
func TestExtensions(t *testing.T) {
	t.Parallel()

	for format, want := range map[media.Format]string{
		media.FormatMP4: ".mp4", media.FormatMatroska: ".mkv", media.FormatMPEGTS: ".ts", media.FormatMPEGPS: ".mpg", media.FormatAVI: ".avi",
		media.FormatOgg: ".ogg", media.FormatASF: ".wmv", media.FormatWAV: ".wav", media.FormatJPEG: ".jpeg", media.FormatWebP: ".webp", "": "",
	} {
		require.Equal(t, want, media.Info{Format: format}.RenderSource("content", "cam").Ext, format)
	}
}
