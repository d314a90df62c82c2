package exhaustive_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/clip"
	"github.com/reelgraph/reelgraph/ent/playlist"
	"github.com/reelgraph/reelgraph/ent/playlistvideo"
	"github.com/reelgraph/reelgraph/ent/video"
	"github.com/reelgraph/reelgraph/ent/webhookdelivery"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/transcripts"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/webhook/event"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// crowd creates n videos with a few parts each; the last one has more than n parts of each kind.
func crowd(t *testing.T, s *api.Server, m testkit.Member, n int) string {
	t.Helper()

	source := testkit.NewSource(t, s.Store, m, testkit.SourceOpts{HasAudio: true})
	camera := testkit.NewSource(t, s.Store, m, testkit.SourceOpts{Role: values.SourceRoleCamera})
	mouse := pointed(t, s, m, n)

	gather(t, s, m, n)

	for range n {
		testkit.NewSource(t, s.Store, m, testkit.SourceOpts{})
	}

	// Each recording has n sound tracks.
	probe := `{"audio":{"channels":1,"tracks":[` + strings.TrimSuffix(strings.Repeat(`{"channels":1},`, n), ",") + `]}}`
	_, err := s.Store.DB.ExecContext(t.Context(), "UPDATE sources SET probe = $1 WHERE workspace_id = $2", probe, m.WorkspaceID)
	require.NoError(t, err)

	people := make([]testkit.Member, n)
	for i := range people {
		people[i] = testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: m.WorkspaceID})
	}

	var last *ent.Video

	m.Do(t, s.Store, func(ctx context.Context, db *ent.Client) {
		send(ctx, t, s, db, m, n)

		list := db.Playlist.Create().SetUserID(m.UserID).SetName("P").SetVisibility(values.VisibilityOrg).SaveX(ctx)

		for i := range n {
			parts := 2
			if i == n-1 {
				parts = n + 1 // one more, for the page after the first item
			}

			settings := values.DefaultVideoSettings()
			settings.DownloadsEnabled = i == n-1 // the others need a lookup of rights

			last = db.Video.Create().SetUserID(m.UserID).SetName(fmt.Sprint("Video ", i)).SetWidth(1920).SetHeight(1080).
				SetSettings(settings).SetEditing(values.DefaultEditing()).SaveX(ctx)
			db.PlaylistVideo.Create().SetPlaylist(list).SetVideo(last).SetPosition(i).ExecX(ctx)

			for part := range parts {
				addParts(ctx, db, m, last, []*ent.Source{source, camera, mouse}, part)
			}
		}

		shelve(ctx, db, m, list, people)
		watch(ctx, t, db, m)
		trash(ctx, db, m, source, n)
	})

	return last.ID
}

