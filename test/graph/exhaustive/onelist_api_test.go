package exhaustive_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// A list requested in several places of a document has in each place the content it has alone.
func TestOneListInSeveralPlaces(t *testing.T) {
	t.Parallel()

	now := time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC)
	o := api.Options{DSN: testkit.Database(t), Clock: func() time.Time { return now }}
	servers := map[string]*api.Server{"compiled": api.New(t, o)}
	o.Interpret = true
	servers["interpreted"] = api.New(t, o)

	s := servers["compiled"]
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	values := map[string]string{"VIDEO": crowd(t, s, m, 2)}

	for _, change := range []string{
		`UPDATE clips SET cuts = '[{"startMs":100,"endMs":200}]'`, // covers the second word
		`UPDATE exports SET status = 'completed', progress = 100`,
	} {
		_, err := s.Store.DB.Exec(change)
		require.NoError(t, err)
	}

	g := s.Ask(t, m.Key, api.Replace(`{ video(id: "VIDEO") { playlistIds } }`, values), nil)
	values["PLAYLIST"] = api.Dig(g.Data, "video", "playlistIds").([]any)[0].(string)

	for name, c := range map[string]struct {
		around string   // PLACES is replaced by the places
		places []string // selections of the list
		says   string   // text that the answer must contain
	}{
		"words of several sets": {
			around: `{ video(id: "VIDEO") { clips(first: 4) { nodes { PLACES } } } }`,
			places: []string{`heard: words(of: HEARD) { nodes { text cut } }`, `all: words(of: ALL) { nodes { text cut } }`},
			says:   `{"text":"world","cut":true}`,
		},
		"words of several sets under one alias": {
			around: `{ videos(first: 4) { PLACES } }`,
			places: []string{
				`nodes { clips(first: 4) { nodes { some: words(of: HEARD, first: 9) { totalCount nodes { text } } } } }`,
				`edges { node { clips(first: 4) { nodes { some: words(first: 9) { totalCount nodes { text } } } } } }`,
			},
			says: `"text":"world"`,
		},
		"exports": {
			around: `{ video(id: "VIDEO") { PLACES } }`,
			places: []string{`full: exports { nodes { id progress downloadUrl } }`, `ids: exports { nodes { id } }`},
			says:   `"progress":100,"downloadUrl":"http`,
		},
		"tags": {
			around: `{ video(id: "VIDEO") { PLACES } }`,
			places: []string{`full: tags { nodes { name color } }`, `ids: tags(first: 20, after: null) { nodes { id } }`},
			says:   `{"name":"Tag 1","color":"#000000FF"}`,
		},
		"videos of a playlist": {
			around: `{ playlist(id: "PLAYLIST") { PLACES } }`,
			places: []string{`full: videos { nodes { id name tags { nodes { name } } } }`, `ids: videos { nodes { id tags { nodes { id } } } }`},
			says:   `"name":"Video 1"`,
		},
		"playlists of a group": {
			around: `{ playlistGroups(visibility: ORG) { nodes { PLACES } } }`,
			places: []string{
				`full: playlists(first: 4) { nodes { videoCount videos(first: 4) { nodes { name } } } }`, `ids: playlists(first: 4) { totalCount nodes { id videos(first: 4) { nodes { id } } } }`,
			},
			says: `{"videoCount":2,"videos":{"nodes":[{"name":"Video `,
		},
		"timelines": {
			around: `{ video(id: "VIDEO") { PLACES } }`,
			places: []string{`a: timeline { clips { id counts { blurs } words { text } } }`, `b: timeline { clips { id } }`},
			says:   `"counts":{"blurs":3},"words":[{"text":"hello"}`,
		},
		"effects": {
			around: `{ video(id: "VIDEO") { clips(first: 4) { nodes { PLACES } } } }`,
			places: []string{`masks: effects(kinds: [BLUR]) { nodes { ... on Mask { type } } }`, `total: effects(kinds: BLUR) { totalCount }`, `all: effects { totalCount }`},
			says:   `"total":{"totalCount":3},"all":{"totalCount":6}`,
		},
		"a total below nodes and items below edges": {
			around: `{ videos(first: 4) { PLACES } }`,
			places: []string{`nodes { tags { totalCount } }`, `edges { node { tags { nodes { id } } } }`},
			says:   `{"tags":{"totalCount":2}}`,
		},
		"other fields below nodes and below edges": {
			around: `{ videos(first: 4) { PLACES } }`,
			places: []string{`nodes { tags { nodes { name } } }`, `edges { node { tags { nodes { id } } } }`},
			says:   `{"name":"Tag 0"}`,
		},
		"lists of lists below nodes and below edges": {
			around: `{ videos(first: 4) { PLACES } }`,
			places: []string{
				`nodes { clips(first: 4) { totalCount edges { node { words(first: 9) { totalCount } } } } }`,
				`edges { node { clips(first: 4) { nodes { borderStyle words(first: 9) { nodes { text } } } edges { node { words(first: 9) { nodes { cut } } } } } } }`,
			},
			says: `{"text":"hello"}`,
		},
		"members": {
			around: `{ viewer { memberships { PLACES } } }`,
			places: []string{
				`nodes { workspace { people: members { nodes { user { email } } } total: members { totalCount } } }`,
				`edges { node { workspace { people: members { edges { node { role } } } } } }`,
			},
			says: `"total":{"totalCount":5}`, // the owner and the members from crowd
		},
		"attempts": {
			around: `{ webhookMessages { PLACES } }`,
			places: []string{
				`nodes { tries: attempts { nodes { attempt endpointId } } total: attempts { totalCount } }`, `edges { node { tries: attempts { nodes { status endpointId } } } }`,
			},
			says: `"total":{"totalCount":6}`,
		},
	} {
		for server, s := range servers {
			t.Run(name+", "+server, func(t *testing.T) {
				t.Parallel()

				ask := func(places ...string) api.Graph {
					g := s.Ask(t, m.Key, api.Replace(strings.Replace(c.around, "PLACES", strings.Join(places, " "), 1), values), nil)
					require.Empty(t, g.Errors, g.Body)

					return g
				}
				reversed := slices.Clone(c.places)
				slices.Reverse(reversed)

				forwards, backwards := ask(c.places...), ask(reversed...)
				require.Contains(t, forwards.Body, c.says)

				for _, place := range c.places {
					alone := ask(place)
					require.True(t, within(alone.Data, forwards.Data), "%s\nis not within\n%s", alone.Body, forwards.Body)
					require.True(t, within(alone.Data, backwards.Data), "%s\nis not within\n%s", alone.Body, backwards.Body)
				}
			})
		}
	}
}

// within reports whether an answer is part of another: the same items, with at most the same fields.
func within(part, whole any) bool {
	switch part := part.(type) {
	case map[string]any:
		whole, is := whole.(map[string]any)

		for key, value := range part {
			other, has := whole[key]
			is = is && has && within(value, other)
		}

		return is
	case []any:
		whole, is := whole.([]any)

		return is && slices.EqualFunc(part, whole, within)
	default:
		return part == whole
	}
}
