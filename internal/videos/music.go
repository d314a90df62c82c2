package videos

import (
	"context"
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/catalogitem"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/library"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/input"
	"github.com/reelgraph/reelgraph/internal/platform/optional"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// SetBackgroundMusic sets a video's background music: a preset, which is copied into the workspace, or an uploaded
// sound.
func (svc Music) SetBackgroundMusic(ctx context.Context, videoID string, in model.SetBackgroundMusicInput) (*ent.Video, error) {
	if err := input.Validate(&in); err != nil {
		return nil, err
	}

	if id := in.PresetID.Value(); id != nil {
		return svc.setPresetMusic(ctx, videoID, *id, in)
	}

	sound, err := svc.takeSource(ctx, videoID, *in.SourceID.Value(), values.SourceKindAudio)
	if err != nil {
		return nil, err
	}

	return svc.editMusic(ctx, videoID, func(ctx context.Context, _ *ent.Video) (*values.BackgroundMusic, error) {
		return musicOf(sound.ID, soundName(sound), in), svc.Listing.Rights().HoldSource(ctx, sound.ID, "source at sourceId")
	})
}

// takeSource waits for an uploaded sound or image that is to be used in a video, outside the transaction.
func (svc *Service) takeSource(ctx context.Context, videoID, id string, kind values.SourceKind) (*ent.Source, error) {
	v, err := svc.Listing.Rights().ReadableVideo(ctx, videoID, selection.Tree{})
	if err != nil {
		return nil, err
	}

	known, err := svc.Listing.Rights().KnownSource(ctx, id, "source at sourceId")
	if err != nil {
		return nil, err
	}

	// Check whether the caller may do this at all before reporting the state of the source.
	unusable := func(auth.Viewer, *ent.Video) error {
		return svc.Listing.Rights().RefuseUse(ctx, known, "source at sourceId")
	}
	if err := svc.Listing.Rights().RefuseEdit(ctx, v, unusable); err != nil {
		return nil, err
	}

	return svc.Upload.ReadySource(ctx, id, kind, "sourceId")
}

// setPresetMusic sets a preset as a video's music. A preset that already plays is not copied again.
func (svc Music) setPresetMusic(ctx context.Context, videoID, id string, in model.SetBackgroundMusicInput) (*ent.Video, error) {
	seen, err := svc.Listing.Rights().ReadableVideo(ctx, videoID, selection.Tree{})
	if err != nil {
		return nil, err
	}

	item, err := svc.musicPreset(ctx, id)
	if err != nil {
		return nil, err
	}

	// Check whether the caller may do this at all before copying a file.
	if err := svc.Listing.Rights().RefuseEdit(ctx, seen); err != nil {
		return nil, err
	}

	var copied *library.PresetFile

	if !playsPreset(seen, id) {
		if copied, err = svc.Library.CopyPreset(ctx, item); err != nil {
			return nil, err
		}
	}

	return svc.editMusic(ctx, videoID, func(ctx context.Context, v *ent.Video) (*values.BackgroundMusic, error) {
		sourceID, err := svc.presetSource(ctx, v, id, copied)
		if err != nil {
			return nil, err
		}

		music := musicOf(sourceID, item.Name, in)
		music.PresetID = &id

		return music, nil
	})
}

// playsPreset reports whether a video's music is that preset.
func playsPreset(v *ent.Video, id string) bool {
	return v.BackgroundMusic != nil && optional.Deref(v.BackgroundMusic.PresetID) == id
}

// presetSource returns the source of a preset's music: the new copy, or else the present source. It returns a conflict
// if that source has been deleted.
func (svc Music) presetSource(ctx context.Context, v *ent.Video, id string, copied *library.PresetFile) (string, error) {
	if copied == nil && !playsPreset(v, id) {
		late := fault.Conflict("Another request has just changed the background music of the video. Try again.")
		late.RetryAfter = time.Second

		return "", late
	}

	if copied == nil {
		return v.BackgroundMusic.SourceID, nil
	}

	placed, err := svc.Library.PlacePreset(ctx, copied)
	if err != nil {
		return "", err
	}

	return placed.ID, nil
}

// musicPreset returns a music loop of the default library, or not_found.
func (svc Music) musicPreset(ctx context.Context, id string) (*ent.CatalogItem, error) {
	item, err := svc.Store.Client(ctx).CatalogItem.Query().
		Where(catalogitem.ID(id), catalogitem.TypeEQ(values.CatalogTypeMusic)).Only(ctx)
	if ent.IsNotFound(err) {
		return nil, fault.NotFound("preset at presetId")
	}

	if err != nil {
		return nil, fmt.Errorf("read preset: %w", err)
	}

	return item, nil
}

func musicOf(sourceID, name string, in model.SetBackgroundMusicInput) *values.BackgroundMusic {
	optional.Give(&name, in.Name)

	return &values.BackgroundMusic{SourceID: sourceID, Name: name, Volume: in.Volume}
}

// soundName returns the name of a sound for which no name was given.
func soundName(s *ent.Source) string {
	if name := strings.TrimSpace(strings.TrimSuffix(s.Name, path.Ext(s.Name))); name != "" {
		return name
	}

	return "Music"
}

// editMusic changes the music of a video the caller may edit; nil removes it.
func (svc Music) editMusic(ctx context.Context, videoID string,
	change func(ctx context.Context, v *ent.Video) (*values.BackgroundMusic, error),
) (*ent.Video, error) {
	return store.Write(ctx, svc.Store, nil, func(ctx context.Context) (*ent.Video, error) {
		v, err := svc.Listing.Rights().EditableVideo(ctx, videoID)
		if err != nil {
			return nil, err
		}

		next, err := change(ctx, v)
		if err != nil {
			return nil, err
		}

		if reflect.DeepEqual(next, v.BackgroundMusic) {
			return v, nil
		}

		update := svc.Store.Client(ctx).Video.UpdateOneID(videoID).AddRevision(1).SetUpdatedAt(svc.Store.Now())
		if next == nil {
			update.ClearBackgroundMusic()
		} else {
			update.SetBackgroundMusic(next)
		}

		changed, err := update.Save(ctx)
		if err != nil {
			return nil, fmt.Errorf("update video: %w", err)
		}

		if was := v.BackgroundMusic; was != nil && (next == nil || next.SourceID != was.SourceID) {
			err = svc.Library.DiscardCopies(ctx, v, []string{was.SourceID})
		}

		return changed, err
	})
}

// ApplySubtitlePreset sets the caption style of a video to that of a preset.
func (svc Music) ApplySubtitlePreset(ctx context.Context, videoID string, presetID string) (*ent.Video, error) {
	return store.Write(ctx, svc.Store, nil, func(ctx context.Context) (*ent.Video, error) {
		v, err := svc.Listing.Rights().LockedVideo(ctx, videoID)
		if err != nil {
			return nil, err
		}

		all := values.CaptionPresets()

		i := slices.IndexFunc(all, func(p values.CaptionPreset) bool { return p.ID == presetID })
		if i < 0 {
			return nil, fault.NotFound("preset at presetId")
		}

		if err := svc.Listing.Rights().RefuseEdit(ctx, v); err != nil {
			return nil, err
		}

		if v.Editing.CaptionStyle == all[i].Style {
			return v, nil
		}

		v.Editing.CaptionStyle = all[i].Style

		changed, err := svc.Store.Client(ctx).Video.UpdateOneID(videoID).SetEditing(v.Editing).
			AddRevision(1).SetUpdatedAt(svc.Store.Now()).Save(ctx)
		if err != nil {
			return nil, fmt.Errorf("update video: %w", err)
		}

		return changed, nil
	})
}

// RemoveBackgroundMusic removes a video's music. It does nothing if the video has none.
func (svc Music) RemoveBackgroundMusic(ctx context.Context, videoID string) (*ent.Video, error) {
	return svc.editMusic(ctx, videoID, func(context.Context, *ent.Video) (*values.BackgroundMusic, error) {
		return nil, nil // no music is the wanted state
	})
}
