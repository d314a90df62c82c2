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

// RenderSource returns what a plan needs to know about a probed source. content is the SHA-256 of its bytes, name its
// uploaded file name.
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

// maxLeadUs is the longest time before a file's first picture that counts as encoder padding of the sound, and not as
// sound without a picture.
const maxLeadUs = 100_000

// lookUpOrigin returns the origin from the probe, or reads it from the headers. FFmpeg itself never shifts timestamps,
// because its start time depends on the streams in use.
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

// origin returns where the time of the file begins.
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

// microseconds parses FFmpeg's seconds exactly; 0 if they are invalid.
func microseconds(seconds string) int64 {
	us, err := strconv.ParseInt(strings.Replace(seconds, ".", "", 1), 10, 64)
	if err != nil || len(seconds)-strings.IndexByte(seconds, '.') != 7 {
		return 0
	}

	return us
}

// Source is an uploaded file and the result of its probe.
type Source struct {
	Path string
	Info Info
}

// Sources maps the ids of a plan's sources to their files.
type Sources map[string]Source

// Recording is a source with its origin.
type Recording struct {
	Source

	Origin Origin
}

// Open opens a source. It starts a program only if the probe did not record the origin.
func Open(ctx context.Context, t ffmpeg.Tools, s Source) (Recording, error) {
	o, err := lookUpOrigin(ctx, t, s)
	if err != nil {
		return Recording{}, err
	}

	return Recording{Source: s, Origin: o}, nil
}
