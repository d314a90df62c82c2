package graph_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/webhookmessage"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// tags creates tags of a person, and returns their ids.
func (r *reel) tags(m testkit.Member, scope values.TagScope, names ...string) (made []string) {
	m.Do(r.T, r.Store, func(ctx context.Context, c *ent.Client) {
		for _, name := range names {
			id := ids.New(ids.Tag)
			c.Tag.Create().SetID(id).SetUserID(m.UserID).SetName(name).SetNameKey(name).SetScope(scope).SetColor("#000000FF").ExecX(ctx)
			made = append(made, id)
		}
	})

	return made
}

// worn returns the videos with their tags, such as "a:xy b:x".
func (r *reel) worn(m testkit.Member) string {
	r.Helper()

	g := r.Ask(r.T, m.Key, `query ($id: ID!) { playlist(id: $id) { videos(first: 100) { nodes { name tags { nodes { name } } } } } }`, map[string]any{"id": r.id})
	require.Empty(r.T, g.Errors, g.Body)

	return wornBy(api.Dig(g.Data, "playlist", "videos", "nodes"))
}

func wornBy(videos any) string {
	var said []string

	for _, v := range videos.([]any) {
		var worn strings.Builder
		for _, tag := range api.Dig(v, "tags", "nodes").([]any) {
			fmt.Fprint(&worn, api.Dig(tag, "name"))
		}

		said = append(said, fmt.Sprint(api.Dig(v, "name"), ":", worn.String()))
	}

	return strings.Join(said, " ")
}

func (r *reel) retag(m testkit.Member, mutation string, letters string, tags ...string) api.Graph {
	named := []string{}
	for letter := range strings.SplitSeq(letters, "") {
		named = append(named, r.video(letter))
	}

	return r.Ask(r.T, m.Key, `mutation ($videos: [ID!]!, $tags: [ID!]!) { `+mutation+`(videoIds: $videos, tagIds: $tags) { videos { name tags { nodes { name } } } } }`,
		map[string]any{"videos": named, "tags": append([]string{}, tags...)})
}

// Many videos get and lose many tags at once, or none of them does: an id that the caller may not touch is refused by its
// place.
func TestTagsInBulk(t *testing.T) {
	t.Parallel()

	r := newReel(t, "abXc")
	editor := testkit.NewMember(t, r.Store, testkit.MemberOpts{WorkspaceID: r.owner.WorkspaceID})
	stranger := testkit.NewMember(t, r.Store, testkit.MemberOpts{})
	tag := r.tags(r.owner, values.TagScopeWorkspace, "x", "y", "z")
	private := r.tags(r.owner, values.TagScopePrivate, "p")[0]
	foreign := r.tags(stranger, values.TagScopeWorkspace, "f")[0]

	r.owner.Do(t, r.Store, func(ctx context.Context, c *ent.Client) {
		for _, letter := range []string{"a", "b"} {
			c.Collaborator.Create().SetVideo(r.named[letter]).SetUserID(editor.UserID).SetRole(values.CollaboratorRoleEditor).ExecX(ctx)
		}

		c.VideoTag.Create().SetVideo(r.named["b"]).SetTagID(tag[0]).ExecX(ctx)
	})

	before := r.worn(r.owner)
	require.Equal(t, "a: b:x X: c:", before)

	for _, refused := range []struct {
		who     testkit.Member
		letters string
		tags    []string
		code    string
		message string
	}{
		{editor, "abX", tag[:1], "not_found", "No such video at videoIds[2]."},
		{editor, "abc", tag[:1], "forbidden", "videoIds[2]: You may read this video but not edit it."},
		{editor, "ab", []string{tag[0], private}, "not_found", "No such tag at tagIds[1]."},
		{r.owner, "a", []string{foreign}, "not_found", "No such tag at tagIds[0]."},
		{stranger, "a", []string{foreign}, "not_found", "No such video at videoIds[0]."},
		{r.owner, "a", nil, "bad_request", "tagIds must have 1 to 100 items."},
		{r.owner, "a", slices.Repeat(tag[:1], 101), "bad_request", "tagIds must have 1 to 100 items."},
		{r.owner, strings.Repeat("a", 101), tag[:1], "bad_request", "videoIds must have 1 to 100 items."},
	} {
		for _, mutation := range []string{"tagVideos", "untagVideos"} {
			g := r.retag(refused.who, mutation, refused.letters, refused.tags...)
			require.Equal(t, refused.code, g.Code(), g.Body)
			require.Equal(t, refused.message, g.Errors[0].Message)
			require.Equal(t, before, r.worn(r.owner))
		}
	}

	g := r.retag(editor, "tagVideos", "baab", tag[1], tag[0], tag[1])
	require.Empty(t, g.Errors, g.Body)
	require.Equal(t, "b:xy a:xy", wornBy(api.Dig(g.Data, "tagVideos", "videos")), "each once, in the order of the ids")
	require.Equal(t, "a:xy b:xy X: c:", r.worn(r.owner))

	require.Empty(t, r.retag(r.owner, "tagVideos", "cXa", tag[2], private).Errors)
	require.Equal(t, "a:pxyz b:xy X:pz c:pz", r.worn(r.owner))
	require.Equal(t, "a:xyz b:xy c:z", r.worn(editor))

	g = r.retag(r.owner, "untagVideos", "abXc", tag[1], tag[2])
	require.Empty(t, g.Errors, g.Body)
	require.Equal(t, "a:px b:x X:p c:p", wornBy(api.Dig(g.Data, "untagVideos", "videos")))
	require.Equal(t, "a:px b:x X:p c:p", r.worn(r.owner))

	now := r.Ask(t, r.owner.Key, `query ($id: ID!) { video(id: $id) { revision } }`, map[string]any{"id": r.video("a")})
	require.InDelta(t, 0, api.Dig(now.Data, "video", "revision"), 0, "tags are no edit")
}

