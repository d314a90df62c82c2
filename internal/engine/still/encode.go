package still

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/engine/probe"
	"github.com/reelgraph/reelgraph/internal/video/plan"
)

// Output is one file to make from raw frames.
type Output struct {
	Path   string
	Format string // jpg, png, webp, gif or mp4
	Size   plan.Size
}

// RawFrames is the input of Encode: frames in the format that Film writes.
type RawFrames struct {
	Size   plan.Size
	FPS    int64
	Frames io.Reader
}

// smallGIF is the greatest width of a GIF that shows every frame. A wider one shows every second frame, because the
// format takes much space and time.
const smallGIF = 640

// Encode makes several pictures and short films from the same frames in one pass. It scales each frame until it covers
// the size of the output, and crops the rest. The sides of an MP4 are rounded down to even numbers.
func Encode(ctx context.Context, run ffmpeg.Runner, n RawFrames, outputs []Output) error {
	args := []string{
		"-f", "rawvideo", "-pix_fmt", "yuv420p", "-video_size", fmt.Sprintf("%dx%d", n.Size.Width, n.Size.Height),
		"-framerate", strconv.FormatInt(n.FPS, 10), "-i", "pipe:0",
	}

	// The largest first: each size is scaled once, from the size before.
	outputs = slices.Clone(outputs)
	slices.SortStableFunc(outputs, func(a, b Output) int { return b.Size.Width*b.Size.Height - a.Size.Width*a.Size.Height })

	g := graph{from: "[0:v]", size: n.Size, fps: n.FPS}

	for rest := outputs; len(rest) > 0; {
		same := 1
		for same < len(rest) && rest[same].even() == rest[0].even() {
			same++
		}

		g.add(rest[:same], len(rest) > same)
		rest = rest[same:]
	}

	g.palette()
	args = append(args, "-filter_complex_threads", "1", "-filter_complex", strings.Join(g.chains, ";"))

	if err := run.Run(ctx, ffmpeg.Command{Args: append(args, g.outputs...), Stdin: n.Frames}); err != nil {
		return fmt.Errorf("encode stills: %w", err)
	}

	return nil
}

// graph builds the filters of many outputs, and FFmpeg's options for them.
type graph struct {
	from string // the pad of the frames for the next size
	size plan.Size
	fps  int64
	pads int // the number of pads

	chains  []string
	outputs []string
	gifs    []string // the pads that wait for a palette, the smallest last
	films   []string // the pads of the GIFs with a palette
}

func (g *graph) pad() string {
	g.pads++

	return fmt.Sprintf("[p%d]", g.pads)
}

// add scales the frames to the common size of some outputs, and gives each its own filter. If more sizes follow they
// are scaled from this one.
func (g *graph) add(outputs []Output, more bool) {
	var pads []string
	for range outputs {
		pads = append(pads, g.pad())
	}

	if more {
		pads = append(pads, g.pad())
	}

	g.chains = append(g.chains, fmt.Sprintf("%s%s,split=%d%s", g.from, outputs[0].fit(g.size), len(pads), strings.Join(pads, "")))

	for i, p := range outputs {
		filter, encoder := p.recipe(g.fps)
		out := g.pad()
		g.chains = append(g.chains, pads[i]+filter+out)

		if p.Format == gifFormat {
			g.gifs = append(g.gifs, out)
			out = g.pad()
			g.films = append(g.films, out)
		}

		g.outputs = append(append(g.outputs, "-map", out), encoder...)
		g.outputs = append(g.outputs, "-map_metadata", "-1", "-y", "file:"+p.Path)
	}

	if more {
		g.from, g.size = pads[len(pads)-1], outputs[0].even()
	}
}

// palette finds one palette for all GIFs, from the smallest of them.
func (g *graph) palette() {
	if len(g.gifs) == 0 {
		return
	}

	look, smallest := g.pad(), g.pad()
	last := len(g.gifs) - 1
	g.chains = append(g.chains, fmt.Sprintf("%ssplit%s%s", g.gifs[last], look, smallest))
	g.gifs[last] = smallest

	var palettes []string
	for range g.gifs {
		palettes = append(palettes, g.pad())
	}

	g.chains = append(g.chains, fmt.Sprintf("%spalettegen=max_colors=255,split=%d%s", look, len(palettes), strings.Join(palettes, "")))

	for i, in := range g.gifs {
		g.chains = append(g.chains, in+palettes[i]+"paletteuse=dither=none:diff_mode=rectangle"+g.films[i])
	}
}

// gifFormat is the format that needs a palette.
const gifFormat = "gif"

// recipe returns an output's filter, for frames of its size, and its encoder.
func (p Output) recipe(fps int64) (filter string, encoder []string) {
	switch p.Format {
	case "png":
		return "scale=in_color_matrix=bt709:in_range=tv,format=rgb24",
			[]string{"-frames:v", "1", probe.VideoCodec, "png", "-f", "image2", "-update", "1"}
	case "webp": // WebP colors are BT.601 of limited range, whatever the tags say
		return "scale=in_color_matrix=bt709:out_color_matrix=bt601:in_range=tv:out_range=tv,format=yuv420p",
			[]string{"-frames:v", "1", probe.VideoCodec, "libwebp", "-quality", "80", "-f", "webp"}
	case gifFormat:
		thin := ""
		if p.Size.Width > smallGIF {
			thin = fmt.Sprintf("fps=%d,", max(fps/2, 1))
		}

		return thin + "scale=in_color_matrix=bt709:in_range=tv,format=rgb32", []string{probe.VideoCodec, gifFormat, "-f", gifFormat}
	case "mp4":
		return "format=yuv420p," + plan.Tags, []string{
			probe.VideoCodec, "libx264", "-preset", "ultrafast", "-coder", "cabac", "-deblock", "0:0", "-crf", "26", "-threads:v", "1",
			"-movflags", "+faststart", "-f", "mp4",
		}
	default: // JFIF: BT.601 of full range
		return "scale=in_color_matrix=bt709:out_color_matrix=bt601:in_range=tv:out_range=pc,format=yuvj420p",
			[]string{"-frames:v", "1", probe.VideoCodec, "mjpeg", "-q:v", "3", "-f", "image2", "-update", "1"}
	}
}

// even returns the size of the output's file.
func (p Output) even() plan.Size {
	if p.Format != "mp4" {
		return p.Size
	}

	return plan.Size{Width: max(p.Size.Width&^1, 2), Height: max(p.Size.Height&^1, 2)}
}

// fit returns the filter that crops the frames to the output's aspect and scales them to its size.
func (p Output) fit(from plan.Size) string {
	to, crop := p.even(), ""

	switch w, h := from.Width, from.Height; {
	case w*to.Height > (h+1)*to.Width:
		crop = fmt.Sprintf("crop=%d:%d,", max((h*to.Width/to.Height)&^1, 2), h)
	case (w+1)*to.Height < h*to.Width:
		crop = fmt.Sprintf("crop=%d:%d,", w, max((w*to.Height/to.Width)&^1, 2))
	}

	return fmt.Sprintf("%sscale=%d:%d:flags=area+accurate_rnd", crop, to.Width, to.Height)
}
