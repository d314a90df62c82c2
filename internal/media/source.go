package media

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/reelgraph/reelgraph/internal/render"
)

// RenderSource is what a plan must know of a source that was probed. Content is the SHA-256 of its
// bytes, name the file name it was uploaded with.
func (i Info) RenderSource(content, name string) render.Source {
	s := render.Source{Content: content, Name: name, Bytes: i.Bytes, Sound: i.Audio != nil}
	if v := i.Video; v != nil {
		s.Picture = &render.Picture{
			Size:   render.Size{Width: v.Width, Height: v.Height},
			Coded:  render.Size{Width: v.CodedWidth, Height: v.CodedHeight},
			FPSNum: v.FPSNum, FPSDen: v.FPSDen, Still: i.DurationMs == 0,
			Colour: render.Colour{
				PixelFormat: v.PixFmt, Range: v.ColorRange, Matrix: v.ColorSpace,
				Transfer: v.ColorTransfer, Primaries: v.ColorPrimaries,
			},
		}
	}

	return s
}

// maxLeadUs is the longest time before a file's first picture that is taken for the padding which
// encoders put before sound, and not for sound without a picture.
const maxLeadUs = 100_000

// origin is where a file's time begins, in microseconds of its own timestamps.
type origin struct {
	// start is the start that FFmpeg gives the file: seeking counts from there.
	start int64
	// zero is where recording time begins: at the first picture, when only padding of the sound lies
	// before it. Frame n of a recording of a constant rate is therefore shown at n/fps, whatever the
	// container.
	zero int64
}

// origin reads the headers of a file. Timestamps are never shifted by FFmpeg itself, whose idea of a
// start changes with the streams in use.
func (t Tools) origin(ctx context.Context, s Source) (origin, error) {
	var (
		out  capped
		said struct {
			Format struct {
				Start string `json:"start_time"`
			} `json:"format"`
			Streams []struct {
				Index int    `json:"index"`
				Start string `json:"start_time"`
			} `json:"streams"`
		}
	)

	out.max = 1 << 20
	args := append([]string{"-of", "json", "-show_entries", "format=start_time:stream=index,start_time"},
		s.Info.Format.Input(s.Path)...)

	err := t.Run(ctx, Command{Program: t.FFprobe, Args: args, Stdout: &out, Limits: probeLimits()})
	if err == nil {
		err = json.Unmarshal(out.Bytes(), &said)
	}

	if err != nil {
		return origin{}, fmt.Errorf("find the start of %s: %w", s.Path, err)
	}

	o := origin{start: microseconds(said.Format.Start)}
	o.zero = max(0, o.start)

	for _, stream := range said.Streams {
		if s.Info.Video != nil && stream.Index == s.Info.Video.Stream && stream.Start != "" {
			if first := microseconds(stream.Start); first-o.zero <= maxLeadUs {
				o.zero = first
			}
		}
	}

	return o, nil
}

// microseconds reads FFmpeg's seconds, exactly; what it does not know is zero.
func microseconds(seconds string) int64 {
	us, err := strconv.ParseInt(strings.Replace(seconds, ".", "", 1), 10, 64)
	if err != nil || len(seconds)-strings.IndexByte(seconds, '.') != 7 {
		return 0
	}

	return us
}
