package jobs

import (
	"context"
	"fmt"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/collaborator"
	"github.com/reelgraph/reelgraph/ent/membership"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Audience reports which of the given people may receive an event. It uses the state that the transaction of
// the event sees. It never selects people who are not members of the workspace.
type Audience func(ctx context.Context, c *ent.Client, people []string) (map[string]bool, error)

// Readers selects the people who may read the video: its creator, its collaborators, and every member if the video is
// visible to the organisation.
func Readers(videoID string) Audience {
	return videoAudience(videoID, func(v *ent.Video, s access.Standing) bool { return s.MayRead(v) })
}

// Exporters selects the people who may export the video: everyone who may edit it and, if downloads are enabled,
// everyone else who may read it. If raw is true, downloads of raw files must be enabled.
func Exporters(videoID string, raw bool) Audience {
	return videoAudience(videoID, func(v *ent.Video, s access.Standing) bool { return s.MayExport(v, raw) })
}

// PlaylistReaders selects the people who may read the playlist: every member if the playlist is visible to the
// organisation, and otherwise only its creator.
func PlaylistReaders(playlistID string) Audience {
	return func(ctx context.Context, c *ent.Client, people []string) (map[string]bool, error) {
		p, err := c.Playlist.Get(ctx, playlistID)
		if err != nil {
			return nil, fmt.Errorf("read playlist: %w", err)
		}

		roles, err := rolesOf(ctx, c, p.WorkspaceID, people)
		if err != nil {
			return nil, err
		}

		admitted := make(map[string]bool, len(roles))
		for userID := range roles {
			admitted[userID] = p.Visibility == values.VisibilityOrg || userID == p.UserID
		}

		return admitted, nil
	}
}

func videoAudience(videoID string, may func(*ent.Video, access.Standing) bool) Audience {
	return func(ctx context.Context, c *ent.Client, people []string) (map[string]bool, error) {
		v, err := c.Video.Get(auth.WithTrash(ctx), videoID)
		if err != nil {
			return nil, fmt.Errorf("read video: %w", err)
		}

		if v.TrashedAt != nil { // for everybody it is as if it were deleted
			return nil, nil
		}

		roles, err := rolesOf(ctx, c, v.WorkspaceID, people)
		if err != nil {
			return nil, err
		}

		invited, err := c.Collaborator.Query().
			Where(collaborator.VideoID(videoID), collaborator.UserIDIn(people...)).All(ctx)
		if err != nil {
			return nil, fmt.Errorf("find collaborators of %s: %w", videoID, err)
		}

		standings := make(map[string]access.Standing, len(roles))
		for userID, role := range roles {
			standings[userID] = access.Standing{Creator: userID == v.UserID, Role: role}
		}

		admitted := make(map[string]bool, len(roles))

		for _, guest := range invited {
			if s, member := standings[guest.UserID]; member {
				s.Invited = guest.Role
				standings[guest.UserID] = s
			}
		}

		for userID, s := range standings {
			admitted[userID] = may(v, s)
		}

		return admitted, nil
	}
}

func rolesOf(ctx context.Context, c *ent.Client, workspaceID string, people []string) (map[string]auth.Role, error) {
	members, err := c.Membership.Query().
		Where(membership.WorkspaceID(workspaceID), membership.UserIDIn(people...)).All(ctx)
	if err != nil {
		return nil, fmt.Errorf("find members of %s: %w", workspaceID, err)
	}

	roles := make(map[string]auth.Role, len(members))
	for _, member := range members {
		roles[member.UserID] = member.Role
	}

	return roles, nil
}

// Both returns an audience that selects the people whom both audiences select.
func Both(one, other Audience) Audience {
	return func(ctx context.Context, c *ent.Client, people []string) (map[string]bool, error) {
		admitted, err := one(ctx, c, people)
		if err != nil {
			return nil, err
		}

		also, err := other(ctx, c, people)
		if err != nil {
			return nil, err
		}

		for userID := range admitted {
			admitted[userID] = admitted[userID] && also[userID]
		}

		return admitted, nil
	}
}
