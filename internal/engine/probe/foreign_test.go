package probe_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/engine/probe"
	"github.com/reelgraph/reelgraph/test/testkit/rendering"
)

// TestForeignFormatsAreNamed checks that the refusal of an unsupported format names it and says what to use.
func TestForeignFormatsAreNamed(t *testing.T) {
	t.Parallel()

	const (
		pictures = "Use PNG, JPEG, WebP, GIF or BMP."
		sounds   = "Use WAV, FLAC, MP3, AAC, M4A or Ogg."
		films    = "Use MP4, MOV, WebM or MKV."
		notes    = "contain notes instead of sound"
	)

	picture := func(name, settings string) string {
		return rendering.Make(t, name, append([]string{"-f", "lavfi", "-i", "testsrc2=s=64x36:d=0.1", "-frames:v", "1"}, strings.Fields(settings)...)...)
	}
	heard := func(name, settings string) string {
		return rendering.Make(t, name, append([]string{"-f", "lavfi", "-i", "sine=d=0.2:sample_rate=48000"}, strings.Fields(settings)...)...)
	}

	for name, path := range map[string]string{ // as FFmpeg writes them
		"TIFF images are not supported. " + pictures:              picture("a.tiff", ""),
		"Icon (ICO) images are not supported. " + pictures:        picture("a.ico", "-vf scale=32:32"),
		"JPEG 2000 images are not supported. " + pictures:         picture("a.jp2", ""),
		"TGA images are not supported. " + pictures:               picture("a.tga", ""),
		"PCX images are not supported. " + pictures:               picture("a.pcx", "-pix_fmt rgb24"),
		"SGI images are not supported. " + pictures:               picture("a.sgi", ""),
		"OpenEXR images are not supported. " + pictures:           picture("a.exr", "-pix_fmt gbrpf32le"),
		"QOI images are not supported. " + pictures:               picture("a.qoi", "-pix_fmt rgb24 -c:v qoi -f image2"),
		"DPX images are not supported. " + pictures:               picture("a.dpx", ""),
		"DTS files are not supported. " + sounds:                  heard("a.dts", "-c:a dca -strict -2 -ac 2"),
		"TTA files are not supported. " + sounds:                  heard("a.tta", ""),
		"TrueHD files are not supported. " + sounds:               heard("a.thd", "-c:a truehd -strict -2 -f truehd -ac 2"),
		"Creative Voice (VOC) files are not supp":                 heard("a.voc", ""),
		"Flash animation (SWF) files are not supported. " + films: picture("a.swf", "-c:v flv1"),
		"NUT files are not supported. " + films:                   picture("a.nut", "-c:v mpeg4"),
		"Y4M (raw video) files are not supported. " + films:       picture("a.y4m", "-pix_fmt yuv420p"),
		"Raw H.264 files are not supported. " + films:             picture("a.h264", "-c:v libx264"),
		"Raw H.265 files are not supported. " + films:             picture("a.hevc", "-c:v libx265 -x265-params log-level=none"),
		"Raw MPEG video files are not supported. " + films:        picture("a.m2v", "-c:v mpeg2video"),
		"RealMedia files are not supported. " + films:             picture("a.rm", "-c:v rv10 -s 176x144"),
	} {
		for _, kind := range []string{probe.KindVideo, probe.KindAudio, probe.KindImage} {
			rendering.RequireRefused(t, path, kind, ffmpeg.CodeUnsupported, name)
		}
	}

	tga := "\x00\x00\x02\x00\x00\x00\x00\x00\x00\x00\x00\x00\x40\x00\x24\x00\x18\x00" + strings.Repeat("\x10", 200)

	for name, content := range map[string]string{
		"TIFF images are not supported. " + pictures:               "MM\x00*\x00\x00\x00\x08" + strings.Repeat("\x00", 64),
		"Cursor (CUR) images are not supported. " + pictures:       "\x00\x00\x02\x00\x01\x00\x20\x20\x00\x00",
		"TGA images are not supported. " + pictures:                tga,
		"JPEG 2000 images are not supp":                            "\xff\x4f\xff\x51\x00\x29" + strings.Repeat("\x00", 64),
		"JPEG XL images are not supported. " + pictures:            "\xff\x0a\xfa\x1f" + strings.Repeat("\x00", 64),
		"Photoshop (PSD) images are not supported. " + pictures:    "8BPS\x00\x01" + strings.Repeat("\x00", 64),
		"HEIC images are not supported. " + pictures:               "\x00\x00\x00\x18ftypmif1\x00\x00\x00\x00mif1heic",
		"AVIF images are not supported. " + pictures:               "\x00\x00\x00\x1cftypmif1\x00\x00\x00\x00mif1miafavif",
		"PNM (PBM, PGM, PPM or PAM) images are not supported. Use": "P6\n64 36\n255\n" + strings.Repeat("\x01", 64),
		"MIDI files " + notes:                                      "MThd\x00\x00\x00\x06\x00\x01\x00\x02\x01\xe0",
		"MIDI files contain notes":                                 "RIFF\x20\x00\x00\x00RMIDdata\x0e\x00\x00\x00MThd",
		"Tracker module (XM) files " + notes:                       "Extended Module: a song" + strings.Repeat("\x00", 64),
		"AMR files are not supported. " + sounds:                   "#!AMR\n\x3c\x55\x00",
		"AMR files are not supp":                                   "#!AMR-WB\n\x3c\x55\x00",
		"DTS files are not supp":                                   "\xfe\x7f\x01\x80\xfc\x3c" + strings.Repeat("\x00", 64),
		"Monkey's Audio (APE) files are not supported. " + sounds:  "MAC \x96\x0f\x00\x00" + strings.Repeat("\x00", 64),
		"Musepack files are not supported. " + sounds:              "MPCKSH" + strings.Repeat("\x00", 64),
		"DSF files are not supported. " + sounds:                   "DSD \x1c\x00\x00\x00",
	} {
		rendering.RequireRefused(t, rendering.Write(t, "a.bin", []byte(content)), probe.KindAudio, ffmpeg.CodeUnsupported, name)
	}

	// Files that only begin like one of these formats are not mistaken for it.

	rendering.RequireRefused(t, rendering.Write(t, "a.txt", []byte("MAC addresses of the office:\n00:11:22:33:44:55\n")), probe.KindAudio, ffmpeg.CodeUnsupported, "text, not media")

	still, err := os.ReadFile(picture("a.png", ""))
	require.NoError(t, err)
	format, err := ffmpeg.Sniff(still)
	require.NoError(t, err)
	require.Equal(t, ffmpeg.FormatPNG, format)
}
