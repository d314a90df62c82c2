package exhaustive_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
	"github.com/reelgraph/reelgraph/test/testkit/race"
)

// lists are documents beyond those of everyList: later pages, one list in several places, lists in lists, and answers
// of mutations, for a video with many parts or for many videos with a few each.
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
	"nested, sorted": `{ videos(first: 100, sort: {field: NAME}, filter: {createdAfter: "2020-01-01T00:00:00Z"}) { totalCount nodes { id
		playlists(first: 2) { totalCount nodes { id name } } comments(first: 2) { totalCount nodes { body } } analytics { summary { totalViews } } } } }`,
	"back and forth": `{ videos(first: 20) { nodes { clips(first: 2) { nodes { id video { name creator { name }
		exports(first: 2) { nodes { id video { description tags(first: 2) { nodes { name } } clips(first: 1) { nodes { corners video { id } } } } } } } } } } } }`,
	"back and forth after a cursor": `{ video(id: "VIDEO") { clips(first: 50, after: "AFTER") { nodes { id video { name tags(first: 2) { nodes { name } }
		clips(first: 2) { nodes { id corners video { name } } } } } } } }`,
	"clips with videos": `{ video(id: "VIDEO") { exports(first: 100) { nodes { video { name } } } } exports(videoId: "VIDEO", first: 100) { nodes { video { name tags { nodes { name } } } } } }`,
	"webhooks": `{ webhookEndpoints(first: 100) { totalCount nodes { id health { consecutiveFailures pendingDeliveries }
		attempts(first: 2) { nodes { id messageId endpointId message { payload } endpoint { url } } } failed: attempts(status: FAILED, first: 2) { totalCount nodes { status } } } } }`,
	"webhooks and messages": `{ webhookMessages(first: 20) { nodes { attempts(first: 5) { nodes { message { payload } endpoint { url health { lastAttemptAt }
		attempts(first: 1) { nodes { message { eventType } } } } } } } } }`,
	"storage":    `{ viewer { memberships(first: 100) { totalCount nodes { workspace { name storage { bytes limitBytes } } } } } }`,
	"top videos": `{ workspaceAnalytics { topVideos(first: 50) { nodes { videoId video { name tags(first: 2) { nodes { name } } clips(first: 1) { nodes { video { id } } } } } } } }`,
	"figures": `{ videos(first: 20) { nodes { analytics(startDate: "2026-01-01", endDate: "2026-01-02") { summary { totalViews } viewsOverTime { date views }
		retention { percent } geography { country } referrers { referrerDomain } } } } }`,
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

// grid requests what the studio's library shows of a page of videos.
const grid = `{ videos(first: 20, sort: {field: NAME, direction: ASC}) { nodes { id name durationMs views updatedAt creator { id name }
	thumbnails { medium { jpg webp gif } } tags(first: 10) { nodes { id name color } } playlists(first: 10) { nodes { id name emoji } }
	comments(first: 1) { totalCount } } pageInfo { hasNextPage endCursor } } }`

// fixed matches lists with a fixed number of items for the product, a clip or a range of days.
var fixed = regexp.MustCompile(`^\w+: (Query\.(fontFamilies|textPresets|subtitlePresets)|Clip\.(sources|tracks)), below many: false` +
	`|^\w+: \w+Analytics\.(viewsOverTime|retention), below many`)

// someAndMany returns the list lengths that must take the same number of statements. Under the race detector they are
// shorter.
func someAndMany() []int {
	if race.Detector {
		return []int{1, 5}
	}

	return []int{1, 20, 100}
}

// The number of SQL statements of a query does not grow with the length of its lists, for every role, compiled or not.
func TestStatementsDoNotGrow(t *testing.T) {
	t.Parallel()

	wire := api.NewWire(t, testkit.Database(t))
	s := api.New(t, api.Options{DSN: wire.DSN})
	slow := api.New(t, api.Options{DSN: wire.DSN, Interpret: true})
	slow.Resolver.Blobs = s.Resolver.Blobs
	slow.Resolver.Remake()

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
				secret := strings.HasPrefix(name, "webhook") || strings.HasPrefix(name, "node: Webhook") || strings.HasPrefix(name, "invitations")
				if role != "creator" && (name == "after a write" || secret) { // only the creator's
					continue
				}

				// A known document's cost is counted in the same statement as the request.
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

			require.Positive(t, items[key][n], "%s: the list is empty", key)

			if i > 0 && !fixed.MatchString(key) {
				require.Greater(t, items[key][n], items[key][sizes[i-1]], "%s: the list did not grow", key)
			}
		}

		t.Logf("%-28s %d statements", key, by[1])
	}
}

