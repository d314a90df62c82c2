package ffmpeg

import (
	"bytes"
	"encoding/binary"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Format is a supported container or image format. Its value is the name of the one FFmpeg demuxer that may open the
// file. The zero value opens nothing.
type Format string

// The formats that Sniff recognizes.
const (
	FormatMP4      Format = "mov" // MP4, QuickTime, M4A, 3GP
	FormatMatroska Format = "matroska"
	FormatAVI      Format = "avi"
	FormatMPEGTS   Format = "mpegts"
	FormatMPEGPS   Format = "mpeg"
	FormatFLV      Format = "flv"
	FormatOgg      Format = "ogg"
	FormatASF      Format = "asf"
	FormatMXF      Format = "mxf"
	FormatIVF      Format = "ivf"
	FormatGIF      Format = "gif"  // moves as a video; as an image, its first frame
	FormatAPNG     Format = "apng" // the same; Sniff alone returns FormatPNG for it

	FormatWAV     Format = "wav"
	FormatW64     Format = "w64"
	FormatMP3     Format = "mp3"
	FormatAAC     Format = "aac"
	FormatAC3     Format = "ac3"
	FormatFLAC    Format = "flac"
	FormatAIFF    Format = "aiff"
	FormatCAF     Format = "caf"
	FormatAU      Format = "au"
	FormatWavPack Format = "wv"

	FormatPNG  Format = "png_pipe"
	FormatJPEG Format = "jpeg_pipe"
	FormatWebP Format = "webp_pipe"
	FormatBMP  Format = "bmp_pipe"
)

// Limits for a decoder. A frame of 8K video has 33 million pixels.
const (
	MaxPixels  = 40_000_000
	MaxStreams = 64
)

// SniffLen is the number of bytes from the start of a file that Sniff needs. Pass all bytes of a shorter file.
const SniffLen = 64 << 10

// Still reports whether the format holds only one picture.
func (f Format) Still() bool {
	switch f {
	case FormatPNG, FormatJPEG, FormatWebP, FormatBMP:
		return true
	default:
		return false
	}
}

// Moves reports whether the format can be animated. Such a file plays when it is used as a video, but only its first
// picture is shown when it is used as an image.
func (f Format) Moves() bool { return f == FormatGIF || f == FormatAPNG }

// Wraps reports whether the timestamps of the format start again from zero after 26½ hours. FFmpeg gives the
// timestamps before that point negative values.
func (f Format) Wraps() bool { return f == FormatMPEGTS || f == FormatMPEGPS }

// String returns the format's usual name.
func (f Format) String() string {
	switch f {
	case FormatMP4:
		return "MP4/QuickTime"
	case FormatMatroska:
		return "Matroska/WebM"
	case FormatMPEGTS:
		return "MPEG transport stream"
	case FormatMPEGPS:
		return "MPEG program stream"
	case FormatASF:
		return "ASF/WMV"
	case FormatPNG:
		return "PNG"
	case FormatAPNG:
		return "animated PNG"
	case FormatJPEG:
		return "JPEG"
	case FormatWebP:
		return "WebP"
	case FormatBMP:
		return "BMP"
	case FormatWavPack:
		return "WavPack"
	case FormatOgg:
		return "Ogg"
	case "":
		return "unknown"
	default:
		return string(bytes.ToUpper([]byte(f)))
	}
}

// Extension returns the usual file name extension, with the dot.
func (f Format) Extension() string {
	switch f {
	case FormatMP4:
		return ".mp4"
	case FormatMatroska:
		return ".mkv"
	case FormatMPEGTS:
		return ".ts"
	case FormatMPEGPS:
		return ".mpg"
	case FormatOgg:
		return ".ogg"
	case FormatASF:
		return ".wmv"
	case FormatPNG, FormatJPEG, FormatWebP, FormatBMP:
		return "." + strings.TrimSuffix(string(f), "_pipe")
	case FormatAPNG:
		return ".png"
	case "":
		return ""
	default:
		return "." + string(f)
	}
}

// Input returns the arguments that open a local file as an input of FFmpeg or ffprobe: only as this format, only with
// protocol file, and with no frame over 40 million pixels. The arguments in before, such as -ss, apply only to this
// input.
func (f Format) Input(path string, before ...string) []string {
	args := make([]string, 0, 12+len(before))
	args = append(args,
		"-f", string(f),
		"-format_whitelist", string(f),
		"-protocol_whitelist", "file",
		"-max_pixels", strconv.Itoa(MaxPixels),
		"-max_streams", strconv.Itoa(MaxStreams+1), // one more than allowed, to notice that there were too many
	)
	args = append(args, before...)

	return append(args, "-i", "file:"+path)
}

// Sniff determines the format of a file from its first bytes alone. If it returns an error, the error is a *Refused,
// which says what the file seems to be instead.
func Sniff(head []byte) (Format, error) {
	if len(head) == 0 {
		return "", Refuse(CodeEmpty, "The file is empty.")
	}

	for _, m := range signatures() {
		if m.in(head) {
			return m.format, nil
		}
	}

	if at, ok := ID3Length(head); ok {
		return SniffTagged(head, at), nil
	}

	for _, try := range []func([]byte) (Format, error){sniffISO, sniffRIFF, sniffPacked} {
		if f, err := try(head); f != "" || err != nil {
			return f, err
		}
	}

	if f, ok := foreign(head); ok {
		return "", f.refused()
	}

	return "", Refuse(CodeUnsupported, "%s", describeUnknown(head))
}

// signature is a format that has fixed bytes at a fixed offset.
type signature struct {
	format Format
	at     int
	magic  string
	more   string // at offset 8, when not empty
}

func (s signature) in(head []byte) bool {
	return hasAt(head, s.at, s.magic) && (s.more == "" || hasAt(head, 8, s.more))
}

func hasAt(head []byte, at int, magic string) bool {
	return len(head) >= at && bytes.HasPrefix(head[at:], []byte(magic))
}

func signatures() []signature {
	return []signature{
		{format: FormatMatroska, magic: "\x1a\x45\xdf\xa3"},
		{format: FormatMPEGPS, magic: "\x00\x00\x01\xba"},
		{format: FormatFLV, magic: "FLV\x01"},
		{format: FormatOgg, magic: "OggS"},
		{format: FormatASF, magic: "\x30\x26\xb2\x75\x8e\x66\xcf\x11\xa6\xd9\x00\xaa\x00\x62\xce\x6c"},
		{format: FormatMXF, magic: "\x06\x0e\x2b\x34\x02\x05\x01\x01\x0d\x01\x02\x01\x01\x02"},
		{format: FormatIVF, magic: "DKIF\x00\x00"},
		{format: FormatW64, magic: "riff\x2e\x91\xcf\x11\xa5\xd6\x28\xdb"},
		{format: FormatFLAC, magic: "fLaC"},
		{format: FormatAIFF, magic: "FORM", more: "AIFF"},
		{format: FormatAIFF, magic: "FORM", more: "AIFC"},
		{format: FormatCAF, magic: "caff\x00\x01"},
		{format: FormatAU, magic: ".snd\x00\x00"},
		{format: FormatWavPack, magic: "wvpk"},
		{format: FormatPNG, magic: "\x89PNG\r\n\x1a\n"},
		{format: FormatJPEG, magic: "\xff\xd8\xff"},
		{format: FormatGIF, magic: "GIF87a"},
		{format: FormatGIF, magic: "GIF89a"},
	}
}

// sniffISO recognizes the MP4 family by the first box: ftyp, or a box that old QuickTime files begin with.
func sniffISO(head []byte) (Format, error) {
	if len(head) < 12 {
		return "", nil
	}

	switch string(head[4:8]) {
	case "ftyp":
		if name := foreignBrand(head); name != "" {
			return "", Refuse(CodeUnsupported, "%s images are not supported. Use PNG, JPEG, WebP, GIF or BMP.", name)
		}

		return FormatMP4, nil
	case "moov", "mdat", "wide", "free", "skip", "pnot", "styp":
		return FormatMP4, nil
	}

	return "", nil
}

// foreignBrand names the picture format of an MP4-like file by its brands: by the major brand, or by the compatible
// brands where the major one only says that it is a picture.
func foreignBrand(head []byte) string {
	const heic = "HEIC"

	names := map[string]string{
		"heic": heic, "heix": heic, "heim": heic, "heis": heic, "hevc": heic, "hevm": heic, "hevs": heic, "hevx": heic,
		"avif": "AVIF", "avis": "AVIF", "crx ": "Canon raw (CR3)", "jp2 ": "JPEG 2000", "jpx ": "JPEG 2000", "jxl ": "JPEG XL",
	}
	if name := names[string(head[8:12])]; name != "" {
		return name
	}

	if major := string(head[8:12]); major != "mif1" && major != "msf1" && major != "miaf" {
		return ""
	}

	end := min(int(min(binary.BigEndian.Uint32(head), SniffLen)), len(head))
	for at := 16; at+4 <= end; at += 4 {
		if name := names[string(head[at:at+4])]; name != "" {
			return name
		}
	}

	return "HEIF"
}

func sniffRIFF(head []byte) (Format, error) {
	if !hasAt(head, 0, "RIFF") && !hasAt(head, 0, "RF64") || len(head) < 12 {
		return "", nil
	}

	switch string(head[8:12]) {
	case "AVI ", "AVIX":
		return FormatAVI, nil
	case "WAVE":
		return FormatWAV, nil
	case "RMID":
		return "", foreignFormat{name: "MIDI", kind: noSound}.refused()
	case "ACON":
		return "", foreignFormat{name: "Animated cursor (ANI)"}.refused()
	case "WEBP":
		if hasAt(head, 12, "VP8X") && len(head) > 20 && head[20]&0x02 != 0 {
			return "", Refuse(CodeUnsupported, "Animated WebP is not supported. Use GIF, or a video.")
		}

		return FormatWebP, nil
	}

	return "", nil
}

// sniffPacked recognizes formats without a header by their first packets: one sync word proves nothing.
func sniffPacked(head []byte) (Format, error) {
	switch {
	case isTS(head):
		return FormatMPEGTS, nil
	case isBMP(head):
		return FormatBMP, nil
	case repeats(head, adtsLength):
		return FormatAAC, nil
	case repeats(head, mpegAudioLength):
		return FormatMP3, nil
	case hasAt(head, 0, "\x0b\x77") && len(head) > 5 && head[5]>>3 <= 16:
		return FormatAC3, nil
	}

	return "", nil
}

// isTS finds the sync bytes of three packets, which have 188 bytes, 192 with a time code before each (M2TS), or 204
// with a checksum after each.
func isTS(head []byte) bool {
	for _, p := range []struct{ first, size int }{{0, 188}, {4, 192}, {0, 204}} {
		n := 0
		for at := p.first; at < len(head) && n < 3 && head[at] == 0x47; at += p.size {
			n++
		}

		if n == 3 {
			return true
		}
	}

	return false
}

func isBMP(head []byte) bool {
	if !hasAt(head, 0, "BM") || len(head) < 26 {
		return false
	}

	header := binary.LittleEndian.Uint32(head[14:])

	return binary.LittleEndian.Uint32(head[6:]) == 0 && (header == 12 || header >= 40 && header <= 124)
}

// repeats reports whether a frame starts here and either another follows or the file ends after it.
func repeats(head []byte, length func([]byte) int) bool {
	n := length(head)
	if n <= 0 {
		return false
	}

	if len(head) < n+4 {
		return len(head) == n
	}

	return length(head[n:]) > 0
}

// adtsLength returns the length of the AAC frame at the start, or 0 if there is none.
func adtsLength(b []byte) int {
	if len(b) < 7 || b[0] != 0xff || b[1]&0xf6 != 0xf0 || b[2]>>2&0xf > 12 {
		return 0
	}

	n := int(b[3]&3)<<11 | int(b[4])<<3 | int(b[5])>>5
	if n < 7 {
		return 0
	}

	return n
}

// mpegAudioLength returns the length of the MPEG audio frame (layers I to III) at the start, or 0.
func mpegAudioLength(b []byte) int {
	if len(b) < 4 || b[0] != 0xff || b[1]&0xe0 != 0xe0 {
		return 0
	}

	version, layer := b[1]>>3&3, 4-int(b[1]>>1&3)

	rate, bits := int(b[2]>>2&3), int(b[2]>>4)
	if version == 1 || layer == 4 || rate == 3 || bits == 0 || bits == 15 {
		return 0
	}

	hz := [3]int{44100, 48000, 32000}[rate]

	first := version == 3
	switch version {
	case 2:
		hz /= 2
	case 0:
		hz /= 4
	}

	bps := mpegAudioBitrate(first, layer, bits) * 1000
	padding := int(b[2] >> 1 & 1)

	switch {
	case layer == 1:
		return (12*bps/hz + padding) * 4
	case layer == 3 && !first:
		return 72*bps/hz + padding
	default:
		return 144*bps/hz + padding
	}
}

func mpegAudioBitrate(first bool, layer, index int) int {
	switch {
	case first && layer == 1:
		return 32 * index
	case first && layer == 2:
		return [...]int{0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384}[index]
	case first:
		return [...]int{0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320}[index]
	case layer == 1:
		return [...]int{0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256}[index]
	default:
		return [...]int{0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160}[index]
	}
}

// ID3Length returns the length of the ID3v2 tag at the start of a file, and whether there is one.
func ID3Length(head []byte) (int, bool) {
	if !hasAt(head, 0, "ID3") || len(head) < 10 {
		return 0, false
	}

	n := 10 + (int(head[6]&0x7f)<<21 | int(head[7]&0x7f)<<14 | int(head[8]&0x7f)<<7 | int(head[9]&0x7f))
	if head[5]&0x10 != 0 {
		n += 10
	}

	return n, true
}

// SniffTagged determines the format of a file that begins with an ID3 tag, from the bytes after the tag. If the tag,
// with a large picture in it, is longer than head, SniffTagged returns MP3: nearly all such files are MP3, and
// decoding the others fails.
func SniffTagged(head []byte, at int) Format {
	if at >= len(head) {
		return FormatMP3
	}

	switch rest := head[at:]; {
	case hasAt(rest, 0, "fLaC"):
		return FormatFLAC
	case hasAt(rest, 0, "FORM"):
		return FormatAIFF
	case adtsLength(rest) > 0:
		return FormatAAC
	default:
		return FormatMP3
	}
}

// describeUnknown describes a refused file for the person who sent it.
func describeUnknown(head []byte) string {
	text := bytes.ToLower(bytes.TrimSpace(bytes.TrimPrefix(head[:min(len(head), 1024)], []byte("\xef\xbb\xbf"))))

	starts := func(s string) bool { return bytes.HasPrefix(text, []byte(s)) }
	switch {
	case starts("#extm3u"), starts("ffconcat"), bytes.Contains(text, []byte("<mpd")), starts("[playlist]"):
		return "The file is a playlist, not a recording. Upload the media itself."
	case bytes.Contains(text, []byte("<svg")):
		return "SVG images are not supported. Use PNG, JPEG, WebP, GIF or BMP."
	case starts("<!doctype html"), starts("<html"):
		return "The file is a web page, not media."
	case starts("%pdf"):
		return "The file is a PDF document, not media."
	case starts("pk\x03\x04"), starts("\x1f\x8b"), starts("rar!"), starts("7z\xbc\xaf"):
		return "The file is an archive. Upload the media inside it."
	case looksLikeText(head):
		return "The file is text, not media."
	default:
		return "The media format of the file is not supported."
	}
}

func looksLikeText(head []byte) bool {
	head = head[:min(len(head), 1024)]
	for len(head) > 0 {
		r, n := utf8.DecodeRune(head)
		if r == utf8.RuneError && len(head) >= utf8.UTFMax || r < ' ' && r != '\t' && r != '\n' && r != '\r' {
			return false
		}

		head = head[n:]
	}

	return true
}
