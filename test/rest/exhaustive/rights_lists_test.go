package exhaustive_test

import (
	"context"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
)

// listed creates a new item owned by the other member: tags, groups, playlists and invited people.
func (c *scene) listed(name string) (id string) {
	if name == "$NEW" {
		return ids.New(ids.Tag)
	}

	if name == "$EMAIL" {
		return testkit.NewMember(c.T, c.Store, testkit.MemberOpts{WorkspaceID: c.creator.WorkspaceID}).Email
	}

	invited := testkit.NewMember(c.T, c.Store, testkit.MemberOpts{WorkspaceID: c.creator.WorkspaceID})

	c.other.Do(c.T, c.Store, func(ctx context.Context, db *ent.Client) {
		switch name {
		case "$TAG", "$WORN":
			key := ids.New(ids.Tag)
			id = db.Tag.Create().SetUserID(c.other.UserID).SetName(key).SetNameKey(key).SetColor("#000000FF").SaveX(ctx).ID

			if name == "$WORN" {
				db.VideoTag.Create().SetVideoID(c.names["$VIDEO"]).SetTagID(id).ExecX(ctx)
			}
		case "$GROUP":
			id = db.PlaylistGroup.Create().SetUserID(c.other.UserID).SetName("G").SetVisibility(values.VisibilityOrg).SaveX(ctx).ID
		case "$INVITED":
			id = invited.UserID
			db.Collaborator.Create().SetVideoID(c.names["$VIDEO"]).SetUserID(id).SetRole(values.CollaboratorRoleViewer).ExecX(ctx)
		default:
			seen := values.VisibilityOrg
			if name == "$PRIVATE" {
				seen = values.VisibilityPersonal
			}

			id = db.Playlist.Create().SetUserID(c.other.UserID).SetName("P").SetVisibility(seen).SaveX(ctx).ID

			if name == "$FULL" {
				db.PlaylistVideo.Create().SetPlaylistID(id).SetVideoID(c.names["$VIDEO"]).SetPosition(0).ExecX(ctx)
			}
		}
	})

	return id
}
