package workers_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/change"
	"github.com/reelgraph/reelgraph/ent/clip"
	"github.com/reelgraph/reelgraph/ent/source"
	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/workers"
	"github.com/reelgraph/reelgraph/workers/housekeeping"
)

// keep stores a file under a new key.
func (s *studio) keep(area string) (key string) {
	s.Helper()

	key, err := blob.NewKey(area, "")
	require.NoError(s, err)
	_, err = s.blobs.Put(s.Context(), key, strings.NewReader(area))
	require.NoError(s, err)

	return key
}

func (s *studio) kept(key string) bool {
	s.Helper()

	exists, err := blob.Exists(s.Context(), s.blobs, key)
	require.NoError(s, err)

	return exists
}

// stored returns a ready source with a file.
func (s *studio) stored() (src *ent.Source) {
	s.Helper()

	s.member.Do(s.T, s.store, func(ctx context.Context, c *ent.Client) {
		src = c.Source.Create().SetUserID(s.member.UserID).SetWorkspaceID(s.member.WorkspaceID).
			SetKind(values.SourceKindVideo).SetStatus(values.SourceStatusReady).SetBlobKey(s.keep("sources")).SaveX(ctx)
	})

	return src
}

// extracted returns the key of an extract's file.
func (s *studio) extracted(sourceID string) (key string) {
	s.Helper()

	key = s.keep("stills")

	s.member.Do(s.T, s.store, func(ctx context.Context, c *ent.Client) {
		c.Extract.Create().SetWorkspaceID(s.member.WorkspaceID).SetSubjectID(sourceID).SetKey(sourceID).SetRecipe([]byte("{}")).
			SetStatus(values.ExtractStatusReady).SetFiles([]values.ExtractFile{{Name: "thumbnail.jpg", BlobKey: key, Bytes: 6}}).ExecX(ctx)
	})

	return key
}

func TestDiscardRemovesUnreferencedFiles(t *testing.T) {
	t.Parallel()

	s := newStudio(t)
	file, unused, shown, behind, music, waiting := s.keep("exports"), s.stored(), s.stored(), s.stored(), s.stored(), s.stored()
	made, others := s.extracted(unused.ID), s.extracted(music.ID)

	s.member.Do(t, s.store, func(ctx context.Context, c *ent.Client) {
		c.Clip.Create().SetVideo(s.video).SetWorkspaceID(s.member.WorkspaceID).SetScreenSource(shown).SetName("Clip").
			SetPosition(0).SetRecordingMs(1).SetDurationMs(1).SetCuts(values.Cuts{}).
			SetBackground(values.Background{Type: values.BackgroundTypeVideo, SourceID: behind.ID, VideoDurationMs: 1}).
			SetHasMicrophone(false).SetHasSystemAudio(false).SaveX(ctx)
		c.Video.UpdateOneID(s.video.ID).SetBackgroundMusic(&values.BackgroundMusic{SourceID: music.ID}).ExecX(ctx)
	})
	exp := s.order(waiting)

	deps := s.deps(s.store, s.topics)
	deps.Blobs = testkit.Unlocked{Store: deps.Blobs, TB: t, Over: s.store}
	w := &housekeeping.Discard{Deps: deps}
	job := &river.Job[jobs.Discard]{Args: jobs.Discard{
		WorkspaceID: s.member.WorkspaceID, BlobKeys: []string{file, "exports/gone"},
		SourceIDs: []string{unused.ID, shown.ID, behind.ID, music.ID, waiting.ID, "su_gone"},
	}}

	var snooze *river.JobSnoozeError

	require.ErrorAs(t, w.Work(t.Context(), job), &snooze, "an export still reads a source")
	s.discard()
	require.False(t, s.kept(file))
	require.False(t, s.kept(unused.BlobKey))
	require.False(t, s.kept(made), "extracts are deleted with their source")
	require.True(t, s.kept(others))

	for _, src := range []*ent.Source{shown, behind, music, waiting} {
		require.True(t, s.kept(src.BlobKey))
	}

	s.member.Do(t, s.store, func(ctx context.Context, c *ent.Client) {
		c.Export.UpdateOneID(exp.ID).SetFinishedAt(s.now()).ExecX(ctx)
		c.Clip.Delete().Where(clip.VideoID(s.video.ID)).ExecX(ctx)
	})
	require.NoError(t, w.Work(t.Context(), job))
	s.discard()
	require.False(t, s.kept(waiting.BlobKey))
	require.False(t, s.kept(shown.BlobKey))
	require.False(t, s.kept(behind.BlobKey))
	require.True(t, s.kept(music.BlobKey))

	left, err := s.store.Client(s.system()).Source.Query().IDs(s.system())
	require.NoError(t, err)
	require.Equal(t, []string{music.ID}, left)
}

