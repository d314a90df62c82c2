package render

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/engine/probe"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// plan returns the plan of the export and the files that it needs. The caller must release them.
func (w *Render) plan(ctx context.Context, exp *ent.Export) (plan.Plan, probe.Sources, func(), error) {
	var asked plan.ExportPlan
	if err := json.Unmarshal(exp.Plan, &asked); err != nil {
		return plan.Plan{}, nil, nil, fmt.Errorf("read the plan: %w", err)
	}

	settings, err := settingsOf(exp, asked.Artboard)
	if err != nil {
		return plan.Plan{}, nil, nil, err
	}

	if settings.Fonts, err = w.Engine.Fonts(); err != nil {
		return plan.Plan{}, nil, nil, err
	}

	if settings.Granularity != plan.Raw {
		if err := w.Measure(auth.AsWorkspace(ctx, exp.WorkspaceID), asked.Timeline); err != nil {
			return plan.Plan{}, nil, nil, err
		}
	}

	rows, known, err := w.Recordings(auth.AsWorkspace(ctx, exp.WorkspaceID), asked)
	if err != nil {
		return plan.Plan{}, nil, nil, err
	}

	planned, err := plan.Of(asked.Timeline, asked.Look, known, settings)
	if err != nil {
		return plan.Plan{}, nil, nil, err
	}

	if err := w.room(w.Remote(planned.Sources(), rows), planned); err != nil {
		return plan.Plan{}, nil, nil, err
	}

	files, release, err := w.Files(ctx, planned.Sources(), rows)

	return planned, files, release, err
}

func settingsOf(exp *ent.Export, artboard values.Dimensions) (plan.Settings, error) {
	fps, err := strconv.ParseInt(string(exp.Fps), 10, 64)
	if err != nil {
		return plan.Settings{}, fmt.Errorf("read the frame rate: %w", err)
	}

	speed, err := timeline.ParseSpeed(string(exp.Speed))
	if err != nil {
		return plan.Settings{}, fmt.Errorf("read the speed: %w", err)
	}

	return plan.Settings{
		Granularity: plan.Granularity(exp.Granularity),
		Resolution:  plan.Resolution(exp.Resolution),
		FPS:         fps,
		Speed:       speed,
		Artboard:    plan.Size(artboard),
	}, nil
}
