package graph_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// talk is a video with people around it, who comment through the graph.
type talk struct {
	*testing.T
	*api.Server

	creator, author, editor, reader, stranger testkit.Member
	video                                     *ent.Video
}

// newTalk makes a video that its creator and an editor may edit, and that a viewer of the workspace and another member
// may read.
func newTalk(t *testing.T) *talk {
	t.Helper()

	s := api.New(t, api.Options{})
	creator := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	in := creator.WorkspaceID

	l := &talk{
		T: t, Server: s, creator: creator,
		author:   testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: in, Role: auth.RoleViewer}),
		editor:   testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: in, Role: auth.RoleMember}),
		reader:   testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: in, Role: auth.RoleMember}),
		stranger: testkit.NewMember(t, s.Store, testkit.MemberOpts{}),
		video:    testkit.NewVideo(t, s.Store, creator, testkit.VideoOpts{}),
	}

	creator.Do(t, s.Store, func(ctx context.Context, db *ent.Client) {
		db.Collaborator.Create().SetVideo(l.video).SetUserID(l.editor.UserID).SetRole(values.CollaboratorRoleEditor).ExecX(ctx)
	})

	return l
}

const commentFields = `{ id videoId userId author body atSeconds replyToId createdAt editedAt resolvedAt resolvedBy resolvedById }`

// asked runs a mutation and returns its answer and, if it worked, the comment.
func (l *talk) asked(by testkit.Member, field, document string, vars map[string]any) (map[string]any, api.Graph) {
	l.Helper()

	g := l.Ask(l.T, by.Key, document, vars)
	if len(g.Errors) > 0 {
		return nil, g
	}

	return api.Dig(g.Data, field, "comment").(map[string]any), g
}

func (l *talk) add(by testkit.Member, video string, in map[string]any) (map[string]any, api.Graph) {
	l.Helper()

	return l.asked(by, "addComment", `mutation ($v: ID!, $in: AddCommentInput!) { addComment(videoId: $v, input: $in) { comment `+commentFields+` } }`,
		map[string]any{"v": video, "in": in})
}

// said adds a comment and returns its id.
func (l *talk) said(by testkit.Member, in map[string]any) string {
	l.Helper()

	c, g := l.add(by, l.video.ID, in)
	require.Empty(l, g.Errors, g.Body)

	return c["id"].(string)
}

func (l *talk) change(by testkit.Member, id, body string) (map[string]any, api.Graph) {
	l.Helper()

	return l.asked(by, "updateComment", `mutation ($id: ID!, $b: String!) { updateComment(id: $id, input: {body: $b}) { comment `+commentFields+` } }`,
		map[string]any{"id": id, "b": body})
}

func (l *talk) resolve(by testkit.Member, id, input string) (map[string]any, api.Graph) {
	l.Helper()

	return l.asked(by, "resolveComment", `mutation ($id: ID!) { resolveComment(id: $id, input: `+input+`) { comment `+commentFields+` } }`, map[string]any{"id": id})
}

func (l *talk) remove(by testkit.Member, id string) string {
	l.Helper()

	return l.Ask(l.T, by.Key, `mutation ($id: ID!) { deleteComment(id: $id) { deletedId } }`, map[string]any{"id": id}).Code()
}

// bodies returns the texts under the video in the order of the list.
func (l *talk) bodies() (all []string) {
	l.Helper()

	g := l.Ask(l.T, l.creator.Key, `query ($v: ID!) { comments(videoId: $v, first: 100) { nodes { body } } }`, map[string]any{"v": l.video.ID})
	require.Empty(l, g.Errors, g.Body)

	for _, c := range api.Dig(g.Data, "comments", "nodes").([]any) {
		all = append(all, c.(map[string]any)["body"].(string))
	}

	return all
}

