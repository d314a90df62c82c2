package pages_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/account"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
)

// TestComments: visitors comment under a name, in plain text of limited length; members as themselves. Those who may
// manage the video can remove comments.
func TestComments(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	v := l.video(film(t, "1"), nil)
	c, at := l.client(), "/video/"+v.ID

	said := c.post(at+"/comments", url.Values{"author": {"Ada"}, "body": {"<script>alert(1)</script>\r\nNice"}, "pinned": {"on"}, "atSeconds": {"0.5"}})
	require.Equal(t, http.StatusSeeOther, said.status, said.body)
	require.Contains(t, c.get(at+"/view").body, "&lt;script&gt;alert(1)&lt;/script&gt;")

	for _, wrong := range []url.Values{
		{"author": {""}, "body": {"x"}},
		{"author": {"Ada"}, "body": {"   "}},
		{"author": {"Ada"}, "body": {strings.Repeat("é", 5001)}},
		{"author": {"Ada"}, "body": {"x"}, "pinned": {"on"}, "atSeconds": {"99"}},
		{"author": {"Ada"}, "body": {"x"}, "pinned": {"on"}, "atSeconds": {"now"}},
		{"author": {"Ada"}, "body": {"x"}, "pinned": {"on"}, "atSeconds": {"NaN"}},
		{"author": {"Ada"}, "body": {"x"}, "pinned": {"on"}, "atSeconds": {"-Inf"}},
		{"author": {"Ada"}, "body": {"x"}, "pinned": {"on"}},
	} {
		require.Equal(t, http.StatusBadRequest, c.post(at+"/comments", wrong).status, wrong)
	}

	empty := c.post(at+"/comments", url.Values{"author": {""}, "body": {"x"}})
	require.Contains(t, empty.body, "Your name must ")
	require.Contains(t, empty.body, `href="`+at+`/view#comments"`)

	l.member.Do(t, l.Store, func(ctx context.Context, db *ent.Client) {
		db.User.UpdateOneID(l.member.UserID).SetPasswordHash(auth.HashPassword("correct horse")).ExecX(ctx)
	})

	owner := l.client()
	owner.post("/sign-in", url.Values{"email": {l.member.Email}, "password": {"correct horse"}, "to": {at + "/view"}})
	require.Equal(t, http.StatusSeeOther, owner.post(at+"/comments", url.Values{"author": {"Nobody"}, "body": {"Thanks"}}).status)

	all := l.Store.Client(t.Context()).Comment.Query().AllX(auth.AsSystem(t.Context()))
	require.Len(t, all, 2)
	require.Equal(t, "Someone", all[1].Author)
	require.EqualValues(t, 500, *all[0].AtMs)

	remove := at + "/comments/" + all[0].ID + "/remove"
	stranger := c.post(remove, url.Values{})
	require.Equal(t, http.StatusUnauthorized, stranger.status)
	require.Contains(t, stranger.body, "You must be signed in for this")
	require.Equal(t, http.StatusSeeOther, owner.post(remove, url.Values{}).status)
	require.NotContains(t, c.get(at+"/view").body, "Nice")

	for range account.PerVisitor - 2 { // two were used above; refused comments do not count
		require.Equal(t, http.StatusSeeOther, c.post(at+"/comments", url.Values{"author": {"Ada"}, "body": {"again"}}).status)
	}

	tooMany := c.post(at+"/comments", url.Values{"author": {"Ada"}, "body": {"again"}})
	require.Equal(t, http.StatusTooManyRequests, tooMany.status)
	require.Regexp(t, `Try again in (a minute|\d+ minutes)\.`, tooMany.body)

	l.change(v, func(_ *ent.VideoUpdateOne, s *values.VideoSettings) { s.CommentsEnabled = false })
	require.NotContains(t, c.get(at+"/view").body, `id="comments"`)
}

