package jobs

import (
	"context"
	"fmt"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/collaborator"
	"github.com/reelgraph/reelgraph/ent/membership"
	"github.com/reelgraph/reelgraph/internal/auth"
	"github.com/reelgraph/reelgraph/internal/domain"
)

// Audience says which of the given people may learn of an event, as things stand in the
// transaction of its cause. Who is no member of the workspace never may.
type Audience func(ctx context.Context, c *ent.Client, people []string) (map[string]bool, error)

// Readers are those who may read the video: its creator, its collaborators, and every member
// when it is visible to the organisation.
func Readers(videoID string) Audience { return videoAudience(videoID, mayRead) }

// Exporters are those who may export the video: who may edit it, and its other readers as far
// as downloads, of raw files when raw, are enabled.
func Exporters(videoID string, raw bool) Audience {
	return videoAudience(videoID, func(v *ent.Video, s standing) bool {
		open := v.Settings.DownloadsEnabled && (!raw || v.Settings.RawDownloadsEnabled)
		return mayEdit(v, s) || open && mayRead(v, s)
	})
}

// PlaylistReaders are those who may read the playlist: every member when it is visible to the
// organisation, else its creator.
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
			admitted[userID] = p.Visibility == domain.VisibilityOrg || userID == p.UserID
		}
		return admitted, nil
	}
}

// standing is what somebody is to a video. Invited is empty for who is no collaborator.
type standing struct {
	creator bool
	invited domain.CollaboratorRole
	role    auth.Role
}

func mayRead(v *ent.Video, s standing) bool {
	return s.creator || s.invited != "" || v.Visibility == domain.VisibilityOrg
}

func mayEdit(v *ent.Video, s standing) bool {
	if s.role == auth.RoleViewer {
		return false
	}
	return s.creator || s.invited == domain.CollaboratorRoleEditor || s.role.Governs() && mayRead(v, s)
}

func videoAudience(videoID string, may func(*ent.Video, standing) bool) Audience {
	return func(ctx context.Context, c *ent.Client, people []string) (map[string]bool, error) {
		v, err := c.Video.Get(ctx, videoID)
		if err != nil {
			return nil, fmt.Errorf("read video: %w", err)
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
		standings := make(map[string]standing, len(roles))
		for userID, role := range roles {
			standings[userID] = standing{creator: userID == v.UserID, role: role}
		}
		admitted := make(map[string]bool, len(roles))
		for _, guest := range invited {
			if s, member := standings[guest.UserID]; member {
				s.invited = guest.Role
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
