package media

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/source"
	"github.com/reelgraph/reelgraph/internal/engine/probe"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

const (
	// MeasureTimeout is longer than it takes to measure all audio tracks of the longest recording.
	MeasureTimeout = 30 * time.Minute
	// MeasureBusy is how long to wait before asking again while another job measures the source.
	MeasureBusy = time.Second
)

// ErrMeasuring means that another job is measuring the sound of the source at the moment.
var ErrMeasuring = errors.New("the sound of the source is being measured by another job; try again later")

// Measured returns the probe result of a source. If the sound has not been measured yet, Measured measures it first.
// It returns ErrMeasuring while another job is doing this. If only a part of the sound can be decoded, only that part
// is measured.
func (d Deps) Measured(ctx context.Context, src *ent.Source) (probe.Info, error) {
	info, err := Probed(src)
	if err != nil || info.Audio == nil || info.Audio.Measured {
		return info, err
	}

	release, taken, err := d.Locks.TrySlot(ctx, "measure/"+src.ID, 1)

	switch {
	case err != nil:
		return info, fmt.Errorf("measure the sound of source %s: %w", src.ID, err)
	case !taken:
		return info, ErrMeasuring
	}

	defer release()

	now, err := d.Store.Client(ctx).Source.Get(auth.AsSystem(ctx), src.ID)
	if ent.IsNotFound(err) { // not a source, but a sound that the server made
		now, err = src, nil
	}

	if err != nil {
		return info, fmt.Errorf("read source %s: %w", src.ID, err)
	}

	info, err = Probed(now)
	if err != nil || info.Audio == nil || info.Audio.Measured {
		return info, err
	}

	path, releaseFile, err := d.Local(ctx, now)
	if err != nil {
		return info, err
	}
	defer releaseFile()

	info, err = probe.MeasureSound(ctx, d.Engine.Runner(), probe.Source{Path: path, Info: info})
	if err != nil && !Undecodable(err) {
		return info, err
	}

	if err != nil {
		d.Logger.WarnContext(ctx, "measure: only part of the sound can be decoded", slog.String("source", src.ID), slog.Any("error", err))

		a := *info.Audio
		a.Measured, info.Audio = true, &a
	}

	return info, d.recordMeasured(ctx, now, info)
}

// recordMeasured stores the measurements.
func (d Deps) recordMeasured(ctx context.Context, src *ent.Source, info probe.Info) error {
	probe, err := json.Marshal(info)
	if err != nil {
		return fmt.Errorf("measure the sound of source %s: %w", src.ID, err)
	}

	err = d.Store.InTx(auth.AsWorkspace(ctx, src.WorkspaceID), func(ctx context.Context) error {
		err := d.Store.Client(ctx).Source.Update().
			Where(source.ID(src.ID), source.StatusEQ(values.SourceStatusReady)).SetProbe(probe).Exec(ctx)
		if err != nil {
			return err
		}

		return d.Store.Notify(ctx, jobs.SourceTopic(src.ID))
	})
	if err != nil {
		return fmt.Errorf("record source %s: %w", src.ID, err)
	}

	return nil
}

// Probed returns the stored probe result of a source.
func Probed(src *ent.Source) (info probe.Info, err error) {
	if err := json.Unmarshal(src.Probe, &info); err != nil {
		return info, fmt.Errorf("read the probe of source %s: %w", src.ID, err)
	}

	return info, nil
}

// AsHeard returns info with the audio channels as they are played. If one of a microphone's two channels is silent,
// the sound of the other one is played in both.
func AsHeard(src *ent.Source, info probe.Info) probe.Info {
	if src.Audio != nil && *src.Audio == values.SourceAudioMicrophone {
		return info.AsMicrophone()
	}

	return info
}

// Measure measures those sounds of a video that have not been measured yet. ctx must act as the video's workspace.
func (d Deps) Measure(ctx context.Context, v timeline.Video) error {
	rows, err := d.Store.Client(ctx).Source.Query().
		Where(source.IDIn(v.Heard()...), source.StatusEQ(values.SourceStatusReady), source.HasAudio(true)).All(ctx)
	if err != nil {
		return fmt.Errorf("find sources: %w", err)
	}

	for _, row := range rows {
		_, err := d.Measured(ctx, row)

		switch {
		case err == nil, Lost(err): // the plan reports it
		default:
			return err
		}
	}

	return nil
}
