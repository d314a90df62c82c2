package rest

import (
	"context"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/rest/shape"
)

// libraryPath is the path of a library item.
type libraryPath struct {
	ID string `path:"id"`
}

type listLibraryIn struct {
	Scope  *values.LibraryScope `query:"scope"`
	Type   *values.LibraryType  `query:"type"`
	Cursor *string              `query:"cursor" check:"chars=1..2048"`
	Limit  int                  `query:"limit" check:"min=1,max=60" default:"24"`
}

func listLibrary(ctx context.Context, g Graph, in listLibraryIn) (shape.LibraryOut, error) {
	page, err := g.Query().Library(ctx, in.Limit, in.Cursor, in.Scope, in.Type)
	if err != nil {
		return shape.LibraryOut{}, err
	}

	out := shape.LibraryOut{Items: shape.Each(page.Nodes, shape.LibraryItemOf), Pagination: shape.PaginationOf(page.PageInfo)}

	if next, more := out.Pagination.NextCursor.Value(); more {
		out.Cursor = &next
	}

	return out, nil
}

type addLibraryItemIn struct {
	Body model.AddLibraryItemInput `body:"json"`
}

func addLibraryItem(ctx context.Context, g Graph, in addLibraryItemIn) (shape.LibraryItemOut, error) {
	added, err := g.Mutation().AddLibraryItem(ctx, in.Body)
	if err != nil {
		return shape.LibraryItemOut{}, err
	}

	return shape.LibraryItemOut{Item: shape.LibraryItemOf(added.Item)}, nil
}

func deleteLibraryItem(ctx context.Context, g Graph, in libraryPath) (shape.Ok, error) {
	_, err := g.Mutation().DeleteLibraryItem(ctx, in.ID)

	return shape.Done(), err
}

func listBackgrounds(ctx context.Context, g Graph, _ shape.Nothing) (shape.BackgroundsOut, error) {
	all, err := g.Query().Backgrounds(ctx)
	if err != nil {
		return shape.BackgroundsOut{}, err
	}

	of := func(c *model.BackgroundChoice) shape.BackgroundChoice { return shape.BackgroundChoice(*c) }

	return shape.BackgroundsOut{
		Personal: shape.Each(all.Personal, of), Workspace: shape.Each(all.Workspace, of),
		Default: shape.Each(all.Default, of), DefaultAnimated: shape.Each(all.DefaultAnimated, of),
	}, nil
}
