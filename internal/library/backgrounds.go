package library

import (
	"context"
	"fmt"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/catalogitem"
	"github.com/reelgraph/reelgraph/ent/libraryitem"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/platform/optional"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Backgrounds returns all backgrounds that the caller may choose for a clip.
func (svc *Service) Backgrounds(ctx context.Context) (*model.Backgrounds, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	kept, err := svc.Store.Client(ctx).LibraryItem.Query().
		Where(listing.VisibleItem(who), libraryitem.TypeIn(values.LibraryTypeImage, values.LibraryTypeVideo)).
		Order(ent.Desc(libraryitem.FieldUpdatedAt, libraryitem.FieldID)).WithSource().All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read backgrounds: %w", err)
	}

	defaults, err := svc.Store.Client(ctx).CatalogItem.Query().
		Where(catalogitem.TypeIn(values.CatalogTypeBackground, values.CatalogTypeAnimatedBackground)).
		Order(ent.Asc(catalogitem.FieldPosition, catalogitem.FieldID)).All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read backgrounds: %w", err)
	}

	all := &model.Backgrounds{
		Personal: []*model.BackgroundChoice{}, Workspace: []*model.BackgroundChoice{},
		Default: []*model.BackgroundChoice{}, DefaultAnimated: []*model.BackgroundChoice{},
	}

	for _, item := range kept {
		to := &all.Personal
		if item.Scope == values.LibraryScopeWorkspace {
			to = &all.Workspace
		}

		*to = append(*to, svc.keptBackground(item))
	}

	for _, item := range defaults {
		to := &all.Default
		if item.Type == values.CatalogTypeAnimatedBackground {
			to = &all.DefaultAnimated
		}

		*to = append(*to, &model.BackgroundChoice{
			ID: item.ID, Name: item.Name, PreviewURL: svc.Addresses.CatalogPreview(item.ID),
			Background: svc.Background(&ent.Clip{Background: behindOf(item)}),
		})
	}

	return all, nil
}

// keptBackground returns a picture or loop of the library as a background.
func (svc *Service) keptBackground(item *ent.LibraryItem) *model.BackgroundChoice {
	b := &model.Background{Type: values.BackgroundTypeImage, SourceID: &item.SourceID}

	if item.Type == values.LibraryTypeVideo {
		b.Type, b.VideoDurationSeconds = values.BackgroundTypeVideo, lasting(item.Edges.Source.DurationMs)
	}

	return &model.BackgroundChoice{
		ID: item.ID, Name: item.Name, PreviewURL: svc.Listing.MediaURL(item.SourceID), Background: b,
	}
}

// behindOf returns a default background in the form that a clip stores.
func behindOf(item *ent.CatalogItem) values.Background {
	switch {
	case item.Background != nil: // colors need no file
		return *item.Background
	case item.Type == values.CatalogTypeAnimatedBackground:
		return values.Background{Type: values.BackgroundTypeVideo, CatalogID: item.ID, VideoDurationMs: item.DurationMs}
	default:
		return values.Background{Type: values.BackgroundTypeImage, CatalogID: item.ID}
	}
}

// CatalogBackground returns the default background whose address is in the input. The address must be exactly the one
// that the API returned.
func (svc *Service) CatalogBackground(ctx context.Context, b *model.BackgroundInput) (values.Background, error) {
	field, address := "imageUrl", b.ImageURL
	if b.Type == values.BackgroundTypeVideo {
		field, address = "videoUrl", b.VideoURL
	}

	if id, ours := svc.Addresses.CatalogItem(optional.Deref(address)); ours {
		item, err := svc.Store.Client(ctx).CatalogItem.Query().
			Where(catalogitem.ID(id), catalogitem.TypeIn(values.CatalogTypeBackground, values.CatalogTypeAnimatedBackground)).Only(ctx)
		if err != nil && !ent.IsNotFound(err) {
			return values.Background{}, fmt.Errorf("read background: %w", err)
		}

		if err == nil && behindOf(item).CatalogID != "" && behindOf(item).Type == b.Type {
			return behindOf(item), nil
		}
	}

	return values.Background{}, BackgroundFault(field, "must be exactly an address from the background catalog")
}