// TestThreads: visitors reply, members also change and resolve their own comments, and the page shows it. Nobody changes
// the comment of a visitor, or a comment through the page of another video.
func TestThreads(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	v, other := l.video(film(t, "1"), nil), l.video(film(t, "1"), nil)
	at := "/video/" + v.ID
	visitor, author := l.client(), testkit.NewMember(t, l.Store, testkit.MemberOpts{WorkspaceID: l.member.WorkspaceID})

	enter := func(m testkit.Member) client {
		m.Do(t, l.Store, func(ctx context.Context, db *ent.Client) {
			db.User.UpdateOneID(m.UserID).SetPasswordHash(auth.HashPassword("correct horse")).ExecX(ctx)
		})

		c := l.client()
		require.Equal(t, http.StatusSeeOther,
			c.post("/sign-in", url.Values{"email": {m.Email}, "password": {"correct horse"}, "to": {at + "/view"}}).status)

		return c
	}
	member, creator := enter(author), enter(l.member)
	must := func(p page) string {
		require.Equal(t, http.StatusSeeOther, p.status, p.body)

		before, id, _ := strings.Cut(p.header.Get("Location"), "#")
		require.Equal(t, at+"/view", before)

		return id
	}

	begun := must(member.post(at+"/comments", url.Values{"body": {"Whose cat is this?"}}))
	reply := must(visitor.post(at+"/comments", url.Values{"author": {"Ada <b>"}, "body": {"Mine"}, "replyToId": {begun}}))
	require.Equal(t, http.StatusBadRequest, visitor.post(at+"/comments", url.Values{"author": {"Ada"}, "body": {"x"}, "replyToId": {reply}}).status)
	require.Equal(t, http.StatusNotFound,
		visitor.post("/video/"+other.ID+"/comments", url.Values{"author": {"Ada"}, "body": {"x"}, "replyToId": {begun}}).status)

	shown := visitor.get(at + "/view").body
	require.Regexp(t, `(?s)id="`+begun+`".*<ol class="replies"[^>]*><li class="comment" id="`+reply+`"`, shown)
	require.Contains(t, shown, `Comments <span class="count">2</span>`)
	require.Contains(t, shown, `data-say="reply"`)
	require.NotContains(t, shown, `data-say="change"`)

	// Who may change what: a member their own comment; nobody that of a visitor.
	for path, body := range map[string]url.Values{
		at + "/comments/" + begun + "/edit": {"body": {"Changed"}}, at + "/comments/" + reply + "/edit": {"body": {"Changed"}},
		at + "/comments/" + begun + "/resolve": {},
	} {
		require.Equal(t, http.StatusUnauthorized, visitor.post(path, body).status, path)
	}

	require.Equal(t, http.StatusForbidden, creator.post(at+"/comments/"+begun+"/edit", url.Values{"body": {"Changed"}}).status)
	require.Equal(t, http.StatusForbidden, creator.post(at+"/comments/"+reply+"/edit", url.Values{"body": {"Changed"}}).status)
	require.Equal(t, http.StatusNotFound, member.post("/video/"+other.ID+"/comments/"+begun+"/edit", url.Values{"body": {"Changed"}}).status)
	require.Equal(t, http.StatusNotFound, member.post("/video/"+other.ID+"/comments/"+begun+"/resolve", url.Values{}).status)
	require.Equal(t, http.StatusNotFound, member.post("/video/"+other.ID+"/comments/"+begun+"/remove", url.Values{}).status)
	require.Equal(t, http.StatusBadRequest, member.post(at+"/comments/"+begun+"/edit", url.Values{"body": {" "}}).status)
	require.Contains(t, member.get(at+"/view").body, `action="`+at+`/comments/`+begun+`/edit"`)
	require.NotContains(t, member.get(at+"/view").body, `action="`+at+`/comments/`+reply+`/edit"`)

	require.Equal(t, begun, must(member.post(at+"/comments/"+begun+"/edit", url.Values{"body": {"Whose dog is this?\r\nIt barks."}})))

	shown = visitor.get(at + "/view").body
	require.Contains(t, shown, "Whose dog is this?")
	require.Contains(t, shown, "(edited)")
	require.NotContains(t, shown, "Whose cat is this?")

	// The creator may edit the video, and the author began it: both resolve it and open it again.
	require.Equal(t, begun, must(creator.post(at+"/comments/"+begun+"/resolve", url.Values{})))
	require.Contains(t, visitor.get(at+"/view").body, "Resolved by <bdi>Someone</bdi>")
	require.Equal(t, begun, must(member.post(at+"/comments/"+begun+"/resolve", url.Values{"resolved": {"false"}})))
	require.NotContains(t, visitor.get(at+"/view").body, "Resolved by")

	fragment := member.ask(http.MethodPost, at+"/comments/"+begun+"/resolve", url.Values{},
		"Accept", "text/html; fragment", "Sec-Fetch-Site", "same-origin")
	require.Equal(t, http.StatusOK, fragment.status)
	require.True(t, strings.HasPrefix(fragment.body, `<li class="comment resolved" id="`+begun+`"`), fragment.body)
	require.Contains(t, fragment.body, "Open again")

	require.Equal(t, http.StatusSeeOther, member.post(at+"/comments/"+begun+"/remove", url.Values{}).status)
	require.NotContains(t, visitor.get(at+"/view").body, reply, "replies go with the comment")
}
