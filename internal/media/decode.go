package media

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// decoded is what came out of decoding a little of a file.
type decoded struct {
	pictures, sounds int
	width, height    int // of the first picture
	sar              ratio
}

// decode runs one picture and one sound through FFmpeg's checksums: what is listed was decoded. Two
// outputs, because an output ends with the first of its streams; two kinds of checksum, to tell
// their lines apart. Settings in before are of the input, those in after of the picture. One
// thread: many would only multiply the memory of a few frames.
func (t Tools) decode(ctx context.Context, path string, info Info, before, after []string) (decoded, error) {
	args := info.Format.Input(path, append([]string{"-threads", "1"}, before...)...)
	if v := info.Video; v != nil {
		args = append(args, "-map", fmt.Sprintf("0:%d", v.Stream))
		args = append(args, after...)
		args = append(args, "-frames:v", "1", "-f", "framecrc", "pipe:1")
	}
	if a := info.Audio; a != nil {
		args = append(args, "-map", fmt.Sprintf("0:%d", a.Stream), "-frames:a", "1", "-f", "framemd5", "pipe:1")
	}
	out := capped{max: 1 << 20}
	err := t.Run(ctx, Command{Args: args, Stdout: &out, Limits: probeLimits()})
	if err := verdict(ctx, info.Format, err); err != nil {
		return decoded{}, err
	}
	return parseChecksums(out.String()), nil
}

// parseChecksums reads lines like "#dimensions 0: 640x360", "#sar 0: 1/1", of a picture
// "0, 0, 0, 1, 345600, 0x9e725ce4", and of a sound "0, 0, 0, 1024, 2048, 73daeeebf8b6b3a48253ef5c57fcafc9".
func parseChecksums(text string) decoded {
	d := decoded{sar: ratio{1, 1}}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		last := strings.TrimSpace(line[strings.LastIndexByte(line, ',')+1:])
		size, isSize := strings.CutPrefix(line, "#dimensions 0: ")
		sar, isSAR := strings.CutPrefix(line, "#sar 0: ")
		switch {
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
			d.pictures++
		case len(last) == 32:
			d.sounds++
		}
	}
	return d
}

// decodeStart decodes the first picture and the first sound, and learns the size of the picture.
func (t Tools) decodeStart(ctx context.Context, path string, info *Info) error {
	d, err := t.decode(ctx, path, *info, nil, nil)
	switch {
	case err != nil:
		return err
	case info.Video != nil && d.pictures == 0:
		return refuse(CodeDamaged, "No picture of the video can be decoded: the file is damaged.")
	case info.Audio != nil && d.sounds == 0:
		return refuse(CodeDamaged, "The sound of the file cannot be decoded.")
	case info.Video != nil:
		return d.size(info.Video)
	}
	return nil
}

// size takes over the size of the decoded picture, which FFmpeg has turned already.
func (d decoded) size(v *VideoInfo) error {
	v.CodedWidth, v.CodedHeight = d.width, d.height
	v.Width, v.Height = d.width, d.height
	if d.sar.num != d.sar.den {
		v.Width = int(math.Round(min(float64(d.width)*d.sar.float(), maxSide+1)))
	}
	return checkSize(v.Width, v.Height)
}

// decodeEnd sees that a picture near the end decodes. It tries the last key frame first, which costs
// one frame. A file that cannot seek well gets more room, and a short one is decoded from its start.
func (t Tools) decodeEnd(ctx context.Context, path string, info Info) error {
	if info.Video == nil || info.DurationMs <= 2000 {
		return nil
	}
	info.Audio = nil
	back := func(ms int64) []string {
		return []string{"-ss", strconv.FormatFloat(float64(max(0, info.DurationMs-ms))/1000, 'f', 3, 64)}
	}
	// With its own timestamps kept, a picture before the place that is sought is not dropped: a recording
	// may stand still, and its last picture lie long before its end.
	seek := func(ms int64) []string {
		return append([]string{copyTimestamps}, append(back(ms), "-noaccurate_seek")...)
	}
	type attempt struct{ before, after []string }
	attempts := []attempt{
		{before: append(seek(1000), "-skip_frame", "nokey")},
		{before: seek(1000)},
	}
	if info.DurationMs > 60_000 {
		attempts = append(attempts,
			attempt{before: seek(10_000)},
			attempt{before: seek(60_000)})
	} else {
		attempts = append(attempts, attempt{after: back(1000)})
	}
	for _, a := range attempts {
		d, err := t.decode(ctx, path, info, a.before, a.after)
		var refused *Refused
		switch {
		case errors.As(err, &refused) && refused.Code == CodeDamaged:
		case err != nil:
			return err
		case d.pictures > 0:
			return nil
		}
	}
	return refuse(CodeDamaged, "The end of the video cannot be decoded: the file is damaged.")
}
