package media

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/reelgraph/reelgraph/internal/compositor"
	"github.com/reelgraph/reelgraph/internal/render"
	"github.com/reelgraph/reelgraph/internal/timeline"
)

// hand holds the streams of the piece that a worker made last, until the next one takes them or not.
type hand struct {
	piece *piece
	feeds []*feed
}

// take is the streams of a piece. Those that go on from the piece before are its own; the others of that
// piece end.
func (h *hand) take(r *rendering, p *piece) []*feed {
	feeds := make([]*feed, len(p.chunk.Scene.Inputs))

	for i, in := range p.chunk.Scene.Inputs {
		if h.piece != nil && h.piece.next == p {
			if before := h.piece.before(in); before >= 0 && h.feeds[before] != nil {
				feeds[i], h.feeds[before] = h.feeds[before], nil
				feeds[i].input = in

				continue
			}
		}

		id := p.chunk.Inputs[i]
		feeds[i] = &feed{
			engine: r.engine, input: in, scene: *p.chunk.Scene, source: r.sources[id], origin: r.origins[id], frames: p.follow(in),
		}
	}

	h.close()
	h.piece, h.feeds = p, feeds

	return feeds
}

// close ends what is still running: all that was wanted of it was taken, or there is a fault already.
func (h *hand) close() {
	for _, f := range h.feeds {
		if f != nil {
			f.close()
		}
	}

	h.piece, h.feeds = nil, nil
}

// feed is the stream of one input. Its programs start when its first frame is asked for, so that none
// waits for long.
type feed struct {
	engine *Engine
	input  render.Input
	scene  render.Scene
	source Source
	origin Origin
	// frames is how many it may be asked for: more than the input has when others go on with it.
	frames int64

	from  *os.File
	end   context.CancelFunc
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

	if err := f.fill(); err != nil {
		return compositor.Frame{}, fmt.Errorf("read frame %d of a source: %w", n, err)
	}

	f.read = true

	return f.frame, nil
}

// fill reads the next picture. A decoder is watched while it is waited for and at no other time: between its
// pictures it may have to wait for the encoder as long as others take to begin.
func (f *feed) fill() error {
	limits := f.engine.Limits.withDefaults()

	patience := limits.Stall
	if !f.read {
		patience = limits.Begin
	}

	_ = f.from.SetReadDeadline(time.Now().Add(orForever(patience))) // a pipe has deadlines

	_, err := io.ReadFull(f.from, f.raw)

	switch {
	case err == nil:
		return nil
	case errors.Is(err, os.ErrDeadlineExceeded):
		f.close()

		return fmt.Errorf("%w for %v", ErrStalled, patience)
	default:
		_ = f.from.Close()

		return errors.Join(f.wait(), err)
	}
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

	ctx, f.end = context.WithCancel(ctx)
	f.from, f.done = from, make(chan error, 1)
	takes := f.takes()

	go func() { f.done <- errors.Join(f.engine.run(ctx, takes, to), to.Close()) }()

	return nil
}

// takes are FFmpeg's arguments for one take after the other.
func (f *feed) takes() [][]string {
	var all [][]string

	for _, t := range f.input.Takes {
		if len(f.input.Takes) == 1 {
			t.Frames = f.frames
		}

		all = append(all, takeArgs(f.scene, f.input, t, f.source, f.origin))
	}

	return all
}

// run decodes one take after the other into a pipe.
func (e *Engine) run(ctx context.Context, takes [][]string, to *os.File) error {
	limits := e.Limits
	limits.Begin, limits.Stall, limits.Wall = -1, -1, -1 // whoever reads watches, and many chunks may go by

	for _, args := range takes {
		if err := e.Tools.Run(ctx, Command{Args: args, Stdout: to, Limits: limits}); err != nil {
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

	f.end()

	_ = f.from.Close()
	_ = f.wait()
}

// takeArgs are FFmpeg's arguments that decode a take to raw pictures. A picture is written at once: to go
// through FFmpeg's little buffer costs it a quarter of its time.
func takeArgs(s render.Scene, in render.Input, take render.Take, src Source, o Origin) []string {
	from := o.ZeroUs - o.StartUs + take.ShownUs(timeline.Rate{FPS: s.FPS, Speed: s.Speed}) + timeline.FrameSlackUs
	before := slices.Concat([]string{"-threads", "1"}, oneGraph(in.Decoded), seekArgs(src.Info, from))
	args := append([]string{"-filter_threads", "1", copyTimestamps}, src.Info.Format.Input(src.Path, before...)...)

	return append(args,
		"-map", fmt.Sprintf("0:%d", src.Info.videoStream()),
		"-vf", in.Filter(take, s.FPS, s.Speed, o.ZeroUs), "-frames:v", strconv.FormatInt(take.Frames, 10),
		"-fps_mode", "passthrough", "-avioflags", "direct", "-f", "rawvideo", "pipe:1")
}
