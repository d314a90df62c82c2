package still

import (
	"context"
	"io"
	"maps"
	"slices"
	"sync"

	"github.com/reelgraph/reelgraph/internal/engine/probe"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/workers/media"
)

// played is a video or one of its clips, as an export would show it.
type played struct {
	kitchen *kitchen
	plan    plan.ExportPlan

	mu    sync.Mutex
	rows  map[string]media.Recording
	known plan.Sources
	files probe.Sources
}

func (k *kitchen) played(plan plan.ExportPlan) *played {
	return &played{kitchen: k, plan: plan, files: probe.Sources{}}
}

func (p *played) shape() plan.Size { return plan.Size(p.plan.Artboard) }

// film implements footage.
func (p *played) film(ctx context.Context, of plan.Sample, to io.Writer) error {
	settings := plan.Defaults(p.shape())
	settings.FPS, settings.Frame = of.FPS, of.Frame

	if !of.Fill {
		settings.Frame = plan.Inside(p.shape(), of.Frame).Size
	}

	var err error
	if settings.Fonts, err = p.kitchen.Engine.Fonts(); err != nil {
		return err
	}

	known, err := p.sources(ctx)
	if err != nil {
		return err
	}

	from := max(0, min(of.FromUs/1000, p.plan.Timeline.DurationMs()-1))

	chunks, err := plan.Reel(p.plan.Timeline, p.plan.Look, known, settings, from, of.Frames)
	if err != nil {
		return err
	}

	files, err := p.fetch(ctx, chunks)
	if err != nil {
		return err
	}

	return p.kitchen.draw(ctx, func(ctx context.Context) error {
		return p.kitchen.Engine.Paint(ctx, chunks, files, of.Frame, of.Frames, to)
	})
}

// stills implements footage.
func (p *played) stills(ctx context.Context, of []plan.Sample, to io.Writer) error {
	for _, one := range of {
		if err := p.film(ctx, one, to); err != nil {
			return err
		}
	}

	return nil
}

// sources returns what the plan needs to know about the sources. It reads them once.
func (p *played) sources(ctx context.Context) (plan.Sources, error) {
	p.mu.Lock()
	defer p.mu.Unlock()

	if p.known != nil {
		return p.known, nil
	}

	var err error

	p.rows, p.known, err = p.kitchen.Recordings(auth.AsWorkspace(ctx, p.kitchen.row.WorkspaceID), p.plan)

	return p.known, err
}

// fetch returns the source files that the chunks show. Each is fetched once and released with the kitchen.
func (p *played) fetch(ctx context.Context, chunks []plan.Chunk) (probe.Sources, error) {
	p.mu.Lock()
	defer p.mu.Unlock()

	var missing []string

	for _, c := range chunks {
		for _, id := range c.Inputs {
			if _, ok := p.files[id]; !ok && !slices.Contains(missing, id) {
				missing = append(missing, id)
			}
		}
	}

	fetched, release, err := p.kitchen.Files(ctx, missing, p.rows)
	if err != nil {
		return nil, err
	}

	p.kitchen.releases = append(p.kitchen.releases, release)

	all := probe.Sources{}
	maps.Copy(all, p.files)
	maps.Copy(all, fetched)

	p.files = all

	return all, nil
}
