package plan

import (
	"errors"
	"fmt"
	"slices"

	"github.com/reelgraph/reelgraph/internal/video/filename"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// ChunkSeconds and PassSeconds limit the output time of a chunk: composed and passed through. A passthrough chunk first
// decodes everything from the key frame before it; decoders of scenes continue from chunk to chunk and do not. So
// passthrough chunks are longer; one lost in a crash is still drawn again quickly.
const (
	ChunkSeconds = 5
	PassSeconds  = 15
)

// ErrEmpty means that the video has a playback length of zero.
var ErrEmpty = errors.New("the video is empty")

// Of plans the export of a video. It returns a *SourceError when a source is missing, has no content hash, or has no
// picture although its picture is shown. It returns ErrEmpty when the video has no length.
func Of(v timeline.Video, look values.Look, sources Sources, settings Settings) (Plan, error) {
	if err := settings.check(); err != nil {
		return Plan{}, fmt.Errorf("plan the export: %w", err)
	}

	if v.DurationMs() == 0 {
		return Plan{}, ErrEmpty
	}

	p := planner{look: look, sources: sources, settings: settings}

	plan, err := p.plan(v)
	if err != nil {
		return Plan{}, fmt.Errorf("plan the export: %w", err)
	}

	plan.Engine, plan.Granularity = Engine, settings.Granularity

	return plan, nil
}

type planner struct {
	look     values.Look
	sources  Sources
	settings Settings
}

func (p planner) plan(v timeline.Video) (Plan, error) {
	switch p.settings.Granularity {
	case Raw:
		return p.raw(v)
	case Scenes:
		return p.scenes(v)
	default:
		o, err := p.output(v, each(v.Clips))

		return Plan{Outputs: []Output{o}}, err
	}
}

// scenes plans one output per clip and skips clips of no length.
func (p planner) scenes(v timeline.Video) (Plan, error) {
	var (
		plan  Plan
		names = filename.Taken{}
	)

	for i, c := range v.Clips {
		one := timeline.Video{Clips: []timeline.Clip{c}, Music: v.Music}
		if one.DurationMs() == 0 {
			continue
		}

		o, err := p.output(one, []int{i})
		if err != nil {
			return Plan{}, err
		}

		o.Name = names.Unique(fmt.Sprintf("%02d %s", i+1, filename.Safe(c.Name, "Clip")), ".mp4")
		plan.Outputs = append(plan.Outputs, o)
	}

	return plan, nil
}

// output plans one film. looks are the indices of its clips' looks.
func (p planner) output(v timeline.Video, looks []int) (Output, error) {
	o := Output{
		Frame:  p.settings.frame(),
		FPS:    p.settings.FPS,
		Frames: p.settings.rate().Frames(v.DurationMs()),
	}

	parts, err := p.parts(nil, v, looks, v.Runs(p.settings.rate()), 0)
	if err != nil {
		return Output{}, err
	}

	for i := range parts {
		o.Chunks = append(o.Chunks, p.chunks(parts, i)...)
	}

	mix, err := p.mix(v, o.Frames)
	o.Mix = mix

	return o, err
}

// parts appends runs of a video, with the clips that they show. Their first frame shows the playback time fromMs.
func (p planner) parts(parts []part, v timeline.Video, looks []int, runs []timeline.Run, fromMs int64) ([]part, error) {
	var (
		clips = map[int]*shown{}
		rate  = p.settings.rate()
	)

	for _, run := range runs {
		s := clips[run.Clip]
		if s == nil {
			var err error

			s, err = p.show(v.Clips[run.Clip], p.look.Clip(looks[run.Clip]), v.Clips[run.Clip].Smooth && len(parts) > 0)
			if err != nil {
				return nil, err
			}

			clips[run.Clip] = s
		}

		parts = append(parts, part{
			shown: s, rate: rate, run: run, startMs: v.StartMs(run.Clip) - fromMs, first: run.First, frames: run.Count,
		})
	}

	return parts, nil
}

// chunks splits a part into chunks of at most ChunkSeconds.
func (p planner) chunks(parts []part, i int) []Chunk {
	var (
		chunks []Chunk
		cuts   = parts[i].cuts()
	)

	for n, first := range cuts[:len(cuts)-1] {
		one := parts[i]
		one.first, one.frames = first, cuts[n+1]-first
		c := one.chunk(lastOf(parts, i))

		if last := len(chunks) - 1; last < 0 || !chunks[last].goesOn(c, parts[i].first) {
			chunks = append(chunks, c)
		} else {
			chunks[last] = chunks[last].and(c)
		}
	}

	return chunks
}

// goesOn reports whether next can join a passthrough chunk: both are passed through the same way and lie within the same
// PassSeconds, counted from begin, the first frame of their part.
func (c Chunk) goesOn(next Chunk, begin int64) bool {
	if c.Lane != LanePassthrough || next.Lane != LanePassthrough {
		return false
	}

	same, most := *next.Draw, PassSeconds*c.Draw.FPS
	same.FromUs, same.Frames = c.Draw.FromUs, c.Draw.Frames

	return same == *c.Draw && (c.First-begin)/most == (next.First-begin)/most
}

// and returns the chunk joined with the next one.
func (c Chunk) and(next Chunk) Chunk {
	d := *c.Draw
	d.Frames += next.Frames
	c.Key, c.Frames, c.Draw = d.key(), d.Frames, &d

	return c
}

// lastOf returns the last frame of the clip before that of part i; nil when there is none.
func lastOf(parts []part, i int) *part {
	for n := i - 1; n >= 0; n-- {
		if parts[n].run.Clip != parts[i].run.Clip {
			last := parts[n]
			last.first, last.frames = last.run.First+last.run.Count-1, 1

			return &last
		}
	}

	return nil
}

// cuts returns the frames at which a part of a whole run is split, both ends included: every ChunkSeconds, and at the whole
// seconds around changes, so that only the last chunk can be shorter. All are counted from the start of the run: adding or
// removing a change moves no other cut.
func (p part) cuts() []int64 {
	second, end := p.rate.FPS, p.first+p.frames
	all := []int64{p.first, end}

	for n := p.first + ChunkSeconds*second; n < end; n += ChunkSeconds * second {
		all = append(all, n)
	}

	add := func(seconds int64) {
		if n := p.first + seconds*second; n > p.first && n <= end-second {
			all = append(all, n)
		}
	}

	for _, c := range p.changes {
		add((p.rate.FirstAt(p.startMs+c.StartMs) - p.first) / second)
		add((p.rate.FirstAt(p.startMs+c.EndMs) - p.first + second - 1) / second)
	}

	slices.Sort(all)

	return slices.Compact(all)
}

// chunk returns the part as a chunk, in the cheapest lane.
func (p part) chunk(last *part) Chunk {
	views := p.views()
	if f, plain := p.plain(views); plain {
		return p.passthrough(f)
	}

	scene, ids := p.scene(views, last)

	return Chunk{
		Key: scene.key(), Lane: LaneCompose, First: p.first, Frames: p.frames, Inputs: ids, Scene: &scene,
	}
}

// plain reports whether the part shows one recording on black and nothing else, and returns its figure.
func (p part) plain(views []view) (figure, bool) {
	v := views[0]
	if len(views) > 1 || len(v.figures) != 1 || len(v.overlays) > 0 || v.caption != nil || v.fade > 0 ||
		v.background.Type != values.BackgroundTypeSolid || v.background.Color != black {
		return figure{}, false
	}

	f := v.figures[0]
	u := use{tos: []Rect{f.to}, size: Size{int(f.to.Width), int(f.to.Height)}}
	drawn := f.pointer && p.look.Cursor && len(p.track) > 0

	return f, !drawn && !f.stream.own && f.opacity == 1 && f.border == "" && f.corner.Radius == 0 &&
		len(f.masks) == 0 && u.exact() && !p.sources[f.stream.source].Picture.alpha()
}

func (p part) passthrough(f figure) Chunk {
	src := p.sources[f.stream.source]
	crop, _ := cropOf(f.part, src.Picture.decoded())
	d := Draw{
		Content: src.Content,
		FromUs:  p.recordedUs(f.stream, p.first),
		Frames:  p.frames,
		FPS:     p.rate.FPS,
		Speed:   p.rate.Speed,
		Frame:   p.stage.Frame,
		Decoded: src.Picture.kept(),
		Mended:  src.Picture.Mended,
		Crop:    crop,
		Picture: Box{X: int(f.to.X), Y: int(f.to.Y), Size: Size{int(f.to.Width), int(f.to.Height)}},
		Colour:  src.Picture.Colour.resolved(src.Picture.Size),
	}

	return Chunk{
		Key: d.key(), Lane: LanePassthrough, First: p.first, Frames: p.frames, Inputs: []string{f.stream.source}, Draw: &d,
	}
}

func (d Draw) key() string {
	return hash(struct {
		Engine   int
		Encoding []string
		Draw     Draw
	}{Engine, d.Encoding(), d})
}