func TestSweepRemovesExpiredRows(t *testing.T) {
	t.Parallel()

	s := newStudio(t)
	old := s.now().Add(-31 * 24 * time.Hour)
	file := s.keep("exports")

	pieces, err := blob.NewKey("sources", "")
	require.NoError(t, err)
	_, err = s.blobs.Append(t.Context(), pieces, 0, strings.NewReader("half"))
	require.NoError(t, err)

	var abandoned, begun, fresh *ent.Source

	s.member.Do(t, s.store, func(ctx context.Context, c *ent.Client) {
		upload := func(expires time.Time) *ent.Source {
			return c.Source.Create().SetUserID(s.member.UserID).SetWorkspaceID(s.member.WorkspaceID).
				SetKind(values.SourceKindVideo).SetUploadExpiresAt(expires).SaveX(ctx)
		}
		begun = upload(s.now().Add(-25 * time.Hour))
		c.Source.UpdateOne(begun).SetStatus(values.SourceStatusUploading).SetBlobKey(pieces).ExecX(ctx)

		abandoned, fresh = upload(s.now().Add(-25*time.Hour)), upload(s.now().Add(-23*time.Hour))
		c.WebhookMessage.Create().SetWorkspaceID(s.member.WorkspaceID).SetEventType(values.EventTypeVideoCreated).
			SetBody("{}").SetOccurredAt(old).ExecX(ctx)

		for _, deleted := range []time.Time{old, s.now().Add(-29 * 24 * time.Hour)} {
			c.WebhookEndpoint.Create().SetUserID(s.member.UserID).SetWorkspaceID(s.member.WorkspaceID).SetURL("https://hooks.example/").
				SetSecretSealed([]byte{}).SetDisabled(true).SetDeletedAt(deleted).ExecX(ctx)
		}

		c.WebhookEndpoint.Create().SetUserID(s.member.UserID).SetWorkspaceID(s.member.WorkspaceID).SetURL("https://hooks.example/").
			SetSecretSealed([]byte{}).ExecX(ctx)
		c.IdempotencyKey.Create().SetWorkspaceID(s.member.WorkspaceID).SetUserID(s.member.UserID).SetScope([]byte("s")).
			SetFingerprint([]byte("f")).SetStatus(200).SetHeader(map[string]string{}).SetBody([]byte("{}")).
			SetExpiresAt(s.now().Add(-time.Second)).ExecX(ctx)
	})
	expired, canceled, running := s.order(fresh), s.order(fresh), s.order(fresh)
	s.member.Do(t, s.store, func(ctx context.Context, c *ent.Client) {
		c.Export.UpdateOneID(expired.ID).SetStatus(values.ExportStatusCompleted).SetBlobKey(file).
			SetFinishedAt(old).SetExpiresAt(s.now().Add(-time.Second)).ExecX(ctx)
		c.Export.UpdateOneID(canceled.ID).SetStatus(values.ExportStatusCanceled).SetFinishedAt(old).ExecX(ctx)
	})
	_, err = s.store.DB.ExecContext(s.system(), `INSERT INTO touches (id, workspace_id, row_id, old_updated_at, xid, touched_at)
		SELECT n, $1, 'vid', now(), 1, now() - interval '25 hours' FROM generate_series(100000, 101200) n`, s.member.WorkspaceID)
	require.NoError(t, err)

	_, err = s.store.DB.ExecContext(s.system(), `UPDATE changes SET changed_at = now() - interval '2 hours'`)
	require.NoError(t, err)

	_, err = s.store.DB.ExecContext(s.system(), `INSERT INTO changes (workspace_id, kind, row_id, xid, changed_at)
		SELECT $1, 'sources', 'fresh', 1, now() - interval '50 minutes'`, s.member.WorkspaceID)
	require.NoError(t, err)

	half := filepath.Join(s.data, "blobs", ".incoming", "half")
	require.NoError(t, os.WriteFile(half, nil, 0o600))
	require.NoError(t, os.Chtimes(half, old, old))

	require.NoError(t, (&housekeeping.Sweep{Deps: s.deps(s.store, s.topics)}).Work(t.Context(), nil))
	s.discard()

	require.NoFileExists(t, half)
	require.False(t, s.kept(file))
	c := s.store.Client(s.system())
	arrived, err := s.blobs.Grown(t.Context(), pieces)
	require.NoError(t, err)
	require.Zero(t, arrived)

	uploads, err := c.Source.Query().Where(source.IDIn(abandoned.ID, begun.ID, fresh.ID)).IDs(s.system())
	require.NoError(t, err)
	require.Equal(t, []string{fresh.ID}, uploads)

	exports, err := c.Export.Query().IDs(s.system())
	require.NoError(t, err)
	require.Equal(t, []string{running.ID}, exports)

	logged, err := c.Change.Query().Where(change.ChangedAtLT(s.now().Add(-10 * time.Minute))).All(s.system())
	require.NoError(t, err)
	require.Len(t, logged, 1)
	require.Equal(t, "fresh", logged[0].RowID)

	for name, count := range map[string]func(context.Context) (int, error){
		"messages": c.WebhookMessage.Query().Count, "keys": c.IdempotencyKey.Query().Count, "touches": c.Touch.Query().Count,
	} {
		n, err := count(s.system())
		require.NoError(t, err)
		require.Zero(t, n, name)
	}

	endpoints, err := c.WebhookEndpoint.Query().Count(s.system())
	require.NoError(t, err)
	require.Equal(t, 2, endpoints, "one exists, and one was deleted less than 30 days ago")
}

