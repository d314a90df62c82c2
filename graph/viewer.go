package graph

import (
	"context"
	"fmt"

	"github.com/reelgraph/reelgraph/graph/model"
)

// whoAsks is the person and the workspace the request acts as.
func (r *Resolver) whoAsks(ctx context.Context) (*model.Viewer, error) {
	who, err := viewer(ctx)
	if err != nil {
		return nil, err
	}

	user, err := r.Store.Client(ctx).User.Get(ctx, who.UserID)
	if err != nil {
		return nil, fmt.Errorf("read user: %w", err)
	}

	workspace, err := r.Store.Client(ctx).Workspace.Get(ctx, who.WorkspaceID)
	if err != nil {
		return nil, fmt.Errorf("read workspace: %w", err)
	}

	return &model.Viewer{User: user, Workspace: workspace, Role: who.Role}, nil
}