func (r *reel) fill(m testkit.Member, mutation, letters string) api.Graph {
	named := []string{}
	for letter := range strings.SplitSeq(letters, "") {
		named = append(named, r.video(letter))
	}

	selected := map[string]string{"addPlaylistVideos": "videos { name }", "removePlaylistVideos": "deletedIds"}[mutation]

	return r.Ask(r.T, m.Key, `mutation ($list: ID!, $videos: [ID!]!) { `+mutation+`(playlistId: $list, videoIds: $videos) { playlist { updatedAt } `+selected+` } }`,
		map[string]any{"list": r.id, "videos": named})
}

// Many videos are added to the end of a playlist and removed from it at once, or none of them is. Each that is added is
// told by the event of the single form, in order.
func TestPlaylistsInBulk(t *testing.T) {
	t.Parallel()

	r := newReel(t, "abcdX")
	admin := testkit.NewMember(t, r.Store, testkit.MemberOpts{WorkspaceID: r.owner.WorkspaceID, Role: "admin"})
	member := testkit.NewMember(t, r.Store, testkit.MemberOpts{WorkspaceID: r.owner.WorkspaceID})
	stranger := testkit.NewMember(t, r.Store, testkit.MemberOpts{})

	made := r.Call(t, admin.Key, http.MethodPost, "/v1/webhooks/endpoints", `{"url":"https://hooks.example/in","filterTypes":["playlist.video_added"]}`)
	require.Equal(t, http.StatusOK, made.Status, made.Body)

	for _, refused := range []struct {
		who      testkit.Member
		mutation string
		letters  string
		code     string
		message  string
	}{
		{stranger, "addPlaylistVideos", "a", "not_found", "No such playlist."},
		{admin, "addPlaylistVideos", "aX", "not_found", "No such video at videoIds[1]."},
		{admin, "removePlaylistVideos", "aX", "not_found", "No such video in this playlist at videoIds[1]."},
		{member, "addPlaylistVideos", "ab", "forbidden", "Only the playlist's creator, owners and admins may change it."},
		{member, "removePlaylistVideos", "ab", "forbidden", "Only the playlist's creator, owners and admins may change it."},
		{r.owner, "addPlaylistVideos", strings.Repeat("a", 101), "bad_request", "videoIds must have 1 to 100 items."},
	} {
		g := r.fill(refused.who, refused.mutation, refused.letters)
		require.Equal(t, refused.code, g.Code(), g.Body)
		require.Equal(t, refused.message, g.Errors[0].Message)
		require.Equal(t, "abcdX", r.order(r.owner))
	}

	g := r.fill(r.owner, "removePlaylistVideos", "Xbab")
	require.Equal(t, []any{r.video("X"), r.video("b"), r.video("a")}, api.Dig(g.Data, "removePlaylistVideos", "deletedIds"), g.Body)
	require.Equal(t, "cd", r.order(r.owner))
	require.Equal(t, "No such video in this playlist at videoIds[1].", r.fill(r.owner, "removePlaylistVideos", "cb").Errors[0].Message)

	g = r.fill(r.owner, "addPlaylistVideos", "Xbcabd")
	require.Empty(t, g.Errors, g.Body)
	require.Equal(t, "[map[name:X] map[name:b] map[name:c] map[name:a] map[name:d]]", fmt.Sprint(api.Dig(g.Data, "addPlaylistVideos", "videos")))
	require.Equal(t, "cdXba", r.order(r.owner))

	updated := api.Dig(g.Data, "addPlaylistVideos", "playlist", "updatedAt")
	again := r.fill(r.owner, "addPlaylistVideos", "ab")
	require.Equal(t, updated, api.Dig(again.Data, "addPlaylistVideos", "playlist", "updatedAt"), "nothing was added")

	var told []string

	admin.Do(t, r.Store, func(ctx context.Context, c *ent.Client) {
		for _, m := range c.WebhookMessage.Query().Order(ent.Asc(webhookmessage.FieldID)).AllX(ctx) {
			for letter, v := range r.named {
				if strings.Contains(m.Body, v.ID) {
					told = append(told, letter)
				}
			}
		}
	})
	require.ElementsMatch(t, []string{"b", "a"}, told, "the personal one is told to nobody else, and those that were there to nobody")
}
