package workers_test

import (
	"archive/zip"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/exportchunk"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/webhook"
	"github.com/reelgraph/reelgraph/internal/webhook/event"
	"github.com/reelgraph/reelgraph/test/testkit/footage"
	"github.com/reelgraph/reelgraph/workers/render"
)

// heard is a webhook as received, and the result of the download inside the handler.
type heard struct {
	Type string
	Data struct {
		ExportID, VideoID, VideoName, DownloadURL string

		Error event.Problem
	}

	status int
	path   string
}

// listener registers an endpoint whose handler verifies the signature and fetches the downloadUrl before it answers.
func (s *studio) listener() <-chan heard {
	s.Helper()

	secret := webhook.NewSecret()
	verifier, err := standardwebhooks.NewWebhook(secret)
	require.NoError(s, err)
	dir, all := s.TempDir(), make(chan heard, 100)

	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var got heard

		body, err := io.ReadAll(r.Body)
		if err == nil {
			err = verifier.Verify(body, r.Header)
		}

		if err == nil {
			err = json.Unmarshal(body, &got)
		}

		if err == nil && got.Data.DownloadURL != "" {
			got.path = filepath.Join(dir, got.Data.ExportID)
			got.status, err = fetch(got.Data.DownloadURL, got.path)
		}

		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)

			return
		}

		all <- got
	}))
	s.Cleanup(server.Close)

	id := ids.New(ids.Endpoint)

	s.member.Do(s.T, s.store, func(ctx context.Context, c *ent.Client) {
		c.WebhookEndpoint.Create().SetID(id).SetUserID(s.member.UserID).SetWorkspaceID(s.member.WorkspaceID).
			SetURL(server.URL).SetSecretSealed(s.vault.Seal(id, secret)).ExecX(ctx)
	})

	return all
}

func (s *studio) hears(from <-chan heard) heard {
	s.Helper()

	select {
	case h := <-from:
		return h
	case <-time.After(time.Minute):
		require.FailNow(s, "no webhook arrived")
		panic("unreachable")
	}
}

// requireFrames asserts that a film shows exactly the frames of the spans of a counter.
func requireFrames(t *testing.T, path string, shown ...[2]int) {
	t.Helper()
	requireFramesIn(t, path, picture(), shown...)
}

func requireFramesIn(t *testing.T, path string, within footage.Window, shown ...[2]int) {
	t.Helper()

	got, err := footage.Indices(t.Context(), path, within)
	require.NoError(t, err)

	var want []int

	for _, span := range shown {
		for n := span[0]; n < span[1]; n++ {
			want = append(want, n)
		}
	}

	require.Equal(t, want, got)
}

func TestRenderDeliversAnExport(t *testing.T) {
	t.Parallel()

	s := newStudio(t)
	s.work()
	events := s.listener()
	src := s.recorded(footage.Film{Frames: 360, Tone: 440})
	exp := s.ended(s.order(src, values.SpanOf(2000, 3000), values.SpanOf(7000, 1000)))

	require.Equal(t, values.ExportStatusCompleted, exp.Status, exp.ErrorMessage)
	kept := exp.ExpiresAt.Sub(exp.CreatedAt)
	require.InDelta(t, jobs.ExportKept.Hours(), kept.Hours(), 0.1)

	got := s.hears(events)
	require.Equal(t, "export.ready", got.Type)
	require.Equal(t, exp.ID, got.Data.ExportID)
	require.Equal(t, s.video.Name, got.Data.VideoName)
	require.Equal(t, http.StatusOK, got.status)
	requireFrames(t, got.path, [2]int{0, 60}, [2]int{150, 210}, [2]int{240, 360})

	info, err := os.Stat(got.path)
	require.NoError(t, err)
	require.Equal(t, exp.Bytes, info.Size())

	scratch, err := os.ReadDir(filepath.Join(s.data, "scratch"))
	require.NoError(t, err)
	require.Empty(t, scratch)
}

func TestRenderPacksScenesAndRawFiles(t *testing.T) {
	t.Parallel()

	s := newStudio(t)
	s.work()
	src := s.recorded(footage.Film{Frames: 60})
	clip := timeline.Clip{ID: "cl_1", Name: "First", LengthMs: src.DurationMs, Cuts: values.Cuts{}, Screen: src.ID}
	plan := plan.ExportPlan{
		Timeline: timeline.Video{Clips: []timeline.Clip{clip, clip}}, Artboard: values.Dimensions{Width: 320, Height: 180},
	}

	for granularity, names := range map[values.Granularity][]string{
		values.GranularityScenes: {"01 First.mp4", "02 First.mp4"},
		values.GranularityRaw:    {"recording.mp4", "manifest.json"},
	} {
		exp := s.ended(s.orderAs(granularity, plan))
		require.Equal(t, values.ExportStatusCompleted, exp.Status, exp.ErrorMessage)

		path := filepath.Join(t.TempDir(), "export.zip")
		status, err := fetch(s.book.Download(exp.ID, time.Now().Add(time.Hour)), path)
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, status)

		archive, err := zip.OpenReader(path)
		require.NoError(t, err)

		var got []string
		for _, file := range archive.File {
			got = append(got, file.Name)
		}

		require.NoError(t, archive.Close())
		require.ElementsMatch(t, names, got)
	}
}