// Each list below videos takes one statement for all videos, and each list below that one more.
func TestListBelowRowsTakesOneStatement(t *testing.T) {
	t.Parallel()

	wire := api.NewWire(t, testkit.Database(t))
	s := api.New(t, api.Options{DSN: wire.DSN, Quota: 1000})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})

	for range 3 {
		testkit.NewVideo(t, s.Store, m, testkit.VideoOpts{})
	}

	ready(t, s)

	for document, want := range map[string]int64{
		`{ videos(first: 20) { nodes { id } } }`:                                                                 1,
		`{ videos(first: 20) { nodes { exports(first: 5) { nodes { id } } } } }`:                                 2,
		`{ videos(first: 20) { nodes { exports(first: 5) { nodes { id } } tags(first: 5) { nodes { id } } } } }`: 3,
		`{ videos(first: 20) { nodes { chapters { title } playlistIds clips(first: 5) { nodes { id } } one: clips(first: 1) { nodes { name } }
			exports(first: 5) { nodes { id } } tags(first: 5) { nodes { id } } transcript { status } } } }`: 8,
		grid: 5, // videos, creators, tags, playlists and comments
		`{ videos(first: 20) { nodes { clips(first: 5) { nodes { id video { name } } } exports(first: 5) { nodes { video { description } } } } } }`: 3,
		`{ videos(first: 20) { nodes { analytics { summary { totalViews } } } } }`:                                                                  2,
		`{ videos(first: 20) { nodes { transcript { text } tags(first: 5) { nodes { id } } } } }`:                                                   5, // the count of words, and the words
		`{ videos(first: 20) { nodes { clips(first: 5) { nodes { effects(first: 5) { nodes { __typename } } words(first: 5) { nodes { text } } } }
			tags(first: 5) { nodes { id } } } } }`: 5, // words are cut out of the stored value separately
	} {
		require.Empty(t, s.Ask(t, m.Key, document, nil).Errors) // the first run counts its cost separately

		before := wire.Count()
		g := s.Ask(t, m.Key, document, nil)
		require.Empty(t, g.Errors, g.Body)
		require.Equal(t, 1+want, wire.Count()-before, document) // plus the gate's statement
	}
}

// Lists loaded together have the content they have when loaded alone.
func TestListsLoadedTogetherEqualSingleOnes(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	fillUp(t, s, m, crowd(t, s, m, 5), 5)

	fields := map[string]string{
		"analytics":     `analytics(startDate: "2026-01-01", endDate: "2026-01-02") { summary { totalViews pageOpens } viewsOverTime { date } }`,
		"chapters":      `chapters { id title timestampSeconds }`,
		"comments":      `comments(first: 2) { totalCount nodes { id body atSeconds } }`,
		"playlists":     `playlists(first: 2) { totalCount nodes { id name videoCount videos(first: 2) { nodes { id } } } }`,
		"clips":         `clips(first: 8) { totalCount nodes { id name order corners cuts { startTimeMs } } }`,
		"named":         `named: clips(first: 3) { nodes { id name } }`,
		"collaborators": `collaborators(first: 8) { totalCount nodes { role user { name } } }`,
		"exports":       `exports(first: 3) { totalCount nodes { id status createdAt } }`,
		"playlistIds":   `playlistIds`,
		"tags":          `tags(first: 3) { totalCount nodes { id name } }`,
		"transcript":    `transcript { status language text }`,
	}
	read := func(wanted string) []any {
		g := s.Ask(t, m.Key, `{ videos(first: 10) { nodes { id `+wanted+` } } }`, nil)
		require.Empty(t, g.Errors, g.Body)

		return api.Dig(g.Data, "videos", "nodes").([]any)
	}

	together := read(strings.Join(slices.Collect(maps.Values(fields)), " "))
	require.Greater(t, len(together), 1)

	for name, field := range fields {
		var filled int

		for i, alone := range read(field) {
			one, all := alone.(map[string]any), together[i].(map[string]any)
			require.Equal(t, one["id"], all["id"])
			require.Equal(t, one[name], all[name], name)

			if text := fmt.Sprint(one[name]); text != "[]" && !strings.Contains(text, "totalCount:0") {
				filled++
			}
		}

		require.Positive(t, filled, "%s: the lists are empty", name)
	}
}