// discard runs the jobs that remove files.
func (s *studio) discard() {
	s.Helper()

	w := &housekeeping.Discard{Deps: s.deps(s.store, s.topics)}

	rows, err := s.store.DB.QueryContext(s.Context(), "DELETE FROM river_job WHERE kind = 'discard' RETURNING args")
	require.NoError(s, err)

	defer rows.Close()

	for rows.Next() {
		var (
			encoded []byte
			job     river.Job[jobs.Discard]
		)

		require.NoError(s, rows.Scan(&encoded))
		require.NoError(s, json.Unmarshal(encoded, &job.Args))
		require.NoError(s, w.Work(s.Context(), &job))
	}

	require.NoError(s, rows.Err())
}

// overdue returns an upload that was begun and abandoned.
func (s *studio) overdue() (src *ent.Source) {
	s.Helper()

	key, err := blob.NewKey("sources", "")
	require.NoError(s, err)
	_, err = s.blobs.Append(s.Context(), key, 0, strings.NewReader("half"))
	require.NoError(s, err)

	s.member.Do(s.T, s.store, func(ctx context.Context, c *ent.Client) {
		src = c.Source.Create().SetUserID(s.member.UserID).SetWorkspaceID(s.member.WorkspaceID).SetKind(values.SourceKindVideo).
			SetUploadExpiresAt(s.now().Add(-25 * time.Hour)).SetStatus(values.SourceStatusUploading).SetBlobKey(key).SaveX(ctx)
	})

	return src
}

// TestSweepContinuesAfterFailedDelete: a file that cannot be deleted now delays nothing else: its row is removed and a job retries.
func TestSweepContinuesAfterFailedDelete(t *testing.T) {
	t.Parallel()

	s := newStudio(t)
	stuck := s.overdue()
	folder := filepath.Join(s.data, "blobs", ".growing", filepath.FromSlash(stuck.BlobKey))
	require.NoError(t, os.Remove(folder))
	require.NoError(t, os.Mkdir(folder, 0o700))
	require.ErrorIs(t, s.blobs.Delete(t.Context(), stuck.BlobKey), blob.ErrUnavailable)

	behind := s.overdue()

	require.NoError(t, (&housekeeping.Sweep{Deps: s.deps(s.store, s.topics)}).Work(t.Context(), nil))

	left, err := s.store.Client(s.system()).Source.Query().IDs(s.system())
	require.NoError(t, err)
	require.Empty(t, left)
	require.NoError(t, os.Remove(folder))
	s.discard()

	arrived, err := s.blobs.Grown(t.Context(), behind.BlobKey)
	require.NoError(t, err)
	require.Zero(t, arrived)
}

