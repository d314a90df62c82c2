package rest_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/graph"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// personal are mutations by which people look after themselves, or get in and out: a viewer of a workspace may, too.
var personal = []string{
	"acceptInvitation", "createApiKey", "createWorkspace", "declineInvitation", "endSession", "requestPasswordReset",
	"resetPassword", "revokeApiKey", "setPassword", "signIn", "signOut", "switchWorkspace", "updatePreferences", "updateUser",
	"addComment", "deleteComment", // what visitors of a page may, members may
	"createPasswordReset", // which operators may; see graph.TestOperators
}

// generic are mutations that REST has for each kind of effect, as addZoom.
var generic = []string{"addEffect", "updateEffect", "removeEffect"}

// refusedToViewers are mutations that REST has no operation for. Those it has are walked by TestEveryOperationByEverybody.
var refusedToViewers = map[string]string{
	"inviteMember":     `mutation { inviteMember(input: {email: "new@example.test", role: VIEWER}) { __typename } }`,
	"renewInvitation":  `mutation { renewInvitation(id: "INVITATION") { __typename } }`,
	"revokeInvitation": `mutation { revokeInvitation(id: "INVITATION") { __typename } }`,
	"updateMember":     `mutation { updateMember(userId: "OWNER", input: {role: VIEWER}) { __typename } }`,
	"removeMember":     `mutation { removeMember(userId: "OWNER") { __typename } }`,
	"updateWorkspace":  `mutation { updateWorkspace(input: {name: "Mine"}) { __typename } }`,
}

// A viewer of the workspace creates and changes nothing of it, whichever mutation there is or comes to be: each is walked here or as an
// operation of REST, or is of the person alone.
func TestViewersCreateNothing(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	owner := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	viewer := testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: owner.WorkspaceID, Role: auth.RoleViewer})

	invited := s.Ask(t, owner.Key, `mutation { inviteMember(input: {email: "other@example.test"}) { invitation { id } } }`, nil)
	require.Empty(t, invited.Errors, invited.Body)

	invitation, _ := invited.Data["inviteMember"].(map[string]any)["invitation"].(map[string]any)
	names := strings.NewReplacer("INVITATION", invitation["id"].(string), "OWNER", owner.UserID)
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

	// What a viewer uploaded before being one is not kept either, in whichever scope.
	own := testkit.NewSource(t, s.Store, viewer, testkit.SourceOpts{Kind: values.SourceKindImage})

	for _, scope := range []string{"", `, "scope": "private"`, `, "scope": "workspace"`} {
		a := s.Call(t, viewer.Key, "POST", "/v1/library", `{"sourceId": "`+own.ID+`"`+scope+`}`)
		require.Equal(t, 403, a.Status, a.Body)
	}
}
