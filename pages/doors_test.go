package pages_test

import (
	"cmp"
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

// TestPasswords: a password opens its page for a limited time, until it is changed. Wrong attempts are counted.
func TestPasswords(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	v := l.video(film(t, "1"), func(s *values.VideoSettings) { s.LinkScope = values.LinkScopePassword })
	secretly := func(password string) {
		l.change(v, func(u *ent.VideoUpdateOne, _ *values.VideoSettings) { u.SetPasswordHash(auth.HashPassword(password)) })
	}
	secretly("open sesame")

	c, at := l.client(), "/video/"+v.ID

	closed := c.get(at + "/view")
	require.Equal(t, http.StatusUnauthorized, closed.status)
	require.NotContains(t, closed.body, "finds its viewers")
	require.Equal(t, http.StatusUnauthorized, c.post(at+"/unlock", url.Values{"password": {"wrong"}}).status)
	require.Equal(t, http.StatusForbidden, c.ask(http.MethodPost, at+"/unlock", url.Values{"password": {"open sesame"}},
		"Origin", "https://elsewhere.example", "Sec-Fetch-Site", "cross-site").status)

	opened := c.post(at+"/unlock", url.Values{"password": {"open sesame"}})
	require.Equal(t, http.StatusSeeOther, opened.status)
	require.Contains(t, opened.header.Get("Set-Cookie"), "HttpOnly")
	require.Equal(t, http.StatusOK, c.get(at+"/view").status)

	// The same within a playlist: without the password the video is not even listed.
	list := l.playlist(v)
	require.Contains(t, c.get("/playlist/"+list.ID+"/view").body, "finds its viewers")
	require.Contains(t, l.client().get("/playlist/"+list.ID+"/view").body, "nothing to watch")

	secretly("another")
	require.Equal(t, http.StatusUnauthorized, c.get(at+"/view").status)

	// The Unicode form of the password does not matter.
	require.Equal(t, http.StatusOK, l.Call(t, l.member.Key, http.MethodPatch, "/v1/videos/"+v.ID, `{"password":"pa\u0308ss"}`).Status)
	require.Equal(t, http.StatusSeeOther, l.client().post(at+"/unlock", url.Values{"password": {"pa\u0308ss"}}).status)
	require.Equal(t, http.StatusSeeOther, l.client().post(at+"/unlock", url.Values{"password": {"p\u00e4ss"}}).status)
	secretly("another")

	// An embedded page continues in the response.
	require.Contains(t, l.client().post(at+"/unlock?embed=1", url.Values{"password": {"another"}}).body, "data-player")

	for range account.PerAccount {
		c.post(at+"/unlock", url.Values{"password": {"wrong"}})
	}

	late := c.post(at+"/unlock", url.Values{"password": {"another"}})
	require.Equal(t, http.StatusTooManyRequests, late.status)
	require.NotEmpty(t, late.header.Get("Retry-After"))
}

// TestPasswordOfOneself: who made a video or a playlist needs no password for it while signed in. Other members do.
func TestPasswordOfOneself(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	v := l.video(film(t, "1"), func(s *values.VideoSettings) { s.LinkScope = values.LinkScopePassword })
	l.change(v, func(u *ent.VideoUpdateOne, _ *values.VideoSettings) {
		u.SetPasswordHash(auth.HashPassword("open sesame"))
	})

	list := l.playlist(v)
	require.Equal(t, http.StatusOK, l.Call(t, l.member.Key, http.MethodPatch, "/v1/playlists/"+list.ID, `{"linkScope":"password","password":"open sesame"}`).Status)

	admin := testkit.NewMember(t, l.Store, testkit.MemberOpts{WorkspaceID: l.member.WorkspaceID, Role: auth.RoleAdmin})
	stranger := testkit.NewMember(t, l.Store, testkit.MemberOpts{})

	for m, status := range map[testkit.Member]int{l.member: http.StatusOK, admin: http.StatusUnauthorized, stranger: http.StatusUnauthorized} {
		m.Do(t, l.Store, func(ctx context.Context, db *ent.Client) {
			db.User.UpdateOneID(m.UserID).SetPasswordHash(auth.HashPassword("correct horse")).ExecX(ctx)
		})

		c := l.client()
		require.Equal(t, http.StatusSeeOther, c.post("/sign-in", url.Values{"email": {m.Email}, "password": {"correct horse"}, "to": {"/"}}).status)

		for _, at := range []string{"/video/" + v.ID + "/view", "/video/" + v.ID + "/embed", "/playlist/" + list.ID + "/view"} {
			require.Equal(t, status, c.get(at).status, "%s %s", m.Role, at)
		}
	}
}

// TestPrivate: a private video is shown only to signed-in members of its workspace.
func TestPrivate(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	v := l.video(film(t, "1"), func(s *values.VideoSettings) { s.LinkScope = values.LinkScopePrivate })
	stranger := testkit.NewMember(t, l.Store, testkit.MemberOpts{})

	for _, m := range []testkit.Member{l.member, stranger} {
		m.Do(t, l.Store, func(ctx context.Context, db *ent.Client) {
			db.User.UpdateOneID(m.UserID).SetPasswordHash(auth.HashPassword("correct horse")).ExecX(ctx)
		})
	}

	at := "/video/" + v.ID + "/view"
	signIn := func(m testkit.Member, password string) (client, page) {
		c := l.client()

		return c, c.post("/sign-in", url.Values{"email": {m.Email}, "password": {password}, "to": {at}})
	}

	require.Contains(t, l.client().get(at).body, `action="/sign-in"`)

	_, refused := signIn(l.member, "wrong")
	require.Equal(t, http.StatusUnauthorized, refused.status)

	member, in := signIn(l.member, "correct horse")
	require.Equal(t, http.StatusSeeOther, in.status)
	require.Equal(t, at, in.header.Get("Location"))
	require.Contains(t, member.get(at).body, "finds its viewers")
	// A link from another site leads there too; a form from another site is refused.
	require.Equal(t, http.StatusOK, member.get(at, "Sec-Fetch-Site", "cross-site").status)
	require.Equal(t, http.StatusForbidden, member.ask(http.MethodPost, "/video/"+v.ID+"/comments", url.Values{"body": {"x"}},
		"Sec-Fetch-Site", "cross-site").status)

	other, _ := signIn(stranger, "correct horse")
	require.Equal(t, http.StatusForbidden, other.get(at).status)
	require.NotContains(t, other.get(at).body, "finds its viewers")
	require.Contains(t, other.get(at).body, `href="/sign-in?to=`+strings.ToLower(url.QueryEscape(at))+`"`)

	c := l.client()
	for to, status := range map[string]int{
		"": 200, "/": 200, "/?tag=tag_x": 200, "/videos/vid_x": 200, "/settings/keys": 200, "/graphiql": 200, "/river/": 200, "/video/x/view?t=3": 200,
		"/graphiql?query=%7B__typename%7D": 200, "/graphiql#x": 200, "/graphiqlx": 404,
		"https://elsewhere.example": 404, "//elsewhere.example": 404, "///elsewhere.example": 404, `/\elsewhere.example`: 404, "/v1/videos": 404, "video/x": 404,
	} {
		shown := c.get("/sign-in?to=" + url.QueryEscape(to))
		require.Equal(t, status, shown.status, to)

		if status == http.StatusOK {
			require.Contains(t, shown.body, `name="to" value="`+cmp.Or(to, "/")+`"`)
		} else {
			require.Equal(t, status, c.post("/sign-in", url.Values{"to": {to}}).status, to)
		}
	}

	in = c.post("/sign-in", url.Values{"email": {l.member.Email}, "password": {"correct horse"}, "to": {"/graphiql"}})
	require.Equal(t, http.StatusSeeOther, in.status)
	require.Equal(t, "/graphiql", in.header.Get("Location"))
}

// TestSignOut: a signed-in person may sign out or sign in as somebody else, which ends the old session.
func TestSignOut(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	v := l.video(film(t, "1"), func(s *values.VideoSettings) { s.LinkScope = values.LinkScopePrivate })
	stranger := testkit.NewMember(t, l.Store, testkit.MemberOpts{})

	for m, name := range map[testkit.Member]string{l.member: "<Ada>", stranger: ""} {
		m.Do(t, l.Store, func(ctx context.Context, db *ent.Client) {
			db.User.UpdateOneID(m.UserID).SetName(name).SetPasswordHash(auth.HashPassword("correct horse")).ExecX(ctx)
		})
	}

	at := "/video/" + v.ID + "/view"
	c := l.client()
	front, err := url.Parse(l.front)
	require.NoError(t, err)

	session := func() string {
		var held []string
		for _, cookie := range c.jar.Cookies(front) {
			held = append(held, cookie.String())
		}

		return strings.Join(held, "; ")
	}
	watches := func(session string) int { return l.client().get(at, "Cookie", session).status }
	signIn := func(m testkit.Member, password string) page {
		return c.post("/sign-in", url.Values{"email": {m.Email}, "password": {password}, "to": {at}})
	}

	const ada = "You are signed in as <bdi>&lt;Ada&gt;</bdi>"

	asked := c.get("/sign-in?to=" + at)
	require.NotContains(t, asked.body, "signed in")
	require.NotContains(t, asked.body, "members")
	require.Contains(t, c.get(at).body, "members")

	require.Equal(t, http.StatusSeeOther, signIn(l.member, "correct horse").status)
	require.Contains(t, c.get("/sign-in").body, ada)
	require.Equal(t, "no-store", c.get("/sign-in").header.Get("Cache-Control"))
	require.NotContains(t, c.get("/sign-in", "Origin", "https://elsewhere.example").body, "Ada")

	shown := c.get(at)
	require.Contains(t, shown.body, `href="/sign-in?to=`+at+`"`)
	require.Equal(t, "no-store", shown.header.Get("Cache-Control"))

	first := session()
	wrong := signIn(stranger, "wrong")
	require.Equal(t, http.StatusUnauthorized, wrong.status)
	require.Contains(t, wrong.body, ada)
	require.Equal(t, http.StatusOK, watches(first))

	require.Equal(t, http.StatusSeeOther, signIn(stranger, "correct horse").status)
	require.Contains(t, c.get("/sign-in").body, "You are signed in as <bdi>"+stranger.Email+"</bdi>")
	require.Equal(t, http.StatusUnauthorized, watches(first), "the old session ended when somebody else signed in")

	signIn(l.member, "correct horse")

	held := session()

	require.Equal(t, "/sign-in", c.get("/sign-out").header.Get("Location"))
	require.Equal(t, http.StatusForbidden, c.ask(http.MethodPost, "/sign-out", url.Values{}, "Sec-Fetch-Site", "cross-site").status)
	require.Equal(t, http.StatusNotFound, c.post("/sign-out", url.Values{"to": {"//elsewhere.example"}}).status)
	require.Equal(t, http.StatusOK, watches(held))

	out := c.post("/sign-out", url.Values{"to": {at}})
	require.Equal(t, http.StatusSeeOther, out.status)
	require.Equal(t, "/sign-in?to="+url.QueryEscape(at), out.header.Get("Location"))
	require.Empty(t, session())
	require.Equal(t, http.StatusUnauthorized, watches(held))

	again := l.client().ask(http.MethodPost, "/sign-out", url.Values{}, "Origin", l.front, "Cookie", held)
	require.Equal(t, http.StatusSeeOther, again.status)
	require.Contains(t, again.header.Get("Set-Cookie"), "Max-Age=0", "the cookie of an expired session is removed too")

	signIn(l.member, "correct horse")
	require.Contains(t, c.get("/sign-in").body, ada)
	require.Equal(t, http.StatusOK, c.ask(http.MethodHead, "/sign-in", nil).status)

	_, err = l.Store.DB.ExecContext(t.Context(), "UPDATE sessions SET expires_at = now() - interval '1 second'")
	require.NoError(t, err)
	require.NotContains(t, c.get("/sign-in").body, "signed in")
}
