package media

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"syscall"

	"github.com/reelgraph/reelgraph/internal/compositor"
	"github.com/reelgraph/reelgraph/internal/render"
	"github.com/reelgraph/reelgraph/internal/timeline"
)

// compose draws a chunk of the compose lane: one FFmpeg for each input decodes to raw pictures, they
// are painted here, and one FFmpeg encodes the result. A chunk holds one frame of each input and one of
// its own in memory, whatever its length.
func (r *rendering) compose(ctx context.Context, c render.Chunk, path string, onFrame func(int64)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()

	easel, err := r.easel(*c.Scene, c.Inputs)
	if err != nil {
		return err
	}
	defer easel.close(cancel)

	out, err := r.engine.encoder(ctx, *c.Scene, path)
	if err != nil {
		return err
	}

	size := c.Scene.Frame
	raw := make([]byte, compositor.FrameBytes(size.Width, size.Height))
	dst, err := compositor.FrameOf(raw, size.Width, size.Height)

	for n := int64(0); n < c.Frames && err == nil; n++ {
		if err = easel.paint(ctx, dst, n); err == nil {
			_, err = out.to.Write(raw)
		}

		onFrame(n)
	}

	return out.finish(cancel, err)
}

// encoder is a running encoder of raw pictures.
type encoder struct {
	to   *os.File
	done chan error
}

func (e *Engine) encoder(ctx context.Context, s render.Scene, path string) (*encoder, error) {
	from, to, err := bigPipe()
	if err != nil {
		return nil, err
	}

	args := []string{
		"-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", fmt.Sprintf("%dx%d", s.Frame.Width, s.Frame.Height),
		"-r", strconv.FormatInt(s.FPS, 10), "-i", "pipe:0",
		"-vf", "setsar=1", "-frames:v", strconv.FormatInt(s.Frames, 10), "-map_metadata", "-1",
	}
	args = append(append(args, s.Encoding()...), "-f", "mp4", "-y", "file:"+path)
	out := &encoder{to: to, done: make(chan error, 1)}

	go func() {
		err := e.Tools.Run(ctx, Command{Args: args, Stdin: from, Limits: e.Limits})
		out.done <- errors.Join(err, from.Close())
	}()

	return out, nil
}

// finish tells the encoder that there is no more, and waits for it. After a fault it is ended instead; a
// broken pipe is no fault of its own: the encoder says why it ended.
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

// easel is a scene that is being painted: its painter and the streams of its inputs.
type easel struct {
	scene   render.Scene
	painter *compositor.Painter
	feeds   []*feed
	frames  []compositor.Frame
}

func (r *rendering) easel(s render.Scene, ids []string) (*easel, error) {
	fonts, err := r.engine.fonts()
	if err != nil {
		return nil, err
	}

	painter, err := compositor.New(s, fonts, 0)
	if err != nil {
		return nil, err
	}

	e := &easel{scene: s, painter: painter, frames: make([]compositor.Frame, len(s.Inputs))}
	for i, in := range s.Inputs {
		e.feeds = append(e.feeds, &feed{
			engine: r.engine, input: in, scene: s, source: r.sources[ids[i]], origin: r.origins[ids[i]],
		})
	}

	return e, nil
}

// paint paints frame n. They are asked for in order.
func (e *easel) paint(ctx context.Context, dst compositor.Frame, n int64) error {
	for i, f := range e.feeds {
		frame, err := f.at(ctx, n)
		if err != nil {
			return err
		}

		e.frames[i] = frame
	}

	return e.painter.Paint(dst, e.scene.At(n), e.frames)
}

// close ends what is still running. All that it had to give was taken, or there is a fault already.
func (e *easel) close(cancel func()) {
	cancel()

	for _, f := range e.feeds {
		f.close()
	}
}

// feed is the stream of one input. Its programs start when its first frame is asked for, so that none
// waits for long.
type feed struct {
	engine *Engine
	input  render.Input
	scene  render.Scene
	source Source
	origin origin

	from  *os.File
	done  chan error
	raw   []byte
	frame compositor.Frame
	read  bool
}

// at is the input's frame in frame n of the scene; the zero Frame when it has none there.
func (f *feed) at(ctx context.Context, n int64) (compositor.Frame, error) {
	switch {
	case f.input.Still && f.read:
		return f.frame, nil
	case !f.input.Still && !f.input.At(n):
		return compositor.Frame{}, nil
	}

	if f.from == nil {
		if err := f.start(ctx); err != nil {
			return compositor.Frame{}, err
		}
	}

	if _, err := io.ReadFull(f.from, f.raw); err != nil {
		_ = f.from.Close()

		return compositor.Frame{}, errors.Join(f.wait(), fmt.Errorf("read frame %d of a source: %w", n, err))
	}

	f.read = true

	return f.frame, nil
}

func (f *feed) start(ctx context.Context) error {
	size := f.input.Size

	var err error
	if f.input.Alpha {
		f.raw = make([]byte, compositor.FrameBytes(size.Width, size.Height)+size.Width*size.Height)
		f.frame, err = compositor.AlphaFrameOf(f.raw, size.Width, size.Height)
	} else {
		f.raw = make([]byte, compositor.FrameBytes(size.Width, size.Height))
		f.frame, err = compositor.FrameOf(f.raw, size.Width, size.Height)
	}

	if err != nil {
		return err
	}

	from, to, err := bigPipe()
	if err != nil {
		return err
	}

	f.from, f.done = from, make(chan error, 1)

	go func() { f.done <- errors.Join(f.run(ctx, to), to.Close()) }()

	return nil
}

// run decodes one take after the other into the pipe.
func (f *feed) run(ctx context.Context, to *os.File) error {
	for _, take := range f.input.Takes {
		limits := f.engine.Limits
		limits.Stall = -1 // it waits for the encoder, which is watched

		err := f.engine.Tools.Run(ctx, Command{Args: takeArgs(f.scene, f.input, take, f.source, f.origin), Stdout: to, Limits: limits})
		if err != nil {
			return fmt.Errorf("decode a source: %w", err)
		}
	}

	return nil
}

// wait returns how the programs ended.
func (f *feed) wait() error {
	if f.done == nil {
		return nil
	}

	err := <-f.done
	f.done = nil

	return err
}

func (f *feed) close() {
	if f.from == nil {
		return
	}

	_ = f.from.Close()
	_ = f.wait()
}

// takeArgs are FFmpeg's arguments that decode a take to raw pictures.
func takeArgs(s render.Scene, in render.Input, take render.Take, src Source, o origin) []string {
	from := o.zero - o.start + take.FromUs + timeline.FrameSlackUs
	before := append([]string{"-threads", "1"}, seekArgs(src.Info.Format, from)...)
	args := append([]string{copyTimestamps}, src.Info.Format.Input(src.Path, before...)...)

	return append(args,
		"-map", fmt.Sprintf("0:%d", src.Info.videoStream()),
		"-vf", in.Filter(take, s.FPS, s.Speed, o.zero), "-frames:v", strconv.FormatInt(take.Frames, 10),
		"-fps_mode", "passthrough", "-f", "rawvideo", "pipe:1")
}