// TestSweepKeepsResumedUpload: an upload that resumes just before its removal is kept with its bytes.
func TestSweepKeepsResumedUpload(t *testing.T) {
	t.Parallel()

	s := newStudio(t)
	src := s.overdue()
	tx, err := s.store.DB.BeginTx(t.Context(), nil)
	require.NoError(t, err)

	defer func() { _ = tx.Rollback() }()

	_, err = tx.Exec("UPDATE sources SET upload_expires_at = now() + interval '1 hour' WHERE id = $1", src.ID)
	require.NoError(t, err)

	w := &housekeeping.Sweep{Deps: s.deps(s.store, s.topics)}

	ended := make(chan error, 1)
	go func() { ended <- w.Work(context.Background(), nil) }()

	require.Eventually(t, func() bool {
		var waits bool

		err := s.store.DB.QueryRow(`SELECT EXISTS (SELECT FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event_type = 'Lock')`).Scan(&waits)

		return err == nil && waits
	}, time.Minute, 10*time.Millisecond)
	require.NoError(t, tx.Commit())
	require.NoError(t, <-ended)
	s.discard()

	arrived, err := s.blobs.Grown(t.Context(), src.BlobKey)
	require.NoError(t, err)
	require.EqualValues(t, 4, arrived)

	_, err = s.store.Client(s.system()).Source.Get(s.system(), src.ID)
	require.NoError(t, err)
}

func TestSweepSettlesRowsWithoutJob(t *testing.T) {
	t.Parallel()

	s := newStudio(t)
	lost, waiting := s.upload(values.SourceKindVideo, nil), s.upload(values.SourceKindVideo, nil)
	exp := s.order(s.stored())
	_, err := s.store.DB.ExecContext(s.system(), `UPDATE river_job SET state = 'discarded', finalized_at = now()
		WHERE args @> jsonb_build_object('sourceId', $1::text) OR kind = 'render'`, lost.ID)
	require.NoError(t, err)

	require.NoError(t, (&housekeeping.Sweep{Deps: s.deps(s.store, s.topics)}).Work(t.Context(), nil))

	lost = s.probed(lost)
	require.Equal(t, values.SourceStatusFailed, lost.Status)
	require.Equal(t, "server_error", lost.ErrorCode)
	_, err = s.blobs.Stat(t.Context(), lost.BlobKey)
	require.ErrorIs(t, err, blob.ErrNotFound, "the bytes are useless")
	waiting, err = s.store.Client(s.system()).Source.Get(s.system(), waiting.ID)
	require.NoError(t, err)
	require.Equal(t, values.SourceStatusProcessing, waiting.Status)

	exp = s.ended(exp)
	require.Equal(t, values.ExportStatusFailed, exp.Status)
	require.Equal(t, "server_error", exp.ErrorCode)
}

func TestQueues(t *testing.T) {
	t.Parallel()

	all, err := workers.Queues(nil)
	require.NoError(t, err)
	require.Len(t, all, 9)

	some, err := workers.Queues(map[string]int{jobs.QueueRender: 3})
	require.NoError(t, err)
	require.Len(t, some, 1)
	require.Equal(t, 3, some[jobs.QueueRender].MaxWorkers)

	for probes, sizes := range map[int]map[string]int{4: {jobs.QueueMedia: 1}, 2: {jobs.QueueMedia: 1, jobs.QueueProbe: 2}} {
		some, err = workers.Queues(sizes)
		require.NoError(t, err)
		require.Len(t, some, 4, "a process of the media queue also works the demo, probes and figures")
		require.Equal(t, 1, some[jobs.QueueMedia].MaxWorkers)
		require.Equal(t, probes, some[jobs.QueueProbe].MaxWorkers)
		require.Equal(t, 2, some[jobs.QueueFigures].MaxWorkers)
		require.Equal(t, 1, some[jobs.QueueDemo].MaxWorkers)
	}

	_, err = workers.Queues(map[string]int{"nap": 1})
	require.ErrorContains(t, err, "catalog, demo, figures, mail, media, probe, render, speech, webhook")
}

// TestProbesHaveTheirOwnQueue: probes have their own queue, because clients wait for them after an upload.
func TestProbesHaveTheirOwnQueue(t *testing.T) {
	t.Parallel()

	probes := jobs.Probe{}.InsertOpts().Queue
	require.Equal(t, jobs.QueueProbe, probes)

	for _, other := range []river.JobArgsWithInsertOpts{
		jobs.Days{},
		jobs.Discard{},
		jobs.Extract{},
		jobs.Look{},
		jobs.Reclaim{},
		jobs.Render{},
		jobs.Roll{},
		jobs.Stock{},
		jobs.Sweep{},
		jobs.Thumbnail{},
		jobs.Transcribe{},
	} {
		require.NotEqual(t, probes, other.InsertOpts().Queue, "%T", other)
	}
}
