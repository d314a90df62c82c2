package graph_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

const (
	fillDemo   = `mutation { fillDemo { demo { status progress error { code } finishedAt } } }`
	demoStatus = `{ demo { status progress error { code message } createdAt finishedAt } }`
)

// Only owners start and see the filling of their workspace with demo videos, with a key or a session.
func TestDemoIsForOwners(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	hear(t, s)

	owner := person(t, s, testkit.MemberOpts{})
	other := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	watch := `subscription { demoProgress { status progress } }`

	require.Contains(t, subscribe(t, s, owner.Key, watch).next(), "not_found", "there is none yet")
	require.Nil(t, s.Ask(t, owner.Key, demoStatus, nil).Data["demo"])

	for _, role := range []auth.Role{auth.RoleAdmin, auth.RoleMember, auth.RoleViewer} {
		m := testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: owner.WorkspaceID, Role: role})
		require.Equal(t, "forbidden", s.Ask(t, m.Key, fillDemo, nil).Code(), role)
		require.Equal(t, "forbidden", s.Ask(t, m.Key, demoStatus, nil).Code(), role)
		require.Contains(t, subscribe(t, s, m.Key, watch).next(), "forbidden", role)
	}

	require.Equal(t, "unauthorized", s.Ask(t, "", fillDemo, nil).Code())
	require.Empty(t, jobsOf(t, s), "nobody has started one")

	begun := as(t, s, cookieOf(t, enter(t, s, owner.Email, password)), fillDemo, nil)
	require.Empty(t, begun.Errors, begun.Body)
	require.Equal(t, map[string]any{"status": "PENDING", "progress": 0.0, "error": nil, "finishedAt": nil}, api.Dig(begun.Data, "fillDemo", "demo"))
	require.Len(t, jobsOf(t, s), 1)

	require.Nil(t, s.Ask(t, other.Key, demoStatus, nil).Data["demo"], "an owner of another workspace")
	require.Contains(t, subscribe(t, s, other.Key, watch).next(), "not_found")

	// The owner sees every change until the end.
	stream := subscribe(t, s, owner.Key, watch)
	require.Contains(t, stream.next(), `"status":"PENDING","progress":0`)
	changeRun(t, s, owner, `status = 'running', progress = 40`)
	require.Contains(t, stream.next(), `"status":"RUNNING","progress":40`)
	changeRun(t, s, owner, `status = 'failed', error_code = 'no_space', error_message = 'The disk is full.', finished_at = now()`)
	require.Contains(t, stream.next(), `"status":"FAILED","progress":40`)
	require.Empty(t, stream.next(), "the stream ends")

	shown := s.Ask(t, owner.Key, demoStatus, nil)
	require.Equal(t, map[string]any{"code": "no_space", "message": "The disk is full."}, api.Dig(shown.Data, "demo", "error"))
}

// A demo begins only in a workspace without videos. One that goes on is returned. One that failed is continued.
func TestFillDemo(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	owner := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	member := testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: owner.WorkspaceID})
	theirs := testkit.NewVideo(t, s.Store, member, testkit.VideoOpts{Visibility: values.VisibilityPersonal})
	testkit.NewVideo(t, s.Store, testkit.NewMember(t, s.Store, testkit.MemberOpts{}), testkit.VideoOpts{}) // of another workspace

	remove := func(m testkit.Member, v *ent.Video) {
		require.Empty(t, s.Ask(t, m.Key, `mutation { deleteVideo(id: "`+v.ID+`") { deletedId } }`, nil).Errors)
	}
	status := func(g api.Graph) any {
		t.Helper()
		require.Empty(t, g.Errors, g.Body)

		return api.Dig(g.Data, "fillDemo", "demo", "status")
	}

	require.Equal(t, "conflict", s.Ask(t, owner.Key, fillDemo, nil).Code(), "a video of anybody")
	require.Empty(t, jobsOf(t, s))
	remove(member, theirs)

	require.Equal(t, "PENDING", status(s.Ask(t, owner.Key, fillDemo, nil)))
	changeRun(t, s, owner, `status = 'running', progress = 40`)

	made := testkit.NewVideo(t, s.Store, owner, testkit.VideoOpts{})

	require.Equal(t, "RUNNING", status(s.Ask(t, owner.Key, fillDemo, nil)), "the same")
	require.Len(t, jobsOf(t, s), 1)

	_, err := s.Store.DB.Exec(`UPDATE river_job SET state = 'cancelled', finalized_at = now() WHERE kind = 'fill_demo'`)
	require.NoError(t, err)
	require.Equal(t, "RUNNING", status(s.Ask(t, owner.Key, fillDemo, nil)))
	require.Len(t, jobsOf(t, s), 2, "a job that somebody has canceled is added again")

	// The videos of a failed run do not count, others do.
	changeRun(t, s, owner, `status = 'failed', finished_at = now(), made = '{"videos": {"Product tour": {"id": "`+made.ID+`"}}}'`)

	other := testkit.NewVideo(t, s.Store, owner, testkit.VideoOpts{})
	require.Equal(t, "conflict", s.Ask(t, owner.Key, fillDemo, nil).Code())
	remove(owner, other)

	again := s.Ask(t, owner.Key, fillDemo, nil)
	require.Equal(t, "PENDING", status(again))
	require.EqualValues(t, 0, api.Dig(again.Data, "fillDemo", "demo", "progress"))
	require.Len(t, jobsOf(t, s), 3)
	require.Equal(t, made.ID, runOf(t, s, owner).Made.Videos["Product tour"].ID, "it goes on with them")

	// Those of a completed one count.
	changeRun(t, s, owner, `status = 'completed', progress = 100, finished_at = now()`)
	require.Equal(t, "conflict", s.Ask(t, owner.Key, fillDemo, nil).Code())
	remove(owner, made)
	require.Equal(t, "PENDING", status(s.Ask(t, owner.Key, fillDemo, nil)))
	require.Empty(t, runOf(t, s, owner).Made.Videos, "a new one")
}

// jobsOf returns the runs for which there were jobs.
func jobsOf(t *testing.T, s *api.Server) (runs []string) {
	t.Helper()

	rows, err := s.Store.DB.Query(`SELECT args->>'runId' FROM river_job WHERE kind = 'fill_demo' AND queue = 'demo'`)
	require.NoError(t, err)

	defer rows.Close()

	for rows.Next() {
		var id string

		require.NoError(t, rows.Scan(&id))
		runs = append(runs, id)
	}

	require.NoError(t, rows.Err())

	return runs
}

func runOf(t *testing.T, s *api.Server, m testkit.Member) (run *ent.DemoRun) {
	t.Helper()

	m.Do(t, s.Store, func(ctx context.Context, db *ent.Client) { run = db.DemoRun.Query().OnlyX(ctx) })

	return run
}

// changeRun changes the demo run of a workspace as the worker does.
func changeRun(t *testing.T, s *api.Server, m testkit.Member, change string) {
	t.Helper()

	_, err := s.Store.DB.Exec(`UPDATE demo_runs SET `+change+` WHERE workspace_id = $1`, m.WorkspaceID)
	require.NoError(t, err)

	m.Do(t, s.Store, func(ctx context.Context, _ *ent.Client) {
		require.NoError(t, s.Store.Notify(ctx, "demo:"+m.WorkspaceID))
	})
}
