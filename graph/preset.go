package graph

import (
	"context"
	"fmt"
	"path"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/catalogitem"
	"github.com/reelgraph/reelgraph/internal/blob"
	"github.com/reelgraph/reelgraph/internal/domain"
	"github.com/reelgraph/reelgraph/internal/fault"
)

// presetOf is an item of the default library, or not_found that names the path it stood at.
func (r *Resolver) presetOf(ctx context.Context, kind domain.CatalogType, id, at string) (*ent.CatalogItem, error) {
	item, err := r.Store.Client(ctx).CatalogItem.Query().Where(catalogitem.ID(id), catalogitem.TypeEQ(kind)).Only(ctx)
	if ent.IsNotFound(err) {
		return nil, fault.NotFound("preset at " + at)
	}

	if err != nil {
		return nil, fmt.Errorf("read preset: %w", err)
	}

	return item, nil
}

// placePreset copies the sound of a preset into a source of the workspace, so that it lasts however
// the default library changes.
func (r *Resolver) placePreset(ctx context.Context, item *ent.CatalogItem) (*ent.Source, error) {
	sound, err := r.Blobs.Open(ctx, item.BlobKey)
	if err != nil {
		return nil, fmt.Errorf("open preset %s: %w", item.ID, err)
	}
	defer sound.Content.Close() //nolint:errcheck // it has been read

	key, err := blob.NewKey("sources", path.Ext(item.BlobKey))
	if err != nil {
		return nil, fmt.Errorf("place preset %s: %w", item.ID, err)
	}

	kept, err := r.Blobs.Put(ctx, key, sound.Content)
	if err != nil {
		return nil, fmt.Errorf("place preset %s: %w", item.ID, err)
	}

	made, err := r.Store.Client(ctx).Source.Create().SetKind(domain.SourceKindAudio).SetAudio(domain.SourceAudioSystem).
		SetStatus(domain.SourceStatusReady).SetReadyAt(r.now()).SetName(item.Name).SetDurationMs(item.DurationMs).
		SetHasAudio(true).SetBytes(kept.Size).SetUploadOffset(kept.Size).SetBlobKey(key).SetSha256(item.RecipeHash).Save(ctx)
	if err != nil {
		return nil, fmt.Errorf("create source of preset: %w", err)
	}

	return made, nil
}

// copyPreset copies a sound of the catalogue into a ready source of the workspace; nil when there is
// none of that type and name.
func (r *Resolver) copyPreset(ctx context.Context, id string, kind domain.CatalogType) (*ent.Source, error) {
	item, err := r.presetOf(ctx, kind, id, "presetId")
	if fault.Is(err, fault.NotFoundCode) {
		return nil, nil //nolint:nilnil // no such preset is a valid outcome
	}

	if err != nil {
		return nil, err
	}

	return r.placePreset(ctx, item)
}
