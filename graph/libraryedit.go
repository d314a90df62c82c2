package graph

import (
	"context"
	"fmt"
	"strings"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/libraryitem"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/platform/input"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// typesOf are what a source of a kind may be kept as; the first unless the caller says otherwise.
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

// addLibraryItem keeps a ready source for reuse. What is kept for the workspace is the workspace's to
// use.
func (r *Resolver) addLibraryItem(ctx context.Context, in model.AddLibraryItemInput) (*model.LibraryItem, error) {
	if err := input.Validate(&in); err != nil {
		return nil, err
	}

	s, err := r.usableSource(ctx, in.SourceID, "source at sourceId")
	if err != nil {
		return nil, err
	}

	who, err := creator(ctx)
	if err != nil {
		return nil, err
	}

	scope := values.LibraryScopePrivate
	give(&scope, in.Scope)

	kind, err := typeFor(s, in.Type.Value())
	if err != nil {
		return nil, err
	}

	if s, err = r.readySource(ctx, s.ID, s.Kind, "sourceId"); err != nil {
		return nil, err
	}

	return store.Write(ctx, r.Store, nil, func(ctx context.Context) (*model.LibraryItem, error) {
		now, name := r.Store.Now(), itemName(s)
		give(&name, in.Name)

		made, err := r.Store.Client(ctx).LibraryItem.Create().SetUserID(who.UserID).SetSource(s).SetScope(scope).SetType(kind).
			SetName(name).SetCreatedAt(now).SetUpdatedAt(now).Save(ctx)
		if err != nil {
			return nil, fmt.Errorf("add to library: %w", err)
		}

		return r.libraryItem(made, s), nil
	})
}

// typeFor is what a source is kept as.
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

	return "", fault.Invalid([]fault.Field{{Path: "type", Rule: "must fit a source of kind " + string(s.Kind)}})
}

// itemName is what an item is called after its source.
func itemName(s *ent.Source) string {
	if strings.TrimSpace(s.Name) != "" {
		return s.Name
	}

	return "Untitled " + string(s.Kind)
}

// deleteLibraryItem removes an item; its source stays.
func (r *Resolver) deleteLibraryItem(ctx context.Context, id string) error {
	_, err := store.Write(ctx, r.Store, nil, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, r.deleteItem(ctx, id)
	})

	return err
}

func (r *Resolver) deleteItem(ctx context.Context, id string) error {
	who, err := viewer(ctx)
	if err != nil {
		return err
	}

	if !ids.Is(ids.LibraryItem, id) {
		if _, err := r.presetOf(ctx, id); err != nil {
			return noItem(err)
		}

		return fault.Forbidden("Default items of the library stay.")
	}

	row, err := found(r.Store.Client(ctx).LibraryItem.Query().
		Where(libraryitem.ID(id), libraryitem.Or(visibleItem(who), libraryitem.UserID(who.UserID))).Only(ctx))
	if err != nil {
		return noItem(err)
	}

	if row.Scope == values.LibraryScopeWorkspace {
		if err := owns(who, row.UserID, "item"); err != nil {
			return err
		}
	}

	if err := r.Store.Client(ctx).LibraryItem.DeleteOneID(id).Exec(ctx); err != nil {
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
