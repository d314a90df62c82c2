package exhaustive_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/playlistvideo"
	"github.com/reelgraph/reelgraph/ent/video"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/race"
)

// Paging through a list shows each video that was there at the start exactly once, in the order of that moment. Edits,
// additions and removals between and during pages do not matter, nor do transactions that began earlier and commit
// during the walk.
func TestVideosAreWalkedAsTheyStood(t *testing.T) {
	t.Parallel()

	b := setup(t)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)

	walksOf := map[int]int{1000: 1000}
	if race.Detector {
		walksOf = map[int]int{1000: 40, 90: 480, 40: 480}
	}

	for n, walks := range walksOf {
		f := newFlux(t, b, n)

		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()

			stop := f.meddle(t, seed+uint64(n), 2)
			defer stop()

			var (
				readers sync.WaitGroup
				left    atomic.Int64
			)

			left.Store(int64(walks))

			for reader := range 4 {
				readers.Go(func() {
					random := rand.New(rand.NewPCG(seed, uint64(n+reader)))

					for left.Add(-1) >= 0 && !t.Failed() {
						f.walk(t, random)
					}
				})
			}

			readers.Wait()
			require.Greater(t, f.written.Load(), int64(walks/10), "too few writes happened meanwhile")
			t.Logf("%d walks over %d videos, %d transactions meanwhile", walks, n, f.written.Load())
		})
	}
}

// flux is a workspace whose videos are edited constantly, many in the same millisecond.
type flux struct {
	*bundle

	who   testkit.Member
	list  string
	start time.Time
	n     int

	turns   chan struct{} // one write is allowed for every fourth page
	commits sync.Mutex    // holding it blocks commits
	written atomic.Int64  // transactions
	gone    sync.Map      // ids that were ever removed from the list or deleted
}

func newFlux(t *testing.T, b *bundle, n int) *flux {
	t.Helper()

	f := &flux{turns: make(chan struct{}, 1), bundle: b, n: n, who: testkit.NewMember(t, b.store, testkit.MemberOpts{}), start: now().Add(-time.Hour)}

	f.who.Do(t, b.store, func(ctx context.Context, c *ent.Client) {
		list := c.Playlist.Create().SetUserID(f.who.UserID).SetName("P").SaveX(ctx)
		f.list = list.ID

		for i := range n {
			v := f.create(c).SaveX(ctx)
			if i%2 == 0 {
				c.PlaylistVideo.Create().SetPlaylist(list).SetVideo(v).SetPosition(i).ExecX(ctx)
			}
		}
	})

	return f
}

// create returns a video last edited in the same millisecond as all others.
func (f *flux) create(c *ent.Client) *ent.VideoCreate {
	return c.Video.Create().SetUserID(f.who.UserID).SetName("V").SetWidth(1920).SetHeight(1080).SetUpdatedAt(f.start).
		SetSettings(values.DefaultVideoSettings()).SetEditing(values.DefaultEditing())
}

// meddle runs writers that edit, add and remove videos on their turn until the returned function is called.
func (f *flux) meddle(t *testing.T, seed uint64, writers int) func() {
	t.Helper()

	var all sync.WaitGroup

	done := make(chan struct{})

	for writer := range writers {
		all.Go(func() {
			random := rand.New(rand.NewPCG(seed, uint64(writer)))

			for {
				select {
				case <-done:
					return
				case <-f.turns:
					f.write(t, random, byte(writer), byte(writers))
				}
			}
		})
	}

	return func() {
		close(done)
		all.Wait()
	}
}

// write runs a transaction with a few edits, stamped some time before the commit. Each writer has its own rows, so that
// none waits for a lock while a walk blocks commits.
func (f *flux) write(t *testing.T, random *rand.Rand, writer, writers byte) {
	t.Helper()

	err := f.store.InTx(f.who.Context(), func(ctx context.Context) error {
		c := f.store.Client(ctx)
		there := c.Video.Query().IDsX(ctx)
		mine := slices.DeleteFunc(slices.Clone(there), func(id string) bool { return id[len(id)-1]%writers != writer })

		for range 1 + random.IntN(5) {
			f.edit(ctx, c, random, mine[random.IntN(len(mine))], len(mine)*int(writers))
		}

		f.commits.Lock()

		return nil
	})

	f.commits.Unlock()
	f.written.Add(1)

	if err != nil {
		t.Errorf("write: %v", err)
	}
}

