package rest

import (
	"context"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// playlistPath names a playlist.
type playlistPath struct {
	ID string `path:"id"`
}

type listPlaylistsIn struct {
	Visibility values.Visibility `query:"visibility" default:"personal"`
	Cursor     *string           `query:"cursor" check:"chars=1..2048"`
	Limit      int               `query:"limit" check:"min=1,max=100" default:"20"`
}

type playlistsOut struct {
	Pagination pagination `json:"pagination"`
	Playlists  []playlist `json:"playlists"`
}

func listPlaylists(ctx context.Context, g Graph, in listPlaylistsIn) (playlistsOut, error) {
	page, err := g.Query().Playlists(asking(ctx, selection.Page(playlistFields())), in.Limit, in.Cursor, in.Visibility)
	if err != nil {
		return playlistsOut{}, err
	}

	items, err := shapes(ctx, g, page.Nodes, playlistOf)

	return playlistsOut{Pagination: paginationOf(page.PageInfo), Playlists: items}, err
}

type createPlaylistIn struct {
	Body model.CreatePlaylistInput `body:"json"`
}

func createPlaylist(ctx context.Context, g Graph, in createPlaylistIn) (playlistOut, error) {
	made, err := g.Mutation().CreatePlaylist(ctx, in.Body)
	if err != nil {
		return playlistOut{}, err
	}

	return playlistOutOf(ctx, g, made.Playlist)
}

func getPlaylist(ctx context.Context, g Graph, in playlistPath) (playlistOut, error) {
	p, err := g.Query().Playlist(asking(ctx, playlistFields()), in.ID)
	if err != nil {
		return playlistOut{}, err
	}

	return playlistOutOf(ctx, g, p)
}

type updatePlaylistIn struct {
	playlistPath

	Body model.UpdatePlaylistInput `body:"json"`
}

func updatePlaylist(ctx context.Context, g Graph, in updatePlaylistIn) (playlistOut, error) {
	changed, err := g.Mutation().UpdatePlaylist(ctx, in.ID, in.Body)
	if err != nil {
		return playlistOut{}, err
	}

	return playlistOutOf(ctx, g, changed.Playlist)
}

func deletePlaylist(ctx context.Context, g Graph, in playlistPath) (ok, error) {
	_, err := g.Mutation().DeletePlaylist(ctx, in.ID)

	return done(), err
}

type addPlaylistVideoIn struct {
	playlistPath

	Body addPlaylistVideoBody `body:"json"`
}

type addPlaylistVideoBody struct {
	VideoID string `json:"videoId" check:"required,chars=1.."`
}

func addPlaylistVideo(ctx context.Context, g Graph, in addPlaylistVideoIn) (ok, error) {
	_, err := g.Mutation().AddPlaylistVideo(ctx, in.ID, in.Body.VideoID)

	return done(), err
}

type playlistVideoPath struct {
	playlistPath

	VideoID string `path:"videoId"`
}

func removePlaylistVideo(ctx context.Context, g Graph, in playlistVideoPath) (ok, error) {
	_, err := g.Mutation().RemovePlaylistVideo(ctx, in.ID, in.VideoID)

	return done(), err
}

type playlistOut struct {
	Playlist playlist `json:"playlist"`

	rev int64
}

// revision is when the playlist was last edited, in milliseconds.
func (o playlistOut) revision() int64 { return o.rev }

type playlist struct {
	ID                          string            `json:"id"`
	Name                        string            `json:"name"`
	Description                 string            `json:"description"`
	Emoji                       *string           `json:"emoji,omitempty"`
	GroupID                     Optional[string]  `json:"groupId"`
	LinkScope                   values.LinkScope  `json:"linkScope"`
	Links                       playlistLinks     `json:"links"`
	SearchEngineIndexingEnabled bool              `json:"searchEngineIndexingEnabled"`
	Visibility                  values.Visibility `json:"visibility"`
	Position                    int               `json:"position"`
	Videos                      int               `json:"videos"`
	CreatedAt                   Datetime          `json:"createdAt"`
	UpdatedAt                   Datetime          `json:"updatedAt"`
}

type playlistLinks struct {
	ViewPage string `json:"viewPage"`
}

// playlistFields are what a playlist is made of beyond its own row.
func playlistFields() selection.Tree { return selection.Fields("id", "videoCount") }

func playlistOf(ctx context.Context, g Graph, p *model.Playlist) (playlist, error) {
	links, err := g.Playlist().Links(ctx, p)
	if err != nil {
		return playlist{}, err
	}

	videos, err := g.Playlist().VideoCount(ctx, p)

	return playlist{
		ID: p.ID, Name: p.Name, Description: p.Description, Emoji: p.Emoji, GroupID: SomeOrNull(p.GroupID),
		LinkScope: p.LinkScope, Links: playlistLinks{ViewPage: links.ViewPage},
		SearchEngineIndexingEnabled: p.SearchEngineIndexingEnabled, Visibility: p.Visibility, Position: p.Position,
		Videos: videos, CreatedAt: datetimeOf(p.CreatedAt), UpdatedAt: datetimeOf(p.UpdatedAt),
	}, err
}

func playlistOutOf(ctx context.Context, g Graph, p *model.Playlist) (playlistOut, error) {
	shape, err := playlistOf(ctx, g, p)

	return playlistOut{Playlist: shape, rev: p.UpdatedAt.UnixMilli()}, err
}
