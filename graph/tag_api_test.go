package graph_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/ids"
	"github.com/reelgraph/reelgraph/internal/testkit"
	"github.com/reelgraph/reelgraph/internal/testkit/api"
)

// tagged is a tag of somebody, and a way to ask for something while it is being changed.
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

// An edit of a tag waits for the one before it, and undoes nothing of it.
func TestTagsAreEditedOneAfterTheOther(t *testing.T) {
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

// A tag that is being deleted is put on no video.
func TestATagThatIsBeingDeleted(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	owner := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	tag, meanwhile := tagged(t, s, owner)

	a := meanwhile(func(ctx context.Context, c *ent.Client) error { return c.Tag.DeleteOneID(tag).Exec(ctx) },
		http.MethodPost, "/v1/videos/"+testkit.NewVideo(t, s.Store, owner, testkit.VideoOpts{}).ID+"/tags", `{"tagId":"`+tag+`"}`)
	require.Equal(t, http.StatusNotFound, a.Status, a.Body)
}
