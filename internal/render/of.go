package render

import (
	"errors"
	"fmt"

	"github.com/reelgraph/reelgraph/internal/timeline"
)

// ChunkSeconds is the most output time that one chunk holds.
const ChunkSeconds = 10

// ErrEmpty is a video without any playback time.
var ErrEmpty = errors.New("the video has no length")

// Of plans the export of a video. A source that is missing, has no picture where one is shown, or no
// content hash is a *SourceError; a video of no length is ErrEmpty.
func Of(v timeline.Video, sources Sources, settings Settings) (Plan, error) {
	if err := settings.check(); err != nil {
		return Plan{}, fmt.Errorf("plan the export: %w", err)
	}

	if v.DurationMs() == 0 {
		return Plan{}, ErrEmpty
	}

	p := planner{sources: sources, settings: settings}

	plan, err := p.plan(v)
	if err != nil {
		return Plan{}, fmt.Errorf("plan the export: %w", err)
	}

	plan.Engine, plan.Granularity = Engine, settings.Granularity

	return plan, nil
}

type planner struct {
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
		o, err := p.output(v)

		return Plan{Outputs: []Output{o}}, err
	}
}

// scenes plans one output per clip; a clip of no length has none.
func (p planner) scenes(v timeline.Video) (Plan, error) {
	var (
		plan  Plan
		names = fileNames{}
	)

	for i, c := range v.Clips {
		one := timeline.Video{Clips: []timeline.Clip{c}, Music: v.Music}
		if one.DurationMs() == 0 {
			continue
		}

		o, err := p.output(one)
		if err != nil {
			return Plan{}, err
		}

		o.Name = names.unique(fmt.Sprintf("%02d %s", i+1, clean(c.Name, "Clip")), ".mp4")
		plan.Outputs = append(plan.Outputs, o)
	}

	return plan, nil
}

func (p planner) output(v timeline.Video) (Output, error) {
	s := p.settings
	o := Output{
		Frame:  s.Resolution.Size(s.Artboard),
		FPS:    s.FPS,
		Frames: s.rate().Frames(v.DurationMs()),
	}

	for _, run := range v.Runs(s.rate()) {
		chunks, err := p.chunks(v.Clips[run.Clip], run, o.Frame)
		if err != nil {
			return Output{}, err
		}

		o.Chunks = append(o.Chunks, chunks...)
	}

	mix, err := p.mix(v, o.Frames)
	o.Mix = mix

	return o, err
}

// chunks splits a run into chunks of at most ChunkSeconds.
func (p planner) chunks(clip timeline.Clip, run timeline.Run, frame Size) ([]Chunk, error) {
	id := clip.Screen
	if id == "" {
		id = clip.Camera
	}

	src, err := p.sources.find(id)
	if err != nil {
		return nil, err
	}

	if src.Picture == nil || src.Picture.Width < 1 || src.Picture.Height < 1 {
		return nil, &SourceError{id, "has no picture"}
	}

	var (
		chunks []Chunk
		end    = run.First + run.Count
	)

	for first := run.First; first < end; first += ChunkSeconds * p.settings.FPS {
		d := Draw{
			Content: src.Content,
			FromUs:  run.AtUs(p.settings.rate(), first),
			Frames:  min(ChunkSeconds*p.settings.FPS, end-first),
			FPS:     p.settings.FPS,
			Speed:   p.settings.Speed,
			Frame:   frame,
			Picture: letterbox(src.Picture.Size, frame),
			Colour:  src.Picture.Colour.resolved(src.Picture.Size),
		}
		chunks = append(chunks, Chunk{Key: d.key(), Lane: LanePassthrough, Source: id, First: first, Draw: d})
	}

	return chunks, nil
}

func (d Draw) key() string {
	return hash(struct {
		Engine   int
		Encoding []string
		Draw     Draw
	}{Engine, d.Encoding(), d})
}
