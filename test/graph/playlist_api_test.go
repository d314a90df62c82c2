package graph_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/playlistvideo"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// reel is a playlist of the workspace with videos that are named by letters.
type reel struct {
	*testing.T
	*api.Server

	owner testkit.Member
	id    string
	named map[string]*ent.Video // by letter
}

// newReel creates a playlist of the owner's. The videos with capital letters are personal, so that others see the rest.
func newReel(t *testing.T, letters string) *reel {
	t.Helper()

	s := api.New(t, api.Options{})
	r := &reel{T: t, Server: s, owner: testkit.NewMember(t, s.Store, testkit.MemberOpts{}), named: map[string]*ent.Video{}}

	for letter := range strings.SplitSeq(letters, "") {
		opts := testkit.VideoOpts{Name: letter}
		if strings.ToUpper(letter) == letter {
			opts.Visibility = values.VisibilityPersonal
		}

		r.named[letter] = testkit.NewVideo(t, s.Store, r.owner, opts)
	}

	r.owner.Do(t, s.Store, func(ctx context.Context, c *ent.Client) {
		p := c.Playlist.Create().SetUserID(r.owner.UserID).SetName("P").SetVisibility(values.VisibilityOrg).SaveX(ctx)
		r.id = p.ID

		for i, letter := range strings.Split(letters, "") {
			c.PlaylistVideo.Create().SetPlaylist(p).SetVideo(r.named[letter]).SetPosition(i).ExecX(ctx)
		}
	})

	return r
}

// move moves a video before another one, or to the end if before is empty.
func (r *reel) move(m testkit.Member, letter, before string) api.Graph {
	variables := map[string]any{"list": r.id, "video": r.video(letter), "before": nil}
	if before != "" {
		variables["before"] = r.video(before)
	}

	return r.Ask(r.T, m.Key, `mutation ($list: ID!, $video: ID!, $before: ID) {
		movePlaylistVideo(playlistId: $list, videoId: $video, before: $before) { video { name } playlist { updatedAt videos { nodes { name } } } }
	}`, variables)
}

func (r *reel) video(letter string) string {
	if v := r.named[letter]; v != nil {
		return v.ID
	}

	return letter
}

// order returns the letters of the videos that a member finds in the playlist, in the graph and in REST.
func (r *reel) order(m testkit.Member) (letters string) {
	r.Helper()

	g := r.Ask(r.T, m.Key, `query ($id: ID!) { playlist(id: $id) { videos(first: 100) { nodes { name } } } }`, map[string]any{"id": r.id})
	require.Empty(r.T, g.Errors, g.Body)

	return namesIn(g)
}

// namesIn returns the names of the playlist's videos in an answer, one after the other.
func namesIn(g api.Graph) string {
	var names strings.Builder
	for _, node := range api.Dig(g.Data, "playlist", "videos", "nodes").([]any) {
		fmt.Fprint(&names, api.Dig(node, "name"))
	}

	return names.String()
}

// moved is the model: letters after a move.
func moved(letters, letter, before string) string {
	if letter == before {
		return letters
	}

	rest := strings.Replace(letters, letter, "", 1)
	if before == "" {
		return rest + letter
	}

	return strings.Replace(rest, before, letter+before, 1)
}

// The order after any sequence of moves, removals and additions is that of a list of letters.
func TestMovesInAPlaylist(t *testing.T) {
	t.Parallel()

	r := newReel(t, "abcdefg")
	dice, want := rand.New(rand.NewPCG(1, 2)), "abcdefg"

	for range 120 {
		letter := string(want[dice.IntN(len(want))])

		if dice.IntN(6) == 0 { // leaves a gap
			path := "/v1/playlists/" + r.id + "/videos"
			require.Equal(t, http.StatusOK, r.Call(t, r.owner.Key, http.MethodDelete, path+"/"+r.video(letter), "").Status)
			require.Equal(t, http.StatusOK, r.Call(t, r.owner.Key, http.MethodPost, path, `{"videoId":"`+r.video(letter)+`"}`).Status)

			want = moved(want, letter, "")
		} else {
			before := append(strings.Split(want, ""), "")[dice.IntN(len(want)+1)]
			g := r.move(r.owner, letter, before)
			require.Empty(t, g.Errors, g.Body)
			require.Equal(t, letter, api.Dig(g.Data, "movePlaylistVideo", "video", "name"))

			want = moved(want, letter, before)
		}

		require.Equal(t, want, r.order(r.owner))
	}
}

