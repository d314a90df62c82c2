package rest

import (
	"context"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/rest/shape"
)

// groupPath is the path of a group of playlists.
type groupPath struct {
	ID string `path:"id"`
}

type listPlaylistGroupsIn struct {
	Visibility values.Visibility `query:"visibility" default:"personal"`
}

func listPlaylistGroups(ctx context.Context, g Graph, in listPlaylistGroupsIn) (shape.PlaylistGroupsOut, error) {
	page, err := g.Query().PlaylistGroups(asking(ctx, selection.Page(selection.Fields("id"))), shape.Everything, nil, in.Visibility)
	if err != nil {
		return shape.PlaylistGroupsOut{}, err
	}

	return shape.PlaylistGroupsOut{PlaylistGroups: shape.Each(page.Nodes, shape.PlaylistGroupOf)}, nil
}

func getPlaylistGroup(ctx context.Context, g Graph, in groupPath) (shape.PlaylistGroupOut, error) {
	fields := selection.Fields("id", "name", "emoji", "visibility", "position", "createdAt", "updatedAt")

	found, err := g.Query().PlaylistGroup(asking(ctx, fields), in.ID)
	if err != nil {
		return shape.PlaylistGroupOut{}, err
	}

	return shape.PlaylistGroupOut{PlaylistGroup: shape.PlaylistGroupOf(found)}, nil
}

type createPlaylistGroupIn struct {
	Body model.CreatePlaylistGroupInput `body:"json"`
}

func createPlaylistGroup(ctx context.Context, g Graph, in createPlaylistGroupIn) (shape.PlaylistGroupOut, error) {
	made, err := g.Mutation().CreatePlaylistGroup(ctx, in.Body)
	if err != nil {
		return shape.PlaylistGroupOut{}, err
	}

	return shape.PlaylistGroupOut{PlaylistGroup: shape.PlaylistGroupOf(made.PlaylistGroup)}, nil
}

type updatePlaylistGroupIn struct {
	groupPath

	Body model.UpdatePlaylistGroupInput `body:"json"`
}

func updatePlaylistGroup(ctx context.Context, g Graph, in updatePlaylistGroupIn) (shape.PlaylistGroupOut, error) {
	changed, err := g.Mutation().UpdatePlaylistGroup(ctx, in.ID, in.Body)
	if err != nil {
		return shape.PlaylistGroupOut{}, err
	}

	return shape.PlaylistGroupOut{PlaylistGroup: shape.PlaylistGroupOf(changed.PlaylistGroup)}, nil
}

func deletePlaylistGroup(ctx context.Context, g Graph, in groupPath) (shape.Ok, error) {
	_, err := g.Mutation().DeletePlaylistGroup(ctx, in.ID)

	return shape.Done(), err
}
