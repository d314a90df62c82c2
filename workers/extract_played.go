package workers

import (
	"context"
	"io"
	"sync"

	"github.com/reelgraph/reelgraph/internal/domain"
	"github.com/reelgraph/reelgraph/internal/media"
	"github.com/reelgraph/reelgraph/internal/render"
	"github.com/reelgraph/reelgraph/internal/timeline"
)

// played is a video, or a clip of it, as it is played.
type played struct {
	kitchen *kitchen
	plan    domain.ExportPlan

	mu   sync.Mutex
	open map[string]*media.Recording
}

func (k *kitchen) played(plan domain.ExportPlan) *played {
	return &played{kitchen: k, plan: plan, open: map[string]*media.Recording{}}
}

func (p *played) shape() render.Size { return render.Size(p.plan.Artboard) }

// film implements footage: the pictures of each unbroken piece of a recording after the other.
func (p *played) film(ctx context.Context, of render.Sample, to io.Writer) error {
	last := p.plan.Timeline.DurationMs() - 1

	for done := int64(0); done < of.Frames; {
		at := func(n int64) (clip timeline.Clip, recordMs int64) {
			i, clipMs, _ := p.plan.Timeline.At(max(min(of.FromUs/1000+(done+n)*1000/of.FPS, last), 0))
			clip = p.plan.Timeline.Clips[i]

			return clip, clip.Clock().RecordStart(clipMs)
		}

		clip, from := at(0)
		count := int64(1)

		for ; done+count < of.Frames; count++ {
			if next, ms := at(count); next.ID != clip.ID || ms != from+count*1000/of.FPS {
				break
			}
		}

		r, err := p.recording(ctx, clip)
		if err != nil {
			return err
		}

		piece := render.Sample{FromUs: from * 1000, Frames: count, FPS: of.FPS, Frame: of.Frame}
		if err := r.Film(ctx, piece, to); err != nil {
			return err
		}

		done += count
	}

	return nil
}

func (p *played) recording(ctx context.Context, clip timeline.Clip) (*media.Recording, error) {
	id := clip.Screen
	if id == "" {
		id = clip.Camera
	}

	p.mu.Lock()
	defer p.mu.Unlock()

	if r := p.open[id]; r != nil {
		return r, nil
	}

	r, err := p.kitchen.recording(ctx, id)
	if err == nil {
		p.open[id] = r
	}

	return r, err
}
