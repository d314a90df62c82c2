package graph_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// tagged creates a tag and returns a function that sends a request while the tag is being changed.
func tagged(t *testing.T, s *api.Server, owner testkit.Member) (
	id string, meanwhile func(first func(ctx context.Context, c *ent.Client) error, method, path, body string) api.Answer,
) {
	t.Helper()

	id = ids.New(ids.Tag)

	owner.Do(t, s.Store, func(ctx context.Context, c *ent.Client) {
		c.Tag.Create().SetID(id).SetUserID(owner.UserID).SetName("Old").SetNameKey("old").SetColor("#000000FF").ExecX(ctx)
	})

	return id, func(first func(ctx context.Context, c *ent.Client) error, method, path, body string) api.Answer {
		answers := make(chan api.Answer, 1)

		owner.Do(t, s.Store, func(ctx context.Context, c *ent.Client) {
			require.NoError(t, first(ctx, c))

			go func() { answers <- s.Call(t, owner.Key, method, path, body) }()

			testkit.AwaitLock(t, s.Store)
		})

		return <-answers
	}
}

// An edit of a tag waits for the edit before it and undoes none of its changes.
func TestTagEditsAreSerialized(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	owner := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	tag, meanwhile := tagged(t, s, owner)

	a := meanwhile(func(ctx context.Context, c *ent.Client) error {
		return c.Tag.UpdateOneID(tag).SetColor("#ABCDEFFF").SetDescription("First").Exec(ctx)
	}, http.MethodPatch, "/v1/tags/"+tag, `{"name":"New"}`)
	require.Equal(t, http.StatusOK, a.Status, a.Body)

	owner.Do(t, s.Store, func(ctx context.Context, c *ent.Client) {
		now := c.Tag.GetX(ctx, tag)
		require.Equal(t, "New #ABCDEFFF First", fmt.Sprint(now.Name, " ", now.Color, " ", now.Description))
	})
}

// A tag that is being deleted cannot be added to a video.
func TestTagDeletedConcurrently(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	owner := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	tag, meanwhile := tagged(t, s, owner)

	a := meanwhile(func(ctx context.Context, c *ent.Client) error { return c.Tag.DeleteOneID(tag).Exec(ctx) },
		http.MethodPost, "/v1/videos/"+testkit.NewVideo(t, s.Store, owner, testkit.VideoOpts{}).ID+"/tags", `{"tagId":"`+tag+`"}`)
	require.Equal(t, http.StatusNotFound, a.Status, a.Body)
}

// A page shows the first tags of each video and their total, however many tags the videos have together.
func TestVideosWithManyTags(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	much, some := testkit.NewVideo(t, s.Store, m, testkit.VideoOpts{}), testkit.NewVideo(t, s.Store, m, testkit.VideoOpts{})

	put := func(video string, from, to int) {
		_, err := s.Store.DB.Exec(`
			WITH made AS (
				INSERT INTO tags (id, created_at, workspace_id, updated_at, user_id, name, name_key, color)
				SELECT 'tag_' || n, now(), $1::text, now(), $2, to_char(n, 'FM00000'), to_char(n, 'FM00000'), '#000000FF'
				FROM generate_series($4::int, $5) AS n ON CONFLICT (id) DO UPDATE SET name = excluded.name RETURNING id)
			INSERT INTO video_tags (id, created_at, workspace_id, tag_id, video_id)
			SELECT $3 || id, now(), $1, id, $3 FROM made`, m.WorkspaceID, m.UserID, video, from, to)
		require.NoError(t, err)
	}
	shown := func(from, count int) string {
		return fmt.Sprintf(`{"totalCount":%d,"nodes":[{"name":"%05d"},{"name":"%05d"}],"pageInfo":{"hasNextPage":%t}}`,
			count, from, from+1, count > 2)
	}
	list := func() string {
		g := s.Ask(t, m.Key, `{ videos { nodes { id tags(first: 2) { totalCount nodes { name } pageInfo { hasNextPage } } } } }`, nil)
		require.Empty(t, g.Errors)

		data, err := json.Marshal(g.Data)
		require.NoError(t, err)

		return string(data)
	}

	put(some.ID, 10_091, 10_095)

	for _, many := range []int{2, 10_095, 10_096, 10_200} { // up to 10,100 in total are read in full
		put(much.ID, 1, many)
		require.JSONEq(t, fmt.Sprintf(`{"videos":{"nodes":[{"id":%q,"tags":%s},{"id":%q,"tags":%s}]}}`,
			some.ID, shown(10_091, 5), much.ID, shown(1, many)), list(), "%d tags", many)

		a := s.Call(t, m.Key, http.MethodGet, "/v1/videos/"+much.ID+"/tags", "")
		require.Equal(t, many, strings.Count(a.Body, `"id":"tag_`), "%d tags in REST, which does not page them", many)

		_, err := s.Store.DB.Exec(`DELETE FROM video_tags WHERE video_id = $1`, much.ID)
		require.NoError(t, err)
	}
}
