package rest_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// personal are mutations on the caller's own account or sign-in. Viewers of a workspace may call them.
var personal = []string{
	"acceptInvitation", "createApiKey", "createOwner", "createWorkspace", "declineInvitation", "endSession", "requestPasswordReset",
	"resetPassword", "revokeApiKey", "setPassword", "signIn", "signOut", "switchWorkspace", "updatePreferences", "updateUser",
	"addComment", "updateComment", "resolveComment", "deleteComment", "markActivityRead", // page visitors may do this, so members may too
	"createPasswordReset", // only operators; see graph.TestOperators
}

// generic are mutations that REST has separately for each kind of effect, such as addZoom.
var generic = []string{"addEffect", "updateEffect", "removeEffect"}

// refusedToViewers are mutations without a REST operation. Those with one are tested by TestEveryOperationByEverybody.
var refusedToViewers = map[string]string{
	"movePlaylistVideo":    `mutation { movePlaylistVideo(playlistId: "PLAYLIST", videoId: "VIDEO") { __typename } }`,
	"addPlaylistVideos":    `mutation { addPlaylistVideos(playlistId: "PLAYLIST", videoIds: ["VIDEO"]) { __typename } }`,
	"removePlaylistVideos": `mutation { removePlaylistVideos(playlistId: "PLAYLIST", videoIds: ["VIDEO"]) { __typename } }`,
	"tagVideos":            `mutation { tagVideos(videoIds: ["VIDEO"], tagIds: ["TAG"]) { __typename } }`,
	"untagVideos":          `mutation { untagVideos(videoIds: ["VIDEO"], tagIds: ["TAG"]) { __typename } }`,
	"trashVideos":          `mutation { trashVideos(ids: ["VIDEO"]) { __typename } }`,
	"restoreVideos":        `mutation { restoreVideos(ids: ["VIDEO"]) { __typename } }`,
	"inviteMember":         `mutation { inviteMember(input: {email: "new@example.test", role: VIEWER}) { __typename } }`,
	"renewInvitation":      `mutation { renewInvitation(id: "INVITATION") { __typename } }`,
	"revokeInvitation":     `mutation { revokeInvitation(id: "INVITATION") { __typename } }`,
	"updateMember":         `mutation { updateMember(userId: "OWNER", input: {role: VIEWER}) { __typename } }`,
	"removeMember":         `mutation { removeMember(userId: "OWNER") { __typename } }`,
	"fillDemo":             `mutation { fillDemo { __typename } }`,
	"updateWorkspace":      `mutation { updateWorkspace(input: {name: "Mine"}) { __typename } }`,
	"setThumbnail":         `mutation { setThumbnail(videoId: "VIDEO", input: {}) { __typename } }`,
}

// A viewer cannot create or change anything in the workspace. Every mutation, including new ones, is tested here,
// tested as a REST operation, or is personal.
func TestViewersCreateNothing(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	owner := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	viewer := testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: owner.WorkspaceID, Role: auth.RoleViewer})

	invited := s.Ask(t, owner.Key, `mutation { inviteMember(input: {email: "other@example.test"}) { invitation { id } } }`, nil)
	require.Empty(t, invited.Errors, invited.Body)

	invitation, _ := invited.Data["inviteMember"].(map[string]any)["invitation"].(map[string]any)
	video := testkit.NewVideo(t, s.Store, owner, testkit.VideoOpts{})
	playlist, tag := ids.New(ids.Playlist), ids.New(ids.Tag)

	owner.Do(t, s.Store, func(ctx context.Context, c *ent.Client) {
		c.Playlist.Create().SetID(playlist).SetUserID(owner.UserID).SetName("P").SetVisibility(values.VisibilityOrg).ExecX(ctx)
		c.Tag.Create().SetID(tag).SetUserID(owner.UserID).SetName("T").SetNameKey("t").SetColor("#000000FF").ExecX(ctx)
		c.PlaylistVideo.Create().SetPlaylistID(playlist).SetVideo(video).SetPosition(0).ExecX(ctx)
	})

	names := strings.NewReplacer("INVITATION", invitation["id"].(string), "OWNER", owner.UserID,
		`"VIDEO"`, `"`+video.ID+`"`, `"PLAYLIST"`, `"`+playlist+`"`, `"TAG"`, `"`+tag+`"`)
	rows := rowsByOperation()

	for _, mutation := range graph.Schema().Mutation.Fields {
		document, listed := refusedToViewers[mutation.Name]
		_, walked := rows[mutation.Name]

		require.True(t, listed || walked || slices.Contains(personal, mutation.Name) || slices.Contains(generic, mutation.Name), "who may call %s?", mutation.Name)

		if document == "" {
			continue
		}

		g := s.Ask(t, viewer.Key, names.Replace(document), nil)
		require.Equal(t, "forbidden", g.Code(), "%s\n%s", mutation.Name, g.Body)
	}

	// Sources that a viewer uploaded before becoming one cannot be saved to the library either, in any scope.
	own := testkit.NewSource(t, s.Store, viewer, testkit.SourceOpts{Kind: values.SourceKindImage})

	for _, scope := range []string{"", `, "scope": "private"`, `, "scope": "workspace"`} {
		a := s.Call(t, viewer.Key, "POST", "/v1/library", `{"sourceId": "`+own.ID+`"`+scope+`}`)
		require.Equal(t, 403, a.Status, a.Body)
	}
}
