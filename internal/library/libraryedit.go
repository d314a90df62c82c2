package library

import (
	"context"
	"fmt"
	"strings"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/libraryitem"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/platform/input"
	"github.com/reelgraph/reelgraph/internal/platform/optional"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// typesOf lists the library types that a source of a kind may have. The first is the default.
func typesOf(kind values.SourceKind) []values.LibraryType {
	switch kind {
	case values.SourceKindImage:
		return []values.LibraryType{values.LibraryTypeImage}
	case values.SourceKindVideo:
		return []values.LibraryType{values.LibraryTypeVideo}
	case values.SourceKindAudio:
		return []values.LibraryType{values.LibraryTypeSoundEffect, values.LibraryTypeMusic}
	default:
		return nil
	}
}

// AddLibraryItem adds a ready source to the library. If the item's scope is the workspace, the whole workspace may
// use it.
func (svc *Service) AddLibraryItem(ctx context.Context, in model.AddLibraryItemInput) (*model.LibraryItem, error) {
	if err := input.Validate(&in); err != nil {
		return nil, err
	}

	s, err := svc.Listing.Rights().UsableSource(ctx, in.SourceID, "source at sourceId")
	if err != nil {
		return nil, err
	}

	who, err := access.Creator(ctx)
	if err != nil {
		return nil, err
	}

	scope := values.LibraryScopePrivate
	optional.Give(&scope, in.Scope)

	kind, err := typeFor(s, in.Type.Value())
	if err != nil {
		return nil, err
	}

	if s, err = svc.Upload.ReadySource(ctx, s.ID, s.Kind, "sourceId"); err != nil {
		return nil, err
	}

	return store.Write(ctx, svc.Store, nil, func(ctx context.Context) (*model.LibraryItem, error) {
		now, name := svc.Store.Now(), itemName(s)
		optional.Give(&name, in.Name)

		made, err := svc.Store.Client(ctx).LibraryItem.Create().SetUserID(who.UserID).SetSource(s).SetScope(scope).SetType(kind).
			SetName(name).SetCreatedAt(now).SetUpdatedAt(now).Save(ctx)
		if err != nil {
			return nil, fmt.Errorf("add to library: %w", err)
		}

		return svc.libraryItem(made, s), nil
	})
}

// typeFor returns the library type of a source.
func typeFor(s *ent.Source, wanted *values.LibraryType) (values.LibraryType, error) {
	possible := typesOf(s.Kind)
	if len(possible) == 0 {
		return "", fault.Invalid([]fault.Field{{Path: "sourceId", Rule: "must be a source of kind image, video or audio"}})
	}

	if wanted == nil {
		return possible[0], nil
	}

	for _, kind := range possible {
		if kind == *wanted {
			return kind, nil
		}
	}

	return "", fault.Invalid([]fault.Field{{Path: "type", Rule: "must be a type that is allowed for a source of kind " + string(s.Kind)}})
}

// itemName returns an item's name, taken from its source.
func itemName(s *ent.Source) string {
	if strings.TrimSpace(s.Name) != "" {
		return s.Name
	}

	return "Untitled " + string(s.Kind)
}

// DeleteLibraryItem deletes a library item. It keeps the item's source.
func (svc *Service) DeleteLibraryItem(ctx context.Context, id string) error {
	_, err := store.Write(ctx, svc.Store, nil, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, svc.deleteItem(ctx, id)
	})

	return err
}

func (svc *Service) deleteItem(ctx context.Context, id string) error {
	who, err := access.Viewer(ctx)
	if err != nil {
		return err
	}

	if !ids.Is(ids.LibraryItem, id) {
		if _, err := svc.presetOf(ctx, id); err != nil {
			return noItem(err)
		}

		return fault.Forbidden("Default library items cannot be deleted.")
	}

	row, err := listing.Found(svc.Store.Client(ctx).LibraryItem.Query().
		Where(libraryitem.ID(id), libraryitem.Or(listing.VisibleItem(who), libraryitem.UserID(who.UserID))).Only(ctx))
	if err != nil {
		return noItem(err)
	}

	if row.Scope == values.LibraryScopeWorkspace {
		if err := access.Owns(who, row.UserID, "item"); err != nil {
			return err
		}
	}

	if err := svc.Store.Client(ctx).LibraryItem.DeleteOneID(id).Exec(ctx); err != nil {
		return fmt.Errorf("delete item: %w", err)
	}

	return nil
}

func noItem(err error) error {
	if fault.Is(err, fault.NotFoundCode) {
		return fault.NotFound("library item")
	}

	return err
}
