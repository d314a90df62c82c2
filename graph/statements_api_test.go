package graph_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"strconv"
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
	"github.com/reelgraph/reelgraph/internal/auth"
	"github.com/reelgraph/reelgraph/internal/domain"
	"github.com/reelgraph/reelgraph/internal/ids"
	"github.com/reelgraph/reelgraph/internal/testkit"
	"github.com/reelgraph/reelgraph/internal/testkit/api"
	"github.com/reelgraph/reelgraph/internal/testkit/race"
	"github.com/reelgraph/reelgraph/internal/timeline"
	"github.com/reelgraph/reelgraph/internal/webhook"
)

// lists are documents of more than everyList asks: pages behind the first, one list in several places, lists in lists, and
// what a mutation answers, over a video with many parts, or over many videos with some each.
var lists = map[string]string{
	"videos":        `{ videos(first: 100) { totalCount edges { cursor node { id name links { viewPage } thumbnails { small { jpg } } } } } }`,
	"clips after":   `{ video(id: "VIDEO") { clips(first: 100, after: "AFTER") { totalCount nodes { ...all } } } }`,
	"node":          `{ node(id: "VIDEO") { ... on Video { exports(first: 100) { nodes { id } } clips(first: 100) { nodes { ...all } } } } }`,
	"chapters":      `{ video(id: "VIDEO") { chapters { title timestampSeconds } transcript { status } playlistIds } }`,
	"after a write": `mutation { updateVideo(id: "VIDEO", input: {description: "x"}) { video { clips(first: 100) { nodes { ...all } } exports(first: 100) { nodes { id } } } } }`,
	"nested":        nested,
	"effects":       `{ video(id: "VIDEO") { clips(first: 100) { nodes { baseLayout { id } effects(first: 2) { nodes { ...effect } } masks: effects(first: 1, kinds: [BLUR, HIGHLIGHT]) { nodes { ...effect } } } } } }` + effects,
	"all effects":   `{ video(id: "VIDEO") { clips(first: 1) { nodes { effects(first: 100) { totalCount nodes { ...effect } } } } } }` + effects,
	"timeline":      `{ video(id: "VIDEO") { timeline { durationMs clips { id counts { blurs } cuts { startTimeMs } words { text } effects { overlays { url } blurs { id } } } } } }`,
	"timelines":     `{ videos(first: 20) { nodes { timeline { clips { id counts { blurs } } } } } }`,
	"viewer":        `{ viewer { user { name } preferences { layoutIntroTransition } apiKeys(first: 100) { totalCount nodes { name } } sessions(first: 100) { totalCount nodes { current } } } }`,
	"workspaces":    `{ viewer { memberships(first: 50) { totalCount nodes { role workspace { name members(first: 5) { nodes { user { email } } } one: members(first: 1) { nodes { role } } } } } } }`,
	"messages": `{ webhookMessages(first: 100) { totalCount nodes { id payload attempts(first: 5) { nodes { messageId endpointId status } }
		more: attempts(first: 1) { nodes { id } } } } }`,
	"messages, counts": `{ webhookMessages(first: 20) { nodes { attempts(first: 1) { totalCount nodes { id } } } } }`,
	"playlists": `{ playlists(first: 100, visibility: ORG) { totalCount nodes { id videoCount group { name } links { viewPage }
		videos(first: 2) { nodes { id tags(first: 2) { nodes { name } } } } } } }`,
	"playlists, counts": `{ playlists(first: 20, visibility: ORG) { nodes { videos(first: 1) { totalCount nodes { id } } } } }`,
	"playlist":          `{ node(id: "PLAYLIST") { ... on Playlist { videoCount videos(first: 100) { totalCount nodes { id name creator { name } } } } } }`,
	"groups": `{ playlistGroups(first: 100, visibility: ORG) { totalCount nodes { id playlists(first: 1) { nodes { id videoCount
		videos(first: 1) { nodes { id name } } } } } } }`,
	"tags": `{ tags(first: 100) { totalCount nodes { id name } } video(id: "VIDEO") { tags(first: 100) { totalCount nodes { id name } } } }`,
	"nested, people and tags": `{ videos(first: 50) { nodes { id tags(first: 2) { nodes { name } } collaborators(first: 2) { nodes { role user { name } } }
		one: tags(first: 1) { nodes { id } } } } }`,
	"one list twice": `{ videos(first: 20) { nodes { clips(first: 2) { nodes { all: words(first: 5) { totalCount } heard: words(of: HEARD, first: 5) { nodes { text } } } }
		full: tags(first: 5) { nodes { name } } ids: tags(first: 5) { totalCount nodes { id } } } edges { node { clips(first: 2) { nodes { corners } } } } } }`,
	"nested, counts": `{ videos(first: 20) { nodes { clips(first: 1) { totalCount nodes { id } } exports(first: 1) { totalCount nodes { id } } } } }`,
}

