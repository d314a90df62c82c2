package shape

import (
	"context"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

type PlaylistsOut struct {
	Pagination pagination `json:"pagination"`
	Playlists  []playlist `json:"playlists"`
}

type PlaylistOut struct {
	Playlist playlist `json:"playlist"`

	rev int64
}

// Revision is when the playlist was last edited, in milliseconds.
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

// PlaylistFields are what a playlist is made of beyond its own row.
func PlaylistFields() selection.Tree { return selection.Fields("id", "videoCount") }

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

func PlaylistOutOf(ctx context.Context, g Graph, p *model.Playlist) (PlaylistOut, error) {
	shape, err := PlaylistOf(ctx, g, p)

	return PlaylistOut{Playlist: shape, rev: p.UpdatedAt.UnixMilli()}, err
}
