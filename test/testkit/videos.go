package testkit

import (
	"cmp"
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/transcripts"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// SourceOpts describe a source. The zero value is a ready screen recording of ten seconds that has no sound and no
// stored bytes.
type SourceOpts struct {
	Kind       values.SourceKind
	Role       values.SourceRole
	Status     values.SourceStatus
	Name       string
	DurationMs int64
	HasAudio   bool
}

// NewSource creates a source of the member.
func NewSource(tb testing.TB, s *store.Store, m Member, o SourceOpts) *ent.Source {
	tb.Helper()

	var made *ent.Source

	m.Do(tb, s, func(ctx context.Context, c *ent.Client) {
		made = c.Source.Create().SetUserID(m.UserID).SetName(o.Name).
			SetKind(cmp.Or(o.Kind, values.SourceKindVideo)).
			SetRole(cmp.Or(o.Role, values.SourceRoleScreen)).
			SetAudio(values.SourceAudioSystem).
			SetStatus(cmp.Or(o.Status, values.SourceStatusReady)).
			SetDurationMs(cmp.Or(o.DurationMs, 10_000)).
			SetWidth(1920).SetHeight(1080).SetFpsNum(30).SetHasAudio(o.HasAudio).
			SetSha256("00").SaveX(ctx)
	})

	return made
}

// VideoOpts describe a video. The zero value has one clip of ten seconds and is visible to the workspace.
type VideoOpts struct {
	Name       string
	Visibility values.Visibility
	Settings   *values.VideoSettings
	UpdatedAt  time.Time // default now
	Source     *ent.Source
	Camera     *ent.Source // camera of the clip, with its microphone; nil means none
}

// NewVideo creates a video of the member, with its clip in Edges.Clips.
func NewVideo(tb testing.TB, s *store.Store, m Member, o VideoOpts) *ent.Video {
	tb.Helper()

	if o.Source == nil {
		o.Source = NewSource(tb, s, m, SourceOpts{})
	}

	if o.Settings == nil {
		settings := values.DefaultVideoSettings()
		o.Settings = &settings
	}

	if o.UpdatedAt.IsZero() {
		o.UpdatedAt = time.Now()
	}

	var made *ent.Video

	m.Do(tb, s, func(ctx context.Context, c *ent.Client) {
		made = c.Video.Create().SetUserID(m.UserID).SetName(cmp.Or(o.Name, "A video")).
			SetVisibility(cmp.Or(o.Visibility, values.VisibilityOrg)).
			SetWidth(1920).SetHeight(1080).SetDurationMs(o.Source.DurationMs).SetNextClipNumber(2).
			SetUpdatedAt(o.UpdatedAt.UTC().Truncate(time.Millisecond)).
			SetSettings(*o.Settings).SetEditing(values.DefaultEditing()).SaveX(ctx)

		create := c.Clip.Create().SetVideo(made).SetName("Clip 1").SetPosition(0).SetScreenSource(o.Source).
			SetRecordingMs(o.Source.DurationMs).SetDurationMs(o.Source.DurationMs).SetCuts(values.Cuts{}).
			SetHasMicrophone(false).SetHasSystemAudio(o.Source.HasAudio).
			SetTranscriptStatus(values.TranscriptStatusReady).
			SetBackground(values.DefaultBackground())
		if o.Camera != nil {
			create.SetCameraSource(o.Camera).SetHasMicrophone(o.Camera.HasAudio)
		}

		clip := create.SaveX(ctx)
		made.Edges.Clips = []*ent.Clip{clip}
	})
	require.NotNil(tb, made)

	return made
}

// Words replaces the words of a clip.
func Words(ctx context.Context, db *ent.Client, c *ent.Clip, words ...transcripts.Word) {
	if _, err := transcripts.Replace(ctx, db, c, words, time.Now().UTC().Truncate(time.Millisecond)); err != nil {
		panic(err)
	}
}
