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
			FPSNum: v.FPSNum, FPSDen: v.FPSDen,
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

// zeroUs is where the recording time of a file begins, counted from the start that FFmpeg gives it:
// at the first picture, when only padding of the sound lies before it. Frame n of a recording of a
// constant rate is therefore shown at n/fps, whatever the container.
func (t Tools) zeroUs(ctx context.Context, s Source) (int64, error) {
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
		return 0, fmt.Errorf("find the start of %s: %w", s.Path, err)
	}

	start := microseconds(said.Format.Start)

	for _, stream := range said.Streams {
		if s.Info.Video != nil && stream.Index == s.Info.Video.Stream && stream.Start != "" {
			if lead := microseconds(stream.Start) - max(0, start); lead <= maxLeadUs {
				return microseconds(stream.Start) - start, nil
			}
		}
	}

	return max(0, -start), nil
}

// microseconds reads FFmpeg's seconds, exactly; what it does not know is zero.
func microseconds(seconds string) int64 {
	us, err := strconv.ParseInt(strings.Replace(seconds, ".", "", 1), 10, 64)
	if err != nil || len(seconds)-strings.IndexByte(seconds, '.') != 7 {
		return 0
	}

	return us
}
