package ffmpeg_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
)

// FuzzSniff feeds Sniff and ImageSize any bytes: Sniff returns a format or a *Refused with a message, and neither
// panics.
func FuzzSniff(f *testing.F) {
	for _, seed := range []string{
		"", "x", "\x00\x00\x00\x18ftypisom", "\x1a\x45\xdf\xa3", "RIFF\x00\x00\x00\x00WEBPVP8X", "RIFF\x00\x00\x00\x00AVI ",
		"ID3\x04\x00\x10\x7f\x7f\x7f\x7f", "ID3\x04\x00\x00\x00\x00\x00\x00\xff\xf1\x50\x80\x02\x1f\xfc",
		"\xff\xfb\x90\x64", "\xff\xf1\x50\x80\x02\x1f\xfc",
		"BM\x00\x00\x00\x00\x00\x00\x00\x00\x1a\x00\x00\x00\x0c\x00\x00\x00\x10\x00\x10\x00\x01\x00\x18\x00",
		"\x89PNG\r\n\x1a\n", "\xff\xd8\xff\xe0", "GIF89a\x10\x00\x10\x00", "\x0b\x77\x00\x00\x00\x40", "\x47", "#EXTM3U\n", "\xef\xbb\xbf<svg",
	} {
		f.Add([]byte(seed))
	}

	f.Fuzz(func(t *testing.T, head []byte) {
		format, err := ffmpeg.Sniff(head)

		var refused *ffmpeg.Refused
		switch {
		case err == nil && format == "":
			t.Fatal("neither a format nor a reason")
		case err != nil && (format != "" || !errors.As(err, &refused) || refused.Message == "" || refused.Code == ""):
			t.Fatalf("%q and %v", format, err)
		}

		if format.Still() || format == ffmpeg.FormatGIF {
			if w, h, err := ffmpeg.ImageSize(bytes.NewReader(head), format); err == nil && (w < 0 || h < 0) {
				t.Fatalf("%d × %d", w, h)
			}
		}
	})
}
