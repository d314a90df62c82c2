package graph_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// sameNames are names in their order. Those of one line are equal in it.
var sameNames = [][]string{
	{"(draft)"},
	{"10 tips"},
	{"9 tips"},
	{"alpha", "ALPHA", "Alpha"},
	{"alpha beta"},
	{"Beta"},
	{"éclair", "Eclair", "ÉCLAIR", "E\u0301clair"},
	{"Zebra", "zébra"},
	{"Ωmega", "ωmega"},
	{"日本"},
}

// shelved is a video of a test with what lists sort and filter by.
type shelved struct {
	id                string
	name              int // the line of sameNames
	created, updated  time.Time
	views, durationMs int64
	creator           string
	tags              []string
	listed            bool
	scope             values.LinkScope
}

// shelf creates n videos, many of them with the same values, by two people.
func shelf(t *testing.T, s *api.Server, random *rand.Rand, n int, owner, other testkit.Member, tags []string, playlist string) []shelved {
	t.Helper()

	var all []shelved

	start := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)

	for i := range n {
		v := shelved{
			id: ids.New(ids.Video), name: random.IntN(len(sameNames)), views: random.Int64N(4), durationMs: 1000 * random.Int64N(3),
			created: start.Add(time.Duration(random.IntN(8)) * time.Minute), updated: start.Add(time.Duration(random.IntN(9)) * time.Hour),
			creator: owner.UserID, listed: random.IntN(2) == 0 && playlist != "",
			scope: []values.LinkScope{values.LinkScopePublic, values.LinkScopePrivate, values.LinkScopeEmbedOnly}[random.IntN(3)],
		}

		who := owner
		if i%3 == 0 {
			who, v.creator = other, other.UserID
		}

		settings := values.DefaultVideoSettings()
		settings.LinkScope = v.scope

		for _, tag := range tags {
			if random.IntN(2) == 0 {
				v.tags = append(v.tags, tag)
			}
		}

		who.Do(t, s.Store, func(ctx context.Context, db *ent.Client) {
			same := sameNames[v.name]
			made := db.Video.Create().SetID(v.id).SetUserID(who.UserID).SetName(same[random.IntN(len(same))]).SetWidth(16).SetHeight(16).
				SetViews(v.views).SetDurationMs(v.durationMs).SetCreatedAt(v.created).SetUpdatedAt(v.updated).
				SetSettings(settings).SetEditing(values.DefaultEditing()).SaveX(ctx)

			for _, tag := range v.tags {
				db.VideoTag.Create().SetVideo(made).SetTagID(tag).ExecX(ctx)
			}

			if v.listed {
				db.PlaylistVideo.Create().SetPlaylistID(playlist).SetVideo(made).SetPosition(i).ExecX(ctx)
			}
		})

		all = append(all, v)
	}

	return all
}

// labels creates two tags and a playlist of the workspace.
func labels(t *testing.T, s *api.Server, m testkit.Member) (tags []string, playlist string) {
	t.Helper()

	m.Do(t, s.Store, func(ctx context.Context, db *ent.Client) {
		for i := range 2 {
			tag := db.Tag.Create().SetUserID(m.UserID).SetName(fmt.Sprint("T", i)).SetNameKey(fmt.Sprint("t", i)).SetColor("#000000FF").
				SetScope(values.TagScopeWorkspace).SaveX(ctx)
			tags = append(tags, tag.ID)
		}

		playlist = db.Playlist.Create().SetUserID(m.UserID).SetName("P").SetVisibility(values.VisibilityOrg).SaveX(ctx).ID
	})

	return tags, playlist
}

// orders compare videos by each field of the schema's VideoSortField.
var orders = map[string]func(a, b shelved) int{
	"UPDATED_AT": func(a, b shelved) int { return a.updated.Compare(b.updated) },
	"CREATED_AT": func(a, b shelved) int { return a.created.Compare(b.created) },
	"NAME":       func(a, b shelved) int { return cmp.Compare(a.name, b.name) },
	"VIEWS":      func(a, b shelved) int { return cmp.Compare(a.views, b.views) },
	"DURATION":   func(a, b shelved) int { return cmp.Compare(a.durationMs, b.durationMs) },
}

