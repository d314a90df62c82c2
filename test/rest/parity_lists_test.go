package rest_test

import (
	"context"
	"encoding/json"
	"math"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// REST and the graph return the same playlists, groups, tags and collaborators.
func TestParityOfLists(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	owner := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	guest := testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: owner.WorkspaceID, Role: auth.RoleViewer})
	v := testkit.NewVideo(t, s.Store, owner, testkit.VideoOpts{})
	secret := testkit.NewVideo(t, s.Store, owner, testkit.VideoOpts{Visibility: values.VisibilityPersonal})
	reads := []read{
		{"listPlaylists", "/v1/playlists", nil},
		{"listPlaylists", "/v1/playlists?limit=1", map[string]any{"first": 1}},
		{"listPlaylists", "/v1/playlists?visibility=org", map[string]any{"visibility": "ORG"}},
		{"listPlaylistGroups", "/v1/playlist-groups", nil},
		{"listPlaylistGroups", "/v1/playlist-groups?visibility=org", map[string]any{"visibility": "ORG"}},
		{"listTags", "/v1/tags", nil},
		{"listVideoTags", "/v1/videos/" + v.ID + "/tags", map[string]any{"id": v.ID}},
		{"listVideoTags", "/v1/videos/" + secret.ID + "/tags", map[string]any{"id": secret.ID}},
		{"listCollaborators", "/v1/videos/" + v.ID + "/collaborators", map[string]any{"id": v.ID}},
	}

	owner.Do(t, s.Store, func(ctx context.Context, db *ent.Client) {
		for i, seen := range []values.Visibility{values.VisibilityOrg, values.VisibilityPersonal, values.VisibilityPersonal} {
			group := db.PlaylistGroup.Create().SetUserID(owner.UserID).SetName("G").SetVisibility(seen).SetPosition(i).SaveX(ctx)
			list := db.Playlist.Create().SetUserID(owner.UserID).SetName("PERSONAL <&>").SetVisibility(seen).SetDescription("d").
				SetLinkScope(values.LinkScopeEmbedOnly).SetPosition(i).SaveX(ctx)

			if i < 2 {
				db.PlaylistGroup.UpdateOne(group).SetEmoji("🎬").ExecX(ctx)
				db.Playlist.UpdateOne(list).SetGroup(group).SetEmoji("👩‍👩‍👧‍👦").ExecX(ctx)
			}

			for n, member := range []*ent.Video{v, secret} {
				db.PlaylistVideo.Create().SetPlaylist(list).SetVideo(member).SetPosition(n).ExecX(ctx)
			}

			reads = append(reads, read{"getPlaylist", "/v1/playlists/" + list.ID, map[string]any{"id": list.ID}})
		}

		for i, scope := range []values.TagScope{values.TagScopeWorkspace, values.TagScopePrivate} {
			tag := db.Tag.Create().SetUserID(owner.UserID).SetName("b").SetNameKey([]string{"b", "a"}[i]).SetScope(scope).SetColor("#12345678").SaveX(ctx)
			db.VideoTag.Create().SetVideo(v).SetTag(tag).ExecX(ctx)
		}

		db.Collaborator.Create().SetVideo(v).SetUserID(guest.UserID).SetRole(values.CollaboratorRoleEditor).ExecX(ctx)
	})

	for _, r := range reads {
		require.True(t, compare(t, s, owner.Key, r), r.path)
		compare(t, s, guest.Key, r)
	}

	require.Equal(t, 2, videosOf(t, s, owner, reads[len(reads)-3]))
	require.Equal(t, 1, videosOf(t, s, guest, reads[len(reads)-3]))
}

// videosOf returns the number of videos of the playlist that the member sees.
func videosOf(t *testing.T, s *api.Server, who testkit.Member, r read) int {
	t.Helper()

	var said struct{ Playlist struct{ Videos int } }

	require.NoError(t, json.Unmarshal([]byte(s.Call(t, who.Key, http.MethodGet, r.path, "").Body), &said))

	return said.Playlist.Videos
}

// inListREST shapes what REST spells differently in these answers.
func inListREST(operation string, shaped map[string]any) map[string]any {
	null := func(items any, field string) {
		for _, item := range items.([]any) {
			if o := item.(map[string]any); o[field] == nil {
				o[field] = nil
			}
		}
	}

	switch operation {
	case "listBackgrounds":
		return shaped["backgrounds"].(map[string]any)
	case "listLibrary":
		if next := dig(shaped, "pagination", "nextCursor"); next != nil {
			shaped["cursor"] = next
		}
	case "listSources":
		for _, s := range shaped["sources"].([]any) {
			sourceInREST(s)
		}
	case "listPlaylists":
		null(shaped["playlists"], "groupId")
	case "getPlaylist":
		null([]any{shaped["playlist"]}, "groupId")
	case "listPlaylistGroups":
		null(shaped["playlistGroups"], "emoji")
	case "listVideoTags":
		return shaped["video"].(map[string]any)
	case "listCollaborators":
		shaped = shaped["video"].(map[string]any)

		for _, item := range shaped["collaborators"].([]any) {
			c := item.(map[string]any)
			c["name"], c["email"] = dig(c, "user", "name"), dig(c, "user", "email")
			delete(c, "user")
		}
	}

	return shaped
}

// sourceInREST adds the fields of a source that REST repeats, and removes those it leaves out.
func sourceInREST(of any) {
	s := of.(map[string]any)

	if s["interrupted"] == false {
		delete(s, "interrupted")
	}

	if s["width"] != nil && s["height"] != nil {
		s["dimensions"] = map[string]any{"width": s["width"], "height": s["height"]}
	}

	if seconds, known := s["durationSeconds"].(float64); known {
		s["durationMs"] = math.Round(seconds * 1000)
	}
}

func dig(value any, path ...string) any {
	for _, name := range path {
		value = value.(map[string]any)[name]
	}

	return value
}
