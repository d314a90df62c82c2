package rest

import (
	"context"

	"github.com/reelgraph/reelgraph/graph/selection"
)

// asking says which fields the next resolver is asked for.
func asking(ctx context.Context, fields selection.Tree) context.Context {
	return selection.With(ctx, fields)
}
