package media

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// decoded is what came out of decoding a little of a file.
type decoded struct {
	frames        []int // by output stream
	width, height int   // of the first video output
	sar           ratio
}

// decode runs a few frames through FFmpeg's checksums: what is listed was really decoded. Settings
// stand before the input.
func (t Tools) decode(ctx context.Context, f Format, path string, streams []int, settings ...string) (decoded, error) {
	args := f.Input(path, settings...)
	for _, s := range streams {
		args = append(args, "-map", fmt.Sprintf("0:%d", s))
	}
	args = append(args, "-frames:v", "1", "-frames:a", "1", "-f", "framecrc", "pipe:1")
	out := capped{max: 1 << 20}
	err := t.Run(ctx, Command{Args: args, Stdout: &out, Limits: probeLimits()})
	if err := verdict(ctx, f, err); err != nil {
		return decoded{}, err
	}
	return parseChecksums(out.String(), len(streams)), nil
}

// parseChecksums reads lines like "#dimensions 0: 640x360", "#sar 0: 1/1" and "0, 0, 0, 1, 345600, 0x…".
func parseChecksums(text string, streams int) decoded {
	d := decoded{frames: make([]int, streams), sar: ratio{1, 1}}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if size, ok := strings.CutPrefix(line, "#dimensions 0: "); ok {
			w, h, _ := strings.Cut(size, "x")
			d.width, _ = strconv.Atoi(w)
			d.height, _ = strconv.Atoi(h)
		}
		if sar, ok := strings.CutPrefix(line, "#sar 0: "); ok {
			if r := rational(sar); r.num > 0 {
				d.sar = r
			}
		}
		index, _, ok := strings.Cut(line, ",")
		if n, err := strconv.Atoi(index); ok && err == nil && n >= 0 && n < streams {
			d.frames[n]++
		}
	}
	return d
}

// decodeStart decodes the first picture and the first sound, and learns the size of the picture.
func (t Tools) decodeStart(ctx context.Context, path string, info *Info) error {
	d, err := t.decode(ctx, info.Format, path, chosen(info))
	if err != nil {
		return err
	}
	if info.Video != nil && d.frames[0] == 0 {
		return refuse(CodeDamaged, "No picture of the video can be decoded: the file is damaged.")
	}
	if info.Audio != nil && d.frames[len(d.frames)-1] == 0 {
		return refuse(CodeDamaged, "The sound of the file cannot be decoded.")
	}
	if info.Video == nil {
		return nil
	}
	return d.size(info.Video)
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
// one frame; a file that cannot seek well gets more room.
func (t Tools) decodeEnd(ctx context.Context, path string, info *Info) error {
	if info.Video == nil || info.DurationMs <= 2000 {
		return nil
	}
	streams := []int{info.Video.Stream}
	for _, before := range []int64{1000, 10_000, 60_000} {
		settings := []string{"-ss", fmt.Sprintf("%.3f", float64(max(0, info.DurationMs-before))/1000), "-noaccurate_seek"}
		if before == 1000 {
			settings = append(settings, "-skip_frame", "nokey")
		}
		d, err := t.decode(ctx, info.Format, path, streams, settings...)
		if err != nil {
			return err
		}
		if d.frames[0] > 0 {
			return nil
		}
	}
	return refuse(CodeDamaged, "The end of the video cannot be decoded: the file is damaged.")
}
