package workers

import (
	"context"
	stdsql "database/sql"
	"encoding/json"
	"fmt"

	"entgo.io/ent/dialect/sql"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/clip"
	"github.com/reelgraph/reelgraph/ent/video"
	"github.com/reelgraph/reelgraph/internal/timeline"
)

// lengthen has the videos of a recording that was interrupted grow with it, once its rest has come. It is no edit: the
// revision stays. Videos are locked before the source is, as by whoever edits one.
func (w *Probe) lengthen(ctx context.Context, src *ent.Source, toMs int64) error {
	if toMs <= src.DurationMs {
		return nil
	}

	c := w.Store.Client(ctx)
	uses := clip.And(
		clip.Or(clip.ScreenSourceID(src.ID), clip.CameraSourceID(src.ID)),
		clip.RecordingMsGT(0), clip.RecordingMsLT(toMs),
	)

	videos, err := c.Video.Query().Where(video.HasClipsWith(uses)).Order(ent.Asc(video.FieldID)).
		ForUpdate(sql.WithLockTables(video.Table)).All(ctx)
	if err != nil {
		return fmt.Errorf("lock videos: %w", err)
	}

	for _, v := range videos {
		clips, err := c.Clip.Query().Where(clip.VideoID(v.ID), uses).All(ctx)
		if err != nil {
			return fmt.Errorf("read clips: %w", err)
		}

		var longer int64

		for _, one := range clips {
			more, err := w.lengthenClip(ctx, one, toMs)
			if err != nil {
				return err
			}

			longer += more
		}

		if err := c.Video.UpdateOneID(v.ID).AddDurationMs(longer).SetUpdatedAt(w.now()).Exec(ctx); err != nil {
			return fmt.Errorf("lengthen a video: %w", err)
		}
	}

	return nil
}

// lengthenClip says by how much a clip is longer then. What was cut off at its end stays off.
func (w *Probe) lengthenClip(ctx context.Context, c *ent.Clip, toMs int64) (longer int64, err error) {
	cuts := append(timeline.Cuts{}, c.Cuts...)
	if last := len(cuts) - 1; last >= 0 && cuts[last].EndMs >= c.RecordingMs {
		cuts[last].EndMs = toMs
	}

	cuts = timeline.Normalise(toMs, cuts)
	length := timeline.NewClock(toMs, cuts).DurationMs()

	kept, err := json.Marshal(cuts)
	if err != nil {
		return 0, fmt.Errorf("lengthen a clip: %w", err)
	}

	// No edit changes how long a recording is, so that the client cannot.
	err = w.Store.WithTx(ctx, func(tx *stdsql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE clips SET recording_ms = $2, duration_ms = $3, cuts = $4 WHERE id = $1`, c.ID, toMs, length, kept)

		return err
	})
	if err != nil {
		return 0, fmt.Errorf("lengthen a clip: %w", err)
	}

	return length - c.DurationMs, nil
}