const (
	all = ` fragment all on Clip { id borderStyle corners studioSound animatedCursor background { type imageUrl } crop { xPct }
		sources { id } mouseEvents { timeMs } cuts { startTimeMs } microphoneVolume { effective } systemAudioVolume { effective } layoutSceneType }`
	effects = ` fragment effect on Effect { ... on Mask { id startTimeMs type } ... on MediaOverlay { id url } ... on Layout { id media { url } } }`
	nested  = `{ videos(first: 100) { nodes { id creator { name } playlistIds editing { corners } settings { linkScope }
		clips(first: 2) { nodes { id borderStyle } } again: clips(first: 1) { nodes { id corners } }
		exports(first: 2) { nodes { id downloadUrl } } last: exports(first: 1) { nodes { id error { code } } }
		chapters { title timestampSeconds } transcript { status sentences { text } captions(format: SRT) } } } }`
)

// fixed are lists that the product, a clip or a range of days has a fixed number of items of.
var fixed = regexp.MustCompile(`^\w+: (Query\.(fontFamilies|textPresets|subtitlePresets)|Clip\.sources|\w+Analytics\.(viewsOverTime|retention)), below many: false`)

// someAndMany are how long lists are that must not take more statements. Races need not many to be found.
func someAndMany() []int {
	if race.Detector {
		return []int{1, 5}
	}

	return []int{1, 20, 100}
}

// The number of SQL statements of a query does not grow with the length of its lists, whoever asks, and whether it is
// compiled or not.
func TestStatementsDoNotGrow(t *testing.T) {
	t.Parallel()

	wire := api.NewWire(t, testkit.Database(t))
	s := api.New(t, api.Options{DSN: wire.DSN})
	slow := api.New(t, api.Options{DSN: wire.DSN, Interpret: true})
	slow.Resolver.Blobs = s.Resolver.Blobs

	counts, items, warm := map[string]map[int]int64{}, map[string]map[int]int{}, map[string]bool{}
	sizes := someAndMany()

	for _, n := range sizes {
		creator := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
		video := crowd(t, s, creator, n)
		fillUp(t, s, creator, video, n)

		every := everyList(t, s, creator, video)

		for role, who := range map[string]testkit.Member{
			"creator":     creator,
			"interpreted": creator,
			"member":      testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: creator.WorkspaceID}),
			"viewer":      testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: creator.WorkspaceID, Role: auth.RoleViewer}),
		} {
			ready(t, s)

			server := s
			if role == "interpreted" {
				server = slow
			}

			documents := maps.Clone(every)
			for name, document := range lists {
				documents[name] = listed{document: fill(t, s, who, document, video)}
			}

			for name, asked := range documents {
				secret := strings.HasPrefix(name, "webhook") || strings.HasPrefix(name, "node: Webhook")
				if role != "creator" && (name == "after a write" || secret) { // the creator's own
					continue
				}

				// What a document that is known costs is counted with its request.
				if known := fmt.Sprint(server == slow, asked.document); name != "after a write" && !warm[known] {
					server.Ask(t, who.Key, asked.document, nil)

					warm[known] = true
				}

				before := wire.Count()
				g := server.Ask(t, who.Key, asked.document, nil)
				require.Empty(t, g.Errors, "%s %s", name, g.Body)

				key := name + ", " + role
				if counts[key] == nil {
					counts[key], items[key] = map[int]int64{}, map[int]int{}
				}

				counts[key][n] = wire.Count() - before
				items[key][n] = strings.Count(g.Body, `"__typename":"`+asked.item+`"`)
			}
		}
	}

	for key, by := range counts {
		require.Positive(t, by[1], key)

		for i, n := range sizes {
			require.Equal(t, by[1], by[n], "%s: %v", key, by)

			if _, byHand := lists[strings.TrimSuffix(key, ", creator")]; byHand || !strings.HasSuffix(key, ", creator") {
				continue
			}

			require.Positive(t, items[key][n], "%s: else nothing was counted", key)

			if i > 0 && !fixed.MatchString(key) {
				require.Greater(t, items[key][n], items[key][sizes[i-1]], "%s: else nothing was counted", key)
			}
		}

		t.Logf("%-28s %d statements", key, by[1])
	}
}

