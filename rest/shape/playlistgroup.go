package shape

import (
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// PlaylistGroupsOut is the response with a list of groups.
type PlaylistGroupsOut struct {
	PlaylistGroups []playlistGroup `json:"playlistGroups"`
}

// PlaylistGroupOut is the response with one group.
type PlaylistGroupOut struct {
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

// PlaylistGroupOf converts a group of playlists to its JSON form.
func PlaylistGroupOf(g *model.PlaylistGroup) playlistGroup {
	return playlistGroup{
		ID: g.ID, Name: g.Name, Emoji: SomeOrNull(g.Emoji), Visibility: g.Visibility, Position: g.Position,
		CreatedAt: DatetimeOf(g.CreatedAt), UpdatedAt: DatetimeOf(g.UpdatedAt),
	}
}
