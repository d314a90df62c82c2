package probe

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
)

// decoded is the result of decoding a little of a file.
type decoded struct {
	pictures, sounds int
	last             bool // a picture of the second input
	width, height    int  // of the first picture
	bytes            int  // of the first picture
	sar              ratio
	fields           bool // a picture reports that it consists of two fields
}

// decodeSome runs one picture and one sound through FFmpeg's checksums: what is listed was decoded. before holds
// options of the input, after those of the picture.
func decodeSome(ctx context.Context, t ffmpeg.Tools, path string, info Info, before, after []string) (decoded, error) {
	return checksums(ctx, t, info, append(decoderInput(path, info, before...), firsts(info, after...)...), nil)
}

// decoderInput opens a file to decode a few frames of it. It uses one thread: more would only multiply the memory of
// the frames. A film is rotated only if its headers say so, as in players. FFmpeg also finds rotations in single
// pictures, and would rotate only those.
func decoderInput(path string, info Info, before ...string) []string {
	if v := info.Video; v != nil && !v.Turned && !info.Format.Still() {
		before = append([]string{"-noautorotate"}, before...)
	}

	return info.PictureInput(path, append([]string{"-threads", "1"}, before...)...)
}

// passthrough keeps pictures with times below zero, which FFmpeg's rate conversion drops.
var passthrough = []string{"-fps_mode", "passthrough"} //nolint:gochecknoglobals // a constant

// firsts outputs the first picture and the first sound of the first input. It needs two outputs, because an output ends
// with the first of its streams, and two kinds of checksum, to tell their lines apart.
func firsts(info Info, after ...string) []string {
	var args []string
	if v := info.Video; v != nil {
		args = append(args, "-map", fmt.Sprintf("0:%d", v.Stream))

		if len(after) == 0 {
			after = []string{"-vf", seeFields}
		}

		args = append(args, after...)
		args = append(args, passthrough...)
		args = append(args, "-frames:v", "1", "-f", "framecrc", "pipe:1")
	}

	if a := info.Audio; a != nil {
		args = append(args, "-map", fmt.Sprintf("0:%d", a.Stream), "-frames:a", "1", "-f", "framemd5", "pipe:1")
	}

	return args
}

// checksums runs FFmpeg and parses its checksums. heard, unless nil, reads the same output.
func checksums(ctx context.Context, t ffmpeg.Tools, info Info, args []string, heard *peakReader) (decoded, error) {
	out := capped{max: 1 << 20}

	var to io.Writer = &out
	if heard != nil {
		to = io.MultiWriter(&out, heard)
	}

	err := t.Run(ctx, ffmpeg.Command{Args: args, Stdout: to, Limits: Limits()})
	if err := Verdict(ctx, info.Format, err); err != nil {
		return decoded{}, err
	}

	return parseChecksums(out.String()), nil
}

// nothing is the checksum of an output without a picture.
const nothing = "d41d8cd98f00b204e9800998ecf8427e"

// parseChecksums reads lines like "#dimensions 0: 640x360", "#sar 0: 1/1", of a picture
// "0, 0, 0, 1, 345600, 0x9e725ce4", of a sound "0, 0, 0, 1024, 2048, 73daeeebf8b6b3a48253ef5c57fcafc9",
// and of a picture of the second input "MD5=73daeeebf8b6b3a48253ef5c57fcafc9".
func parseChecksums(text string) decoded {
	d := decoded{sar: ratio{1, 1}}

	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		last := strings.TrimSpace(line[strings.LastIndexByte(line, ',')+1:])
		size, isSize := strings.CutPrefix(line, "#dimensions 0: ")
		sar, isSAR := strings.CutPrefix(line, "#sar 0: ")

		whole, isWhole := strings.CutPrefix(line, "MD5=")
		switch {
		case strings.HasPrefix(line, "frame:"), strings.HasPrefix(line, "track="), strings.HasPrefix(line, "lavfi."):
		case isWhole:
			d.last = whole != nothing
		case isSize:
			w, h, _ := strings.Cut(size, "x")
			d.width, _ = strconv.Atoi(w)
			d.height, _ = strconv.Atoi(h)
		case isSAR:
			if r := rational(sar); r.num > 0 {
				d.sar = r
			}
		case strings.HasPrefix(line, "#"):
		case strings.HasPrefix(last, "0x"):
			if d.pictures++; d.pictures == 1 {
				d.fields, d.bytes = look(strings.Split(line, ","))
			}
		case len(last) == 32:
			d.sounds++
		}
	}

	return d
}

// seeFields makes the time of a picture report whether it consists of two fields; see look.
const seeFields = "setpts=INTERLACED/TB"

// look parses the line of the first picture: whether it consists of two fields, and its size in bytes.
func look(line []string) (fields bool, size int) {
	if len(line) < 6 {
		return false, 0
	}

	at, err := strconv.ParseInt(strings.TrimSpace(line[2]), 10, 64)
	size, _ = strconv.Atoi(strings.TrimSpace(line[4]))

	return err == nil && at > 0, size
}

