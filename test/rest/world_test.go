package rest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/webhookdelivery"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/transcripts"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/webhook/event"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// world is a workspace with data in every state that reads distinguish.
type world struct {
	owner, guest testkit.Member
	videos       []*ent.Video
	sources      []*ent.Source
	endpoint     string
	message      string
}

func settle(t *testing.T, s *api.Server) *world {
	t.Helper()

	w := &world{owner: testkit.NewMember(t, s.Store, testkit.MemberOpts{})}
	w.guest = testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: w.owner.WorkspaceID, Role: auth.RoleViewer})

	for _, status := range values.SourceStatus("").Values() {
		for _, kind := range values.SourceKind("").Values() {
			w.sources = append(w.sources, testkit.NewSource(t, s.Store, w.owner, testkit.SourceOpts{
				Kind: values.SourceKind(kind), Status: values.SourceStatus(status), Name: status + " " + kind, HasAudio: kind == "audio",
			}))
		}
	}

	made := s.Call(t, w.owner.Key, http.MethodPost, "/v1/webhooks/endpoints", `{"url":"https://hooks.example/","filterTypes":["video.created"]}`)
	w.endpoint = strings.Split(made.Body, `"`)[3]
	w.deliver(t, s)
	w.owner.Do(t, s.Store, func(ctx context.Context, db *ent.Client) {
		db.WebhookEndpoint.Create().SetUserID(w.owner.UserID).SetURL("https://bare.example/").SetSecretSealed([]byte{}).
			SetDisabled(true).SetDisabledReason("All deliveries failed for 5 days.").ExecX(ctx)
	})

	w.owner.Do(t, s.Store, func(ctx context.Context, db *ent.Client) {
		declared := db.Source.Create().SetUserID(w.owner.UserID).SetKind(values.SourceKindVideo).SetFpsNum(30_000).SetFpsDen(1001).
			SetStatus(values.SourceStatusFailed).SetErrorCode("unreadable").SetErrorMessage("No video was found.").SaveX(ctx)
		w.sources = append(w.sources, declared)

		for _, open := range []bool{false, true} {
			w.videos = append(w.videos, w.plain(ctx, db, open), w.rich(ctx, db, open))
		}
	})

	return w
}

func (w *world) video(db *ent.Client, open bool) *ent.VideoCreate {
	settings := values.DefaultVideoSettings()
	settings.DownloadsEnabled = open

	return db.Video.Create().SetUserID(w.owner.UserID).SetName("A video").SetWidth(1920).SetHeight(1080).
		SetSettings(settings).SetEditing(values.DefaultEditing())
}

// plain creates a video with as little as possible.
func (w *world) plain(ctx context.Context, db *ent.Client, open bool) *ent.Video {
	v := w.video(db, open).SetDurationMs(1001).SaveX(ctx)
	v.Edges.Clips = []*ent.Clip{
		db.Clip.Create().SetVideo(v).SetName("SCREEN").SetPosition(0).SetScreenSource(w.sources[0]).SetRecordingMs(1001).
			SetDurationMs(1001).SetCuts(values.Cuts{}).SetHasMicrophone(false).SetHasSystemAudio(false).
			SetTranscriptStatus(values.TranscriptStatusFailed).SetBackground(values.DefaultBackground()).SaveX(ctx),
	}

	return v
}

// rich creates a video with data everywhere.
func (w *world) rich(ctx context.Context, db *ent.Client, open bool) *ent.Video {
	half, two, border, corners := 0.5, 2.0, values.BorderStyleSolidShadowLeft, values.CornersSquircle
	settings := values.DefaultVideoSettings()
	settings.LinkScope, settings.CustomThumbnailURL, settings.DownloadsEnabled = values.LinkScopePassword, "https://img.example/a.png", open
	settings.AllowedEmbedDomains = []string{"a.example", "b.example"}

	editing := values.DefaultEditing()
	editing.StudioSound, editing.ClipTransition, editing.MicrophoneVolume = true, values.VideoTransitionSmooth, 1.25

	v := w.video(db, open).SetName("RICH <&> \u2028").SetDescription("READY").SetWidth(1080).SetHeight(1920).SetRevision(7).SetViews(3).
		SetSettings(settings).SetEditing(editing).SetPasswordHash("x").
		SetBackgroundMusic(&values.BackgroundMusic{SourceID: w.sources[1].ID, Name: "Song", Volume: 0.2}).SaveX(ctx)

	clip := func(position int, cuts values.Cuts) *ent.ClipCreate {
		length := timeline.NewClock(10_000, cuts).DurationMs()

		return db.Clip.Create().SetVideo(v).SetName(fmt.Sprint("Clip ", position+1)).SetPosition(position).SetRecordingMs(10_000).
			SetDurationMs(length).SetCuts(cuts).SetBackground(values.DefaultBackground()).SetTranscriptStatus(values.TranscriptStatusReady)
	}

	cut := values.Cuts{{StartMs: 1000, EndMs: 2000}, {StartMs: 3000, EndMs: 3001}}
	v.Edges.Clips = []*ent.Clip{
		clip(0, cut).SetScreenSource(w.sources[0]).SetCameraSource(w.sources[0]).SetHasMicrophone(true).SetHasSystemAudio(true).
			SetMicrophoneVolume(half).SetBorderStyle(border).SetCorners(corners).SetAnimatedCursor(true).SetTranscriptLanguage("en").
			SetCrop(&values.CropBox{XPct: 1, YPct: 2.5, WidthPct: 50, HeightPct: 60}).SetTransition(values.ClipTransitionHardCut).
			SetBackground(values.Background{Type: values.BackgroundTypeGradient, GradientAngle: 45, GradientColor1: "#00000000", GradientColor2: "#FFFFFFFF"}).
			SaveX(ctx),
		clip(1, nil).SetCameraSource(w.sources[0]).SetHasMicrophone(true).SetHasSystemAudio(false).SetStudioSoundOff(true).
			SetBackground(values.Background{Type: values.BackgroundTypeImage, SourceID: w.sources[2].ID}).SaveX(ctx),
		clip(2, nil).SetScreenSource(w.sources[0]).SetHasMicrophone(false).SetHasSystemAudio(true).SetSystemAudioVolume(two).
			SetBackground(values.Background{Type: values.BackgroundTypeVideo, SourceID: w.sources[0].ID, VideoDurationMs: 1234}).SaveX(ctx),
		clip(3, nil).SetScreenSource(w.sources[0]).SetHasMicrophone(false).SetHasSystemAudio(false).
			SetBackground(values.Background{Type: values.BackgroundTypeShaderGradient, GradientColor1: "#00000000", GradientColor2: "#FFFFFFFF"}).SaveX(ctx),
	}

	for i, at := range []int64{0, 1500, 1999, 5000} { // two at one join
		for n, c := range v.Edges.Clips[:2] {
			db.Chapter.Create().SetVideo(v).SetClipID(c.ID).SetAtMs(at).SetTitle(fmt.Sprint("PART ", n, ".", i)).SetDescription("").ExecX(ctx)
		}
	}

	w.exports(ctx, db, v)
	w.words(ctx, db, v.Edges.Clips[0])

	for _, visibility := range []values.Visibility{values.VisibilityOrg, values.VisibilityPersonal} {
		list := db.Playlist.Create().SetUserID(w.owner.UserID).SetName("P").SetVisibility(visibility).SaveX(ctx)
		db.PlaylistVideo.Create().SetPlaylist(list).SetVideo(v).SetPosition(0).ExecX(ctx)
	}

	return v
}

