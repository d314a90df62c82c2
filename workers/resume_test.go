package workers_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent/exportchunk"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit/footage"
)

// victimEnv tells the re-executed test binary which jobs to run until it is killed.
const victimEnv = "WORKERS_TEST_UNTIL_KILLED"

// victim is the data that the process to kill needs.
type victim struct {
	BaseURL, Data, DSN string
	Secret             []byte
}

// TestRenderSurvivesKill runs the jobs in a separate process, kills it in the middle of an export, and then runs them
// in this process.
func TestRenderSurvivesKill(t *testing.T) {
	if orders := os.Getenv(victimEnv); orders != "" {
		workUntilKilled(t, orders)
	}

	t.Parallel()

	s := newStudio(t)
	events := s.listener()
	kill := s.victim()
	src := s.recorded(footage.Film{Frames: 900, Tone: 440})
	clip := timeline.Clip{
		ID: "cl_1", Name: "Clip", LengthMs: src.DurationMs, Screen: src.ID,
		Cuts: values.Normalise(src.DurationMs, []values.Span{values.SpanOf(5_000, 2_500)}),
	}
	exp := s.orderAs(values.GranularityStory, plan.ExportPlan{
		Timeline: timeline.Video{Clips: []timeline.Clip{clip}}, Artboard: values.Dimensions{Width: 1920, Height: 540},
	})

	s.until(jobs.ExportTopic(exp.ID), func() bool { return s.export(exp.ID).Progress >= 45 && len(s.pieces()) > 0 })
	kill()

	dead := time.Now()
	half := s.export(exp.ID)
	require.Equal(t, values.ExportStatusProcessing, half.Status)

	before := s.pieces()
	t.Logf("killed at %d %%, with %d pieces finished", half.Progress, len(before))

	s.work()
	s.until(jobs.ExportTopic(exp.ID), func() bool { return s.export(exp.ID).BlobKey != half.BlobKey })
	t.Logf("resumed after %s", time.Since(dead).Round(time.Millisecond))
	require.Less(t, time.Since(dead), 30*time.Second)

	done := s.ended(half)
	require.Equal(t, values.ExportStatusCompleted, done.Status, done.ErrorMessage)

	after := s.pieces()
	require.Greater(t, len(after), len(before))

	for name, was := range before {
		require.True(t, os.SameFile(was, after[name]), "%s was made again", name)
	}

	chunks, err := s.store.Client(s.system()).ExportChunk.Query().Where(exportchunk.ExportID(exp.ID)).Count(s.system())
	require.NoError(t, err)
	require.LessOrEqual(t, chunks, len(after)-1)

	got := s.hears(events)
	require.Equal(t, "export.ready", got.Type)
	require.Equal(t, http.StatusOK, got.status)
	requireFramesIn(t, got.path, footage.Window{X: 480, Width: 960, Height: 540}, [2]int{0, 150}, [2]int{225, 900})
}

// pieces returns the finished files of the cache, whose folder is created with the first.
func (s *studio) pieces() map[string]os.FileInfo {
	s.Helper()

	entries, err := os.ReadDir(filepath.Join(s.data, "cache"))
	if !errors.Is(err, fs.ErrNotExist) {
		require.NoError(s, err)
	}

	files := map[string]os.FileInfo{}

	for _, e := range entries {
		info, err := e.Info()
		require.NoError(s, err)

		files[e.Name()] = info
	}

	return files
}

// victim starts a process that runs the jobs, and returns a function that kills it.
func (s *studio) victim() (kill func()) {
	s.Helper()

	orders, err := json.Marshal(victim{BaseURL: s.book.BaseURL, Data: s.data, DSN: s.dsn, Secret: s.secret})
	require.NoError(s, err)
	self, err := os.Executable()
	require.NoError(s, err)

	child := exec.Command(self, "-test.run", "^TestRenderSurvivesKill$")

	child.Env = append(os.Environ(), victimEnv+"="+string(orders))
	child.Stdout, child.Stderr = s.Output(), s.Output()
	require.NoError(s, child.Start())

	kill = func() {
		_ = child.Process.Kill()
		_ = child.Wait()
	}
	s.Cleanup(kill)

	return kill
}

func workUntilKilled(t *testing.T, orders string) {
	t.Helper()

	var v victim
	require.NoError(t, json.Unmarshal([]byte(orders), &v))
	openStudio(t, v).work()
	<-t.Context().Done()
}