// fillUp gives every clip of a workspace a cut, a word, and an effect of each kind that it lacks. It adds n more of
// each to the first clip of a video, n view origins and n playlists to the workspace, and n backgrounds of each kind to
// the catalog.
func fillUp(t *testing.T, s *api.Server, m testkit.Member, video string, n int) {
	t.Helper()

	m.Do(t, s.Store, func(ctx context.Context, db *ent.Client) {
		film := testkit.NewSource(t, s.Store, m, testkit.SourceOpts{HasAudio: true})
		params := map[values.EffectKind]values.EffectParams{
			values.EffectKindLayout:      {Layout: &values.LayoutParams{Shape: values.LayoutShape{Kind: values.LayoutKindFullscreen}}},
			values.EffectKindZoom:        {Zoom: &values.ZoomParams{Type: values.ZoomTypeManualZoom, Scale: 2, Focus: &values.Point{}}},
			values.EffectKindHighlight:   {Mask: &values.MaskParams{Dimensions: values.Extent{WidthPct: 10, HeightPct: 10}}},
			values.EffectKindTextOverlay: {Text: &values.TextParams{Text: "x", TextStyle: values.TextStyle{Background: values.Transparent}}},
			values.EffectKindSoundEffect: {Sound: &values.SoundParams{Name: "x", Volume: 1}},
		}

		for _, c := range db.Clip.Query().AllX(ctx) {
			times := 1
			if c.VideoID == video && c.Position == 0 {
				times += n
			}

			var (
				effects []*ent.EffectCreate
				words   = []transcripts.Word{{Text: "hello", EndMs: 100}, {Text: "world", StartMs: 100, EndMs: 200}}
				cuts    values.Cuts
			)

			for i := range int64(times) {
				for kind, p := range params {
					one := db.Effect.Create().SetClip(c).SetKind(kind).SetStartMs(20 * i).SetEndMs(20*i + 10).SetParams(p)
					if kind == values.EffectKindSoundEffect {
						one.SetSource(film)
					}

					effects = append(effects, one)
				}

				words = append(words, transcripts.Word{Text: "w", StartMs: 300 + 10*i, EndMs: 310 + 10*i})
				cuts = append(cuts, values.SpanOf(5000+10*i, 5))
			}

			db.Effect.CreateBulk(effects...).ExecX(ctx)
			testkit.Words(ctx, db, c, words...)
			c.Update().SetCuts(cuts).ExecX(ctx)
		}

		group := db.PlaylistGroup.Create().SetUserID(m.UserID).SetName("G").SetPosition(n).SetVisibility(values.VisibilityOrg).SaveX(ctx)
		longest := db.Playlist.Query().Where(playlist.HasPlaylistVideosWith(playlistvideo.VideoID(video))).Order(ent.Asc(playlist.FieldID)).FirstX(ctx)
		longest.Update().SetGroup(group).ExecX(ctx)

		for i := range n {
			db.Playlist.Create().SetUserID(m.UserID).SetName("P").SetVisibility(values.VisibilityOrg).SetGroup(group).
				SetUpdatedAt(time.Now().UTC().Truncate(time.Millisecond).Add(-time.Hour)).ExecX(ctx) // after those with videos

			for _, kind := range []values.CatalogType{values.CatalogTypeBackground, values.CatalogTypeAnimatedBackground} {
				db.CatalogItem.Create().SetID(fmt.Sprint(kind, n, i)).SetType(kind).SetName("B").SetRecipeHash("x").SetBlobKey("x").SetPreviewKey("x").
					SetWidth(16).SetHeight(9).SetDurationMs(0).SetPosition(i).ExecX(ctx)
			}
		}

		_, err := db.ExecContext(ctx, `
INSERT INTO view_places (workspace_id, subject, kind, level, at, place, views, sessions)
SELECT $1::text, subject, kind, 2, date_trunc('day', now()) - interval '64 days', 'place ' || i, 1, 1
FROM unnest(ARRAY[$1::text, $2]) subject, unnest(ARRAY['country', 'referrer']) kind, generate_series(1, $3::int) i`, m.WorkspaceID, video, n)
		require.NoError(t, err)

		_, err = db.ExecContext(ctx, `
INSERT INTO view_slices (workspace_id, subject, level, at, watches, viewers)
SELECT $1::text, subject, 2, date_trunc('day', now()) - interval '64 days', 1, 1 FROM unnest(ARRAY[$1::text, $2]) subject`, m.WorkspaceID, video)
		require.NoError(t, err)
	})
}

// watch gives the workspace and each of its videos a view from some weeks ago.
func watch(ctx context.Context, t *testing.T, db *ent.Client, m testkit.Member) {
	t.Helper()

	_, err := db.ExecContext(ctx, `
INSERT INTO view_totals (workspace_id, subject, level, at, opens, views, watched_ms, sessions, watching, completed, share)
SELECT $1::text, subject, level, date_trunc('day', now()) - interval '64 days', 1, 1, 1000, 1, 1, 0, 500000000000000
FROM (SELECT $1::text UNION SELECT id FROM videos WHERE workspace_id = $1) s(subject), generate_series(0, 2) level`, m.WorkspaceID)
	require.NoError(t, err)
}

// trash creates n videos in the trash, each with a clip.
func trash(ctx context.Context, db *ent.Client, m testkit.Member, source *ent.Source, n int) {
	for i := range n {
		v := db.Video.Create().SetUserID(m.UserID).SetName(fmt.Sprint("Trashed ", i)).SetWidth(1920).SetHeight(1080).
			SetSettings(values.DefaultVideoSettings()).SetEditing(values.DefaultEditing()).SaveX(ctx)
		db.Clip.Create().SetVideo(v).SetName("Clip 1").SetPosition(0).SetScreenSource(source).SetRecordingMs(10_000).SetDurationMs(10_000).
			SetCuts(values.Cuts{}).SetHasMicrophone(false).SetHasSystemAudio(true).SetBackground(values.DefaultBackground()).ExecX(ctx)
		v.Update().SetTrashedAt(time.Now().UTC().Truncate(time.Millisecond)).ExecX(ctx)
	}
}

