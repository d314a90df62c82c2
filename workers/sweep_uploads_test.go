package workers_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/upload"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit/footage"
	"github.com/reelgraph/reelgraph/workers/housekeeping"
	"github.com/reelgraph/reelgraph/workers/ingest"
)

// arriving returns a source of which content has arrived; nil means nothing. Its size is not recorded, as after a
// crash of the server.
func (s *studio) arriving(content []byte, set func(*ent.SourceCreate)) (src *ent.Source) {
	s.Helper()

	key, err := blob.NewKey("sources", "")
	require.NoError(s, err)

	if content != nil {
		_, err = s.blobs.Append(s.Context(), key, 0, bytes.NewReader(content))
		require.NoError(s, err)
	}

	s.member.Do(s.T, s.store, func(ctx context.Context, c *ent.Client) {
		create := c.Source.Create().SetUserID(s.member.UserID).SetKind(values.SourceKindVideo).SetStatus(values.SourceStatusUploading).
			SetBlobKey(key).SetUploadExpiresAt(s.now().Add(time.Hour))
		set(create)
		src = create.SaveX(ctx)
	})

	return src
}

// live returns a film as a browser records it, in fragments of half a second.
func live(s *studio, frames int) []byte {
	s.Helper()

	path := s.film(footage.Film{Width: 320, Height: 180, Frames: frames, Tone: 440})
	require.NoError(s, s.deps(s.store, s.topics).Engine.Tools.Run(s.Context(), ffmpeg.Command{Args: []string{
		"-i", path, "-c", "copy", "-movflags", "empty_moov+default_base_moof+frag_keyframe", "-frag_duration", "500000", path + ".live.mp4",
	}}))

	content, err := os.ReadFile(path + ".live.mp4")
	require.NoError(s, err)

	return content
}

// webm returns a film as WebM.
func webm(s *studio, frames int) []byte {
	s.Helper()

	path := filepath.Join(s.TempDir(), "film.webm")
	require.NoError(s, footage.Counter(s.Context(), path, footage.Film{
		Frames: frames, Encoder: []string{"-c:v", "libvpx", "-b:v", "150k", "-deadline", "realtime"},
	}))

	content, err := os.ReadFile(path)
	require.NoError(s, err)

	return content
}

func streaming(c *ent.SourceCreate) { c.SetStreaming(true) }

func (s *studio) source(id string) *ent.Source {
	s.Helper()

	src, err := s.store.Client(s.system()).Source.Get(s.system(), id)
	if ent.IsNotFound(err) {
		return nil
	}

	require.NoError(s, err)

	return src
}

func (s *studio) sweep() {
	s.Helper()
	require.NoError(s, (&housekeeping.Sweep{Deps: s.deps(s.store, s.topics)}).Work(s.Context(), &river.Job[jobs.Sweep]{}))
	s.discard()
}

func (s *studio) probe(id string) *ent.Source {
	s.Helper()
	require.NoError(s, (&ingest.Probe{Deps: s.deps(s.store, s.topics)}).Work(s.Context(),
		&river.Job[jobs.Probe]{Args: jobs.Probe{SourceID: id}}))

	return s.source(id)
}

// TestInterruptedRecordingsAreCompleted: a recording that receives no more bytes is never swept. It is completed with
// what arrived, whatever its format, and whether or not its size is known. Other uploads and empty ones are swept as
// before.
func TestInterruptedRecordingsAreCompleted(t *testing.T) {
	t.Parallel()

	s := newStudio(t)
	film, lossy := live(s, 60), webm(s, 60)

	kept := map[string]*ent.Source{
		"screen": s.arriving(film[:len(film)/2], streaming),
		"camera, without a length": s.arriving(lossy[:len(lossy)/2], func(c *ent.SourceCreate) {
			c.SetStreaming(true).SetRole(values.SourceRoleCamera).SetUploadLength(int64(len(film)))
		}),
		"unusable": s.arriving([]byte("no film"), streaming),
	}
	swept := map[string]*ent.Source{
		"no recording":                     s.arriving(film, func(*ent.SourceCreate) {}),
		"nothing came":                     s.arriving(nil, streaming),
		"started, without bytes":           s.arriving([]byte{}, streaming),
		"a part of an upload":              s.arriving(film, func(c *ent.SourceCreate) { c.SetPartial(true) }),
		"a complete part without an owner": s.arriving(film, func(c *ent.SourceCreate) { c.SetPartial(true).SetUploadLength(int64(len(film))) }),
	}

	s.late.Store(int64(23 * time.Hour))
	s.sweep()

	for name, src := range kept {
		require.Equal(t, values.SourceStatusUploading, s.source(src.ID).Status, name)
	}

	s.late.Store(int64(49 * time.Hour))
	s.sweep()
	s.sweep()

	for name, src := range swept {
		require.Nil(t, s.source(src.ID), name)

		n, err := s.blobs.Grown(t.Context(), src.BlobKey)
		require.NoError(t, err)
		require.Zero(t, n, name)
	}

	for name, src := range kept {
		now := s.probe(src.ID)
		require.NotNil(t, now, name)
		require.True(t, s.desk().Interrupted(now), name)
		require.Equal(t, now.Bytes, now.UploadOffset, name)

		if name == "unusable" {
			require.Equal(t, values.SourceStatusFailed, now.Status)
			require.True(t, s.kept(src.BlobKey), "the rest may make it usable")
		} else {
			require.Equal(t, values.SourceStatusReady, now.Status, "%s: %s", name, now.ErrorMessage)
			require.InDelta(t, 1000, now.DurationMs, 700, name)
		}
	}

	s.late.Store(int64(49*time.Hour + upload.ResumableFor))
	s.sweep()

	for name, src := range kept {
		require.Equal(t, name != "unusable", s.kept(src.BlobKey), name)
		require.False(t, s.desk().Interrupted(s.source(src.ID)), name)
	}
}