// inOrder returns the ids of videos in an order.
func inOrder(all []shelved, field, direction string) []string {
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b shelved) int { return cmp.Or(orders[field](a, b), cmp.Compare(a.id, b.id)) })

	if direction == "DESC" {
		slices.Reverse(all)
	}

	named := make([]string, len(all))
	for i, v := range all {
		named[i] = v.id
	}

	return named
}

// walked pages through a list of videos and returns their ids and the total.
func walked(t *testing.T, s *api.Server, key string, size int, arguments map[string]any, meanwhile func()) (named []string, total int) {
	t.Helper()

	const document = `query ($size: Int!, $after: String, $filter: VideoFilter, $sort: VideoSort) {
		videos(first: $size, after: $after, filter: $filter, sort: $sort) { totalCount nodes { id } pageInfo { hasNextPage endCursor } } }`

	given := map[string]any{"size": size}
	maps.Copy(given, arguments)

	for {
		g := s.Ask(t, key, document, given)
		require.Empty(t, g.Errors, "%v %s", given, g.Body)

		page := api.Dig(g.Data, "videos")
		for _, node := range api.Dig(page, "nodes").([]any) {
			named = append(named, api.Dig(node, "id").(string))
		}

		total = int(api.Dig(page, "totalCount").(float64))

		if api.Dig(page, "pageInfo", "hasNextPage") == false {
			return named, total
		}

		given["after"] = api.Dig(page, "pageInfo", "endCursor")

		meanwhile()
	}
}

// Every order of the list of videos is the same in pages of any size, in both directions, for a compiled query and an
// interpreted one. While other videos move, each video that does not move appears exactly once.
func TestVideosInEveryOrder(t *testing.T) {
	t.Parallel()

	dsn := testkit.Database(t)
	fast, slow := api.New(t, api.Options{DSN: dsn}), api.New(t, api.Options{DSN: dsn, Interpret: true})
	random := rand.New(rand.NewPCG(3, 4))
	owner := testkit.NewMember(t, fast.Store, testkit.MemberOpts{})
	other := testkit.NewMember(t, fast.Store, testkit.MemberOpts{WorkspaceID: owner.WorkspaceID})
	all := shelf(t, fast, random, 60, owner, other, nil, "")

	// A video of another workspace is in no list.
	testkit.NewVideo(t, fast.Store, testkit.NewMember(t, fast.Store, testkit.MemberOpts{}), testkit.VideoOpts{})

	for field := range orders {
		for _, direction := range []string{"ASC", "DESC"} {
			want := inOrder(all, field, direction)
			sort := map[string]any{"sort": map[string]any{"field": field, "direction": direction}}

			for _, size := range []int{1, 7, 59, 60, 100} {
				for _, s := range []*api.Server{fast, slow} {
					if s == slow && size < 7 {
						continue // the same, and slow
					}

					got, total := walked(t, s, owner.Key, size, sort, func() {})
					require.Equal(t, want, got, "%s %s, %d at once", field, direction, size)
					require.Equal(t, len(all), total)
				}
			}
		}
	}

	// DESC is the default, and so is the order by the last edit.
	got, _ := walked(t, fast, owner.Key, 9, map[string]any{"sort": map[string]any{"field": "NAME"}}, func() {})
	require.Equal(t, inOrder(all, "NAME", "DESC"), got)

	got, _ = walked(t, slow, owner.Key, 9, nil, func() {})
	require.Equal(t, inOrder(all, "UPDATED_AT", "DESC"), got)

	moving := all[:12]

	for field := range orders {
		for _, direction := range []string{"ASC", "DESC"} {
			sort := map[string]any{"sort": map[string]any{"field": field, "direction": direction}}
			got, _ := walked(t, fast, owner.Key, 1+random.IntN(9), sort, func() {
				v := moving[random.IntN(len(moving))]
				_, err := fast.Store.DB.ExecContext(t.Context(), `UPDATE videos SET name = $2, views = $3, duration_ms = $4, updated_at = $5 WHERE id = $1`,
					v.id, sameNames[random.IntN(len(sameNames))][0], random.Int64N(4), random.Int64N(3000), time.Now().UTC().Truncate(time.Millisecond))
				require.NoError(t, err)
			})
			still := slices.DeleteFunc(slices.Clone(got), func(id string) bool {
				return slices.ContainsFunc(moving, func(v shelved) bool { return v.id == id })
			})
			require.Equal(t, inOrder(all[len(moving):], field, direction), still, "%s %s", field, direction)
		}
	}
}