// What a document costs is counted in a statement of its own the first time, and from then on with the request.
func TestTheCostOfAKnownDocumentIsCountedWithTheRequest(t *testing.T) {
	t.Parallel()

	wire := api.NewWire(t, testkit.Database(t))
	s := api.New(t, api.Options{DSN: wire.DSN, Quota: 1000})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	document := dear

	ready(t, s)

	ask := func(n int) (statements int64, cost, left int) {
		before := wire.Count()
		g := s.Ask(t, m.Key, document, map[string]any{"n": n})
		require.Empty(t, g.Errors, g.Body)

		left, err := strconv.Atoi(g.Header.Get("X-RateLimit-Remaining"))
		require.NoError(t, err)

		return wire.Count() - before, charged(t, g.Body), left
	}

	first, cost, left := ask(100)
	require.Equal(t, 7, cost)

	second, _, after := ask(100)
	require.Equal(t, first-1, second)

	third, less, last := ask(10)
	require.Equal(t, 1, less)
	require.Equal(t, second, third)

	if last < after && after < left { // the window did not turn over
		require.Equal(t, []int{993, 986, 985}, []int{left, after, last})
	}
}

// ready has the gate write no last use while statements are counted.
func ready(t *testing.T, s *api.Server) {
	t.Helper()

	_, err := s.Store.DB.Exec(`UPDATE api_keys SET last_used_at = now() + interval '1 hour'`)
	require.NoError(t, err)
}

func fill(t *testing.T, s *api.Server, who testkit.Member, document, video string) string {
	t.Helper()

	values := map[string]string{"VIDEO": video}

	if replaced := replace(document, map[string]string{"AFTER": ""}); replaced != document {
		g := s.Ask(t, who.Key, replace(`{ video(id: "VIDEO") { clips(first: 1) { pageInfo { endCursor } } } }`, values), nil)
		values["AFTER"] = dig(g.Data, "video", "clips", "pageInfo", "endCursor").(string)
	}

	if replaced := replace(document, map[string]string{"PLAYLIST": ""}); replaced != document {
		g := s.Ask(t, who.Key, `{ video(id: "`+video+`") { playlistIds } }`, nil)
		values["PLAYLIST"] = dig(g.Data, "video", "playlistIds").([]any)[0].(string)
	}

	document = replace(document, values)
	if replaced := replace(document, map[string]string{"...all": ""}); replaced != document {
		document += all
	}

	return document
}

// crowd makes n videos with a few parts each, and in the last one more than n parts of each kind.
func crowd(t *testing.T, s *api.Server, m testkit.Member, n int) string {
	t.Helper()

	source := testkit.NewSource(t, s.Store, m, testkit.SourceOpts{HasAudio: true})
	camera := testkit.NewSource(t, s.Store, m, testkit.SourceOpts{Role: domain.SourceRoleCamera})
	mouse := pointed(t, s, m, n)

	gather(t, s, m, n)

	people := make([]testkit.Member, n)
	for i := range people {
		people[i] = testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: m.WorkspaceID})
	}

	var last *ent.Video

	m.Do(t, s.Store, func(ctx context.Context, db *ent.Client) {
		send(ctx, t, s, db, m, n)

		list := db.Playlist.Create().SetUserID(m.UserID).SetName("P").SetVisibility(domain.VisibilityOrg).SaveX(ctx)

		for i := range n {
			parts := 2
			if i == n-1 {
				parts = n + 1 // one before the page that begins after the first
			}

			settings := domain.DefaultVideoSettings()
			settings.DownloadsEnabled = i == n-1 // the rights of the others are looked up

			last = db.Video.Create().SetUserID(m.UserID).SetName(fmt.Sprint("Video ", i)).SetWidth(1920).SetHeight(1080).
				SetSettings(settings).SetEditing(domain.DefaultEditing()).SaveX(ctx)
			db.PlaylistVideo.Create().SetPlaylist(list).SetVideo(last).SetPosition(i).ExecX(ctx)

			for part := range parts {
				addParts(ctx, db, m, last, []*ent.Source{source, camera, mouse}, part)
			}
		}

		shelve(ctx, db, m, list, people)
		watch(ctx, t, db, m)
	})

	return last.ID
}