// Only a change of the order changes when the playlist was updated.
func TestMovesThatMoveNothing(t *testing.T) {
	t.Parallel()

	r := newReel(t, "abc")
	updated := func(g api.Graph) any {
		require.Empty(t, g.Errors, g.Body)

		return api.Dig(g.Data, "movePlaylistVideo", "playlist", "updatedAt")
	}
	first := updated(r.move(r.owner, "a", "b"))

	for letter, before := range map[string]string{"a": "b", "b": "c", "c": ""} {
		require.Equal(t, first, updated(r.move(r.owner, letter, before)))
		require.Equal(t, first, updated(r.move(r.owner, letter, letter)))
	}

	require.NotEqual(t, first, updated(r.move(r.owner, "a", "")))
	require.Equal(t, "bca", r.order(r.owner))
}

// What the caller may not know of is not named, and what it may not see keeps its place among the rest.
func TestWhoMayMoveInAPlaylist(t *testing.T) {
	t.Parallel()

	r := newReel(t, "aXbYc")
	admin := testkit.NewMember(t, r.Store, testkit.MemberOpts{WorkspaceID: r.owner.WorkspaceID, Role: "admin"})
	member := testkit.NewMember(t, r.Store, testkit.MemberOpts{WorkspaceID: r.owner.WorkspaceID})
	viewer := testkit.NewMember(t, r.Store, testkit.MemberOpts{WorkspaceID: r.owner.WorkspaceID, Role: "viewer"})
	stranger := testkit.NewMember(t, r.Store, testkit.MemberOpts{})
	outside := testkit.NewVideo(t, r.Store, r.owner, testkit.VideoOpts{})

	for _, refused := range []struct {
		who            testkit.Member
		letter, before string
		code           string
		message        string
	}{
		{stranger, "a", "", "not_found", "No such playlist."},
		{viewer, "a", "", "forbidden", "A viewer of the workspace cannot create or change anything."},
		{member, "a", "c", "forbidden", "Only the playlist's creator, owners and admins may change it."},
		{admin, "X", "", "not_found", "No such video in this playlist at videoId."},
		{admin, "a", "X", "not_found", "No such video in this playlist at before."},
		{r.owner, outside.ID, "", "not_found", "No such video in this playlist at videoId."},
		{r.owner, "a", outside.ID, "not_found", "No such video in this playlist at before."},
		{r.owner, "a", "nothing", "not_found", "No such video in this playlist at before."},
	} {
		g := r.move(refused.who, refused.letter, refused.before)
		require.Equal(t, refused.code, g.Code(), g.Body)
		require.Equal(t, refused.message, g.Errors[0].Message)
	}

	require.Equal(t, "aXbYc", r.order(r.owner))
	require.Equal(t, "abc", r.order(admin))

	require.Empty(t, r.move(admin, "c", "a").Errors)
	require.Equal(t, "cab", r.order(member))
	require.Equal(t, "caXbY", r.order(r.owner))
	require.Empty(t, r.move(admin, "c", "b").Errors)
	require.Equal(t, "aXcbY", r.order(r.owner))
}