// Filters combine freely, with each other, with the older arguments and with every order.
func TestVideosWithEveryFilter(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	random := rand.New(rand.NewPCG(5, 6))
	owner := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	other := testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: owner.WorkspaceID})
	tags, playlist := labels(t, s, owner)
	all := shelf(t, s, random, 80, owner, other, tags, playlist)
	from, to := all[0].created, all[0].created.Add(3*time.Minute)

	conditions := []struct {
		name  string
		value any
		holds func(shelved) bool
	}{
		{"creatorId", other.UserID, func(v shelved) bool { return v.creator == other.UserID }},
		{"tagIds", tags, func(v shelved) bool { return len(v.tags) == 2 }},
		{"playlistId", playlist, func(v shelved) bool { return v.listed }},
		{"linkScope", "EMBEDONLY", func(v shelved) bool { return v.scope == values.LinkScopeEmbedOnly }},
		{"createdAfter", from, func(v shelved) bool { return !v.created.Before(from) }},
		{"createdBefore", to, func(v shelved) bool { return v.created.Before(to) }},
	}
	found := 0

	for chosen := range 1 << len(conditions) {
		filter, matching := map[string]any{}, slices.Clone(all)

		for i, c := range conditions {
			if chosen&(1<<i) != 0 {
				filter[c.name] = c.value
				matching = slices.DeleteFunc(matching, func(v shelved) bool { return !c.holds(v) })
			}
		}

		for field := range orders {
			direction := []string{"ASC", "DESC"}[random.IntN(2)]
			got, total := walked(t, s, owner.Key, 7, map[string]any{
				"filter": filter, "sort": map[string]any{"field": field, "direction": direction},
			}, func() {})
			require.Equal(t, inOrder(matching, field, direction), append([]string{}, got...), "%v by %s %s", filter, field, direction)
			require.Equal(t, len(matching), total)

			found += len(got)
		}
	}

	require.Greater(t, found, 2000, "the filters left too few videos")

	// The arguments beside the filter are conditions of their own.
	g := s.Ask(t, owner.Key, fmt.Sprintf(`{ videos(first: 100, playlistId: %q, tagIds: [%q], filter: {creatorId: %q, tagIds: [%q]}) { nodes { id } } }`,
		playlist, tags[0], other.UserID, tags[1]), nil)
	require.Empty(t, g.Errors, g.Body)

	var got []string
	for _, node := range api.Dig(g.Data, "videos", "nodes").([]any) {
		got = append(got, api.Dig(node, "id").(string))
	}

	matching := slices.DeleteFunc(slices.Clone(all), func(v shelved) bool {
		return !v.listed || len(v.tags) != 2 || v.creator != other.UserID
	})
	require.NotEmpty(t, matching)
	require.Equal(t, inOrder(matching, "UPDATED_AT", "DESC"), got)
}

// A search has the same filters as the list of videos.
func TestSearchWithEveryFilter(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	random := rand.New(rand.NewPCG(7, 8))
	owner := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	other := testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: owner.WorkspaceID})
	tags, playlist := labels(t, s, owner)
	all := shelf(t, s, random, 60, owner, other, tags, playlist)
	named := slices.DeleteFunc(slices.Clone(all), func(v shelved) bool { return !strings.HasPrefix(sameNames[v.name][0], "alpha") })
	require.NotEmpty(t, named)

	const document = `query ($after: String, $filter: VideoFilter) { searchVideos(query: "alpha", first: 3, after: $after, filter: $filter) {
		totalCount nodes { video { id } } pageInfo { hasNextPage endCursor } } }`

	for filter, holds := range map[string]func(shelved) bool{
		`{}`:                                   func(shelved) bool { return true },
		`{"creatorId":"` + other.UserID + `"}`: func(v shelved) bool { return v.creator == other.UserID },
		`{"tagIds":["` + tags[1] + `"]}`:       func(v shelved) bool { return slices.Contains(v.tags, tags[1]) },
		`{"playlistId":"` + playlist + `"}`:    func(v shelved) bool { return v.listed },
		`{"linkScope":"PRIVATE","createdAfter":"2026-03-01T10:02:00Z"}`: func(v shelved) bool {
			return v.scope == values.LinkScopePrivate && v.created.Minute() >= 2
		},
	} {
		want := inOrder(slices.DeleteFunc(slices.Clone(named), func(v shelved) bool { return !holds(v) }), "NAME", "ASC")
		require.NotEmpty(t, want, filter)

		var (
			got   = []string{}
			after any
		)

		for {
			g := s.Ask(t, owner.Key, document, map[string]any{"after": after, "filter": json.RawMessage(filter)})
			require.Empty(t, g.Errors, g.Body)

			page := api.Dig(g.Data, "searchVideos")
			require.EqualValues(t, len(want), api.Dig(page, "totalCount"), filter)

			for _, node := range api.Dig(page, "nodes").([]any) {
				got = append(got, api.Dig(node, "video", "id").(string))
			}

			if after = api.Dig(page, "pageInfo", "endCursor"); api.Dig(page, "pageInfo", "hasNextPage") == false {
				break
			}
		}

		require.ElementsMatch(t, want, got, filter)
	}
}

