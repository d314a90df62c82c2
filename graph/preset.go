package graph

import (
	"context"
	"fmt"
	"path"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/catalogitem"
	"github.com/reelgraph/reelgraph/ent/source"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// preset is a sound of the catalogue and, once it is needed, the workspace's copy.
type preset struct {
	*ent.CatalogItem

	copied *ent.Source
}

// presetOf is the preset an edit names; nil is none.
func (e edit) presetOf() *string {
	if e.add == nil || e.add.SoundEffect == nil {
		return nil
	}

	return e.add.SoundEffect.PresetID
}

// readPresets finds the presets the edits name; another is not_found.
func (r *Resolver) readPresets(ctx context.Context, d *desk, edits []edit) error {
	d.presets = map[string]*preset{}

	var named []string

	for _, e := range edits {
		if id := e.presetOf(); id != nil {
			named = append(named, *id)
		}
	}

	if len(named) == 0 {
		return nil
	}

	items, err := r.Store.Client(ctx).CatalogItem.Query().
		Where(catalogitem.IDIn(unique(nil, named)...), catalogitem.TypeEQ(values.CatalogTypeSoundEffect)).All(ctx)
	if err != nil {
		return fmt.Errorf("read presets: %w", err)
	}

	for _, item := range items {
		d.presets[item.ID] = &preset{CatalogItem: item}
	}

	for _, e := range edits {
		if id := e.presetOf(); id != nil && d.presets[*id] == nil {
			return fault.NotFound(e.named("sound effect at " + e.at("presetId")))
		}
	}

	return nil
}

// presetFile is the copy of a preset's file that a workspace's source is to consist of.
type presetFile struct {
	*ent.CatalogItem
	file
}

// copyPreset copies the file of a sound of the catalogue, before anything is locked.
func (r *Resolver) copyPreset(ctx context.Context, item *ent.CatalogItem) (*presetFile, error) {
	original, err := r.Blobs.Open(ctx, item.BlobKey)
	if err != nil {
		return nil, fmt.Errorf("open preset %s: %w", item.ID, err)
	}
	defer original.Content.Close() //nolint:errcheck // it has been read

	copied, err := r.putFile(ctx, path.Ext(item.BlobKey), original.Content)
	if err != nil {
		return nil, fmt.Errorf("copy preset %s: %w", item.ID, err)
	}

	return &presetFile{item, copied}, nil
}

// placePreset makes the copy of a preset a ready source of the workspace.
func (r *Resolver) placePreset(ctx context.Context, p *presetFile) (*ent.Source, error) {
	create := r.sourceOf(ctx, p.file).SetKind(values.SourceKindAudio).SetAudio(values.SourceAudioSystem).
		SetName(p.Name).SetHasAudio(true).SetDurationMs(p.DurationMs)
	if p.Probe != nil {
		create.SetProbe(p.Probe)
	}

	made, err := create.Save(ctx)
	if err != nil {
		return nil, fmt.Errorf("place preset %s: %w", p.ID, err)
	}

	return made, nil
}

// discardCopies asks for the removal of those copies of presets among sources that a video no longer uses.
// What anything else uses stays, and so does whatever somebody has uploaded.
func (r *Resolver) discardCopies(ctx context.Context, v *ent.Video, dropped []string) error {
	if len(dropped) == 0 {
		return nil
	}

	copies, err := r.Store.Client(ctx).Source.Query().Where(source.IDIn(dropped...), source.UserIDIsNil()).IDs(ctx)
	if err != nil {
		return fmt.Errorf("read copies of presets: %w", err)
	}

	if len(copies) == 0 {
		return nil
	}

	return r.Jobs.Add(ctx, jobs.Discard{WorkspaceID: v.WorkspaceID, SourceIDs: copies})
}