// ready keeps the gate from updating last_used_at while statements are counted.
func ready(t *testing.T, s *api.Server) {
	t.Helper()

	_, err := s.Store.DB.Exec(`UPDATE api_keys SET last_used_at = now() + interval '1 hour'`)
	require.NoError(t, err)
}

func fill(t *testing.T, s *api.Server, who testkit.Member, document, video string) string {
	t.Helper()

	values := map[string]string{"VIDEO": video}

	if replaced := api.Replace(document, map[string]string{"AFTER": ""}); replaced != document {
		g := s.Ask(t, who.Key, api.Replace(`{ video(id: "VIDEO") { clips(first: 1) { pageInfo { endCursor } } } }`, values), nil)
		values["AFTER"] = api.Dig(g.Data, "video", "clips", "pageInfo", "endCursor").(string)
	}

	if replaced := api.Replace(document, map[string]string{"PLAYLIST": ""}); replaced != document {
		g := s.Ask(t, who.Key, `{ video(id: "`+video+`") { playlistIds } }`, nil)
		values["PLAYLIST"] = api.Dig(g.Data, "video", "playlistIds").([]any)[0].(string)
	}

	document = api.Replace(document, values)
	if replaced := api.Replace(document, map[string]string{"...all": ""}); replaced != document {
		document += all
	}

	return document
}

// The library's grid of 20 videos among a thousand, each with tags, playlists and comments.
func BenchmarkGrid(b *testing.B) {
	s := api.New(b, api.Options{})
	m := testkit.NewMember(b, s.Store, testkit.MemberOpts{})

	_, err := s.Store.DB.Exec(`
INSERT INTO videos (id, created_at, workspace_id, updated_at, user_id, name, description, visibility, revision, views, duration_ms, width, height,
	size_awaited, settings, editing, thumbnail_width, thumbnail_height, next_clip_number)
SELECT 'vid_' || lpad(i::text, 26, '0'), now(), $1, now() - i * interval '1 minute', $2, 'Video ' || md5(i::text), '', 'org', 1, i % 50, i * 1000, 1920, 1080,
	false, '{"linkScope":"public"}', '{}', 0, 0, 1 FROM generate_series(1, 1000) i`, m.WorkspaceID, m.UserID)
	require.NoError(b, err)

	for _, statement := range []string{
		`INSERT INTO tags (id, created_at, workspace_id, updated_at, user_id, name, name_key, color, scope, description)
			SELECT 'tag_' || lpad(i::text, 26, '0'), now(), $1, now(), $2, 'Tag ' || i, 'tag ' || i, '#000000FF', 'workspace', '' FROM generate_series(1, 5) i`,
		`INSERT INTO playlists (id, created_at, workspace_id, updated_at, user_id, name, description, link_scope, visibility, search_engine_indexing_enabled, position)
			SELECT 'pl_' || lpad(i::text, 26, '0'), now(), $1, now(), $2, 'P ' || i, '', 'public', 'org', false, i FROM generate_series(1, 5) i`,
		`INSERT INTO video_tags (id, created_at, workspace_id, video_id, tag_id)
			SELECT 'vtg_' || v.id || t.id, now(), $1, v.id, t.id FROM videos v, tags t WHERE $2 <> ''`,
		`INSERT INTO playlist_videos (id, created_at, workspace_id, playlist_id, video_id, position)
			SELECT 'plv_' || v.id || p.id, now(), $1, p.id, v.id, 1 FROM videos v, playlists p WHERE $2 <> ''`,
		`INSERT INTO comments (id, created_at, workspace_id, video_id, user_id, author, body)
			SELECT 'cmt_' || v.id || i, now(), $1, v.id, $2, 'A', 'A comment' FROM videos v, generate_series(1, 20) i`,
	} {
		_, err := s.Store.DB.Exec(statement, m.WorkspaceID, m.UserID)
		require.NoError(b, err, statement)
	}

	_, err = s.Store.DB.Exec(`ANALYZE`)
	require.NoError(b, err)

	for b.Loop() {
		g := s.Ask(b, m.Key, grid, nil)
		if len(g.Errors) > 0 {
			b.Fatal(g.Body)
		}
	}
}
