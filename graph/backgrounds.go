package graph

import (
	"context"
	"fmt"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/catalogitem"
	"github.com/reelgraph/reelgraph/ent/libraryitem"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// backgrounds are everything that may be put behind a clip.
func (r *Resolver) backgrounds(ctx context.Context) (*model.Backgrounds, error) {
	who, err := viewer(ctx)
	if err != nil {
		return nil, err
	}

	kept, err := r.Store.Client(ctx).LibraryItem.Query().
		Where(visibleItem(who), libraryitem.TypeIn(values.LibraryTypeImage, values.LibraryTypeVideo)).
		Order(ent.Desc(libraryitem.FieldUpdatedAt, libraryitem.FieldID)).WithSource().All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read backgrounds: %w", err)
	}

	defaults, err := r.Store.Client(ctx).CatalogItem.Query().
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

		*to = append(*to, r.keptBackground(item))
	}

	for _, item := range defaults {
		to := &all.Default
		if item.Type == values.CatalogTypeAnimatedBackground {
			to = &all.DefaultAnimated
		}

		*to = append(*to, &model.BackgroundChoice{
			ID: item.ID, Name: item.Name, PreviewURL: r.Addresses.CatalogPreview(item.ID),
			Background: r.background(&ent.Clip{Background: behindOf(item)}),
		})
	}

	return all, nil
}

// keptBackground is a picture or loop of the library as a background.
func (r *Resolver) keptBackground(item *ent.LibraryItem) *model.BackgroundChoice {
	b := &model.Background{Type: values.BackgroundTypeImage, SourceID: &item.SourceID}

	if item.Type == values.LibraryTypeVideo {
		b.Type, b.VideoDurationSeconds = values.BackgroundTypeVideo, lasting(item.Edges.Source.DurationMs)
	}

	return &model.BackgroundChoice{
		ID: item.ID, Name: item.Name, PreviewURL: r.Addresses.Media(item.SourceID, r.Store.Now().Add(mediaSigned)), Background: b,
	}
}

// behindOf is a default background as a clip stores it.
func behindOf(item *ent.CatalogItem) values.Background {
	switch {
	case item.Background != nil: // colours need no file
		return *item.Background
	case item.Type == values.CatalogTypeAnimatedBackground:
		return values.Background{Type: values.BackgroundTypeVideo, CatalogID: item.ID, VideoDurationMs: item.DurationMs}
	default:
		return values.Background{Type: values.BackgroundTypeImage, CatalogID: item.ID}
	}
}

// catalogBackground is the default background whose address the input gives, exactly as it was answered.
func (r *Resolver) catalogBackground(ctx context.Context, b *model.BackgroundInput) (values.Background, error) {
	field, address := "imageUrl", b.ImageURL
	if b.Type == values.BackgroundTypeVideo {
		field, address = "videoUrl", b.VideoURL
	}

	if id, ours := r.Addresses.CatalogItem(deref(address)); ours {
		item, err := r.Store.Client(ctx).CatalogItem.Query().
			Where(catalogitem.ID(id), catalogitem.TypeIn(values.CatalogTypeBackground, values.CatalogTypeAnimatedBackground)).Only(ctx)
		if err != nil && !ent.IsNotFound(err) {
			return values.Background{}, fmt.Errorf("read background: %w", err)
		}

		if err == nil && behindOf(item).CatalogID != "" && behindOf(item).Type == b.Type {
			return behindOf(item), nil
		}
	}

	return values.Background{}, backgroundFault(field, "must be copied exactly from the catalogue of backgrounds")
}