func (s *studio) desk() upload.Desk {
	return upload.Desk{Blobs: s.blobs, Clock: s.now, Queue: s.queue, Store: s.store, Topics: s.topics}
}

// TestVideosGrowWithTheirRecording: when the rest of an interrupted recording arrives, its videos become longer.
// Their revision does not change, and what was cut off at the end stays cut.
func TestVideosGrowWithTheirRecording(t *testing.T) {
	t.Parallel()

	s := newStudio(t)
	film := live(s, 120)

	half := len(film) / 2
	src := s.arriving(film[:half], streaming)
	require.NoError(t, s.desk().Interrupt(s.system(), src, int64(half)))

	was := s.probe(src.ID)
	require.Equal(t, values.SourceStatusReady, was.Status, was.ErrorMessage)

	cut := values.Cuts{{StartMs: was.DurationMs - 500, EndMs: was.DurationMs}}
	whole := s.shows(was, values.Cuts{})
	trimmed := s.shows(was, cut)

	var open *ent.Source

	s.member.Do(t, s.store, func(ctx context.Context, c *ent.Client) {
		update := c.Source.UpdateOneID(src.ID).SetStatus(values.SourceStatusUploading)
		require.NoError(t, s.desk().Reopened(was, update))
		open = update.SaveX(ctx)
	})
	require.NoError(t, s.desk().Resume(s.system(), open))

	_, err := s.blobs.Append(t.Context(), open.GrowingKey, int64(half), bytes.NewReader(film[half:]))
	require.NoError(t, err)
	require.NoError(t, (&ingest.Look{Deps: s.deps(s.store, s.topics)}).Work(t.Context(), &river.Job[jobs.Look]{Args: jobs.Look{SourceID: src.ID}}))
	require.Equal(t, was.DurationMs, s.source(src.ID).DurationMs, "its videos show what had arrived")

	require.NoError(t, s.desk().Complete(s.system(), open, func(u *ent.SourceUpdate) { u.SetBytes(int64(len(film))) }))

	now := s.probe(src.ID)
	require.Equal(t, values.SourceStatusReady, now.Status, now.ErrorMessage)
	require.InDelta(t, 4000, now.DurationMs, priming)
	require.NotEqual(t, was.Sha256, now.Sha256)
	require.False(t, s.desk().Interrupted(now))

	for v, length := range map[*ent.Video]int64{whole: now.DurationMs, trimmed: was.DurationMs - 500} {
		grown, err := s.store.Client(s.system()).Video.Query().WithClips().All(s.system())
		require.NoError(t, err)

		for _, g := range grown {
			if g.ID != v.ID {
				continue
			}

			require.Equal(t, length, g.DurationMs)
			require.Equal(t, length, g.Edges.Clips[0].DurationMs)
			require.Equal(t, now.DurationMs, g.Edges.Clips[0].RecordingMs)
			require.Equal(t, v.Revision, g.Revision, "growing does not count as an edit")
			require.True(t, g.UpdatedAt.After(v.UpdatedAt))
		}
	}
}

// shows creates a video of one clip of a source.
func (s *studio) shows(src *ent.Source, cuts values.Cuts) (v *ent.Video) {
	s.Helper()

	length := timeline.NewClock(src.DurationMs, cuts).DurationMs()

	s.member.Do(s.T, s.store, func(ctx context.Context, c *ent.Client) {
		v = c.Video.Create().SetUserID(s.member.UserID).SetName("V").SetVisibility(values.VisibilityOrg).SetWidth(1920).SetHeight(1080).
			SetDurationMs(length).SetNextClipNumber(2).SetUpdatedAt(s.now().Add(-time.Minute).UTC().Truncate(time.Millisecond)).
			SetSettings(values.DefaultVideoSettings()).SetEditing(values.DefaultEditing()).SaveX(ctx)
		c.Clip.Create().SetVideo(v).SetName("Clip 1").SetPosition(0).SetScreenSource(src).SetRecordingMs(src.DurationMs).
			SetDurationMs(length).SetCuts(cuts).SetHasMicrophone(false).SetHasSystemAudio(false).
			SetBackground(values.DefaultBackground()).ExecX(ctx)
	})

	return v
}
