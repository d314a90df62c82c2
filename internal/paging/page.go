package paging

import (
	"context"
	"sync"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/platform/cursor"
)

// Turn holds what is needed to build one page of a list: where the page begins, and what its cursors contain. Reading
// a list page by page is called a walk. Every cursor contains the time at which the walk began, so an item has the
// same cursor throughout a walk.
type Turn struct {
	*Service

	of     string // the list and its filters
	madeMs int64  // when the walk began
	behind bool   // whether the page begins after a cursor
}

// Turn starts a new walk. The argument "of" identifies the list and its filters. To continue an earlier walk instead,
// call Open on the result with a cursor of that walk.
func (s *Service) Turn(of string) *Turn {
	return &Turn{Service: s, of: of, madeMs: s.Store.Now().UnixMilli()}
}

// Open makes the Turn continue the walk in which the cursor after was created. It returns the decoded cursor.
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

// PageOf builds a page from rows. The caller must read one row more than size, because PageOf uses this row to find
// out whether another page follows. placeOf returns the position of a row.
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

// Shown is a context key. Its value is the number of rows of type T that a page returns. The query fetches one extra
// row to find out whether another page follows. The nested lists of that extra row are not loaded.
type Shown[T any] struct{}

func showing[T any](ctx context.Context, size int) context.Context {
	return context.WithValue(ctx, Shown[T]{}, size)
}
