package graph_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/video"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/domain"
	"github.com/reelgraph/reelgraph/internal/fault"
	"github.com/reelgraph/reelgraph/internal/testkit"
)

// shelf fills the workspace with videos, of which many share a millisecond.
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
		SetSettings(domain.DefaultVideoSettings()).SetEditing(domain.DefaultEditing())
}

// order is the list as one statement sees it.
func order(t *testing.T, b *bundle) []string {
	t.Helper()

	var all []string

	b.owner.Do(t, b.store, func(ctx context.Context, c *ent.Client) {
		all = c.Video.Query().Order(ent.Desc(video.FieldUpdatedAt, video.FieldID)).IDsX(ctx)
	})

	return all
}

// A walk shows each video that was there when it began exactly once, in the order of that moment,
// whatever is edited, added and removed between its pages.
func TestVideosAreWalkedAsTheyStood(t *testing.T) {
	t.Parallel()

	b := setup(t)
	seed := time.Now().UnixNano()
	random := rand.New(rand.NewPCG(uint64(seed), 1))

	shelf(t, b, 120, random)

	for walk := range 40 {
		t.Logf("seed %d, walk %d", seed, walk)
		walkOnce(t, b, random)
	}
}

func walkOnce(t *testing.T, b *bundle, random *rand.Rand) {
	t.Helper()

	// An edit that is stamped before the walk and committed after its first page: no time could tell.
	late := order(t, b)[random.IntN(40)]
	stamped := make(chan struct{})
	proceed := make(chan struct{})
	committed := make(chan error)

	go func() {
		committed <- b.store.InTx(b.owner.Context(), func(ctx context.Context) error {
			err := b.store.Client(ctx).Video.UpdateOneID(late).SetUpdatedAt(now()).AddRevision(1).Exec(ctx)
			close(stamped)
			<-proceed

			return err
		})
	}()

	<-stamped

	stood := order(t, b)
	size := 1 + random.IntN(100)
	ctx := selection.With(b.owner.Context(), selection.Page(selection.Fields("id", "name", "updatedAt")))
	gone := map[string]bool{}

	var (
		seen  []string
		after *string
	)

	for page := 0; ; page++ {
		got, err := b.Query().Videos(ctx, size, after, nil, nil)
		require.NoError(t, err)

		for _, v := range got.Nodes {
			seen = append(seen, v.ID)
		}

		if page == 0 {
			close(proceed)
			require.NoError(t, <-committed)
		}

		if !got.PageInfo.HasNextPage {
			break
		}

		after = got.PageInfo.EndCursor()
		meddle(t, b, random, gone)
		size = 1 + random.IntN(100)
	}

	// What was removed on the way may have been seen before, and not after.
	expected := slices.DeleteFunc(slices.Clone(stood), func(id string) bool { return gone[id] && !slices.Contains(seen, id) })
	require.Equal(t, expected, seen)
}

func now() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }

// meddle edits, adds and removes videos at random.
func meddle(t *testing.T, b *bundle, random *rand.Rand, gone map[string]bool) {
	t.Helper()

	all := order(t, b)

	b.owner.Do(t, b.store, func(ctx context.Context, c *ent.Client) {
		for range random.IntN(8) {
			id := all[random.IntN(len(all))]

			switch random.IntN(6) {
			case 0:
				newVideo(b, c, "new").ExecX(ctx)
			case 1:
				if !gone[id] && len(all)-len(gone) > 60 {
					c.Video.DeleteOneID(id).ExecX(ctx)
					newVideo(b, c, "instead").ExecX(ctx)

					gone[id] = true
				}
			default:
				c.Video.Update().Where(video.ID(id)).SetUpdatedAt(now()).AddRevision(1).ExecX(ctx)
			}
		}
	})
}

// Progress and views leave a video where it stands.
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
	first, err := b.Query().Videos(ctx, 1, nil, nil, nil)
	require.NoError(t, err)

	cursor := *first.PageInfo.EndCursor()
	other := testkit.NewMember(t, b.store, testkit.MemberOpts{WorkspaceID: b.owner.WorkspaceID})

	for name, use := range map[string]func() error{
		"altered": func() error {
			bad := cursor[:len(cursor)-4] + "AAAA"
			_, err := b.Query().Videos(ctx, 1, &bad, nil, nil)

			return err
		},
		"not ours": func() error {
			bad := "nonsense"
			_, err := b.Query().Videos(ctx, 1, &bad, nil, nil)

			return err
		},
		"other filters": func() error {
			_, err := b.Query().Videos(ctx, 1, &cursor, nil, []string{"tag_01hzzzzzzzzzzzzzzzzzzzzzzz"})

			return err
		},
		"somebody else's": func() error {
			_, err := b.Query().Videos(other.Context(), 1, &cursor, nil, nil)

			return err
		},
		"a day old": func() error {
			b.Clock = func() time.Time { return time.Now().Add(24*time.Hour + time.Second) }
			defer func() { b.Clock = time.Now }()

			_, err := b.Query().Videos(ctx, 1, &cursor, nil, nil)

			return err
		},
	} {
		require.True(t, fault.Is(use(), fault.BadRequestCode), name)
	}

	_, err = b.Query().Videos(ctx, 2, &cursor, nil, nil)
	require.NoError(t, err, "and the page size may change")
}
