package encode

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/reelgraph/reelgraph/internal/engine/compositor"
	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/engine/probe"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
)

// openStreams holds what a worker keeps from its last piece: the streams, which the next piece may continue, and the
// painter.
type openStreams struct {
	// crowded means that no processor is free.
	crowded bool
	piece   *piece
	feeds   []*feed
	painter *compositor.Painter
}

// threads returns the thread options of a program that both decodes and encodes. If no processor is free, more than one
// thread only makes each slower.
func (h *openStreams) threads() []string {
	if h.crowded {
		return []string{"-threads", "1"}
	}

	return nil
}

// take returns the streams of a piece. It reuses those of the last piece that continue in this one, and closes the
// others.
func (h *openStreams) take(r *rendering, p *piece) []*feed {
	feeds := make([]*feed, len(p.chunk.Scene.Inputs))

	for i, in := range p.chunk.Scene.Inputs {
		if h.piece != nil && h.piece.next == p && p.from[i] >= 0 {
			if before := h.feeds[p.from[i]]; before != nil && before.left > 0 {
				feeds[i], h.feeds[p.from[i]] = before, nil
				feeds[i].input = in

				continue
			}
		}

		id := p.chunk.Inputs[i]
		feeds[i] = &feed{
			engine: r.engine, input: in, scene: *p.chunk.Scene, source: r.sources[id], origin: r.origins[id], views: p.follow(i),
			leadUs: r.leadUs(id, in.Takes[0].ShownUs(p.chunk.Scene.Rate())),
		}

		feeds[i].left = framesOf(feeds[i].views)
	}

	h.close()
	h.piece, h.feeds = p, feeds

	return feeds
}

// close ends the streams that still run: they are no longer needed, or there was a fault.
func (h *openStreams) close() {
	for _, f := range h.feeds {
		if f != nil {
			f.close()
		}
	}

	h.piece, h.feeds = nil, nil
}

// feed is the stream of one input. Its programs start when its first frame is read, so that none waits for long.
type feed struct {
	engine *Engine
	input  plan.Input
	scene  plan.Scene
	source probe.Source
	origin probe.Origin
	// views is what the feed may be asked for, and left how many frames of that are not read yet: more than the input has
	// if later pieces continue it.
	views []plan.Input
	left  int64
	// leadUs is roughly how much of the recording is decoded before the first picture.
	leadUs int64

	from  *os.File
	end   context.CancelFunc
	done  chan error
	raw   []byte
	frame compositor.Frame
	read  bool
}

func framesOf(views []plan.Input) int64 {
	var n int64
	for _, v := range views {
		n += v.Frames()
	}

	return n
}

// at returns the input's frame in frame n of the scene; the zero Frame if it has none there.
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

	if size := f.input.Size; f.frame.Width != size.Width || f.frame.Height != size.Height {
		if err := f.place(); err != nil {
			return compositor.Frame{}, err
		}
	}

	if err := f.fill(); err != nil {
		return compositor.Frame{}, fmt.Errorf("read frame %d of a source: %w", n, err)
	}

	f.read = true

	return f.frame, nil
}

// fill reads the next picture. The stall limit applies only while it waits for the decoder: between pictures the
// decoder may have to wait for the encoder as long as other decoders take to start.
func (f *feed) fill() error {
	limits := f.engine.Limits.WithDefaults()

	patience := limits.Stall
	if !f.read {
		patience = limits.Begin
	}

	var deadline time.Time // no deadline
	if patience >= 0 {
		deadline = time.Now().Add(patience)
	}

	_ = f.from.SetReadDeadline(deadline) // a stream supports deadlines

	_, err := io.ReadFull(f.from, f.raw)

	switch {
	case err == nil:
		f.left--

		return nil
	case errors.Is(err, os.ErrDeadlineExceeded):
		f.close()

		return fmt.Errorf("%w for %v", ffmpeg.ErrStalled, patience)
	default:
		_ = f.from.Close()

		return errors.Join(f.wait(), err)
	}
}

// place allocates a picture for the input, whose size may differ from that of the one before.
func (f *feed) place() (err error) {
	size := f.input.Size

	if f.input.Alpha {
		f.raw = make([]byte, compositor.FrameBytes(size.Width, size.Height)+size.Width*size.Height)
		f.frame, err = compositor.AlphaFrameOf(f.raw, size.Width, size.Height)
	} else {
		f.raw = make([]byte, compositor.FrameBytes(size.Width, size.Height))
		f.frame, err = compositor.FrameOf(f.raw, size.Width, size.Height)
	}

	return err
}

func (f *feed) start(ctx context.Context) error {
	from, to, err := pictureStream()
	if err != nil {
		return err
	}

	ctx, f.end = context.WithCancel(ctx)
	f.from, f.done = from, make(chan error, 1)
	programs := f.programs()

	go func() { f.done <- errors.Join(f.engine.run(ctx, programs, to), to.Close()) }()

	return nil
}

// programs returns the arguments of the FFmpegs that decode the feed, one after another: a looped stream needs one for
// each turn.
func (f *feed) programs() [][]string {
	if len(f.input.Takes) == 1 {
		return [][]string{f.args(f.views)}
	}

	var all [][]string

	for _, take := range f.input.Takes {
		once := f.input
		once.Takes = []plan.Take{take}
		all = append(all, f.args([]plan.Input{once}))
	}

	return all
}

// run runs the programs one after another, all writing into one stream.
func (e *Engine) run(ctx context.Context, programs [][]string, to *os.File) error {
	limits := e.Limits
	limits.Begin, limits.Stall, limits.Wall = -1, -1, -1 // the reader watches for stalls, and a decoder may last for many chunks

	for _, args := range programs {
		if err := e.Tools.Run(ctx, ffmpeg.Command{Args: args, Stdout: to, Limits: limits}); err != nil {
			return fmt.Errorf("decode a source: %w", err)
		}
	}

	return nil
}

// wait returns the error of the programs.
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

// repeats reports whether the decoder of views has fewer pictures than they show, roughly.
func (f *feed) repeats(views []plan.Input) bool {
	rate, last := f.scene.Rate(), views[len(views)-1]
	end := last.Takes[len(last.Takes)-1]
	lengthUs := end.FromUs + rate.PlayUs(end.Skip+end.Frames) - views[0].Takes[0].ShownUs(rate)

	return f.source.Info.HasFewerFrames(framesOf(views), f.leadUs+lengthUs)
}

// args returns FFmpeg's arguments that decode views to raw pictures. -avioflags direct writes a picture at once:
// FFmpeg's small buffer would take a quarter of its time.
func (f *feed) args(views []plan.Input) []string {
	from := f.origin.ZeroUs - f.origin.StartUs + views[0].Takes[0].ShownUs(f.scene.Rate()) + timeline.FrameSlackUs
	before := slices.Concat([]string{"-threads", "1"}, probe.KeepFilters(f.input.Decoded), probe.SeekArgs(f.source.Info, from))
	args := append([]string{"-filter_threads", "1", probe.CopyTimestamps}, f.source.Info.PictureInput(f.source.Path, before...)...)

	return append(args,
		"-map", fmt.Sprintf("0:%d", f.source.Info.VideoStream()),
		"-vf", plan.Filter(views, f.scene.FPS, f.scene.Speed, f.origin.ZeroUs, f.repeats(views)),
		"-frames:v", strconv.FormatInt(framesOf(views), 10),
		"-fps_mode", "passthrough", "-avioflags", "direct", "-f", "rawvideo", "pipe:1")
}