// Replies are one level deep, on the video of the comment they answer, and are deleted with it.
func TestReplies(t *testing.T) {
	t.Parallel()

	l := newTalk(t)
	first := l.said(l.author, map[string]any{"body": "first"})
	second := l.said(l.reader, map[string]any{"body": "second"})

	reply, g := l.add(l.editor, l.video.ID, map[string]any{"body": "reply", "replyToId": first})
	require.Empty(t, g.Errors, g.Body)
	require.Equal(t, first, reply["replyToId"])

	deeper, g := l.add(l.reader, l.video.ID, map[string]any{"body": "deeper", "replyToId": reply["id"]})
	require.Nil(t, deeper)
	require.Equal(t, "bad_request", g.Code())
	require.Contains(t, g.Errors[0].Message, "replyToId must not be the id of a reply; answer the comment that it replies to")

	other := testkit.NewVideo(t, l.Store, l.creator, testkit.VideoOpts{})
	foreign := testkit.NewVideo(t, l.Store, l.stranger, testkit.VideoOpts{})

	for name, try := range map[string]struct {
		by        testkit.Member
		video, to string
	}{
		"a comment under another video":        {l.author, other.ID, first},
		"a comment of another workspace":       {l.stranger, foreign.ID, first},
		"an id of another kind":                {l.author, l.video.ID, l.video.ID},
		"a comment that is not there any more": {l.author, l.video.ID, "cmt_gone"},
	} {
		_, g := l.add(try.by, try.video, map[string]any{"body": "x", "replyToId": try.to})
		require.Equal(t, "not_found", g.Code(), name)
	}

	l.said(l.author, map[string]any{"body": "again", "replyToId": first})
	require.Equal(t, []string{"first", "second", "reply", "again"}, l.bodies())

	require.Empty(t, l.remove(l.editor, reply["id"].(string)))
	require.Equal(t, []string{"first", "second", "again"}, l.bodies(), "only the reply is deleted")

	require.Empty(t, l.remove(l.author, first), "its replies are of others, and go with it")
	require.Equal(t, []string{"second"}, l.bodies())
	require.Equal(t, "forbidden", l.remove(l.author, second))
}

// Everybody may change their own comments and nobody else's, viewers of the workspace too, as long as the video allows
// comments.
func TestUpdateComment(t *testing.T) {
	t.Parallel()

	l := newTalk(t)
	id := l.said(l.author, map[string]any{"body": "a draft", "atSeconds": 1})

	var visitor string

	l.creator.Do(t, l.Store, func(ctx context.Context, db *ent.Client) {
		visitor = db.Comment.Create().SetVideo(l.video).SetAuthor("Ada").SetBody("x").SaveX(ctx).ID
	})

	same, g := l.change(l.author, id, "a draft")
	require.Empty(t, g.Errors, g.Body)
	require.Nil(t, same["editedAt"], "nothing changed")

	changed, g := l.change(l.author, id, "as written")
	require.Empty(t, g.Errors, g.Body)
	require.Equal(t, []any{"as written", 1.0, "Someone"}, []any{changed["body"], changed["atSeconds"], changed["author"]})
	require.GreaterOrEqual(t, changed["editedAt"], changed["createdAt"])
	require.Equal(t, same["createdAt"], changed["createdAt"])

	for by, code := range map[*testkit.Member]string{
		&l.creator: "forbidden", &l.editor: "forbidden", &l.reader: "forbidden", &l.stranger: "not_found",
	} {
		_, g = l.change(*by, id, "theirs")
		require.Equal(t, code, g.Code())

		_, g = l.change(*by, visitor, "theirs")
		require.Equal(t, code, g.Code())
	}

	for _, wrong := range []struct{ body, rule string }{
		{"", "body must have 1 to 5000 characters"},
		{" \n", "body must not consist of white space only"},
		{strings.Repeat("ö", 5001), "body must have 1 to 5000 characters"},
	} {
		_, g = l.change(l.author, id, wrong.body)
		require.Equal(t, "bad_request", g.Code())
		require.Contains(t, g.Errors[0].Message, wrong.rule)
	}

	require.Equal(t, []string{"as written", "x"}, l.bodies())

	off := l.Call(t, l.creator.Key, "PATCH", "/v1/videos/"+l.video.ID, `{"commentsEnabled":false}`)
	require.Equal(t, 200, off.Status, off.Body)

	_, g = l.change(l.author, id, "later")
	require.Equal(t, "forbidden", g.Code())
}

