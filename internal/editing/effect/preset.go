package effect

import (
	"context"
	"fmt"

	"github.com/reelgraph/reelgraph/ent/catalogitem"
	"github.com/reelgraph/reelgraph/internal/library"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/optional"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// presetOf returns the preset that an edit names, or nil.
func (e Edit) presetOf() *string {
	if e.add == nil || e.add.SoundEffect == nil {
		return nil
	}

	return e.add.SoundEffect.PresetID
}

// readPresets reads the presets that the edits name. It returns not_found for an unknown one.
func (svc *Service) readPresets(ctx context.Context, d *Desk, edits []Edit) error {
	d.presets = map[string]*library.Preset{}

	var named []string

	for _, e := range edits {
		if id := e.presetOf(); id != nil {
			named = append(named, *id)
		}
	}

	if len(named) == 0 {
		return nil
	}

	items, err := svc.Store.Client(ctx).CatalogItem.Query().
		Where(catalogitem.IDIn(optional.Unique(nil, named)...), catalogitem.TypeEQ(values.CatalogTypeSoundEffect)).All(ctx)
	if err != nil {
		return fmt.Errorf("read presets: %w", err)
	}

	for _, item := range items {
		d.presets[item.ID] = &library.Preset{CatalogItem: item}
	}

	for _, e := range edits {
		if id := e.presetOf(); id != nil && d.presets[*id] == nil {
			return fault.NotFound(e.named("sound effect at " + e.at("presetId")))
		}
	}

	return nil
}