// Moves, additions and removals at the same time leave each video in one place of its own. A reader of the pages of the
// playlist sees the same order.
func TestConcurrentMovesInAPlaylist(t *testing.T) {
	t.Parallel()

	const letters = "abcdefghij"

	r := newReel(t, letters)

	var all sync.WaitGroup

	for n := range 4 {
		all.Go(func() {
			dice := rand.New(rand.NewPCG(uint64(n), 3))

			for range 25 {
				letter, before := string(letters[dice.IntN(len(letters))]), string(letters[dice.IntN(len(letters))])
				if dice.IntN(5) == 0 {
					before = ""
				}

				if g := r.move(r.owner, letter, before); len(g.Errors) > 0 {
					t.Error(g.Body)
				}
			}
		})
	}

	all.Wait()

	final := r.order(r.owner)
	sorted := strings.Split(final, "")
	slices.Sort(sorted)
	require.Equal(t, letters, strings.Join(sorted, ""))

	r.owner.Do(t, r.Store, func(ctx context.Context, c *ent.Client) {
		places := c.PlaylistVideo.Query().Where(playlistvideo.PlaylistID(r.id)).Select(playlistvideo.FieldPosition).IntsX(ctx)
		slices.Sort(places)
		require.Len(t, slices.Compact(places), len(letters), "two videos have the same place")
	})
}

// A page of the playlist that is read after a move goes on where it was: rows outside the move keep their cursors.
func TestMovesKeepOtherCursors(t *testing.T) {
	t.Parallel()

	r := newReel(t, "abcdef")
	page := func(after any) (letters string, end any) {
		g := r.Ask(t, r.owner.Key, `query ($id: ID!, $after: String) { playlist(id: $id) {
			videos(first: 2, after: $after) { nodes { name } pageInfo { endCursor } } } }`, map[string]any{"id": r.id, "after": after})
		require.Empty(t, g.Errors, g.Body)

		return namesIn(g), api.Dig(g.Data, "playlist", "videos", "pageInfo", "endCursor")
	}

	first, after := page(nil)
	require.Equal(t, "ab", first)
	require.Empty(t, r.move(r.owner, "f", "d").Errors)

	second, after := page(after)
	require.Equal(t, "cf", second)
	require.Empty(t, r.move(r.owner, "b", "a").Errors)

	third, _ := page(after)
	require.Equal(t, "de", third)
}

// An update based on an old updatedAt is refused, whatever changed the playlist since. Without one the last write holds.
func TestUpdatingAPlaylistThatMovedOn(t *testing.T) {
	t.Parallel()

	r := newReel(t, "ab")
	read := func() any {
		g := r.Ask(t, r.owner.Key, `query ($id: ID!) { playlist(id: $id) { updatedAt } }`, map[string]any{"id": r.id})

		return api.Dig(g.Data, "playlist", "updatedAt")
	}
	update := func(name string, base any) api.Graph {
		return r.Ask(t, r.owner.Key, `mutation ($id: ID!, $name: String!, $base: DateTime) {
			updatePlaylist(id: $id, input: {name: $name}, baseUpdatedAt: $base) { playlist { name updatedAt } } }`,
			map[string]any{"id": r.id, "name": name, "base": base})
	}

	base := read()
	g := update("One", base)
	require.Equal(t, "One", api.Dig(g.Data, "updatePlaylist", "playlist", "name"), g.Body)

	g = update("Two", base)
	require.Equal(t, "edit_conflict", g.Code(), g.Body)
	require.Contains(t, g.Errors[0].Message, "The playlist was edited")

	base = read()

	require.Empty(t, r.move(r.owner, "b", "a").Errors)
	require.Equal(t, "edit_conflict", update("Three", base).Code(), "a move is an edit of the playlist")
	require.Empty(t, update("Three", read()).Errors)
	require.Empty(t, update("Four", nil).Errors, "without a base the last write holds")

	later, err := time.Parse(time.RFC3339, read().(string))
	require.NoError(t, err)
	require.Equal(t, "edit_conflict", update("Five", later.Add(time.Hour).Format("2006-01-02T15:04:05.000Z")).Code())
}
