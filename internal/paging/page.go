package paging

import (
	"context"
	"sync"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/platform/cursor"
)

// Turn is one page of a walk over a list: where it begins, and what its cursors seal. An item has one cursor in a walk,
// whoever asks for it and how often: all of them are made when the walk began.
type Turn struct {
	*Service

	of     string // the list and its filters
	madeMs int64  // when the walk began
	behind bool   // whether it begins behind a cursor
}

// Turn begins a walk, unless the turn is opened then.
func (s *Service) Turn(of string) *Turn {
	return &Turn{Service: s, of: of, madeMs: s.Store.Now().UnixMilli()}
}

// Open goes on with the walk of a cursor.
func (t *Turn) Open(ctx context.Context, after string) (cursor.Cursor, error) {
	c, err := t.Service.open(ctx, after, t.of) //nolint:staticcheck // Open would call itself
	if err == nil {
		t.madeMs, t.behind = c.MadeMs, true
	}

	return c, err
}

// seal makes the cursor of a place in the walk.
func (t *Turn) seal(c cursor.Cursor) string {
	c.MadeMs = t.madeMs

	return t.Service.seal(c, t.of)
}

// PageOf makes a page of rows that were read one beyond its size. placeOf is where a row stands.
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

// counted counts once, whoever asks: aliases of one total are resolved at once, and a query of ent is not
// for two.
func counted(count func(context.Context) (int, error)) func(context.Context) (int, error) {
	var once struct { // one allocation, for every list of an answer has one
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

// Entity is a row of ent, and what was read with it (ent/template).
type Entity interface {
	Below() (id string, extra *ent.Extra)
	Reference(column string) (id string, own bool)
}

// Shown is the key of how many of the rows T that are read are shown. The one beyond a page says that there are more,
// and nobody asks for its lists.
type Shown[T any] struct{}

func showing[T any](ctx context.Context, size int) context.Context {
	return context.WithValue(ctx, Shown[T]{}, size)
}