// decodeEnds checks that both ends of a file decode, and learns the size of the picture. One run of FFmpeg decodes the
// first picture, the first sound and the last key frame, because starting it costs more than decoding them. If one of
// them cannot be read, it tries each end separately to find out what is wrong. The last picture begins lastMs
// milliseconds after the file's start.
func decodeEnds(ctx context.Context, t ffmpeg.Tools, path string, info *Info, lastMs int64) error {
	apart := info.endsApart()
	if !apart && !info.brief() {
		return decodeStart(ctx, t, path, info)
	}

	ends := info.ends(lastMs)
	args, outputs := decoderInput(path, *info), firsts(*info)
	inputs := 1

	if apart {
		args = append(args, decoderInput(path, *info, ends[0].before...)...)
		outputs = append(outputs, "-map", fmt.Sprintf("%d:%d", inputs, info.Video.Stream))
		outputs = append(append(outputs, passthrough...), "-frames:v", "1", "-f", "md5", "pipe:1")
		inputs++
	}

	var heard *peakReader
	if info.brief() {
		heard = newPeakReader(len(info.Audio.Tracks))
		args = append(append(args, "-vn", "-sn", "-dn"), info.Format.Input(path, "-threads", "1")...)
		filter, sounds := listening(inputs, info.Audio.Tracks)
		outputs = append(append(outputs, "-filter_complex", filter), sounds...)
	}

	d, err := checksums(ctx, t, *info, append(args, outputs...), heard)
	if err == nil {
		err = d.begin(info)
	}

	if err == nil && heard != nil {
		info.Audio.measured(heard.tracks)
	}

	var refused *ffmpeg.Refused
	switch {
	case err == nil && (d.last || !apart):
		return nil
	case err == nil:
		return decodeEnd(ctx, t, path, *info, ends[1:])
	case !errors.As(err, &refused):
		return err
	}

	if err := decodeStart(ctx, t, path, info); err != nil || !apart {
		return err
	}

	return decodeEnd(ctx, t, path, *info, ends)
}

// decodeStart decodes the first picture and the first sound, and learns the size of the picture.
func decodeStart(ctx context.Context, t ffmpeg.Tools, path string, info *Info) error {
	d, err := decodeSome(ctx, t, path, *info, nil, nil)
	if err != nil {
		return err
	}

	return d.begin(info)
}

const (
	// briefMs and briefTracks limit the sound that is measured during the probe, where it costs next to nothing. Longer
	// sound is measured later, so that the source is ready sooner.
	briefMs     = 60_000
	briefTracks = 8
)

// brief reports whether all sounds of the file are measured during the probe.
func (i Info) brief() bool {
	return !i.growing && i.Audio != nil && i.DurationMs <= briefMs && len(i.Audio.Tracks) > 0 && len(i.Audio.Tracks) <= briefTracks
}

// endsApart reports whether the end of the file is checked separately.
func (i Info) endsApart() bool { return i.Video != nil && i.DurationMs > 2000 }

// begin checks that the start of the file has the promised streams, and takes over the size of the picture.
func (d decoded) begin(info *Info) error {
	switch {
	case info.Video != nil && d.pictures == 0:
		return ffmpeg.Refuse(ffmpeg.CodeDamaged, "The video cannot be decoded: the file is damaged.")
	case info.Audio != nil && d.sounds == 0:
		return ffmpeg.Refuse(ffmpeg.CodeDamaged, "The sound of the file cannot be decoded.")
	case info.Video != nil:
		d.learn(info.Video)

		return d.size(info.Video)
	}

	return nil
}

// learn lets the first picture overrule the headers: on whether it consists of fields, and on whether announced
// transparency exists.
func (d decoded) learn(v *VideoInfo) {
	if d.fields && v.Fields == "" && v.Codec != "hevc" {
		v.Fields = fieldsAuto
	}

	if v.Decoder == "" {
		return
	}

	if colours := (d.width+1)/2*((d.height+1)/2)*2 + d.width*d.height; d.bytes == colours+d.width*d.height {
		v.PixFmt = "yuva420p"
	} else {
		v.Decoder = ""
	}
}

// size takes over the size of the decoded picture, after rotation by FFmpeg.
func (d decoded) size(v *VideoInfo) error {
	if v.Orientation >= 5 { // orientations that swap width and height
		d.width, d.height = d.height, d.width
	}

	v.CodedWidth, v.CodedHeight = d.width, d.height

	v.Width, v.Height = d.width, d.height
	if d.sar.num != d.sar.den {
		v.Width = int(math.Round(min(float64(d.width)*d.sar.float(), maxSide+1)))
	}

	return checkSize(v.Width, v.Height)
}

// end is a way to reach a picture near the end of a file: options of the input and of the picture.
type end struct{ before, after []string }

// ends returns the ways to try, in order. The last key frame costs one frame. A file that seeks badly gets a longer
// range, and a short one is decoded from its start.
func (i Info) ends(lastMs int64) []end {
	before := func(ms int64) float64 { return float64(max(0, lastMs-ms)) / 1000 }
	// With -copyts, a picture before the seek target is not dropped: in a recording of a still screen the last picture may
	// be long before the end.
	seek := func(ms int64) []string {
		return []string{CopyTimestamps, "-ss", strconv.FormatFloat(before(ms), 'f', 3, 64), "-noaccurate_seek"}
	}

	ends := []end{{before: append(seek(1000), "-skip_frame", "nokey")}, {before: seek(1000)}}
	if lastMs > 60_000 {
		return append(ends, end{before: seek(10_000)}, end{before: seek(60_000)})
	}

	start := float64(i.Origin.StartUs) / 1_000_000

	return append(ends, end{
		before: []string{CopyTimestamps}, after: []string{"-vf", fmt.Sprintf(`select=gte(t\,%.3f)`, start+before(1000))},
	})
}

// decodeEnd checks that a picture near the end decodes.
func decodeEnd(ctx context.Context, t ffmpeg.Tools, path string, info Info, ends []end) error {
	info.Audio = nil
	for _, e := range ends {
		d, err := decodeSome(ctx, t, path, info, e.before, e.after)

		var refused *ffmpeg.Refused
		switch {
		case errors.As(err, &refused) && refused.Code == ffmpeg.CodeDamaged:
		case err != nil:
			return err
		case d.pictures > 0:
			return nil
		}
	}

	return ffmpeg.Refuse(ffmpeg.CodeDamaged, "The end of the video cannot be decoded: the file is damaged.")
}
