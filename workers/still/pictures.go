package still

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"golang.org/x/sync/errgroup"

	"github.com/reelgraph/reelgraph/internal/engine/probe"
	"github.com/reelgraph/reelgraph/internal/engine/still"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

const (
	// stillFPS is the frame rate of animated pictures.
	stillFPS = 10
	// sharesAtOnce is how many programs make a storyboard in parallel.
	sharesAtOnce = 2
)

// longestWebP is the longest side that WebP supports.
const longestWebP = 16_383

// longest returns the longest side of a picture of this shape.
func longest(shape plan.Size) int {
	return max(plan.LongestAsked, min(max(shape.Width, shape.Height), longestWebP))
}

// tile is the size of a storyboard's pictures, whatever the shape of the video.
var tile = plan.Size{Width: 320, Height: 180} //nolint:gochecknoglobals // a constant

// footage is what pictures are made from.
type footage interface {
	// shape returns the size of the picture as displayed.
	shape() plan.Size
	// film writes raw frames, as still.Film does.
	film(ctx context.Context, of plan.Sample, to io.Writer) error
	// stills writes one raw frame for each sample.
	stills(ctx context.Context, of []plan.Sample, to io.Writer) error
}

// footage returns what the recipe shows: a source as recorded, or a plan as played.
func (k *kitchen) footage(ctx context.Context) (footage, error) {
	if k.recipe.Copy != "" {
		return k.copied(ctx)
	}

	if k.recipe.Plan != nil {
		return k.played(*k.recipe.Plan), nil
	}

	r, err := k.recording(ctx, k.recipe.SourceID)
	if err != nil {
		return nil, err
	}

	return raw{k, r}, nil
}

// pictures makes the pictures of the recipe.
func (k *kitchen) pictures(ctx context.Context) ([]string, error) {
	f, err := k.footage(ctx)

	switch {
	case err != nil:
		return nil, err
	case k.recipe.Kind == values.ExtractStoryboard:
		return k.storyboard(ctx, f)
	case k.recipe.Kind == values.ExtractPosters:
		return k.thumbnails(ctx, f, 0, values.StillFormatJPG, values.StillFormatWebP)
	case k.recipe.Kind == values.ExtractPreviews:
		return k.thumbnails(ctx, f, k.recipe.DurationMs, values.StillFormatGIF, values.StillFormatMP4)
	default:
		return k.still(ctx, f)
	}
}

// copied opens the copy of a picture that was chosen to stand for a video.
func (k *kitchen) copied(ctx context.Context) (footage, error) {
	path, release, err := k.LocalFile(ctx, k.recipe.Copy)
	if err != nil {
		return nil, err
	}

	k.releases = append(k.releases, release)

	info, err := probe.File(ctx, k.Engine.Tools, path, probe.KindImage)
	if err != nil {
		return nil, fmt.Errorf("look at the copy of a picture: %w", err)
	}

	r, err := probe.Open(ctx, k.Engine.Tools, probe.Source{Path: path, Info: info})

	return raw{k, r}, err
}

// raw is a source as recorded, or an image.
type raw struct {
	kitchen   *kitchen
	recording probe.Recording
}

func (r raw) shape() plan.Size {
	if v := r.recording.Info.Video; v != nil {
		return plan.Size{Width: v.Width, Height: v.Height}
	}

	return tile
}

func (r raw) film(ctx context.Context, of plan.Sample, to io.Writer) error {
	return r.kitchen.draw(ctx, func(ctx context.Context) error {
		return still.Film(ctx, r.kitchen.Engine.Runner(), r.recording, of, to)
	})
}

func (r raw) stills(ctx context.Context, of []plan.Sample, to io.Writer) error {
	return still.Stills(ctx, r.kitchen.Engine.Runner(), r.recording, of, to)
}

// still makes the single requested file.
func (k *kitchen) still(ctx context.Context, f footage) ([]string, error) {
	shape, width, height := f.shape(), k.recipe.Width, k.recipe.Height
	base := plan.Cover(shape, width, height).Within(longest(shape))

	switch {
	case width == 0 && height == 0:
		width, height = shape.Width, shape.Height
	case width == 0:
		width = max((shape.Width*height+shape.Height/2)/shape.Height, 1)
	case height == 0:
		height = max((shape.Height*width+shape.Width/2)/shape.Width, 1)
	}

	name := k.recipe.File()
	size := plan.Size{Width: width, Height: height}.Within(longest(shape))
	p := still.Output{Path: filepath.Join(k.dir, name), Format: string(k.recipe.Format), Size: size}

	return []string{name}, k.develop(ctx, f, base, k.recipe.DurationMs, []still.Output{p})
}

