package graph

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"path"
	"slices"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/catalogitem"
	"github.com/reelgraph/reelgraph/internal/blob"
	"github.com/reelgraph/reelgraph/internal/domain"
	"github.com/reelgraph/reelgraph/internal/fault"
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
		Where(catalogitem.IDIn(unique(slices.Clone(named))...), catalogitem.TypeEQ(domain.CatalogTypeSoundEffect)).All(ctx)
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

// copyPreset copies a sound of the catalogue into a ready source of the workspace. Its file is written
// first, and removed when the transaction fails.
func (r *Resolver) copyPreset(ctx context.Context, item *ent.CatalogItem) (*ent.Source, error) {
	key, err := blob.NewKey("sources", path.Ext(item.BlobKey))
	if err != nil {
		return nil, fmt.Errorf("copy preset: %w", err)
	}

	original, err := r.Blobs.Open(ctx, item.BlobKey)
	if err != nil {
		return nil, fmt.Errorf("open preset %s: %w", item.ID, err)
	}
	defer original.Content.Close() //nolint:errcheck // it has been read

	sum := sha256.New()

	written, err := r.Blobs.Put(ctx, key, io.TeeReader(original.Content, sum))
	if err != nil {
		return nil, fmt.Errorf("copy preset %s: %w", item.ID, err)
	}

	err = r.Store.OnRollback(ctx, func() {
		_ = r.Blobs.Delete(context.WithoutCancel(ctx), key) // nothing refers to what stays behind
	})
	if err != nil {
		return nil, fmt.Errorf("copy preset %s: %w", item.ID, err)
	}

	create := r.Store.Client(ctx).Source.Create().SetKind(domain.SourceKindAudio).SetAudio(domain.SourceAudioSystem).
		SetStatus(domain.SourceStatusReady).SetReadyAt(r.now()).SetName(item.Name).SetHasAudio(true).
		SetDurationMs(item.DurationMs).SetBytes(written.Size).SetUploadOffset(written.Size).
		SetBlobKey(key).SetSha256(hex.EncodeToString(sum.Sum(nil)))
	if item.Probe != nil {
		create.SetProbe(item.Probe)
	}

	made, err := create.Save(ctx)
	if err != nil {
		return nil, fmt.Errorf("copy preset %s: %w", item.ID, err)
	}

	return made, nil
}
