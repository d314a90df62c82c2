package media

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/reelgraph/reelgraph/internal/render"
)

// Print is one file to make of raw frames.
type Print struct {
	Path   string
	Format string // jpg, png, webp, gif or mp4
	Size   render.Size
}

// Negative is what prints are made of: raw frames as Film writes them.
type Negative struct {
	Size   render.Size
	FPS    int64
	Frames io.Reader
}

// videoCodec is the option that names an output's encoder.
const videoCodec = "-c:v"

// smallGIF is the greatest width of a GIF that shows every frame: wider ones show every second one,
// because the format takes so much room and time.
const smallGIF = 640

// Develop makes pictures and short films of the same frames in one pass. Each covers its size, and what
// juts out on either side is cropped. The sides of an MP4 are even.
func (t Tools) Develop(ctx context.Context, n Negative, prints []Print, l Limits) error {
	chain := []string{fmt.Sprintf("[0:v]split=%d%s", len(prints), pads("i", len(prints)))}
	args := []string{
		"-f", "rawvideo", "-pix_fmt", "yuv420p", "-video_size", fmt.Sprintf("%dx%d", n.Size.Width, n.Size.Height),
		"-framerate", strconv.FormatInt(n.FPS, 10), "-i", "pipe:0",
	}

	var outputs []string

	for i, p := range prints {
		filter, encoder := p.recipe(n)
		chain = append(chain, fmt.Sprintf("[i%d]%s[o%d]", i, strings.ReplaceAll(filter, "#", strconv.Itoa(i)), i))
		outputs = append(outputs, "-map", fmt.Sprintf("[o%d]", i))
		outputs = append(outputs, encoder...)
		outputs = append(outputs, "-map_metadata", "-1", "-y", "file:"+p.Path)
	}

	args = append(args, "-filter_complex_threads", "1", "-filter_complex", strings.Join(chain, ";"))

	if err := t.Run(ctx, Command{Args: append(args, outputs...), Stdin: n.Frames, Limits: l}); err != nil {
		return fmt.Errorf("develop: %w", err)
	}

	return nil
}

func pads(name string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "[%s%d]", name, i)
	}

	return b.String()
}

// recipe is a print's filter, with # where a number of its own belongs, and its encoder.
func (p Print) recipe(n Negative) (filter string, encoder []string) {
	fit := p.fit(n.Size)

	switch p.Format {
	case "png":
		return fit + ":in_color_matrix=bt709:in_range=tv,format=rgb24", []string{"-frames:v", "1", videoCodec, "png", "-f", "image2", "-update", "1"}
	case "webp": // its colours are BT.601 of limited range, whatever the tags say
		return fit + ":in_color_matrix=bt709:out_color_matrix=bt601:in_range=tv:out_range=tv,format=yuv420p",
			[]string{"-frames:v", "1", videoCodec, "libwebp", "-quality", "80", "-f", "webp"}
	case "gif":
		thin := ""
		if p.Size.Width > smallGIF {
			thin = fmt.Sprintf("fps=%d,", max(n.FPS/2, 1))
		}

		return thin + fit + ":in_color_matrix=bt709:in_range=tv,format=rgb24,split[f#][c#];[c#]palettegen=max_colors=255[p#];" +
			"[f#][p#]paletteuse=dither=none:diff_mode=rectangle", []string{videoCodec, "gif", "-f", "gif"}
	case "mp4":
		return fit + ",format=yuv420p", []string{
			videoCodec, "libx264", "-preset", "veryfast", "-crf", "26", "-profile:v", "high", "-threads:v", "1",
			"-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709", "-color_range", "tv",
			"-movflags", "+faststart", "-f", "mp4",
		}
	default: // JFIF: BT.601 of full range
		return fit + ":in_color_matrix=bt709:out_color_matrix=bt601:in_range=tv:out_range=pc,format=yuvj420p",
			[]string{"-frames:v", "1", videoCodec, "mjpeg", "-q:v", "3", "-f", "image2", "-update", "1"}
	}
}

// fit crops the frames to the print's aspect and scales them to its size.
func (p Print) fit(from render.Size) string {
	to := p.Size
	if p.Format == "mp4" {
		to = render.Size{Width: max(to.Width&^1, 2), Height: max(to.Height&^1, 2)}
	}

	crop := ""

	switch w, h := from.Width, from.Height; {
	case w*to.Height > (h+1)*to.Width:
		crop = fmt.Sprintf("crop=%d:%d,", max((h*to.Width/to.Height)&^1, 2), h)
	case (w+1)*to.Height < h*to.Width:
		crop = fmt.Sprintf("crop=%d:%d,", w, max((w*to.Height/to.Width)&^1, 2))
	}

	return fmt.Sprintf("%sscale=%d:%d:flags=area+accurate_rnd", crop, to.Width, to.Height)
}
