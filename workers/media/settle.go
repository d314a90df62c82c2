package media

import (
	"context"
	stdsql "database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"entgo.io/ent/dialect/sql"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/clip"
	"github.com/reelgraph/reelgraph/ent/predicate"
	"github.com/reelgraph/reelgraph/ent/video"
	"github.com/reelgraph/reelgraph/internal/multitrack"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/transcripts"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// A clip may be made from recordings that are still arriving. It settles when all of them are ready or have failed:
// only then are its length, the position of its tracks and its sound known. An interrupted recording may grow later,
// and its clips with it. Settling is not an edit: the revision of the video does not change.

// lockUsers locks the videos that use a source in a clip. Like every edit, it does so before the source is locked.
func (d Deps) lockUsers(ctx context.Context, sourceID string) error {
	_, err := d.lockVideos(ctx, multitrack.With(sourceID))

	return err
}

func (d Deps) lockVideos(ctx context.Context, uses predicate.Clip) ([]*ent.Video, error) {
	videos, err := d.Store.Client(ctx).Video.Query().Where(video.HasClipsWith(uses)).Order(ent.Asc(video.FieldID)).
		ForUpdate(sql.WithLockTables(video.Table)).All(auth.WithTrash(ctx)) // those in the trash may be restored
	if err != nil {
		return nil, fmt.Errorf("lock videos: %w", err)
	}

	return videos, nil
}

// settleUsers settles the clips that use a source which has become ready, failed or grown, in the same transaction. A
// video that started to use the source after lockUsers is locked after the source. If that deadlocks with its editor,
// Postgres aborts one of the two, which is retried.
func (d Deps) settleUsers(ctx context.Context, sourceID string) error {
	videos, err := d.lockVideos(ctx, multitrack.With(sourceID))
	if err != nil {
		return err
	}

	for _, v := range videos {
		if err := d.SettleVideo(ctx, v); err != nil {
			return fmt.Errorf("settle the clips of video %s: %w", v.ID, err)
		}
	}

	// Picture or sound may have become longer even if no clip has.
	err = d.Store.Client(ctx).Video.Update().Where(video.HasClipsWith(multitrack.With(sourceID), clip.RecordingMsGT(0))).
		SetUpdatedAt(d.Now()).Exec(ctx)
	if err != nil {
		return fmt.Errorf("touch videos: %w", err)
	}

	return nil
}

// SettleVideo computes the length of those clips of a video whose recordings have all been processed. The caller must
// have locked the video.
func (d Deps) SettleVideo(ctx context.Context, v *ent.Video) error {
	c := d.Store.Client(ctx)

	read := func() ([]*ent.Clip, error) {
		return multitrack.WithSources(c.Clip.Query().Where(clip.VideoID(v.ID))).WithMouseSource().
			Order(ent.Asc(clip.FieldPosition, clip.FieldID)).All(ctx)
	}

	clips, err := read()
	if err != nil {
		return err //nolint:wrapcheck // the caller says what was attempted
	}

	before := transcripts.Of(clips)

	settled := false

	for _, one := range clips {
		is, err := d.settleClip(ctx, one)
		if err != nil {
			return err
		}

		settled = settled || is
	}

	if !settled {
		return nil
	}

	if clips, err = read(); err != nil {
		return err
	}

	if err := d.updateSettled(ctx, v, clips); err != nil {
		return err
	}

	return transcripts.Tell(ctx, d.Queue, v, before, transcripts.Of(clips))
}

// updateSettled updates the length of a video to that of its clips. If nobody chose its size, it takes the size of
// its first recording.
func (d Deps) updateSettled(ctx context.Context, v *ent.Video, clips []*ent.Clip) error {
	var length int64
	for _, c := range clips {
		length += c.DurationMs
	}

	update := d.Store.Client(ctx).Video.UpdateOneID(v.ID).SetDurationMs(length).SetUpdatedAt(d.Now())

	if v.SizeAwaited && !multitrack.Waiting(clips[0]) {
		main := multitrack.Of(clips[0]).Main()
		size := plan.Artboard(plan.Size{Width: main.Width, Height: main.Height})
		update.SetWidth(size.Width).SetHeight(size.Height).SetSizeAwaited(false)
	}

	if err := update.Exec(ctx); err != nil {
		return err //nolint:wrapcheck // the caller says what was attempted
	}

	if err := d.Store.Notify(ctx, jobs.VideoTopic(v.ID)); err != nil {
		return err //nolint:wrapcheck // as above
	}

	return d.Queue.Add(ctx, jobs.Posters{VideoID: v.ID})
}

// settleClip settles a clip if possible and reports whether it did. A clip that has a length may only get longer: its
// tracks and words keep their positions.
func (d Deps) settleClip(ctx context.Context, c *ent.Clip) (bool, error) {
	tracks, offsets := multitrack.Of(c), c.Offsets

	if multitrack.Waiting(c) {
		if tracks.Arriving() {
			return false, nil
		}

		if tracks, offsets = tracks.Usable(offsets); tracks.Main() == nil {
			return d.settleFailed(ctx, c)
		}

		offsets = tracks.Align(offsets)
	}

	toMs := tracks.LengthMs(offsets)
	if toMs <= c.RecordingMs {
		return false, nil
	}

	return true, d.lengthen(ctx, c, tracks, offsets, toMs)
}

// settleFailed fails the transcript of a clip without any usable picture. The clip keeps its sources, which
// say why.
func (d Deps) settleFailed(ctx context.Context, c *ent.Clip) (bool, error) {
	if !isWaiting(c) {
		return false, nil
	}

	return true, d.Store.Client(ctx).Clip.UpdateOneID(c.ID).SetTranscriptStatus(values.TranscriptStatusFailed).
		SetTranscriptError("The recordings of the clip cannot be used.").SetUpdatedAt(d.Now()).Exec(ctx)
}

// lengthen sets the length of a clip, and requests its transcript if it had no length before. What was cut off at its
// end stays cut off.
func (d Deps) lengthen(
	ctx context.Context, c *ent.Clip, tracks multitrack.Tracks, offsets values.Offsets, toMs int64,
) error {
	cuts := append(values.Cuts{}, c.Cuts...)
	if last := len(cuts) - 1; last >= 0 && cuts[last].EndMs >= c.RecordingMs {
		cuts[last].EndMs = toMs
	}

	cuts = values.Normalise(toMs, cuts)
	length := timeline.NewClock(toMs, cuts).DurationMs()

	microphone, system := tracks.Heard(offsets)

	cutsJSON, faultOfCuts := json.Marshal(cuts)
	offsetsJSON, faultOfOffsets := json.Marshal(offsets)

	if err := errors.Join(faultOfCuts, faultOfOffsets); err != nil {
		return fmt.Errorf("lengthen a clip: %w", err)
	}

	// Edits never change the tracks of a recording, so the ent client has no setter for them. The choice made for the
	// old set of tracks is cleared.
	err := d.Store.WithTx(ctx, func(tx *stdsql.Tx) error {
		_, err := tx.ExecContext(ctx, `
UPDATE clips SET recording_ms = $2, duration_ms = $3, cuts = $4, offsets = $5, has_microphone = $6, has_system_audio = $7,
  base_layout = CASE WHEN (screen_source_id IS NULL) = ($8::text IS NULL)
    AND (camera_source_id IS NULL) = ($9::text IS NULL) THEN base_layout END,
  crop = CASE WHEN $8::text IS NOT NULL THEN crop END,
  screen_source_id = $8, camera_source_id = $9, microphone_source_id = $10, mouse_source_id = $11, updated_at = $12
WHERE id = $1`,
			c.ID, toMs, length, cutsJSON, offsetsJSON, microphone, system,
			idOf(tracks.Screen), idOf(tracks.Camera), idOf(tracks.Microphone), idOf(tracks.Mouse), d.Now())

		return err
	})
	if err != nil {
		return fmt.Errorf("lengthen a clip: %w", err)
	}

	if !multitrack.Waiting(c) {
		return nil
	}

	return d.listenFor(ctx, c, tracks.Speech(offsets).Source)
}

// listenFor requests the transcript of a clip that has just got its length. Without sound there is none.
func (d Deps) listenFor(ctx context.Context, c *ent.Clip, sound *ent.Source) error {
	status := values.TranscriptStatusReady
	if sound != nil {
		status = values.TranscriptStatusPending
	}

	err := d.Store.Client(ctx).Clip.UpdateOneID(c.ID).SetTranscriptStatus(status).SetTranscriptError("").Exec(ctx)
	if err != nil || sound == nil {
		return err //nolint:wrapcheck // the caller says what was attempted
	}

	return d.Queue.Add(ctx, jobs.Transcribe{SourceID: sound.ID})
}

func idOf(s *ent.Source) *string {
	if s == nil {
		return nil
	}

	return &s.ID
}

// UnsettledSQL selects videos with clips that wait for their recordings although none of the recordings is still
// being uploaded or processed.
const UnsettledSQL = `
SELECT DISTINCT c.video_id, c.workspace_id FROM clips c
WHERE c.recording_ms = 0 AND c.transcript_status IN ('pending', 'processing') AND NOT EXISTS (
  SELECT FROM sources s WHERE s.id IN (c.screen_source_id, c.camera_source_id, c.microphone_source_id, c.mouse_source_id)
  AND s.status NOT IN ('ready', 'failed')
) LIMIT $1`