// What a filter names must be readable, and a cursor belongs to its filter and its order.
func TestFiltersNameWhatTheCallerMayRead(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	owner, stranger := testkit.NewMember(t, s.Store, testkit.MemberOpts{}), testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	colleague := testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: owner.WorkspaceID, Role: auth.RoleAdmin})
	tags, playlist := labels(t, s, stranger)

	var secret string

	owner.Do(t, s.Store, func(ctx context.Context, db *ent.Client) {
		secret = db.Playlist.Create().SetUserID(owner.UserID).SetName("P").SetVisibility(values.VisibilityPersonal).SaveX(ctx).ID
	})

	for range 3 {
		testkit.NewVideo(t, s.Store, owner, testkit.VideoOpts{})
	}

	for filter, message := range map[string]string{
		`creatorId: "` + stranger.UserID + `"`: "No such user at filter.creatorId.",
		`creatorId: "x"`:                       "No such user at filter.creatorId.",
		`playlistId: "` + playlist + `"`:       "No such playlist at filter.playlistId.",
		`playlistId: "` + secret + `"`:         "No such playlist at filter.playlistId.",
		`tagIds: ["` + tags[0] + `"]`:          "No such tag at filter.tagIds[0].",
	} {
		for _, list := range []string{`videos(filter: {%s}) { totalCount }`, `videos(sort: {field: NAME}, filter: {%s}) { totalCount }`, `searchVideos(query: "x", filter: {%s}) { totalCount }`} {
			g := s.Ask(t, colleague.Key, "{ "+fmt.Sprintf(list, filter)+" }", nil)
			require.Equal(t, "not_found", g.Code(), "%s %s", filter, g.Body)
			require.Equal(t, message, g.Errors[0].Message)
		}
	}

	tagsWanted := `"` + strings.Join(slices.Repeat([]string{tags[0]}, 51), `","`) + `"`
	require.Equal(t, "bad_request", s.Ask(t, owner.Key, `{ videos(filter: {tagIds: [`+tagsWanted+`]}) { totalCount } }`, nil).Code())

	page := func(arguments, after string) api.Graph {
		if after != "" {
			after = fmt.Sprintf(", after: %q", after)
		}

		return s.Ask(t, owner.Key, `{ videos(first: 1`+arguments+after+`) { pageInfo { endCursor } } }`, nil)
	}
	lists := []string{
		``, `, sort: {field: UPDATED_AT, direction: ASC}`, `, sort: {field: NAME}`, `, sort: {field: NAME, direction: ASC}`, `, sort: {field: VIEWS}`,
		`, filter: {creatorId: "` + owner.UserID + `"}`, `, filter: {linkScope: PUBLIC}`, `, filter: {createdAfter: "2026-01-01T00:00:00Z"}`,
		`, filter: {creatorId: "` + owner.UserID + `"}, sort: {field: NAME}`,
	}

	for _, of := range lists {
		first := page(of, "")
		require.Empty(t, first.Errors, first.Body)

		for _, with := range lists {
			code := "bad_request"
			if with == of {
				code = ""
			}

			require.Equal(t, code, page(with, api.Dig(first.Data, "videos", "pageInfo", "endCursor").(string)).Code(), "%s with %s", of, with)
		}
	}

	// The usual order may be named.
	first := page("", "")
	require.Empty(t, page(`, sort: {field: UPDATED_AT}, filter: {tagIds: []}`, api.Dig(first.Data, "videos", "pageInfo", "endCursor").(string)).Errors)
}