// words adds words that are visible, partly cut, fully cut, corrected and hidden.
func (w *world) words(ctx context.Context, db *ent.Client, c *ent.Clip) {
	var words []transcripts.Word

	for i, at := range []int64{0, 900, 1200, 1900, 2500, 3000, 5000} {
		word := transcripts.Word{Text: fmt.Sprint("WORD", i), StartMs: at, EndMs: at + 300, Hidden: i == 4}
		if i == 6 {
			word.Corrected, word.EndMs = "end.", at
		}

		words = append(words, word)
	}

	testkit.Words(ctx, db, c, words...)
}

// exports adds an export in each state and for each option.
func (w *world) exports(ctx context.Context, db *ent.Client, v *ent.Video) {
	statuses, speeds := values.ExportStatus("").Values(), values.Speed("").Values()
	granularities := slices.Sorted(maps.Keys(map[string]bool{"story": true, "scenes": true, "raw": true}))

	for i, speed := range speeds {
		status := values.ExportStatus(statuses[i%len(statuses)])
		create := db.Export.Create().SetVideo(v).SetUserID(w.owner.UserID).SetStatus(status).SetSpeed(values.Speed(speed)).
			SetGranularity(values.Granularity(granularities[i%3])).SetResolution([]values.Resolution{values.ResolutionP1080, values.Resolution4K}[i%2]).
			SetFps([]values.FPS{values.FPS30, values.FPS60}[i%2]).SetSubtitles(i%2 == 0).SetRevision(int64(i)).SetPlan(json.RawMessage(`{}`)).
			SetPlanHash(ids.New(ids.Export)).SetProgress(i * 10)

		if status == values.ExportStatusFailed {
			create.SetErrorCode("source_gone").SetErrorMessage("The source is gone.")
		}

		v.Edges.Exports = append(v.Edges.Exports, create.SaveX(ctx))
	}
}

// deliver sends a sample with an attempt of every outcome, and one without attempts.
func (w *world) deliver(t *testing.T, s *api.Server) {
	t.Helper()

	w.owner.Do(t, s.Store, func(ctx context.Context, db *ent.Client) {
		to := db.WebhookEndpoint.GetX(ctx, w.endpoint)

		for _, kind := range []values.EventType{values.EventTypeVideoCreated, values.EventTypeExportFailed} {
			sent, err := s.Resolver.Jobs.Send(ctx, event.Sample(kind), to)
			require.NoError(t, err)

			w.message = sent.ID
		}

		delivery := db.WebhookDelivery.Query().Where(webhookdelivery.MessageID(w.message)).OnlyX(ctx)
		at := time.Date(2026, 2, 3, 4, 0, 0, 0, time.UTC)

		for i, fault := range append(values.AttemptError("").Values(), "") {
			a := db.WebhookAttempt.Create().SetDelivery(delivery).SetAttempt(i + 1).SetDurationMs(int64(i)).SetSentAt(at.Add(time.Duration(i) * time.Minute))

			if fault == "" {
				a.SetStatus(values.AttemptStatusSucceeded).SetResponseStatus(200).SetResponseBody("thanks").ExecX(ctx)
			} else {
				a.SetStatus(values.AttemptStatusFailed).SetError(values.AttemptError(fault)).SetNextAttemptAt(at.Add(time.Hour)).ExecX(ctx)
			}
		}
	})
}
