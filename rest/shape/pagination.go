package shape

import (
	"github.com/reelgraph/reelgraph/graph/model"
)

// Everything is the page size for lists that the API contract returns without pages.
const Everything = 10_000_000

type pagination struct {
	HasMore    bool             `json:"hasMore"`
	NextCursor Optional[string] `json:"nextCursor"`
}

// PaginationOf converts the position of a page to its JSON form.
func PaginationOf(p model.PageInfo) pagination {
	if !p.HasNextPage {
		return pagination{NextCursor: Null[string]()}
	}

	return pagination{HasMore: true, NextCursor: SomeOrNull(p.EndCursor())}
}
