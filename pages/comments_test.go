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
