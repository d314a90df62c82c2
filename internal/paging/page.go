package paging

import (
	"context"
	"sync"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/platform/cursor"
)

// Turn is one page of a walk, which is the reading of a list page by page. It holds where the page begins and what
// its cursors contain. Every cursor contains the time at which the walk began, so an item has the same cursor
// throughout a walk.
type Turn struct {
	*Service

	of     string // the list and its filters
	madeMs int64  // when the walk began
	behind bool   // whether the page begins after a cursor
}

// Turn starts a new walk. To continue an earlier walk instead, call Open with its cursor.
func (s *Service) Turn(of string) *Turn {
	return &Turn{Service: s, of: of, madeMs: s.Store.Now().UnixMilli()}
}

// Open makes the Turn continue the walk that a cursor belongs to.
func (t *Turn) Open(ctx context.Context, after string) (cursor.Cursor, error) {
	c, err := t.Service.open(ctx, after, t.of) //nolint:staticcheck // Open would call itself
	if err == nil {
		t.madeMs, t.behind = c.MadeMs, true
	}

	return c, err
}

// seal returns the cursor of a position in the walk.
func (t *Turn) seal(c cursor.Cursor) string {
	c.MadeMs = t.madeMs

	return t.Service.seal(c, t.of)
}

// PageOf builds a page from rows. To find out whether a page follows, the caller must read one row more than size.
// placeOf returns the position of a row.
func PageOf[T any](
	t *Turn, rows []T, size int, placeOf func(T) cursor.Cursor, count func(context.Context) (int, error),
) *model.Connection[T] {
	cursorOf := func(row T) string { return t.seal(placeOf(row)) }
	page := &model.Connection[T]{Nodes: rows, CursorOf: cursorOf, Count: counted(count)}
	page.PageInfo.HasPreviousPage = t.behind

	if len(rows) > size {
		page.Nodes, page.PageInfo.HasNextPage = rows[:size], true
	}

	if n := len(page.Nodes); n > 0 {
		page.PageInfo.Start = func() string { return cursorOf(page.Nodes[0]) }
		page.PageInfo.End = func() string { return cursorOf(page.Nodes[n-1]) }
	}

	return page
}

// counted runs a count once for all callers. Aliases of one total are resolved at the same time, and an ent query must
// not be used twice.
func counted(count func(context.Context) (int, error)) func(context.Context) (int, error) {
	var once struct { // one allocation, because every list in a response has one
		sync.Mutex

		done bool
		n    int
		err  error
	}

	return func(ctx context.Context) (int, error) {
		once.Lock()
		defer once.Unlock()

		if !once.done {
			once.n, once.err = count(ctx)
			once.done = true
		}

		return once.n, once.err
	}
}

// Entity is a row of an ent table. It can store data that was read together with it (see ent/template).
type Entity interface {
	Below() (id string, extra *ent.Extra)
	Reference(column string) (id string, own bool)
}

// Shown is a context key. Its value is the number of rows of type T that a page returns. One row more is read, but
// only to find out whether a page follows, so its nested lists are not read.
type Shown[T any] struct{}

func showing[T any](ctx context.Context, size int) context.Context {
	return context.WithValue(ctx, Shown[T]{}, size)
}