func TestRenderStopsWhenCanceled(t *testing.T) {
	t.Parallel()

	s := newStudio(t)
	s.work()
	src := s.recorded(footage.Film{Frames: 1800})

	clip := timeline.Clip{ID: "cl_1", Name: "Clip", LengthMs: src.DurationMs, Cuts: values.Cuts{}, Screen: src.ID}
	for _, deaf := range []bool{false, true} {
		exp := s.orderAs(values.GranularityStory, plan.ExportPlan{
			Timeline: timeline.Video{Clips: []timeline.Clip{clip}}, Artboard: values.Dimensions{Width: 1920, Height: 1080},
		})

		s.until(jobs.ExportTopic(exp.ID), func() bool { return s.export(exp.ID).Progress > 0 })

		if deaf { // the notification is lost
			_, err := s.store.DB.ExecContext(s.system(), `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
				WHERE datname = current_database() AND query LIKE 'LISTEN %'`)
			require.NoError(t, err)
		}

		before := time.Now()

		s.member.Do(t, s.store, func(ctx context.Context, c *ent.Client) {
			c.Export.UpdateOneID(exp.ID).SetStatus(values.ExportStatusCanceled).SetCancelRequestedAt(before).SetFinishedAt(before).ExecX(ctx)
			require.NoError(t, s.store.Notify(ctx, jobs.ExportTopic(exp.ID)))
		})
		require.Eventually(t, func() bool {
			var running int
			require.NoError(t, s.store.DB.QueryRowContext(s.system(),
				"SELECT count(*) FROM river_job WHERE kind = 'render' AND state <> 'completed'").Scan(&running))

			return running == 0
		}, 10*time.Second, 10*time.Millisecond)
		t.Logf("stopped after %s, deaf: %v", time.Since(before).Round(time.Millisecond), deaf)
		require.Less(t, time.Since(before), 2*time.Second)

		after := s.export(exp.ID)
		require.Equal(t, values.ExportStatusCanceled, after.Status)
		require.Less(t, after.Progress, 100)

		scratch, err := os.ReadDir(filepath.Join(s.data, "scratch"))
		require.NoError(t, err)
		require.Empty(t, scratch)
	}
}

func TestRenderFailsWithReason(t *testing.T) {
	t.Parallel()

	s := newStudio(t)
	s.work()
	events := s.listener()
	src := s.recorded(footage.Film{Frames: 30})
	require.NoError(t, s.blobs.Delete(t.Context(), src.BlobKey))
	exp := s.ended(s.order(src))

	require.Equal(t, values.ExportStatusFailed, exp.Status)
	require.Equal(t, "source_unusable", exp.ErrorCode)

	got := s.hears(events)
	require.Equal(t, "export.failed", got.Type)
	require.Equal(t, exp.ID, got.Data.ExportID)
	require.Equal(t, event.Problem{Code: exp.ErrorCode, Message: exp.ErrorMessage}, got.Data.Error)
}

// TestRenderLaterAttemptWins: if two attempts overlap because a process was wrongly considered dead, the later one
// wins.
func TestRenderLaterAttemptWins(t *testing.T) {
	t.Parallel()

	s := newStudio(t)
	stop := s.work()
	src := s.recorded(footage.Film{Frames: 450})

	stop()

	exp := s.order(src)
	attempt := func() error {
		return (&render.Render{Deps: s.deps(s.store, s.topics)}).Work(context.Background(), &river.Job[jobs.Render]{
			JobRow: &rivertype.JobRow{Attempt: 1, MaxAttempts: 5}, Args: jobs.Render{ExportID: exp.ID},
		})
	}

	first := make(chan error, 1)
	go func() { first <- attempt() }()

	s.until(jobs.ExportTopic(exp.ID), func() bool { return s.export(exp.ID).Status == values.ExportStatusProcessing })
	require.NoError(t, attempt())
	require.NoError(t, <-first)

	done := s.export(exp.ID)
	require.Equal(t, values.ExportStatusCompleted, done.Status)

	files, err := filepath.Glob(filepath.Join(s.data, "blobs", "exports", "*", "*"))
	require.NoError(t, err)
	require.Len(t, files, 1)

	kept, _ := s.blobs.Path(done.BlobKey)
	require.Equal(t, kept, files[0])

	chunks, err := s.store.Client(s.system()).ExportChunk.Query().Where(exportchunk.ExportID(exp.ID)).Count(s.system())
	require.NoError(t, err)
	require.LessOrEqual(t, chunks, 450/(30*plan.ChunkSeconds))
}