// shelve creates a tag, a collaborator and a playlist with its own group for each person. It puts some of each on every
// video and all on the last.
func shelve(ctx context.Context, db *ent.Client, m testkit.Member, whole *ent.Playlist, people []testkit.Member) {
	videos := whole.QueryPlaylistVideos().QueryVideo().Order(ent.Asc(video.FieldID)).AllX(ctx)

	for i, person := range people {
		tag := db.Tag.Create().SetUserID(m.UserID).SetName(fmt.Sprint("Tag ", i)).SetNameKey(fmt.Sprint("tag ", i)).SetColor("#000000FF").SaveX(ctx)
		group := db.PlaylistGroup.Create().SetUserID(m.UserID).SetName("G").SetPosition(i).SetVisibility(values.VisibilityOrg).SaveX(ctx)
		list := db.Playlist.Create().SetUserID(m.UserID).SetName("P").SetVisibility(values.VisibilityOrg).SetGroup(group).SaveX(ctx)

		for n, v := range videos {
			if n == len(videos)-1 || i < 2 {
				db.VideoTag.Create().SetVideo(v).SetTag(tag).ExecX(ctx)
				db.Collaborator.Create().SetVideo(v).SetUserID(person.UserID).SetRole(values.CollaboratorRoleEditor).ExecX(ctx)
			}

			if n < 2 || n == len(videos)-1 {
				db.PlaylistVideo.Create().SetPlaylist(list).SetVideo(v).SetPosition(n).ExecX(ctx)
			}
		}
	}
}

// send creates n messages for each of two endpoints of a person, a few delivery attempts, and n more attempts for one
// message. n more endpoints get one message.
func send(ctx context.Context, t *testing.T, s *api.Server, db *ent.Client, m testkit.Member, n int) {
	t.Helper()

	var to []*ent.WebhookEndpoint

	for range 2 {
		to = append(to, db.WebhookEndpoint.Create().SetUserID(m.UserID).SetURL("https://hooks.example/").SetSecretSealed([]byte{}).SaveX(ctx))
	}

	var more []*ent.WebhookEndpoint

	for range n {
		more = append(more, db.WebhookEndpoint.Create().SetUserID(m.UserID).SetURL("https://hooks.example/").SetSecretSealed([]byte{}).SaveX(ctx))
	}

	_, err := s.Resolver.Jobs.Send(ctx, event.Sample(values.EventTypeVideoCreated), more...)
	require.NoError(t, err)

	for range n {
		_, err := s.Resolver.Jobs.Send(ctx, event.Sample(values.EventTypeVideoCreated), to...)
		require.NoError(t, err)
	}

	attempts := 3 + n

	for _, d := range db.WebhookDelivery.Query().Order(ent.Desc(webhookdelivery.FieldID)).AllX(ctx) {
		for i := range attempts {
			db.WebhookAttempt.Create().SetDelivery(d).SetAttempt(i + 1).SetDurationMs(1).SetSentAt(time.Now().UTC().Truncate(time.Millisecond)).SetStatus(values.AttemptStatusSucceeded).ExecX(ctx)
		}

		attempts = 3
	}
}

// gather gives a person n keys, n sessions, n personal and n shared library pictures, and n workspaces with three
// members each. It adds n members to the workspace.
func gather(t *testing.T, s *api.Server, m testkit.Member, n int) {
	t.Helper()

	picture := testkit.NewSource(t, s.Store, m, testkit.SourceOpts{Kind: values.SourceKindImage})

	require.NoError(t, s.Store.InTx(auth.AsSystem(context.Background()), func(ctx context.Context) error {
		db := s.Store.Client(ctx)
		join := func(workspace string) {
			u := db.User.Create().SetEmail(ids.New(ids.User) + "@example.test").SaveX(ctx)
			db.Membership.Create().SetWorkspaceID(workspace).SetUserID(u.ID).ExecX(ctx)
		}

		for i := range n {
			hash := auth.HashKey(fmt.Sprint(m.UserID, i))
			db.APIKey.Create().SetWorkspaceID(m.WorkspaceID).SetUserID(m.UserID).SetName("k").SetHash(hash).SetLast4("last").ExecX(ctx)
			db.Session.Create().SetWorkspaceID(m.WorkspaceID).SetUserID(m.UserID).SetTokenHash(hash).SetExpiresAt(time.Now().Add(time.Hour)).ExecX(ctx)

			email := fmt.Sprintf("invited%d@example.test", i)
			db.Invitation.Create().SetWorkspaceID(m.WorkspaceID).SetEmail(email).SetAddress(email).SetInviterID(m.UserID).
				SetExpiresAt(time.Now().Add(time.Hour)).ExecX(ctx)
			join(m.WorkspaceID)

			for _, scope := range []values.LibraryScope{values.LibraryScopePrivate, values.LibraryScopeWorkspace} {
				db.LibraryItem.Create().SetWorkspaceID(m.WorkspaceID).SetUserID(m.UserID).SetSource(picture).SetScope(scope).
					SetType(values.LibraryTypeImage).SetName("P").ExecX(ctx)
			}

			w := db.Workspace.Create().SetName("W").SaveX(ctx)
			db.Membership.Create().SetWorkspaceID(w.ID).SetUserID(m.UserID).ExecX(ctx)
			join(w.ID)
			join(w.ID)
		}

		return nil
	}))
}

