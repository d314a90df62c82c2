package rest

import (
	"context"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// groupPath names a group of playlists.
type groupPath struct {
	ID string `path:"id"`
}

type listPlaylistGroupsIn struct {
	Visibility values.Visibility `query:"visibility" default:"personal"`
}

type playlistGroupsOut struct {
	PlaylistGroups []playlistGroup `json:"playlistGroups"`
}

func listPlaylistGroups(ctx context.Context, g Graph, in listPlaylistGroupsIn) (playlistGroupsOut, error) {
	page, err := g.Query().PlaylistGroups(asking(ctx, selection.Page(selection.Fields("id"))), everything, nil, in.Visibility)
	if err != nil {
		return playlistGroupsOut{}, err
	}

	return playlistGroupsOut{PlaylistGroups: each(page.Nodes, playlistGroupOf)}, nil
}

func getPlaylistGroup(ctx context.Context, g Graph, in groupPath) (playlistGroupOut, error) {
	fields := selection.Fields("id", "name", "emoji", "visibility", "position", "createdAt", "updatedAt")

	found, err := g.Query().PlaylistGroup(asking(ctx, fields), in.ID)
	if err != nil {
		return playlistGroupOut{}, err
	}

	return playlistGroupOut{PlaylistGroup: playlistGroupOf(found)}, nil
}

type createPlaylistGroupIn struct {
	Body model.CreatePlaylistGroupInput `body:"json"`
}

func createPlaylistGroup(ctx context.Context, g Graph, in createPlaylistGroupIn) (playlistGroupOut, error) {
	made, err := g.Mutation().CreatePlaylistGroup(ctx, in.Body)
	if err != nil {
		return playlistGroupOut{}, err
	}

	return playlistGroupOut{PlaylistGroup: playlistGroupOf(made.PlaylistGroup)}, nil
}

type updatePlaylistGroupIn struct {
	groupPath

	Body model.UpdatePlaylistGroupInput `body:"json"`
}

func updatePlaylistGroup(ctx context.Context, g Graph, in updatePlaylistGroupIn) (playlistGroupOut, error) {
	changed, err := g.Mutation().UpdatePlaylistGroup(ctx, in.ID, in.Body)
	if err != nil {
		return playlistGroupOut{}, err
	}

	return playlistGroupOut{PlaylistGroup: playlistGroupOf(changed.PlaylistGroup)}, nil
}

func deletePlaylistGroup(ctx context.Context, g Graph, in groupPath) (ok, error) {
	_, err := g.Mutation().DeletePlaylistGroup(ctx, in.ID)

	return done(), err
}

type playlistGroupOut struct {
	PlaylistGroup playlistGroup `json:"playlistGroup"`
}

type playlistGroup struct {
	ID         string            `json:"id"`
	Name       string            `json:"name"`
	Emoji      Optional[string]  `json:"emoji"`
	Visibility values.Visibility `json:"visibility"`
	Position   int               `json:"position"`
	CreatedAt  Datetime          `json:"createdAt"`
	UpdatedAt  Datetime          `json:"updatedAt"`
}

func playlistGroupOf(g *model.PlaylistGroup) playlistGroup {
	return playlistGroup{
		ID: g.ID, Name: g.Name, Emoji: SomeOrNull(g.Emoji), Visibility: g.Visibility, Position: g.Position,
		CreatedAt: datetimeOf(g.CreatedAt), UpdatedAt: datetimeOf(g.UpdatedAt),
	}
}