// fillUp gives every clip of a workspace an effect of each kind that it has none of, a cut and a word, and n more to the
// first clip of a video, the workspace n origins of views and n playlists beside the longest, and the product n backgrounds
// of each kind.
func fillUp(t *testing.T, s *api.Server, m testkit.Member, video string, n int) {
	t.Helper()

	m.Do(t, s.Store, func(ctx context.Context, db *ent.Client) {
		film := testkit.NewSource(t, s.Store, m, testkit.SourceOpts{HasAudio: true})
		params := map[domain.EffectKind]domain.EffectParams{
			domain.EffectKindLayout:      {Layout: &domain.LayoutParams{Shape: domain.LayoutShape{Kind: domain.LayoutKindFullscreen}}},
			domain.EffectKindZoom:        {Zoom: &domain.ZoomParams{Type: domain.ZoomTypeManualZoom, Scale: 2, Focus: &domain.Point{}}},
			domain.EffectKindHighlight:   {Mask: &domain.MaskParams{Dimensions: domain.Extent{WidthPct: 10, HeightPct: 10}}},
			domain.EffectKindTextOverlay: {Text: &domain.TextParams{Text: "x", TextStyle: domain.TextStyle{Background: domain.Transparent}}},
			domain.EffectKindSoundEffect: {Sound: &domain.SoundParams{Name: "x", Volume: 1}},
		}

		for _, c := range db.Clip.Query().AllX(ctx) {
			times := 1
			if c.VideoID == video && c.Position == 0 {
				times += n
			}

			var (
				effects []*ent.EffectCreate
				words   []*ent.WordCreate
				cuts    timeline.Cuts
			)

			for i := range int64(times) {
				for kind, p := range params {
					one := db.Effect.Create().SetClip(c).SetKind(kind).SetStartMs(20 * i).SetEndMs(20*i + 10).SetParams(p)
					if kind == domain.EffectKindSoundEffect {
						one.SetSource(film)
					}

					effects = append(effects, one)
				}

				words = append(words, db.Word.Create().SetClip(c).SetPosition(int(2+i)).SetText("w").SetStartMs(300+10*i).SetEndMs(310+10*i))
				cuts = append(cuts, timeline.SpanOf(5000+10*i, 5))
			}

			db.Effect.CreateBulk(effects...).ExecX(ctx)
			db.Word.CreateBulk(words...).ExecX(ctx)
			c.Update().SetCuts(cuts).ExecX(ctx)
		}

		group := db.PlaylistGroup.Create().SetUserID(m.UserID).SetName("G").SetPosition(n).SetVisibility(domain.VisibilityOrg).SaveX(ctx)
		longest := db.Playlist.Query().Where(playlist.HasPlaylistVideosWith(playlistvideo.VideoID(video))).Order(ent.Asc(playlist.FieldID)).FirstX(ctx)
		longest.Update().SetGroup(group).ExecX(ctx)

		for i := range n {
			db.Playlist.Create().SetUserID(m.UserID).SetName("P").SetVisibility(domain.VisibilityOrg).SetGroup(group).
				SetUpdatedAt(time.Now().Add(-time.Hour)).ExecX(ctx) // behind those with videos

			for _, kind := range []domain.CatalogType{domain.CatalogTypeBackground, domain.CatalogTypeAnimatedBackground} {
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

// watch gives every video of a workspace, and the workspace, a view of some weeks ago.
func watch(ctx context.Context, t *testing.T, db *ent.Client, m testkit.Member) {
	t.Helper()

	_, err := db.ExecContext(ctx, `
INSERT INTO view_totals (workspace_id, subject, level, at, opens, views, watched_ms, sessions, watching, completed, share)
SELECT $1::text, subject, level, date_trunc('day', now()) - interval '64 days', 1, 1, 1000, 1, 1, 0, 500000000000000
FROM (SELECT $1::text UNION SELECT id FROM videos WHERE workspace_id = $1) s(subject), generate_series(0, 2) level`, m.WorkspaceID)
	require.NoError(t, err)
}

// shelve makes a tag, a collaborator and a playlist in a group of its own for each of the people, and
// puts some of each on every video and all on the last.
func shelve(ctx context.Context, db *ent.Client, m testkit.Member, whole *ent.Playlist, people []testkit.Member) {
	videos := whole.QueryPlaylistVideos().QueryVideo().Order(ent.Asc(video.FieldID)).AllX(ctx)

	for i, person := range people {
		tag := db.Tag.Create().SetUserID(m.UserID).SetName(fmt.Sprint("Tag ", i)).SetNameKey(fmt.Sprint("tag ", i)).SetColor("#000000FF").SaveX(ctx)
		group := db.PlaylistGroup.Create().SetUserID(m.UserID).SetName("G").SetPosition(i).SetVisibility(domain.VisibilityOrg).SaveX(ctx)
		list := db.Playlist.Create().SetUserID(m.UserID).SetName("P").SetVisibility(domain.VisibilityOrg).SetGroup(group).SaveX(ctx)

		for n, v := range videos {
			if n == len(videos)-1 || i < 2 {
				db.VideoTag.Create().SetVideo(v).SetTag(tag).ExecX(ctx)
				db.Collaborator.Create().SetVideo(v).SetUserID(person.UserID).SetRole(domain.CollaboratorRoleEditor).ExecX(ctx)
			}

			if n < 2 {
				db.PlaylistVideo.Create().SetPlaylist(list).SetVideo(v).SetPosition(n).ExecX(ctx)
			}
		}
	}
}

// send makes n messages for each of two endpoints of that person, and a few attempts to deliver them, n more for one of
// them. To n more endpoints nothing is sent.
func send(ctx context.Context, t *testing.T, s *api.Server, db *ent.Client, m testkit.Member, n int) {
	t.Helper()

	var to []*ent.WebhookEndpoint

	for range 2 {
		to = append(to, db.WebhookEndpoint.Create().SetUserID(m.UserID).SetURL("https://hooks.example/").SetSecretSealed([]byte{}).SaveX(ctx))
	}

	for range n {
		_, err := s.Resolver.Jobs.Send(ctx, webhook.Sample(domain.EventTypeVideoCreated), to...)
		require.NoError(t, err)
	}

	for range n {
		db.WebhookEndpoint.Create().SetUserID(m.UserID).SetURL("https://hooks.example/").SetSecretSealed([]byte{}).SaveX(ctx)
	}

	attempts := 3 + n

	for _, d := range db.WebhookDelivery.Query().Order(ent.Desc(webhookdelivery.FieldID)).AllX(ctx) {
		for i := range attempts {
			db.WebhookAttempt.Create().SetDelivery(d).SetAttempt(i + 1).SetDurationMs(1).SetSentAt(time.Now()).SetStatus(domain.AttemptStatusSucceeded).ExecX(ctx)
		}

		attempts = 3
	}
}

// gather gives a person n keys, n sessions, n pictures of its own in the library and n for all, n workspaces with three
// members each, and the workspace n members.
func gather(t *testing.T, s *api.Server, m testkit.Member, n int) {
	t.Helper()

	picture := testkit.NewSource(t, s.Store, m, testkit.SourceOpts{Kind: domain.SourceKindImage})

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
			join(m.WorkspaceID)

			for _, scope := range []domain.LibraryScope{domain.LibraryScopePrivate, domain.LibraryScopeWorkspace} {
				db.LibraryItem.Create().SetWorkspaceID(m.WorkspaceID).SetUserID(m.UserID).SetSource(picture).SetScope(scope).
					SetType(domain.LibraryTypeImage).SetName("P").ExecX(ctx)
			}

			w := db.Workspace.Create().SetName("W").SaveX(ctx)
			db.Membership.Create().SetWorkspaceID(w.ID).SetUserID(m.UserID).ExecX(ctx)
			join(w.ID)
			join(w.ID)
		}

		return nil
	}))
}

// pointed is a recording of n events of a mouse.
func pointed(t *testing.T, s *api.Server, m testkit.Member, n int) *ent.Source {
	t.Helper()

	events := &strings.Builder{}
	for i := range n {
		fmt.Fprintf(events, `{"timeMs":%d,"xPct":1,"yPct":2,"type":"click"}`+"\n", i)
	}

	mouse := testkit.NewSource(t, s.Store, m, testkit.SourceOpts{Kind: domain.SourceKindMouse})
	_, err := s.Resolver.Blobs.Put(t.Context(), mouse.ID, strings.NewReader(events.String()))
	require.NoError(t, err)

	m.Do(t, s.Store, func(ctx context.Context, db *ent.Client) {
		mouse = db.Source.UpdateOne(mouse).SetBlobKey(mouse.ID).SaveX(ctx)
	})

	return mouse
}

// addParts makes a clip of a screen, a camera and a mouse with a few parts, and a few parts of a video.
func addParts(ctx context.Context, db *ent.Client, m testkit.Member, v *ent.Video, of []*ent.Source, part int) {
	source := of[0]
	made := db.Clip.Create().SetVideo(v).SetName(fmt.Sprint("Clip ", part+1)).SetPosition(part).SetScreenSource(source).SetCameraSource(of[1]).SetMouseSource(of[2]).
		SetRecordingMs(10_000).SetDurationMs(10_000).SetCuts(timeline.Cuts{}).SetHasMicrophone(false).SetHasSystemAudio(true).
		SetTranscriptStatus(domain.TranscriptStatusReady).SetBackground(domain.Background{Type: domain.BackgroundTypeImage, SourceID: source.ID}).SaveX(ctx)
	addEffects(ctx, db, made, source, part)

	for place, text := range []string{"hello", "world"} {
		db.Word.Create().SetClip(made).SetPosition(place).SetText(text).SetStartMs(int64(place) * 100).SetEndMs(int64(place)*100 + 100).ExecX(ctx)
	}

	db.Chapter.Create().SetVideo(v).SetClip(made).SetAtMs(500).SetTitle(made.Name).ExecX(ctx)
	db.Comment.Create().SetVideo(v).SetUserID(m.UserID).SetAuthor("A").SetBody("b").SetAtMs(5).ExecX(ctx)
	db.Export.Create().SetVideo(v).SetUserID(m.UserID).SetGranularity(domain.GranularityStory).SetResolution(domain.ResolutionP1080).
		SetFps(domain.FPS30).SetSpeed(domain.Speed1).SetSubtitles(false).SetRevision(int64(part)).SetPlan(json.RawMessage(`{}`)).
		SetPlanHash(ids.New(ids.Export)).ExecX(ctx)
}

// addEffects lays a blur and a film on a clip, and on the first of a video as many as it will have clips.
func addEffects(ctx context.Context, db *ent.Client, c *ent.Clip, source *ent.Source, part int) {
	if part > 0 {
		first := db.Clip.Query().Where(clip.VideoID(c.VideoID), clip.Position(0)).OnlyX(ctx)
		addEffects(ctx, db, first, source, 0)
	}

	box := domain.Extent{WidthPct: 10, HeightPct: 10}
	db.Effect.Create().SetClip(c).SetKind(domain.EffectKindBlur).SetStartMs(int64(part)).SetEndMs(int64(part) + 10).
		SetParams(domain.EffectParams{Mask: &domain.MaskParams{Dimensions: box}}).ExecX(ctx)
	db.Effect.Create().SetClip(c).SetKind(domain.EffectKindMediaOverlay).SetStartMs(int64(part)).SetEndMs(int64(part) + 10).SetSource(source).
		SetParams(domain.EffectParams{Overlay: &domain.OverlayParams{Name: "x"}}).ExecX(ctx)
}
