package library

import (
	"context"
	"fmt"
	"path"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/source"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/upload"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Preset is a sound of the catalog. Copied is the workspace's copy of it, or nil if no copy is needed yet.
type Preset struct {
	*ent.CatalogItem

	Copied *ent.Source
}

// PresetFile is a copy of a preset's file. PlacePreset makes a source of the workspace from it.
type PresetFile struct {
	*ent.CatalogItem
	upload.File
}

// CopyPreset copies the file of a catalog sound. Call it before locking any row, because it may take a while.
func (svc *Service) CopyPreset(ctx context.Context, item *ent.CatalogItem) (*PresetFile, error) {
	original, err := svc.Blobs.Open(ctx, item.BlobKey)
	if err != nil {
		return nil, fmt.Errorf("open preset %s: %w", item.ID, err)
	}
	defer original.Content.Close() //nolint:errcheck // it has been read

	copied, err := svc.Upload.PutFile(ctx, path.Ext(item.BlobKey), original.Content)
	if err != nil {
		return nil, fmt.Errorf("copy preset %s: %w", item.ID, err)
	}

	return &PresetFile{item, copied}, nil
}

// PlacePreset creates a source in the workspace that uses the copy of a preset as its file. The source is ready
// immediately.
func (svc *Service) PlacePreset(ctx context.Context, p *PresetFile) (*ent.Source, error) {
	create := svc.Upload.SourceOf(ctx, p.File).SetKind(values.SourceKindAudio).SetAudio(values.SourceAudioSystem).
		SetName(p.Name).SetHasAudio(true).SetDurationMs(p.DurationMs)
	if p.Probe != nil {
		create.SetProbe(p.Probe)
	}

	made, err := create.Save(ctx)
	if err != nil {
		return nil, fmt.Errorf("create source of preset %s: %w", p.ID, err)
	}

	return made, nil
}

// DiscardCopies queues the deletion of sources that a video no longer uses, if they are copies of presets. It does
// not delete uploaded sources, nor copies that are still used elsewhere. dropped holds the ids of the sources that
// the video no longer uses.
func (svc *Service) DiscardCopies(ctx context.Context, v *ent.Video, dropped []string) error {
	if len(dropped) == 0 {
		return nil
	}

	copies, err := svc.Store.Client(ctx).Source.Query().Where(source.IDIn(dropped...), source.UserIDIsNil()).IDs(ctx)
	if err != nil {
		return fmt.Errorf("read copies of presets: %w", err)
	}

	if len(copies) == 0 {
		return nil
	}

	return svc.Jobs.Add(ctx, jobs.Discard{WorkspaceID: v.WorkspaceID, SourceIDs: copies})
}
