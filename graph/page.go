package graph

import (
	"context"
	"sync"

	"github.com/reelgraph/reelgraph/graph/model"
)

// pageOf makes a page of rows that were read one beyond its size.
func pageOf[T any](rows []T, size int, cursorOf func(T) string, count func(context.Context) (int, error)) *model.Connection[T] {
	page := &model.Connection[T]{Nodes: rows, CursorOf: cursorOf, Count: counted(count)}

	if len(rows) > size {
		page.Nodes, page.PageInfo.HasNextPage = rows[:size], true
	}

	if n := len(page.Nodes); n > 0 {
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
