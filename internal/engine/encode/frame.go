package encode

import (
	"context"
	"fmt"
	"io"

	"github.com/reelgraph/reelgraph/internal/engine/compositor"
	"github.com/reelgraph/reelgraph/internal/engine/probe"
	"github.com/reelgraph/reelgraph/internal/video/plan"
)

// Paint writes raw pictures to the writer: planar 4:2:0, BT.709, limited range. Their number is the parameter frames.
// First come the pictures of chunks, which must be in the compose lane, as plan.Reel plans them. Then the last picture
// is repeated. Each picture is centered in a black frame of the given size. sources must contain all sources that the
// chunks use.
func (e *Engine) Paint(
	ctx context.Context, chunks []plan.Chunk, sources probe.Sources, size plan.Size, frames int64, to io.Writer,
) error {
	out := newCanvas(size)

	for _, c := range chunks {
		if err := e.paint(ctx, c, sources, out, to); err != nil {
			return fmt.Errorf("paint frames %d to %d: %w", c.First, c.First+c.Frames-1, err)
		}

		frames -= c.Frames
	}

	for range frames {
		if _, err := to.Write(out.raw); err != nil {
			return fmt.Errorf("paint: %w", err)
		}
	}

	return nil
}

func (e *Engine) paint(ctx context.Context, c plan.Chunk, sources probe.Sources, out canvas, to io.Writer) error {
	if c.Scene == nil {
		return fmt.Errorf("paint a chunk of lane %s: the chunk has no scene", c.Lane)
	}

	r := &rendering{engine: e, sources: sources, origins: map[string]probe.Origin{}}

	for _, id := range c.Inputs {
		if _, known := sources[id]; !known {
			return fmt.Errorf("source %s has no file", id)
		}

		opened, err := probe.Open(ctx, e.Tools, sources[id])
		if err != nil {
			return err
		}

		r.origins[id] = opened.Origin
	}

	scene, err := r.scenePainter(*c.Scene)
	if err != nil {
		return err
	}

	h := &openStreams{}
	defer h.close()

	scene.feeds = h.take(r, &piece{chunk: &c})

	dst := compositor.NewFrame(c.Scene.Frame.Width, c.Scene.Frame.Height)

	for n := int64(0); n < c.Frames && err == nil; n++ {
		if err = scene.paint(ctx, dst, n); err == nil {
			out.show(dst)
			_, err = to.Write(out.raw)
		}
	}

	return err
}

// canvas is a black frame that shows pictures in its center.
type canvas struct {
	raw   []byte
	frame compositor.Frame
}

func newCanvas(size plan.Size) canvas {
	b := canvas{raw: make([]byte, compositor.FrameBytes(size.Width, size.Height))}

	frame, err := compositor.FrameOf(b.raw, size.Width, size.Height)
	if err == nil {
		frame.Fill(compositor.Black)
	}

	b.frame = frame

	return b
}

// show copies a picture, which must not be larger than the canvas.
func (b canvas) show(f compositor.Frame) {
	x, y := (b.frame.Width-f.Width)/2&^1, (b.frame.Height-f.Height)/2&^1

	for i, from := range f.Planes {
		to := b.frame.Planes[i]

		px, py := x, y
		if i > 0 {
			px, py = x/2, y/2
		}

		for row := range from.Height {
			copy(to.Row(py + row)[px:], from.Row(row))
		}
	}
}
