package rest

import (
	"context"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
)

// everything is the page size of lists that the contract does not page.
const everything = 10_000_000

type pagination struct {
	HasMore    bool             `json:"hasMore"`
	NextCursor Optional[string] `json:"nextCursor"`
}

func paginationOf(p model.PageInfo) pagination {
	if !p.HasNextPage {
		return pagination{NextCursor: Null[string]()}
	}

	return pagination{HasMore: true, NextCursor: SomeOrNull(p.EndCursor())}
}

// asking says which fields the next resolver is asked for.
func asking(ctx context.Context, fields selection.Tree) context.Context {
	return selection.With(ctx, fields)
}
