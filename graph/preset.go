package graph

import (
	"context"
	"fmt"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/catalogitem"
	"github.com/reelgraph/reelgraph/internal/domain"
)

// copyPreset copies a sound of the catalogue into a ready source of the workspace; nil when there is
// none of that type and name.
func (r *Resolver) copyPreset(ctx context.Context, id string, kind domain.CatalogType) (*ent.Source, error) {
	_, err := r.Store.Client(ctx).CatalogItem.Query().Where(catalogitem.ID(id), catalogitem.TypeEQ(kind)).Only(ctx)
	if ent.IsNotFound(err) {
		return nil, nil //nolint:nilnil // no such preset is a valid outcome
	}

	return nil, fmt.Errorf("read preset: %w", err)
}
