package exhaustive_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/video"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
)

// shelf creates n videos in the workspace, many with the same timestamp.
func shelf(t *testing.T, b *bundle, n int, random *rand.Rand) {
	t.Helper()

	start := time.Now().Add(-time.Hour).UTC().Truncate(time.Millisecond)

	b.owner.Do(t, b.store, func(ctx context.Context, c *ent.Client) {
		for i := range n {
			newVideo(b, c, fmt.Sprint("video ", i)).
				SetUpdatedAt(start.Add(time.Duration(random.IntN(n/10+1)) * time.Millisecond)).ExecX(ctx)
		}
	})
}

func newVideo(b *bundle, c *ent.Client, name string) *ent.VideoCreate {
	return c.Video.Create().SetUserID(b.owner.UserID).SetName(name).SetWidth(1920).SetHeight(1080).
		SetSettings(values.DefaultVideoSettings()).SetEditing(values.DefaultEditing())
}

// order returns the list as read in one statement.
func order(t *testing.T, b *bundle) []string {
	t.Helper()

	var all []string

	b.owner.Do(t, b.store, func(ctx context.Context, c *ent.Client) {
		all = c.Video.Query().Order(ent.Desc(video.FieldUpdatedAt, video.FieldID)).IDsX(ctx)
	})

	return all
}

// Export progress and views do not change a video's place in the list.
func TestViewsDoNotMoveAVideo(t *testing.T) {
	t.Parallel()

	b := setup(t)
	shelf(t, b, 5, rand.New(rand.NewPCG(1, 1)))

	was := order(t, b)

	b.owner.Do(t, b.store, func(ctx context.Context, c *ent.Client) {
		c.Video.UpdateOneID(was[4]).AddViews(1).ExecX(ctx)
	})
	require.Equal(t, was, order(t, b))

	b.owner.Do(t, b.store, func(ctx context.Context, c *ent.Client) { require.Zero(t, c.Touch.Query().CountX(ctx)) })
}

func TestACursorBelongsToItsList(t *testing.T) {
	t.Parallel()

	b := setup(t)
	shelf(t, b, 3, rand.New(rand.NewPCG(1, 1)))

	ctx := b.owner.Context()
	first, err := b.Query().Videos(ctx, 1, nil, nil, nil, nil, nil)
	require.NoError(t, err)

	cursor := *first.PageInfo.EndCursor()
	other := testkit.NewMember(t, b.store, testkit.MemberOpts{WorkspaceID: b.owner.WorkspaceID})

	for name, use := range map[string]func() error{
		"altered": func() error {
			bad := cursor[:len(cursor)-4] + "AAAA"
			_, err := b.Query().Videos(ctx, 1, &bad, nil, nil, nil, nil)

			return err
		},
		"not ours": func() error {
			bad := "nonsense"
			_, err := b.Query().Videos(ctx, 1, &bad, nil, nil, nil, nil)

			return err
		},
		"other filters": func() error {
			_, err := b.Query().Videos(ctx, 1, &cursor, nil, []string{"tag_01hzzzzzzzzzzzzzzzzzzzzzzz"}, nil, nil)

			return err
		},
		"somebody else's": func() error {
			_, err := b.Query().Videos(other.Context(), 1, &cursor, nil, nil, nil, nil)

			return err
		},
		"a day old": func() error {
			b.store.Clock = func() time.Time { return time.Now().Add(24*time.Hour + time.Second) }
			defer func() { b.store.Clock = time.Now }()

			_, err := b.Query().Videos(ctx, 1, &cursor, nil, nil, nil, nil)

			return err
		},
	} {
		require.True(t, fault.Is(use(), fault.BadRequestCode), name)
	}

	_, err = b.Query().Videos(ctx, 2, &cursor, nil, nil, nil, nil)
	require.NoError(t, err, "the page size may change")
}
