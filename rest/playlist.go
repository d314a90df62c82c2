package rest

import (
	"context"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/rest/shape"
)

// playlistPath is the path of a playlist.
type playlistPath struct {
	ID string `path:"id"`
}

type listPlaylistsIn struct {
	Visibility values.Visibility `query:"visibility" default:"personal"`
	Cursor     *string           `query:"cursor" check:"chars=1..2048"`
	Limit      int               `query:"limit" check:"min=1,max=100" default:"20"`
}

func listPlaylists(ctx context.Context, g Graph, in listPlaylistsIn) (shape.PlaylistsOut, error) {
	page, err := g.Query().Playlists(asking(ctx, selection.Page(shape.PlaylistFields())), in.Limit, in.Cursor, in.Visibility)
	if err != nil {
		return shape.PlaylistsOut{}, err
	}

	items, err := shape.Shapes(ctx, g, page.Nodes, shape.PlaylistOf)

	return shape.PlaylistsOut{Pagination: shape.PaginationOf(page.PageInfo), Playlists: items}, err
}

type createPlaylistIn struct {
	Body model.CreatePlaylistInput `body:"json"`
}

func createPlaylist(ctx context.Context, g Graph, in createPlaylistIn) (shape.PlaylistOut, error) {
	made, err := g.Mutation().CreatePlaylist(ctx, in.Body)
	if err != nil {
		return shape.PlaylistOut{}, err
	}

	return shape.PlaylistOutOf(ctx, g, made.Playlist)
}

func getPlaylist(ctx context.Context, g Graph, in playlistPath) (shape.PlaylistOut, error) {
	p, err := g.Query().Playlist(asking(ctx, shape.PlaylistFields()), in.ID)
	if err != nil {
		return shape.PlaylistOut{}, err
	}

	return shape.PlaylistOutOf(ctx, g, p)
}

type updatePlaylistIn struct {
	playlistPath

	Body model.UpdatePlaylistInput `body:"json"`
}

func updatePlaylist(ctx context.Context, g Graph, in updatePlaylistIn) (shape.PlaylistOut, error) {
	changed, err := g.Mutation().UpdatePlaylist(ctx, in.ID, in.Body, nil)
	if err != nil {
		return shape.PlaylistOut{}, err
	}

	return shape.PlaylistOutOf(ctx, g, changed.Playlist)
}

func deletePlaylist(ctx context.Context, g Graph, in playlistPath) (shape.Ok, error) {
	_, err := g.Mutation().DeletePlaylist(ctx, in.ID)

	return shape.Done(), err
}

type addPlaylistVideoIn struct {
	playlistPath

	Body addPlaylistVideoBody `body:"json"`
}

type addPlaylistVideoBody struct {
	VideoID string `json:"videoId" check:"required,chars=1.."`
}

func addPlaylistVideo(ctx context.Context, g Graph, in addPlaylistVideoIn) (shape.Ok, error) {
	_, err := g.Mutation().AddPlaylistVideo(ctx, in.ID, in.Body.VideoID)

	return shape.Done(), err
}

type playlistVideoPath struct {
	playlistPath

	VideoID string `path:"videoId"`
}

func removePlaylistVideo(ctx context.Context, g Graph, in playlistVideoPath) (shape.Ok, error) {
	_, err := g.Mutation().RemovePlaylistVideo(ctx, in.ID, in.VideoID)

	return shape.Done(), err
}