// pointed creates a pointer recording with n events.
func pointed(t *testing.T, s *api.Server, m testkit.Member, n int) *ent.Source {
	t.Helper()

	events := &strings.Builder{}
	for i := range n {
		fmt.Fprintf(events, `{"timeMs":%d,"xPct":1,"yPct":2,"type":"click"}`+"\n", i)
	}

	mouse := testkit.NewSource(t, s.Store, m, testkit.SourceOpts{Kind: values.SourceKindMouse})
	_, err := s.Resolver.Blobs.Put(t.Context(), mouse.ID, strings.NewReader(events.String()))
	require.NoError(t, err)

	m.Do(t, s.Store, func(ctx context.Context, db *ent.Client) {
		mouse = db.Source.UpdateOne(mouse).SetBlobKey(mouse.ID).SaveX(ctx)
	})

	return mouse
}

// addParts creates a clip with screen, camera and pointer and a few parts, and a few parts of a video.
func addParts(ctx context.Context, db *ent.Client, m testkit.Member, v *ent.Video, of []*ent.Source, part int) {
	source := of[0]
	made := db.Clip.Create().SetVideo(v).SetName(fmt.Sprint("Clip ", part+1)).SetPosition(part).SetScreenSource(source).SetCameraSource(of[1]).SetMouseSource(of[2]).
		SetRecordingMs(10_000).SetDurationMs(10_000).SetCuts(values.Cuts{}).SetHasMicrophone(false).SetHasSystemAudio(true).
		SetTranscriptStatus(values.TranscriptStatusReady).SetBackground(values.Background{Type: values.BackgroundTypeImage, SourceID: source.ID}).SaveX(ctx)
	addEffects(ctx, db, made, source, part)

	testkit.Words(ctx, db, made, transcripts.Word{Text: "hello", EndMs: 100}, transcripts.Word{Text: "world", StartMs: 100, EndMs: 200})

	db.Chapter.Create().SetVideo(v).SetClip(made).SetAtMs(500).SetTitle(made.Name).ExecX(ctx)
	asked := db.Comment.Create().SetVideo(v).SetUserID(m.UserID).SetAuthor("A").SetBody("b").SetAtMs(5).SetEditedAt(time.Now()).
		SetResolvedAt(time.Now()).SetResolvedByID(m.UserID).SetResolvedBy("A").SaveX(ctx)
	db.Comment.Create().SetVideo(v).SetAuthor("Visitor").SetBody("c").SetReplyTo(asked).ExecX(ctx)
	db.Export.Create().SetVideo(v).SetUserID(m.UserID).SetGranularity(values.GranularityStory).SetResolution(values.ResolutionP1080).
		SetFps(values.FPS30).SetSpeed(values.Speed1).SetSubtitles(false).SetRevision(int64(part)).SetPlan(json.RawMessage(`{}`)).
		SetPlanHash(ids.New(ids.Export)).ExecX(ctx)
}

// addEffects adds a blur and a media overlay to a clip, and to the first clip of a video as many as the video has
// clips.
func addEffects(ctx context.Context, db *ent.Client, c *ent.Clip, source *ent.Source, part int) {
	if part > 0 {
		first := db.Clip.Query().Where(clip.VideoID(c.VideoID), clip.Position(0)).OnlyX(ctx)
		addEffects(ctx, db, first, source, 0)
	}

	box := values.Extent{WidthPct: 10, HeightPct: 10}
	db.Effect.Create().SetClip(c).SetKind(values.EffectKindBlur).SetStartMs(int64(part)).SetEndMs(int64(part) + 10).
		SetParams(values.EffectParams{Mask: &values.MaskParams{Dimensions: box}}).ExecX(ctx)
	db.Effect.Create().SetClip(c).SetKind(values.EffectKindMediaOverlay).SetStartMs(int64(part)).SetEndMs(int64(part) + 10).SetSource(source).
		SetParams(values.EffectParams{Overlay: &values.OverlayParams{Name: "x"}}).ExecX(ctx)
}