// thumbnails makes the thumbnails of a video in all sizes, in the given formats.
func (k *kitchen) thumbnails(ctx context.Context, f footage, durationMs int64, formats ...values.StillFormat) ([]string, error) {
	var (
		names  []string
		prints []still.Output
		widest plan.Size
	)

	for size, width := range values.ThumbnailWidths() {
		fit := plan.Thumbnail(f.shape(), width)
		if fit.Width > widest.Width {
			widest = fit
		}

		for _, format := range formats {
			name := size + "." + string(format)
			names = append(names, name)
			prints = append(prints, still.Output{Path: filepath.Join(k.dir, name), Format: string(format), Size: fit})
		}
	}

	return names, k.develop(ctx, f, widest, durationMs, prints)
}

// develop makes the outputs from the recipe's time on. A duration of zero means one picture. Nothing extends past the
// end.
func (k *kitchen) develop(ctx context.Context, f footage, base plan.Size, durationMs int64, prints []still.Output) error {
	lasts := min(durationMs, k.recipe.LengthMs-k.recipe.FromMs)
	frames := max((lasts*stillFPS+999)/1000, 1)

	group, ctx := errgroup.WithContext(ctx)

	var (
		pipes []*io.PipeWriter
		drawn error
	)

	for _, share := range shares(prints) {
		in, out := io.Pipe()
		pipes = append(pipes, out)

		group.Go(func() error {
			err := still.Encode(ctx, k.Engine.Runner(), still.RawFrames{Size: base, FPS: stillFPS, Frames: in}, share)
			_ = in.CloseWithError(errors.Join(err, io.ErrClosedPipe))

			return err
		})
	}

	group.Go(func() error {
		var to []io.Writer
		for _, pipe := range pipes {
			to = append(to, pipe)
		}

		sample := plan.Sample{FromUs: k.recipe.FromMs * 1000, Frames: frames, FPS: stillFPS, Frame: base, Fill: true}

		drawn = f.film(ctx, sample, io.MultiWriter(to...))
		for _, pipe := range pipes {
			_ = pipe.CloseWithError(drawn)
		}

		return drawn
	})

	if err := group.Wait(); !errors.Is(drawn, errSlow) { // the programs' errors are only a consequence of it
		return err
	}

	return drawn
}

// shares splits the outputs by program. The encoders of one program take turns, and a GIF takes as long as all others
// together.
func shares(prints []still.Output) (all [][]still.Output) {
	gifs, others := []still.Output{}, []still.Output{}

	for _, p := range prints {
		if p.Format == string(values.StillFormatGIF) {
			gifs = append(gifs, p)
		} else {
			others = append(others, p)
		}
	}

	for _, share := range [][]still.Output{gifs, others} {
		if len(share) > 0 {
			all = append(all, share)
		}
	}

	return all
}

// storyboard makes a sheet of pictures. Each frame is sought by itself, because hours may lie between them.
func (k *kitchen) storyboard(ctx context.Context, f footage) ([]string, error) {
	size := plan.Size{Width: tile.Width * values.StoryboardColumns, Height: tile.Height * values.StoryboardRows}
	sheet := make([]byte, still.FrameBytes(size))
	of := make([]plan.Sample, values.StoryboardTiles)

	for i := range of {
		at := min(k.recipe.FromMs+int64(i)*(k.recipe.DurationMs/values.StoryboardTiles), max(k.recipe.LengthMs-1, 0))
		of[i] = plan.Sample{FromUs: at * 1000, Frames: 1, FPS: stillFPS, Frame: tile}
	}

	const share = (values.StoryboardTiles + sharesAtOnce - 1) / sharesAtOnce

	group, gctx := errgroup.WithContext(ctx)

	for first := 0; first < len(of); first += share {
		group.Go(func() error {
			var (
				b    bytes.Buffer
				some = of[first:min(first+share, len(of))]
				each = still.FrameBytes(tile)
			)

			if err := f.stills(gctx, some, &b); err != nil {
				return err
			}

			for i := range some {
				if b.Len() < each {
					return fmt.Errorf("draw the picture at %d ms: %w", some[i].FromUs/1000, io.ErrUnexpectedEOF)
				}

				paste(sheet, size, b.Next(each), first+i)
			}

			return nil
		})
	}

	if err := group.Wait(); err != nil {
		return nil, err
	}

	name := k.recipe.File()

	return []string{name}, still.Encode(ctx, k.Engine.Runner(), still.RawFrames{Size: size, FPS: stillFPS, Frames: bytes.NewReader(sheet)},
		[]still.Output{{Path: filepath.Join(k.dir, name), Format: "webp", Size: size}})
}

// paste copies a raw tile into its place on a raw sheet. Tiles do not overlap, so pasting may run in parallel.
func paste(sheet []byte, size plan.Size, picture []byte, i int) {
	column, row := i%values.StoryboardColumns, i/values.StoryboardColumns
	from, to := 0, 0

	for plane := range 3 {
		shrink := 1
		if plane > 0 {
			shrink = 2
		}

		w, h, stride := tile.Width/shrink, tile.Height/shrink, size.Width/shrink

		for y := range h {
			copy(sheet[to+(row*h+y)*stride+column*w:][:w], picture[from+y*w:][:w])
		}

		from += w * h
		to += stride * size.Height / shrink
	}
}