func (f *flux) edit(ctx context.Context, c *ent.Client, random *rand.Rand, id string, n int) {
	at := now()
	if random.IntN(2) == 0 {
		at = f.start.Add(time.Duration(random.IntN(3)) * time.Millisecond)
	}

	switch random.IntN(8) {
	case 0:
		if n < f.n+10 {
			c.PlaylistVideo.Create().SetPlaylistID(f.list).SetVideo(f.create(c).SetUpdatedAt(at).SaveX(ctx)).SetPosition(0).ExecX(ctx)
		}
	case 1:
		if n > f.n-10 {
			f.gone.Store(id, true)
			c.Video.Delete().Where(video.ID(id)).ExecX(ctx) // it may already be deleted
		}
	case 2:
		f.gone.Store(f.list+id, true)
		c.PlaylistVideo.Delete().Where(playlistvideo.PlaylistID(f.list), playlistvideo.VideoID(id)).ExecX(ctx)
	default:
		c.Video.Update().Where(video.ID(id)).SetUpdatedAt(at).AddRevision(1).ExecX(ctx)
	}
}

// walk pages through all videos or those of the playlist and compares them with the list at its start.
func (f *flux) walk(t *testing.T, random *rand.Rand) {
	t.Helper()

	var (
		ctx    = selection.With(f.who.Context(), selection.Page(selection.Fields("id", "name", "updatedAt")))
		list   *string
		after  *string
		within string
		most   = 100
		seen   []string
	)

	if random.IntN(2) == 0 {
		list, within = &f.list, f.list
	}

	if random.IntN(20) == 0 {
		most = 9
	}

	sort := &model.VideoSort{Field: model.VideoSortFieldUpdatedAt, Direction: model.SortDirectionDesc}
	if random.IntN(3) == 0 {
		sort.Direction = model.SortDirectionAsc
	}

	f.commits.Lock()

	stood := f.order(list)
	if sort.Direction == model.SortDirectionAsc {
		slices.Reverse(stood)
	}

	page, err := f.Query().Videos(ctx, 1+random.IntN(most), nil, list, nil, nil, sort)

	f.commits.Unlock()

	for {
		if err != nil {
			t.Errorf("walk: %v", err)

			return
		}

		if random.IntN(4) == 0 {
			select {
			case f.turns <- struct{}{}:
			default: // every writer writes
			}
		}

		for _, v := range page.Nodes {
			seen = append(seen, v.ID)
		}

		if after = page.PageInfo.EndCursor(); !page.PageInfo.HasNextPage {
			break
		}

		page, err = f.Query().Videos(ctx, 1+random.IntN(most), after, list, nil, nil, sort)
	}

	// A video removed during the walk may be missing.
	expected := slices.DeleteFunc(slices.Clone(stood), func(id string) bool {
		_, deleted := f.gone.Load(id)
		_, removed := f.gone.Load(within + id)

		return (deleted || removed) && !slices.Contains(seen, id)
	})
	if !slices.Equal(expected, seen) {
		t.Errorf("%d stood, %d expected, %d seen\n%v\n%v", len(stood), len(expected), len(seen), expected, seen)
	}
}

// order returns the list as read in one statement.
func (f *flux) order(list *string) []string {
	ctx := f.who.Context()

	q := f.store.Client(ctx).Video.Query().Order(ent.Desc(video.FieldUpdatedAt, video.FieldID))
	if list != nil {
		q.Where(video.HasPlaylistVideosWith(playlistvideo.PlaylistID(*list)))
	}

	return q.IDsX(ctx)
}

func now() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }
