package encode

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/reelgraph/reelgraph/internal/engine/compositor/lettering"
	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/engine/probe"
	"github.com/reelgraph/reelgraph/internal/video/plan"
)

// Engine renders plans. Any number of renders may run at once; each has its own workers.
type Engine struct {
	Tools ffmpeg.Tools
	// Dir is where files are made. It should be on the file system of the cache, so that nothing needs copying; see Sweep.
	Dir string
	// Workers is how many chunks are drawn in parallel, each on about one core; zero means 2. Sound is made in parallel.
	Workers int
	// Limits bound each program; the zero value means the defaults.
	Limits ffmpeg.Limits

	spent    ffmpeg.CPUBudgets
	letters  sync.Once
	found    *lettering.Fonts
	fontsErr error
}

// Runner returns a runner with the engine's tools and limits.
func (e *Engine) Runner() ffmpeg.Runner { return ffmpeg.Runner{Tools: e.Tools, Limits: e.Limits} }

// For returns a context with which programs run on behalf of a workspace. All programs of one workspace share one
// budget of processor time.
func (e *Engine) For(ctx context.Context, workspace string) context.Context {
	return e.spent.For(ctx, workspace)
}

// Result is a finished export. Its file is in a folder of its own, which Discard removes.
type Result struct {
	// Path is the file: an MP4 of a story, or a ZIP of scenes or raw files. The caller may move it away.
	Path        string
	ContentType string
	Bytes       int64
	// Frames and DurationMs are totals over the films; zero for raw files.
	Frames     int64
	DurationMs int64

	scratch *scratch
}

// Discard removes the folder of the render, with the file unless the caller has moved it. It may be called again.
func (r Result) Discard() error {
	if r.scratch == nil {
		return nil
	}

	return r.scratch.discard()
}

// Render makes the file of a plan. It does not make the pieces that the cache already has. It stores each piece in
// the cache as soon as the piece is finished, so a later Render continues an interrupted one.
//
// Render calls progress, unless it is nil, with how much of the total is done. The number never falls, and reaches
// the total only when the file is complete. The total is in frames, or in MiB for raw files. Several goroutines make
// the calls, one at a time; a call must be quick.
//
// When ctx is done, every program ends within a second and the error is the context's cause. After ErrDiskFull or
// ErrStalled the caller may try again; Render itself tries twice before it returns ErrStalled. After an error, only
// files in the cache are left.
func (e *Engine) Render(
	ctx context.Context, plan plan.Plan, sources probe.Sources, cache Cache, progress func(done, total int),
) (Result, error) {
	return e.RenderInTurns(ctx, plan, sources, cache, progress, func(context.Context) bool { return false })
}

// ErrGaveWay means that a render stopped early to let a more urgent one run. Call RenderInTurns again to continue the
// render.
var ErrGaveWay = errors.New("the render stopped to let a more urgent one run")

// RenderInTurns is like Render, but calls giveWay after each piece to ask whether a more urgent render is waiting.
// When giveWay returns true, RenderInTurns finishes the pieces that have begun, starts no others, and returns
// ErrGaveWay. Several goroutines call giveWay.
func (e *Engine) RenderInTurns(
	ctx context.Context, plan plan.Plan, sources probe.Sources, cache Cache, progress func(done, total int),
	giveWay func(context.Context) bool,
) (Result, error) {
	for _, id := range plan.Sources() {
		if _, ok := sources[id]; !ok {
			return Result{}, fmt.Errorf("render: source %s has no file", id)
		}
	}

	s, err := newScratch(e.Dir)
	if err != nil {
		return Result{}, err
	}

	r := &rendering{
		engine: e, plan: plan, sources: sources, cache: cache, scratch: s,
		meter: newMeter(progress), giveWay: giveWay, ready: map[string]string{}, origins: map[string]probe.Origin{}, keys: map[string]keyframes{},
	}

	result, err := r.run(ctx)
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}

		return Result{}, errors.Join(fmt.Errorf("render: %w", diskError(err)), s.discard())
	}

	result.scratch = s

	return result, nil
}

// rendering is one call of Render.
type rendering struct {
	engine  *Engine
	plan    plan.Plan
	sources probe.Sources
	cache   Cache
	scratch *scratch
	meter   *meter
	giveWay func(context.Context) bool
	origins map[string]probe.Origin
	keys    map[string]keyframes

	cleaning sync.Mutex // held while studio sound is made, so that two mixes make it only once

	mu    sync.Mutex
	ready map[string]string // paths of finished pieces by key, in the scratch folder
}

func (r *rendering) run(ctx context.Context) (Result, error) {
	if r.plan.Granularity == plan.Raw {
		return r.pack(ctx)
	}

	r.meter.start(int(r.plan.Frames()))

	if err := r.pieces(ctx); err != nil {
		return Result{}, err
	}

	result := Result{ContentType: "video/mp4"}
	films := make([]string, len(r.plan.Outputs))

	for i, o := range r.plan.Outputs {
		path, err := r.join(ctx, i, o)
		if err != nil {
			return Result{}, err
		}

		films[i] = path
		result.Path = path
		result.Frames += o.Frames
		result.DurationMs += o.DurationMs()
	}

	if r.plan.Granularity == plan.Scenes {
		path, err := r.packFilms(ctx, films)
		if err != nil {
			return Result{}, err
		}

		result.Path, result.ContentType = path, "application/zip"
	}

	return r.finish(result)
}

// finish syncs the file, sets its size and completes the progress.
func (r *rendering) finish(result Result) (Result, error) {
	if err := syncFile(result.Path); err != nil {
		return Result{}, err
	}

	info, err := os.Stat(result.Path)
	if err != nil {
		return Result{}, err
	}

	result.Bytes = info.Size()

	r.meter.finish()

	return result, nil
}