// The author of a comment and the editors of the video resolve it and open it again; others do not, and replies have no
// such state.
func TestResolveComment(t *testing.T) {
	t.Parallel()

	l := newTalk(t)
	id := l.said(l.author, map[string]any{"body": "why?"})
	reply := l.said(l.reader, map[string]any{"body": "because", "replyToId": id})

	for by, name := range map[*testkit.Member]string{&l.creator: "Creator", &l.author: "Author", &l.editor: "Editor"} {
		g := l.Ask(t, by.Key, `mutation ($n: String!) { updateUser(input: {name: $n}) { user { id } } }`, map[string]any{"n": name})
		require.Empty(t, g.Errors, g.Body)

		done, g := l.resolve(*by, id, `{}`)
		require.Empty(t, g.Errors, g.Body)
		require.Equal(t, []any{name, by.UserID}, []any{done["resolvedBy"], done["resolvedById"]})
		require.NotNil(t, done["resolvedAt"])

		again, g := l.resolve(l.creator, id, `{resolved: true}`)
		require.Empty(t, g.Errors, g.Body)
		require.Equal(t, done, again, "it stays with the first")

		open, g := l.resolve(*by, id, `{resolved: false}`)
		require.Empty(t, g.Errors, g.Body)
		require.Equal(t, []any{nil, nil, nil}, []any{open["resolvedAt"], open["resolvedBy"], open["resolvedById"]})
		require.Nil(t, open["editedAt"])
	}

	for by, code := range map[*testkit.Member]string{&l.reader: "forbidden", &l.stranger: "not_found"} {
		_, g := l.resolve(*by, id, `{}`)
		require.Equal(t, code, g.Code())
	}

	for _, by := range []testkit.Member{l.creator, l.reader} {
		_, g := l.resolve(by, reply, `{}`)
		require.Equal(t, "bad_request", g.Code())
		require.Contains(t, g.Errors[0].Message, "id must not be the id of a reply; resolve the comment that it replies to")
	}

	_, g := l.resolve(l.author, id, `{}`)
	require.Empty(t, g.Errors, g.Body)

	late, g := l.add(l.reader, l.video.ID, map[string]any{"body": "one more", "replyToId": id})
	require.Empty(t, g.Errors, g.Body)
	require.Nil(t, late["resolvedAt"])

	var resolved int
	require.NoError(t, l.Store.DB.QueryRow(`SELECT count(*) FROM comments WHERE resolved_at IS NOT NULL`).Scan(&resolved))
	require.Equal(t, 1, resolved, "a reply does not open it again")
}

// The page of a video that its reader may not read otherwise shows threads, and offers each visitor what they may do.
func TestShownThreads(t *testing.T) {
	t.Parallel()

	l := newTalk(t)
	id := l.said(l.author, map[string]any{"body": "begun"})
	l.said(l.reader, map[string]any{"body": "an answer", "replyToId": id})

	l.creator.Do(t, l.Store, func(ctx context.Context, db *ent.Client) { // more than a page shows
		db.Comment.MapCreateBulk(make([]int, 200), func(c *ent.CommentCreate, _ int) {
			c.SetVideo(l.video).SetAuthor("Ada").SetBody("filler")
		}).ExecX(ctx)
	})

	shown := func(who auth.Viewer) []model.ShownComment {
		all, err := l.Resolver.Services.Sharing.ShownComments(t.Context(), &model.Showing{Video: l.video, Admission: model.Admission{Who: who}})
		require.NoError(t, err)

		return all
	}
	require.Len(t, shown(auth.Viewer{}), 200, "the oldest comments are left out")

	l.said(l.editor, map[string]any{"body": "newest", "replyToId": id})

	type offer struct{ editable, removable, resolvable bool }

	for name, want := range map[string]struct {
		who          auth.Viewer
		begun, reply offer
	}{
		"a visitor":                {auth.Viewer{}, offer{}, offer{}},
		"its author":               {l.author.Viewer, offer{true, true, true}, offer{}},
		"an editor, who replied":   {l.editor.Viewer, offer{false, false, true}, offer{true, true, false}},
		"a reader":                 {l.reader.Viewer, offer{}, offer{}},
		"the creator of the video": {l.creator.Viewer, offer{false, true, true}, offer{false, true, false}},
	} {
		all := shown(want.who)
		require.Len(t, all, 200, name)
		require.Equal(t, id, all[0].ID, "the comment that the newest reply answers: "+name)
		require.Len(t, all[0].Replies, 1, name)

		begun, reply := all[0], all[0].Replies[0]
		require.Equal(t, "newest", reply.Body, name)
		require.Equal(t, want.begun, offer{begun.Editable, begun.Removable, begun.Resolvable}, name)
		require.Equal(t, want.reply, offer{reply.Editable, reply.Removable, reply.Resolvable}, name)
	}
}
