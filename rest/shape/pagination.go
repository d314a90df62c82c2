package shape

import (
	"github.com/reelgraph/reelgraph/graph/model"
)

// Everything is the page size for lists that the contract does not page.
const Everything = 10_000_000

type pagination struct {
	HasMore    bool             `json:"hasMore"`
	NextCursor Optional[string] `json:"nextCursor"`
}

// PaginationOf returns the shape of a page's position.
func PaginationOf(p model.PageInfo) pagination {
	if !p.HasNextPage {
		return pagination{NextCursor: Null[string]()}
	}

	return pagination{HasMore: true, NextCursor: SomeOrNull(p.EndCursor())}
}