// pieces makes all pieces that the cache does not have.
func (r *rendering) pieces(ctx context.Context) error {
	missing := r.missing(ctx)
	if len(missing) == 0 {
		return nil
	}

	if err := context.Cause(ctx); err != nil {
		return err
	}

	for _, id := range r.plan.Sources() {
		opened, err := probe.Open(ctx, r.engine.Tools, r.sources[id])
		if err != nil {
			return err
		}

		r.origins[id], r.keys[id] = opened.Origin, readKeyframes(r.sources[id])
	}

	for _, p := range missing {
		p.lead = r.lead(p)
	}

	workers := cmp.Or(r.engine.Workers, 2)
	group, ctx := errgroup.WithContext(ctx)
	left := newQueue(missing, workers)

	for range workers {
		group.Go(func() error { return r.work(ctx, left) })
	}

	group.Go(func() error { return r.accompany(ctx, left) })

	if err := group.Wait(); err != nil {
		return err
	}

	if left.any() {
		return ErrGaveWay
	}

	return nil
}

// work makes one piece after another until none is left.
func (r *rendering) work(ctx context.Context, left *queue) error {
	h := &openStreams{}
	defer h.close()

	for p, of := left.next(nil); p != nil; p, of = left.next(of) {
		h.crowded = left.crowded()
		if err := r.make(ctx, p, h); err != nil {
			return err
		}

		left.finish(p)

		if left.any() && r.giveWay(ctx) {
			left.close()
		}
	}

	return nil
}

// accompany makes the sounds in parallel with the pictures, so that a film interrupted later already has its sound.
func (r *rendering) accompany(ctx context.Context, left *queue) error {
	for p := left.sound(); p != nil; p = left.sound() {
		if err := r.make(ctx, p, nil); err != nil {
			return err
		}

		if left.any() && r.giveWay(ctx) {
			left.close()
		}
	}

	return nil
}

// missing lists the pieces to make, in the order of the plan, and counts the others as done.
func (r *rendering) missing(ctx context.Context) []*piece {
	var (
		all   []*piece
		byKey = map[string]*piece{}
	)

	add := func(p *piece) {
		if known := byKey[p.key]; known != nil {
			known.uses++

			return
		}

		p.uses = 1
		byKey[p.key] = p
		all = append(all, p)
	}

	for _, o := range r.plan.Outputs {
		add(r.sound(o))

		for _, c := range o.Chunks {
			add(r.chunk(c, o.FPS))
		}
	}

	all = slices.DeleteFunc(all, func(p *piece) bool {
		_, ok := r.has(ctx, p.key, p.name)
		if ok {
			r.meter.set(p.key, p.frames*p.uses)
		}

		return ok
	})
	for i, p := range all[min(1, len(all)):] {
		p.follows(all[i])
	}

	return all
}

// has reports whether a piece is ready, taking it from the cache if possible. path is where it is or must be made.
func (r *rendering) has(ctx context.Context, key, name string) (path string, ok bool) {
	path = r.scratch.path(key + name)

	r.mu.Lock()
	_, ok = r.ready[key]
	r.mu.Unlock()

	if !ok && r.cache.Get(ctx, key+name, path) {
		r.is(key, path)

		ok = true
	}

	return path, ok
}

// is records that a piece is ready.
func (r *rendering) is(key, path string) {
	r.mu.Lock()
	defer r.mu.Unlock()

	r.ready[key] = path
}

// keep puts a finished piece into the cache and records that it is ready.
func (r *rendering) keep(ctx context.Context, key, name string) error {
	path := r.scratch.path(key + name)
	if err := r.cache.Put(ctx, key+name, path); err != nil {
		return err
	}

	r.is(key, path)

	return nil
}

// make draws one piece, checks that it is complete, and keeps it. It tries twice if a program stalls.
func (r *rendering) make(ctx context.Context, p *piece, h *openStreams) error {
	path := r.scratch.path(p.key + p.name)
	draw := func() error {
		return p.draw(ctx, h, path, func(n int64) { r.meter.set(p.key, min(n, p.frames)*p.uses) })
	}

	err := draw()
	if errors.Is(err, ffmpeg.ErrStalled) {
		err = draw()
	}

	if err != nil {
		return err
	}

	if err := p.check(path); err != nil {
		return err
	}

	if err := r.keep(ctx, p.key, p.name); err != nil {
		return err
	}

	r.meter.set(p.key, p.frames*p.uses)

	return nil
}

// meter adds up progress. What it reports rises, and stays below the total until finish.
type meter struct {
	report func(done, total int)

	mu    sync.Mutex
	total int
	done  map[string]int64
	sum   int64
	said  int
}

func newMeter(report func(done, total int)) *meter {
	if report == nil {
		report = func(int, int) {}
	}

	return &meter{report: report, done: map[string]int64{}, said: -1}
}

func (m *meter) start(total int) {
	m.mu.Lock()
	defer m.mu.Unlock()

	m.total = max(total, 1)
	m.say(0)
}

// set reports how much of a part is done. If a part starts again, the reported total does not fall.
func (m *meter) set(part string, done int64) {
	m.mu.Lock()
	defer m.mu.Unlock()

	m.sum += done - m.done[part]
	m.done[part] = done
	m.say(min(int(m.sum), m.total-1))
}

func (m *meter) finish() {
	m.mu.Lock()
	defer m.mu.Unlock()

	m.say(m.total)
}

func (m *meter) say(done int) {
	if done > m.said {
		m.said = done
		m.report(done, m.total)
	}
}
