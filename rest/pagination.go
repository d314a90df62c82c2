package rest

import (
	"context"

	"github.com/reelgraph/reelgraph/graph/selection"
)

// asking sets the selection of the next resolver.
func asking(ctx context.Context, fields selection.Tree) context.Context {
	return selection.With(ctx, fields)
}
