package listing

import (
	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
)

// Found converts ent's not-found error into fault.NotFound.
func Found[T any](row *T, err error) (*T, error) {
	if ent.IsNotFound(err) {
		return nil, fault.NotFound("node")
	}

	return row, err
}
