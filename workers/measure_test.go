package workers_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/engine/probe"
	"github.com/reelgraph/reelgraph/internal/extracts"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit/footage"
	"github.com/reelgraph/reelgraph/workers/ingest"
	"github.com/reelgraph/reelgraph/workers/still"
)

// twoSounds records over a minute with two sounds, the first silent.
func twoSounds(s *studio) *ent.Source {
	s.Helper()

	path := filepath.Join(s.TempDir(), "two.mkv")
	require.NoError(s, footage.FFmpeg(s.Context(), nil, nil, "-v", "error",
		"-f", "lavfi", "-i", "color=black:s=64x36:r=1:d=65", "-f", "lavfi", "-i", "anullsrc=r=8000:cl=mono:d=65",
		"-f", "lavfi", "-i", "sine=frequency=300:sample_rate=8000:duration=65",
		"-map", "0", "-map", "1", "-map", "2", "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "flac", path))

	content, err := os.ReadFile(path)
	require.NoError(s, err)

	return s.upload(values.SourceKindVideo, content)
}

func read(s *studio, src *ent.Source) (now *ent.Source, info probe.Info) {
	s.Helper()

	now, err := s.store.Client(s.system()).Source.Get(s.system(), src.ID)
	require.NoError(s, err)
	require.NoError(s, json.Unmarshal(now.Probe, &info))

	return now, info
}

// TestMeasuringComesAfterReady: a long recording is ready before its sound is measured. What needs the measurement
// waits for a running one, or else measures itself.
func TestMeasuringComesAfterReady(t *testing.T) {
	t.Parallel()

	s := newStudio(t)
	deps := s.deps(s.store, s.topics)
	src := twoSounds(s)

	row := &rivertype.JobRow{Attempt: 1, MaxAttempts: 3, CreatedAt: s.now()}
	require.NoError(t, (&ingest.Probe{Deps: deps}).Work(t.Context(), &river.Job[jobs.Probe]{JobRow: row, Args: jobs.Probe{SourceID: src.ID}}))

	src, info := read(s, src)
	require.Equal(t, values.SourceStatusReady, src.Status)
	require.False(t, info.Audio.Measured)
	require.Nil(t, info.Audio.Tracks[0].Silent)
	require.Equal(t, 1, info.Audio.Stream)

	var asked int

	require.NoError(t, s.store.DB.QueryRowContext(t.Context(),
		`SELECT count(*) FROM river_job WHERE kind = 'measure' AND args->>'sourceId' = $1`, src.ID).Scan(&asked))
	require.Equal(t, 1, asked, "with the status change")

	extract := func(kind values.ExtractKind) (*ent.Extract, error) {
		recipe, err := json.Marshal(extracts.Recipe{Kind: kind, SourceID: src.ID, Content: src.Sha256, LengthMs: src.DurationMs, Format: values.StillFormatJPG})
		require.NoError(t, err)

		var wanted *ent.Extract

		s.member.Do(t, s.store, func(ctx context.Context, c *ent.Client) {
			wanted = c.Extract.Create().SetWorkspaceID(src.WorkspaceID).SetSubjectID(src.ID).SetKey(string(kind)).SetRecipe(recipe).SaveX(ctx)
		})

		err = (&still.Extract{Deps: deps}).Work(t.Context(), &river.Job[jobs.Extract]{JobRow: row, Args: jobs.Extract{ExtractID: wanted.ID}})
		now, failed := s.store.Client(s.system()).Extract.Get(s.system(), wanted.ID)
		require.NoError(t, failed)

		return now, err
	}

	release, taken, err := deps.Locks.TrySlot(t.Context(), "measure/"+src.ID, 1)
	require.NoError(t, err)
	require.True(t, taken)

	var snooze *river.JobSnoozeError

	still, err := extract(values.ExtractStill)
	require.NoError(t, err, "a picture does not wait for the measurement")
	require.Equal(t, values.ExtractStatusReady, still.Status)

	waveform, err := extract(values.ExtractWaveform)
	require.ErrorAs(t, err, &snooze)
	require.Equal(t, values.ExtractStatusPending, waveform.Status)

	measure := &river.Job[jobs.Measure]{JobRow: row, Args: jobs.Measure{SourceID: src.ID}}
	require.ErrorAs(t, (&ingest.Measure{Deps: deps}).Work(t.Context(), measure), &snooze)

	release()

	silences, err := extract(values.ExtractSilences)
	require.NoError(t, err, "it measures by itself")
	require.Equal(t, values.ExtractStatusReady, silences.Status)

	src, info = read(s, src)
	require.True(t, info.Audio.Measured)
	require.Equal(t, 2, info.Audio.Stream, "the second sound is played")
	require.True(t, *info.Audio.Tracks[0].Silent)
	require.False(t, *info.Audio.Tracks[1].Silent)

	probe := string(src.Probe)

	require.NoError(t, (&ingest.Measure{Deps: deps}).Work(t.Context(), measure))

	src, _ = read(s, src)
	require.Equal(t, probe, string(src.Probe), "nothing is left to measure")
}
