package graph_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// TestActivity: a person sees the comments of others on their own videos and the first views of these videos, newest
// first, and how much of it they have not read.
func TestActivity(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	creator := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	other := testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: creator.WorkspaceID})
	stranger := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	began := time.Now().UTC().Add(-time.Hour).Truncate(time.Millisecond)
	at := func(minute int) time.Time { return began.Add(time.Duration(minute) * time.Minute) }

	type item struct {
		kind, name, body string
		unread           bool
	}

	// What happened, by minute. The names of videos say who made them.
	video := func(m testkit.Member, name string, viewed int, visibility values.Visibility) *ent.Video {
		v := testkit.NewVideo(t, s.Store, m, testkit.VideoOpts{Name: name, Visibility: visibility})

		m.Do(t, s.Store, func(ctx context.Context, db *ent.Client) {
			if viewed > 0 {
				db.Video.UpdateOne(v).SetFirstViewedAt(at(viewed)).ExecX(ctx)
			}
		})

		return v
	}
	comment := func(v *ent.Video, by *testkit.Member, body string, minute int) (id string) {
		creator.Do(t, s.Store, func(ctx context.Context, db *ent.Client) {
			c := db.Comment.Create().SetVideo(v).SetAuthor("A").SetBody(body).SetCreatedAt(at(minute))
			if by != nil {
				c.SetUserID(by.UserID)
			}

			id = c.SaveX(ctx).ID
		})

		return id
	}
	list := func(m testkit.Member, first int, after any) (items []item, cursor any, all map[string]any) {
		g := s.Ask(t, m.Key, `query ($n: Int!, $a: String) { activity(first: $n, after: $a) {
			totalCount unreadCount pageInfo { hasNextPage endCursor } nodes { kind unread at video { name } comment { body } } } }`, map[string]any{"n": first, "a": after})
		require.Empty(t, g.Errors, g.Body)

		all = api.Dig(g.Data, "activity").(map[string]any)

		for _, node := range all["nodes"].([]any) {
			n := node.(map[string]any)
			said, _ := n["comment"].(map[string]any)
			body, _ := said["body"].(string)
			items = append(items, item{n["kind"].(string), api.Dig(n, "video", "name").(string), body, n["unread"].(bool)})
		}

		if api.Dig(all, "pageInfo", "hasNextPage").(bool) {
			cursor = api.Dig(all, "pageInfo", "endCursor")
		}

		return items, cursor, all
	}
	mark := func(m testkit.Member, input string) int {
		g := s.Ask(t, m.Key, `mutation { markActivityRead`+input+` { unreadCount } }`, nil)
		require.Empty(t, g.Errors, g.Body)

		return int(api.Dig(g.Data, "markActivityRead", "unreadCount").(float64))
	}

	one, two := video(creator, "one", 2, values.VisibilityOrg), video(creator, "two", 0, values.VisibilityPersonal)
	theirs := video(other, "theirs", 3, values.VisibilityOrg)
	comment(one, &other, "a member", 4)
	comment(one, nil, "a visitor", 1)
	comment(one, &creator, "mine", 5)
	comment(theirs, &creator, "to them", 6)
	gone := comment(two, nil, "gone", 8)
	comment(two, nil, "in private", 7)

	creator.Do(t, s.Store, func(ctx context.Context, db *ent.Client) { db.Comment.DeleteOneID(gone).ExecX(ctx) })

	want := []item{
		{"COMMENT", "two", "in private", true},
		{"COMMENT", "one", "a member", true},
		{"FIRST_VIEW", "one", "", true},
		{"COMMENT", "one", "a visitor", true},
	}

	items, cursor, all := list(creator, 20, nil)
	require.Equal(t, want, items)
	require.Nil(t, cursor)
	require.EqualValues(t, 4, all["totalCount"])
	require.EqualValues(t, 4, all["unreadCount"])

	var paged []item

	for after := any(nil); ; {
		some, next, _ := list(creator, 1, after)
		require.Len(t, some, 1)

		paged = append(paged, some...)

		if after = next; next == nil {
			break
		}
	}

	require.Equal(t, want, paged)

	// Read up to a moment: what is later stays unread, and what was read stays read.
	stamp := func(minute int) string { return at(minute).Format("2006-01-02T15:04:05.000Z") }
	require.Equal(t, 2, mark(creator, `(input: {until: "`+stamp(2)+`"})`))
	require.Equal(t, 2, mark(creator, `(input: {until: "`+stamp(1)+`"})`))

	items, _, all = list(creator, 20, nil)
	require.Equal(t, []bool{true, true, false, false}, []bool{items[0].unread, items[1].unread, items[2].unread, items[3].unread})
	require.EqualValues(t, 2, all["unreadCount"])

	require.Zero(t, mark(creator, `(input: {until: "2999-01-01T00:00:00.000Z"})`), "the future is not read yet")
	comment(one, &other, "later", 61)

	items, _, all = list(creator, 20, nil)
	require.Equal(t, item{"COMMENT", "one", "later", true}, items[0])
	require.EqualValues(t, 1, all["unreadCount"])
	require.Equal(t, 1, mark(creator, ``), "it is dated after now")

	// Everybody has their own.
	items, _, all = list(other, 20, nil)
	require.Equal(t, []item{{"COMMENT", "theirs", "to them", true}, {"FIRST_VIEW", "theirs", "", true}}, items)
	require.EqualValues(t, 2, all["unreadCount"])

	items, _, all = list(stranger, 20, nil)
	require.Empty(t, items)
	require.EqualValues(t, 0, all["unreadCount"])

	// A cursor is for the list of one person.
	_, cursor, _ = list(creator, 1, nil)
	g := s.Ask(t, other.Key, `query ($a: String) { activity(after: $a) { nodes { at } } }`, map[string]any{"a": cursor})
	require.Equal(t, "bad_request", g.Code())
}
