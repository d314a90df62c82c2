package shape

import (
	"context"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// PlaylistsOut is the response with a list of playlists.
type PlaylistsOut struct {
	Pagination pagination `json:"pagination"`
	Playlists  []playlist `json:"playlists"`
}

// PlaylistOut is the response with one playlist.
type PlaylistOut struct {
	Playlist playlist `json:"playlist"`

	rev int64
}

// Revision returns the time of the playlist's last edit, in milliseconds.
func (o PlaylistOut) Revision() int64 { return o.rev }

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

// PlaylistFields returns the fields to select for a playlist, besides its own columns.
func PlaylistFields() selection.Tree { return selection.Fields("id", "videoCount") }

// PlaylistOf converts a playlist to its JSON form.
func PlaylistOf(ctx context.Context, g Graph, p *model.Playlist) (playlist, error) {
	links, err := g.Playlist().Links(ctx, p)
	if err != nil {
		return playlist{}, err
	}

	videos, err := g.Playlist().VideoCount(ctx, p)

	return playlist{
		ID: p.ID, Name: p.Name, Description: p.Description, Emoji: p.Emoji, GroupID: SomeOrNull(p.GroupID),
		LinkScope: p.LinkScope, Links: playlistLinks{ViewPage: links.ViewPage},
		SearchEngineIndexingEnabled: p.SearchEngineIndexingEnabled, Visibility: p.Visibility, Position: p.Position,
		Videos: videos, CreatedAt: DatetimeOf(p.CreatedAt), UpdatedAt: DatetimeOf(p.UpdatedAt),
	}, err
}

// PlaylistOutOf returns the response for a playlist.
func PlaylistOutOf(ctx context.Context, g Graph, p *model.Playlist) (PlaylistOut, error) {
	shape, err := PlaylistOf(ctx, g, p)

	return PlaylistOut{Playlist: shape, rev: p.UpdatedAt.UnixMilli()}, err
}
