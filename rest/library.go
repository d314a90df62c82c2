package rest

import (
	"context"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// libraryPath names an item of the library.
type libraryPath struct {
	ID string `path:"id"`
}

type listLibraryIn struct {
	Scope  *values.LibraryScope `query:"scope"`
	Type   *values.LibraryType  `query:"type"`
	Cursor *string              `query:"cursor" check:"chars=1..2048"`
	Limit  int                  `query:"limit" check:"min=1,max=60" default:"24"`
}

type libraryOut struct {
	Items      []libraryItem `json:"items"`
	Pagination pagination    `json:"pagination"`
	Cursor     *string       `json:"cursor,omitempty"`
}

func listLibrary(ctx context.Context, g Graph, in listLibraryIn) (libraryOut, error) {
	page, err := g.Query().Library(ctx, in.Limit, in.Cursor, in.Scope, in.Type)
	if err != nil {
		return libraryOut{}, err
	}

	out := libraryOut{Items: each(page.Nodes, libraryItemOf), Pagination: paginationOf(page.PageInfo)}

	if next, more := out.Pagination.NextCursor.Value(); more {
		out.Cursor = &next
	}

	return out, nil
}

type addLibraryItemIn struct {
	Body model.AddLibraryItemInput `body:"json"`
}

type libraryItemOut struct {
	Item libraryItem `json:"item"`
}

func addLibraryItem(ctx context.Context, g Graph, in addLibraryItemIn) (libraryItemOut, error) {
	added, err := g.Mutation().AddLibraryItem(ctx, in.Body)
	if err != nil {
		return libraryItemOut{}, err
	}

	return libraryItemOut{Item: libraryItemOf(added.Item)}, nil
}

func deleteLibraryItem(ctx context.Context, g Graph, in libraryPath) (ok, error) {
	_, err := g.Mutation().DeleteLibraryItem(ctx, in.ID)

	return done(), err
}

type libraryItem struct {
	ID              string              `json:"id"`
	Kind            values.LibraryScope `json:"kind"`
	Type            values.LibraryType  `json:"type"`
	Name            string              `json:"name"`
	URL             string              `json:"url"`
	SourceID        *string             `json:"sourceId,omitempty"`
	PresetID        *string             `json:"presetId,omitempty"`
	Width           *int                `json:"width,omitempty"`
	Height          *int                `json:"height,omitempty"`
	DurationSeconds *float64            `json:"durationSeconds,omitempty"`
	CreatedAt       Datetime            `json:"createdAt"`
}

func libraryItemOf(i *model.LibraryItem) libraryItem {
	return libraryItem{
		ID: i.ID, Kind: i.Scope, Type: i.Type, Name: i.Name, URL: i.URL, SourceID: i.SourceID, PresetID: i.PresetID,
		Width: i.Width, Height: i.Height, DurationSeconds: i.DurationSeconds, CreatedAt: datetimeOf(i.CreatedAt),
	}
}

type backgroundsOut struct {
	Personal        []backgroundChoice `json:"personal"`
	Workspace       []backgroundChoice `json:"workspace"`
	Default         []backgroundChoice `json:"default"`
	DefaultAnimated []backgroundChoice `json:"defaultAnimated"`
}

type backgroundChoice struct {
	ID         string            `json:"id"`
	Name       string            `json:"name"`
	PreviewURL string            `json:"previewUrl"`
	Background *model.Background `json:"background"`
}

func listBackgrounds(ctx context.Context, g Graph, _ nothing) (backgroundsOut, error) {
	all, err := g.Query().Backgrounds(ctx)
	if err != nil {
		return backgroundsOut{}, err
	}

	of := func(c *model.BackgroundChoice) backgroundChoice { return backgroundChoice(*c) }

	return backgroundsOut{
		Personal: each(all.Personal, of), Workspace: each(all.Workspace, of),
		Default: each(all.Default, of), DefaultAnimated: each(all.DefaultAnimated, of),
	}, nil
}
