package workers_test

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit/footage"
	"github.com/reelgraph/reelgraph/workers/ingest"
)

// awaiting creates a video of one clip whose recordings are still arriving.
func (s *studio) awaiting(screen, camera *ent.Source, offsets values.Offsets) (v *ent.Video) {
	s.Helper()

	s.member.Do(s.T, s.store, func(ctx context.Context, c *ent.Client) {
		v = c.Video.Create().SetUserID(s.member.UserID).SetName("V").SetVisibility(values.VisibilityOrg).SetWidth(1920).SetHeight(1080).
			SetSizeAwaited(true).SetNextClipNumber(2).SetUpdatedAt(s.now().Add(-time.Minute).UTC().Truncate(time.Millisecond)).
			SetSettings(values.DefaultVideoSettings()).SetEditing(values.DefaultEditing()).SaveX(ctx)
		c.Clip.Create().SetVideo(v).SetName("Clip 1").SetPosition(0).SetScreenSource(screen).SetCameraSource(camera).SetOffsets(offsets).
			SetRecordingMs(0).SetDurationMs(0).SetCuts(values.Cuts{}).SetHasMicrophone(false).SetHasSystemAudio(false).
			SetBackground(values.DefaultBackground()).ExecX(ctx)
	})

	return v
}

// settled returns the current clip of a video, with the video.
func (s *studio) settled(v *ent.Video) *ent.Clip {
	s.Helper()

	now, err := s.store.Client(s.system()).Video.Query().WithClips().All(s.system())
	require.NoError(s, err)

	for _, one := range now {
		if one.ID == v.ID {
			one.Edges.Clips[0].Edges.Video = one

			return one.Edges.Clips[0]
		}
	}

	require.Fail(s, "no such video")

	return nil
}

// whole uploads a complete film that is not probed yet.
func whole(s *studio, f footage.Film) *ent.Source {
	s.Helper()

	content, err := os.ReadFile(s.film(f))
	require.NoError(s, err)

	src := s.arriving(content, streaming)
	require.NoError(s, s.desk().Complete(s.system(), src, func(u *ent.SourceUpdate) { u.SetBytes(int64(len(content))) }))

	return src
}

// TestClipsSettle: two recordings that become ready at the same moment settle their clip exactly once.
func TestClipsSettle(t *testing.T) {
	t.Parallel()

	s := newStudio(t)
	screen, camera := whole(s, footage.Film{Width: 640, Height: 360, Frames: 60, Tone: 440}), whole(s, footage.Film{Frames: 90})
	v := s.awaiting(screen, camera, values.Offsets{Camera: values.Offset{Ms: 500, Given: true}})

	both := make(chan error, 2)

	for _, src := range []*ent.Source{screen, camera} {
		go func() {
			both <- (&ingest.Probe{Deps: s.deps(s.store, s.topics)}).Work(s.Context(),
				&river.Job[jobs.Probe]{Args: jobs.Probe{SourceID: src.ID}})
		}()
	}

	require.NoError(t, errors.Join(<-both, <-both))

	c := s.settled(v)
	require.EqualValues(t, 3_500, c.RecordingMs)
	require.EqualValues(t, 3_500, c.DurationMs)
	require.True(t, c.HasSystemAudio)
	require.False(t, c.HasMicrophone)
	require.Equal(t, values.TranscriptStatusPending, c.TranscriptStatus)
	require.EqualValues(t, 3_500, c.Edges.Video.DurationMs)
	require.Equal(t, [2]int{640, 360}, [2]int{c.Edges.Video.Width, c.Edges.Video.Height})
	require.False(t, c.Edges.Video.SizeAwaited)
	require.Zero(t, c.Edges.Video.Revision, "settling does not count as an edit")
	require.True(t, c.Edges.Video.UpdatedAt.After(v.UpdatedAt))

	for _, kind := range []string{"transcribe", "posters"} {
		var queued int
		require.NoError(t, s.store.DB.QueryRow(`SELECT count(*) FROM river_job WHERE kind = $1`, kind).Scan(&queued))
		require.Equal(t, 1, queued, kind)
	}
}

// TestClipsSettleWithoutFailedRecordings: a failed recording is left out. Without the screen, time starts with the camera.
// Without any picture, the clip gets no length and its transcript fails.
func TestClipsSettleWithoutFailedRecordings(t *testing.T) {
	t.Parallel()

	s := newStudio(t)
	broken := func() *ent.Source {
		src := s.arriving([]byte("this is no film"), streaming)
		require.NoError(t, s.desk().Complete(s.system(), src, func(u *ent.SourceUpdate) { u.SetBytes(15) }))

		return src
	}
	offsets := values.Offsets{Camera: values.Offset{Ms: 500, Given: true}}

	film, bad := whole(s, footage.Film{Frames: 60}), broken()
	withoutCamera := s.awaiting(film, bad, offsets)
	withoutScreen := s.awaiting(bad, film, offsets)
	nothing := s.awaiting(bad, broken(), offsets)

	s.probe(bad.ID)
	require.Zero(t, s.settled(withoutCamera).RecordingMs)
	s.probe(film.ID)
	s.probe(*s.settled(nothing).CameraSourceID)

	c := s.settled(withoutCamera)
	require.EqualValues(t, 2_000, c.RecordingMs)
	require.Equal(t, &film.ID, c.ScreenSourceID)
	require.Nil(t, c.CameraSourceID)

	c = s.settled(withoutScreen)
	require.EqualValues(t, 2_000, c.RecordingMs, "its offset was relative to the screen")
	require.Nil(t, c.ScreenSourceID)
	require.Equal(t, values.TranscriptStatusReady, c.TranscriptStatus, "without sound the transcript is empty")

	c = s.settled(nothing)
	require.Zero(t, c.RecordingMs)
	require.Equal(t, values.TranscriptStatusFailed, c.TranscriptStatus)
	require.NotEmpty(t, c.TranscriptError)
}

// TestClipsSettleWithoutMissingUploads: an upload that never received anything is swept, and the clip settles without
// it.
func TestClipsSettleWithoutMissingUploads(t *testing.T) {
	t.Parallel()

	s := newStudio(t)
	film := whole(s, footage.Film{Frames: 60})

	var never *ent.Source

	s.member.Do(t, s.store, func(ctx context.Context, c *ent.Client) {
		never = c.Source.Create().SetUserID(s.member.UserID).SetKind(values.SourceKindVideo).SetStreaming(true).
			SetUploadExpiresAt(s.now().Add(-48 * time.Hour)).SaveX(ctx)
	})

	v := s.awaiting(film, never, values.Offsets{})
	s.probe(film.ID)
	require.Zero(t, s.settled(v).RecordingMs)

	s.sweep()
	require.EqualValues(t, 2_000, s.settled(v).RecordingMs)
	require.Nil(t, s.settled(v).CameraSourceID)
}
