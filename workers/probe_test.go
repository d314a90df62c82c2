package workers_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"os"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/engine/probe"
	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit/footage"
	"github.com/reelgraph/reelgraph/workers/ingest"
)

func TestProbeRecordsTheContent(t *testing.T) {
	t.Parallel()

	s := newStudio(t)
	s.work()

	film := s.recorded(footage.Film{Width: 320, Height: 180, Frames: 90, Tone: 440})
	require.Equal(t, 320, film.Width)
	require.Equal(t, 180, film.Height)
	require.EqualValues(t, 3000, film.DurationMs)
	require.Equal(t, 30, film.FpsNum)
	require.Equal(t, 1, film.FpsDen)
	require.True(t, film.HasAudio)
	require.NotNil(t, film.ReadyAt)

	var info probe.Info
	require.NoError(t, json.Unmarshal(film.Probe, &info))
	require.EqualValues(t, 90, info.Video.Frames)

	mouse := s.probed(s.upload(values.SourceKindMouse, []byte(`{"timeMs":5,"xPct":1,"yPct":2,"type":"click"}`+"\n")))
	require.Equal(t, values.SourceStatusReady, mouse.Status)
	require.EqualValues(t, 5, mouse.DurationMs)
}

func TestProbeRejectsBadInput(t *testing.T) {
	t.Parallel()

	s := newStudio(t)
	s.work()
	film, err := os.ReadFile(s.film(footage.Film{Frames: 60}))
	require.NoError(t, err)

	for name, bad := range map[string]struct {
		kind    values.SourceKind
		content []byte
		code    ffmpeg.Code
	}{
		"a text":                {values.SourceKindVideo, []byte("Dear diary, this is no film.\n"), ffmpeg.CodeUnsupported},
		"half an MP4":           {values.SourceKindVideo, film[:len(film)/2], ffmpeg.CodeDamaged},
		"a disguised playlist":  {values.SourceKindVideo, []byte("#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n"), ffmpeg.CodeUnsupported},
		"a PNG bomb":            {values.SourceKindImage, bomb(), ffmpeg.CodeTooLarge},
		"nothing":               {values.SourceKindVideo, nil, ffmpeg.CodeEmpty},
		"a film as mouse data":  {values.SourceKindMouse, film, ffmpeg.CodeMouseEvents},
		"a film without sound ": {values.SourceKindAudio, film, ffmpeg.CodeNoAudio},
	} {
		src := s.probed(s.upload(bad.kind, bad.content))
		require.Equal(t, values.SourceStatusFailed, src.Status, name)
		require.Equal(t, string(bad.code), src.ErrorCode, name)
		require.NotEmpty(t, src.ErrorMessage, name)
		require.Eventually(t, func() bool {
			exists, err := blob.Exists(t.Context(), s.blobs, src.BlobKey)

			return err == nil && !exists
		}, time.Minute, 10*time.Millisecond, "the bytes are deleted")
	}

	s.recorded(footage.Film{Frames: 30})
}

// bomb is a small PNG that claims to hold 2,500 million pixels.
func bomb() []byte {
	var b bytes.Buffer
	b.WriteString("\x89PNG\r\n\x1a\n")

	header := []byte("IHDR\x00\x00\xc3\x50\x00\x00\xc3\x50\x08\x02\x00\x00\x00")
	_ = binary.Write(&b, binary.BigEndian, uint32(13))
	b.Write(header)
	_ = binary.Write(&b, binary.BigEndian, crc32.ChecksumIEEE(header))
	b.WriteString("\x00\x00\x00\x00IEND\xaeB`\x82")

	return b.Bytes()
}

// TestProbeWaitsForStorage: an acknowledged upload survives a storage outage of any length.
func TestProbeWaitsForStorage(t *testing.T) {
	t.Parallel()

	s := newStudio(t)
	film, err := os.ReadFile(s.film(footage.Film{Frames: 30}))
	require.NoError(t, err)

	src := s.upload(values.SourceKindVideo, film)
	w := &ingest.Probe{Deps: s.deps(s.store, s.topics)}
	last := &river.Job[jobs.Probe]{
		JobRow: &rivertype.JobRow{Attempt: 3, MaxAttempts: 3, CreatedAt: s.now()}, Args: jobs.Probe{SourceID: src.ID},
	}

	var snooze *river.JobSnoozeError

	back := s.away()

	require.ErrorAs(t, w.Work(t.Context(), last), &snooze)
	back()
	require.NoError(t, w.Work(t.Context(), last))
	require.Equal(t, values.SourceStatusReady, s.probed(src).Status)

	// A job that has waited for a day fails.
	src = s.upload(values.SourceKindVideo, film)
	last.Args.SourceID, last.CreatedAt = src.ID, s.now().Add(-25*time.Hour)
	back = s.away()

	require.ErrorIs(t, w.Work(t.Context(), last), blob.ErrUnavailable)
	back()
	require.Equal(t, values.SourceStatusFailed, s.probed(src).Status)
}

func TestProbeRetriesThenFails(t *testing.T) {
	t.Parallel()

	s := newStudio(t)
	src := s.upload(values.SourceKindVideo, []byte("x"))
	require.NoError(t, s.blobs.Delete(t.Context(), src.BlobKey))
	w := &ingest.Probe{Deps: s.deps(s.store, s.topics)}
	attempt := func(n int) error {
		return w.Work(t.Context(), &river.Job[jobs.Probe]{
			JobRow: &rivertype.JobRow{Attempt: n, MaxAttempts: 3}, Args: jobs.Probe{SourceID: src.ID},
		})
	}

	require.ErrorIs(t, attempt(2), blob.ErrNotFound)

	src, err := s.store.Client(s.system()).Source.Get(s.system(), src.ID)
	require.NoError(t, err)
	require.Equal(t, values.SourceStatusProcessing, src.Status)

	require.ErrorIs(t, attempt(3), blob.ErrNotFound)

	src = s.probed(src)
	require.Equal(t, values.SourceStatusFailed, src.Status)
	require.Equal(t, "server_error", src.ErrorCode)
	require.NotContains(t, src.ErrorMessage, "blob")

	require.NoError(t, attempt(1), "an ended source stays unchanged")
}
