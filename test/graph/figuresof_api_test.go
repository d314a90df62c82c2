package graph_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// The figures of a video are null for those who may read it but not see them, and an invalid range is refused.
func TestWhoSeesFiguresOfVideos(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	creator := testkit.NewMember(t, s.Store, testkit.MemberOpts{Role: auth.RoleMember})
	guest := testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: creator.WorkspaceID, Role: auth.RoleMember})
	editor := testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: creator.WorkspaceID, Role: auth.RoleMember})
	shared := testkit.NewVideo(t, s.Store, creator, testkit.VideoOpts{})
	own := testkit.NewVideo(t, s.Store, creator, testkit.VideoOpts{Visibility: values.VisibilityPersonal})

	creator.Do(t, s.Store, func(ctx context.Context, db *ent.Client) {
		db.Collaborator.Create().SetVideo(own).SetUserID(guest.UserID).SetRole(values.CollaboratorRoleViewer).ExecX(ctx)
		db.Collaborator.Create().SetVideo(own).SetUserID(editor.UserID).SetRole(values.CollaboratorRoleEditor).ExecX(ctx)
	})

	for _, c := range []struct {
		who  testkit.Member
		sees bool
	}{{creator, true}, {editor, true}, {guest, false}} {
		many := s.Ask(t, c.who.Key, `{ videos { nodes { id analytics { summary { totalViews } } } } }`, nil)
		require.Empty(t, many.Errors, many.Body)

		nodes := api.Dig(many.Data, "videos", "nodes").([]any)
		require.Len(t, nodes, 2)

		for _, v := range nodes {
			one := s.Ask(t, c.who.Key, fmt.Sprintf(`{ video(id: %q) { analytics { summary { totalViews } } } }`, api.Dig(v, "id")), nil)
			require.Empty(t, one.Errors, one.Body)
			require.Equal(t, api.Dig(v, "analytics"), api.Dig(one.Data, "video", "analytics"))
			require.Equal(t, c.sees || api.Dig(v, "id") == shared.ID, api.Dig(v, "analytics") != nil)
		}
	}

	for _, arguments := range []string{`timezone: "Nowhere"`, `startDate: "2026-02-01", endDate: "2026-01-01"`, `startDate: "x"`} {
		g := s.Ask(t, creator.Key, `{ videos { nodes { analytics(`+arguments+`) { summary { totalViews } } } } }`, nil)
		require.Equal(t, "bad_request", g.Code(), g.Body)
	}

	// Each day counts toward the cost.
	g := s.Ask(t, creator.Key, `{ videos(first: 100) { nodes { analytics(startDate: "2026-01-01", endDate: "2026-04-10") { viewsOverTime { date } } } } }`, nil)
	require.Equal(t, "bad_request", g.Code(), g.Body)
	require.Contains(t, g.Errors[0].Message, "complexity of "+fmt.Sprint(1+100*(1+1+1+100)))
}

// A workspace tells what it stores, and so does each of a person's workspaces.
func TestStorageOfWorkspaces(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	video := testkit.NewVideo(t, s.Store, m, testkit.VideoOpts{})
	stranger := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	testkit.NewVideo(t, s.Store, stranger, testkit.VideoOpts{})

	made := s.Ask(t, m.Key, `mutation { createWorkspace(input: {name: "Second"}) { workspace { id storage { bytes limitBytes } } } }`, nil)
	require.Empty(t, made.Errors, made.Body)
	require.Equal(t, map[string]any{"bytes": 0.0, "limitBytes": nil}, api.Dig(made.Data, "createWorkspace", "workspace", "storage"))

	m.Do(t, s.Store, func(ctx context.Context, db *ent.Client) {
		db.Source.Update().SetBytes(0).SetUploadOffset(0).ExecX(ctx)
		testkit.NewSource(t, s.Store, m, testkit.SourceOpts{})
	})

	for i, change := range []string{
		`UPDATE sources SET bytes = 700, upload_offset = 0 WHERE workspace_id = $1 AND id = (SELECT min(id) FROM sources WHERE workspace_id = $1)`,
		`UPDATE sources SET bytes = 0, upload_offset = 100, reserved_bytes = 250 WHERE workspace_id = $1 AND id = (SELECT max(id) FROM sources WHERE workspace_id = $1)`,
		`UPDATE sources SET bytes = 1000000 WHERE workspace_id <> $1`,
	} {
		_, err := s.Store.DB.Exec(change, m.WorkspaceID)
		require.NoError(t, err, i)
	}

	g := s.Ask(t, m.Key, fmt.Sprintf(`mutation { startExport(videoId: %q) { export { id } } }`, video.ID), nil)
	require.Empty(t, g.Errors, g.Body)

	_, err := s.Store.DB.Exec(`UPDATE exports SET bytes = 40`)
	require.NoError(t, err)

	want := map[string]any{"bytes": 990.0, "limitBytes": nil, "sourceBytes": 950.0, "exportBytes": 40.0}
	fields := `storage { bytes limitBytes sourceBytes exportBytes }`
	g = s.Ask(t, m.Key, `{ workspace { `+fields+` } viewer { workspace { `+fields+` } memberships { nodes { workspace { id `+fields+` } } } } }`, nil)
	require.Empty(t, g.Errors, g.Body)
	require.Equal(t, want, api.Dig(g.Data, "workspace", "storage"))
	require.Equal(t, want, api.Dig(g.Data, "viewer", "workspace", "storage"))

	memberships := api.Dig(g.Data, "viewer", "memberships", "nodes").([]any)
	require.Len(t, memberships, 2)

	for _, one := range memberships {
		if api.Dig(one, "workspace", "id") == m.WorkspaceID {
			require.Equal(t, want, api.Dig(one, "workspace", "storage"))
		} else {
			require.EqualValues(t, 0, api.Dig(one, "workspace", "storage", "bytes"))
		}
	}
}
