package probe

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/video/plan"
)

// RenderSource is what a plan must know of a source that was probed. Content is the SHA-256 of its
// bytes, name the file name it was uploaded with.
func (i Info) RenderSource(content, name string) plan.Source {
	s := plan.Source{Content: content, Name: name, Ext: i.Format.Extension(), Bytes: i.Bytes, Sound: i.Audio != nil, Heard: i.Audio.heard()}
	if v := i.Video; v != nil {
		s.Picture = &plan.Picture{
			Size:   plan.Size{Width: v.Width, Height: v.Height},
			Coded:  plan.Size{Width: v.CodedWidth, Height: v.CodedHeight},
			Turned: v.Turned || v.Rotation != 0,
			Mended: plan.Mended{Fields: v.Fields, Orientation: v.Orientation, Hole: v.Hole},
			FPSNum: v.FPSNum, FPSDen: v.FPSDen, Still: i.DurationMs == 0,
			Colour: plan.Colour{
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

// origin is what the probe noted, or reads the headers of a file. Timestamps are never shifted by FFmpeg
// itself, whose idea of a start changes with the streams in use.
func lookUpOrigin(ctx context.Context, t ffmpeg.Tools, s Source) (Origin, error) {
	if s.Info.Origin != nil {
		return *s.Info.Origin, nil
	}

	out := capped{max: 1 << 20}

	args := append([]string{"-of", "json", "-show_entries", "format=start_time:stream=index,start_time"},
		s.Info.Format.Input(s.Path)...)

	var said description

	err := t.Run(ctx, ffmpeg.Command{Program: t.FFprobe, Args: args, Stdout: &out, Limits: Limits()})
	if err == nil {
		err = json.Unmarshal(out.Bytes(), &said)
	}

	if err != nil {
		return Origin{}, fmt.Errorf("find the start of %s: %w", s.Path, err)
	}

	return said.origin(s.Info), nil
}

// origin is where the time of the file begins.
func (d *description) origin(info Info) Origin {
	o := Origin{StartUs: microseconds(d.Format.Start)}

	o.ZeroUs = o.StartUs
	if !info.Format.Wraps() {
		o.ZeroUs = max(0, o.StartUs) // encoders put padding before zero
	}

	if v := info.Video; v != nil {
		if s := d.stream(v.Stream); s.Start != "" {
			if first := microseconds(s.Start); first-o.ZeroUs <= maxLeadUs {
				o.ZeroUs = first
			}
		}
	}

	return o
}

// microseconds reads FFmpeg's seconds, exactly; what it does not know is zero.
func microseconds(seconds string) int64 {
	us, err := strconv.ParseInt(strings.Replace(seconds, ".", "", 1), 10, 64)
	if err != nil || len(seconds)-strings.IndexByte(seconds, '.') != 7 {
		return 0
	}

	return us
}

// Source is an uploaded file and what its probe said.
type Source struct {
	Path string
	Info Info
}

// Sources are the files of a plan's sources by id.
type Sources map[string]Source

// Recording is a source of which is known where its time begins.
type Recording struct {
	Source

	Origin Origin
}

// Open opens a source. It starts a program only where its probe did not note the origin.
func Open(ctx context.Context, t ffmpeg.Tools, s Source) (Recording, error) {
	o, err := lookUpOrigin(ctx, t, s)
	if err != nil {
		return Recording{}, err
	}

	return Recording{Source: s, Origin: o}, nil
}
