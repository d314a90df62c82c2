package encode

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"syscall"

	"github.com/reelgraph/reelgraph/internal/engine/compositor"
	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/video/plan"
)

// compose draws a chunk of the compose lane: one FFmpeg per input decodes to raw pictures, they are painted here, and
// one FFmpeg encodes the result. In memory a chunk has one frame of each input and two of its own, whatever its length.
// Streams that continue in the next piece stay open in h.
func (r *rendering) compose(ctx context.Context, p *piece, h *openStreams, path string, onFrame func(int64)) error {
	c := p.chunk

	scene, err := r.scenePainter(*c.Scene)
	if err != nil {
		return err
	}

	scene.painter.After(h.painter)
	h.painter = scene.painter
	scene.feeds = h.take(r, p)

	chunk, cancel := context.WithCancel(ctx)
	defer cancel()

	out, err := r.engine.encoder(chunk, *c.Scene, path)
	if err != nil {
		return err
	}

	buffers, err := newFrameBuffers(c.Scene.Frame)

	for n := int64(0); n < c.Frames && err == nil; n++ {
		buffer := buffers.next()
		if err = scene.paint(ctx, buffer.frame, n); err == nil {
			err = buffer.send(out.to)
		}

		onFrame(n)
	}

	err = out.finish(cancel, err)

	runtime.KeepAlive(buffers) // the encoder may still have been reading the last of them

	if err != nil {
		h.close()
	}

	return err
}

// encoder is a running encoder of raw pictures.
type encoder struct {
	to   *os.File
	done chan error
}

func (e *Engine) encoder(ctx context.Context, s plan.Scene, path string) (*encoder, error) {
	from, to, err := bigPipe()
	if err != nil {
		return nil, err
	}

	args := []string{
		"-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", fmt.Sprintf("%dx%d", s.Frame.Width, s.Frame.Height),
		"-r", strconv.FormatInt(s.FPS, 10), "-i", "pipe:0",
		"-vf", "setsar=1," + plan.Tags, "-frames:v", strconv.FormatInt(s.Frames, 10), "-map_metadata", "-1",
	}
	args = append(append(args, s.Encoding()...), "-f", "mp4", "-y", "file:"+path)
	out := &encoder{to: to, done: make(chan error, 1)}

	limits := e.Limits.WithDefaults()
	limits.Stall = limits.Begin // it waits until decoders start, also in the middle

	go func() {
		err := e.Tools.Run(ctx, ffmpeg.Command{Args: args, Stdin: from, Limits: limits})
		out.done <- errors.Join(err, from.Close())
	}()

	return out, nil
}

// finish closes the encoder's input and waits for it. After a fault it stops the encoder instead. A broken pipe is only
// a symptom: then the encoder's own error is returned.
func (e *encoder) finish(cancel func(), fault error) error {
	broken := errors.Is(fault, syscall.EPIPE)
	if fault != nil && !broken {
		cancel()
	}

	err := errors.Join(e.to.Close(), <-e.done)
	if fault != nil && (!broken || err == nil) {
		return fault
	}

	return err
}

// scenePainter paints a scene: it holds the painter and the streams of the inputs.
type scenePainter struct {
	scene   plan.Scene
	painter *compositor.Painter
	feeds   []*feed
	frames  []compositor.Frame
}

func (r *rendering) scenePainter(s plan.Scene) (*scenePainter, error) {
	fonts, err := r.engine.fonts()
	if err != nil {
		return nil, err
	}

	painter, err := compositor.New(s, fonts, 0)
	if err != nil {
		return nil, err
	}

	return &scenePainter{scene: s, painter: painter, frames: make([]compositor.Frame, len(s.Inputs))}, nil
}

// paint paints frame n. The caller paints frames in order.
func (e *scenePainter) paint(ctx context.Context, dst compositor.Frame, n int64) error {
	for i, f := range e.feeds {
		frame, err := f.at(ctx, n)
		if err != nil {
			return err
		}

		e.frames[i] = frame
	}

	e.painter.GiveUp(ctx.Err)

	return e.painter.Paint(dst, e.scene.At(n), e.frames)
}
