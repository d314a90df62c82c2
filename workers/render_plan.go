package workers

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/source"
	"github.com/reelgraph/reelgraph/internal/auth"
	"github.com/reelgraph/reelgraph/internal/domain"
	"github.com/reelgraph/reelgraph/internal/media"
	"github.com/reelgraph/reelgraph/internal/render"
	"github.com/reelgraph/reelgraph/internal/timeline"
)

// plan is what the export was asked to show, and the files it is made of, which the caller releases.
func (w *Render) plan(ctx context.Context, exp *ent.Export) (render.Plan, media.Sources, func(), error) {
	var asked domain.ExportPlan
	if err := json.Unmarshal(exp.Plan, &asked); err != nil {
		return render.Plan{}, nil, nil, fmt.Errorf("read the plan: %w", err)
	}

	settings, err := settingsOf(exp, asked.Artboard)
	if err != nil {
		return render.Plan{}, nil, nil, err
	}

	rows, known, err := w.sources(ctx, exp, asked.Timeline)
	if err != nil {
		return render.Plan{}, nil, nil, err
	}

	plan, err := render.Of(asked.Timeline, known, settings)
	if err != nil {
		return render.Plan{}, nil, nil, err
	}

	files, release, err := w.files(ctx, plan, rows)

	return plan, files, release, err
}

func settingsOf(exp *ent.Export, artboard domain.Dimensions) (render.Settings, error) {
	fps, err := strconv.ParseInt(string(exp.Fps), 10, 64)
	if err != nil {
		return render.Settings{}, fmt.Errorf("read the frame rate: %w", err)
	}

	speed, err := timeline.ParseSpeed(string(exp.Speed))
	if err != nil {
		return render.Settings{}, fmt.Errorf("read the speed: %w", err)
	}

	return render.Settings{
		Granularity: render.Granularity(exp.Granularity),
		Resolution:  render.Resolution(exp.Resolution),
		FPS:         fps,
		Speed:       speed,
		Artboard:    render.Size(artboard),
	}, nil
}

// recording is a source with what its probe said.
type recording struct {
	row  *ent.Source
	info media.Info
}

// sources are those that the timeline names, as far as they still exist.
func (w *Render) sources(ctx context.Context, exp *ent.Export, shown timeline.Video) (map[string]recording, render.Sources, error) {
	rows, err := w.Store.Client(ctx).Source.Query().
		Where(source.IDIn(shown.Sources()...), source.StatusEQ(domain.SourceStatusReady)).
		All(auth.AsWorkspace(ctx, exp.WorkspaceID))
	if err != nil {
		return nil, nil, fmt.Errorf("find sources: %w", err)
	}

	recordings, known := make(map[string]recording, len(rows)), make(render.Sources, len(rows))

	for _, row := range rows {
		r := recording{row: row}
		if err := json.Unmarshal(row.Probe, &r.info); err != nil {
			return nil, nil, fmt.Errorf("read the probe of source %s: %w", row.ID, err)
		}

		recordings[row.ID] = r
		known[row.ID] = r.info.RenderSource(row.Sha256, row.Name)
	}

	return recordings, known, nil
}

// files are the files that a plan reads, on this machine.
func (w *Render) files(ctx context.Context, plan render.Plan, rows map[string]recording) (media.Sources, func(), error) {
	var releases []func()

	release := func() {
		for _, fn := range releases {
			fn()
		}
	}
	files := media.Sources{}

	for _, id := range plan.Sources() {
		path, done, err := w.local(ctx, rows[id].row)
		if err != nil {
			release()

			if lost(err) {
				err = &render.SourceError{Source: id, Reason: "has lost its file"}
			}

			return nil, nil, err
		}

		releases = append(releases, done)
		files[id] = media.Source{Path: path, Info: rows[id].info}
	}

	return files, release, nil
}
