package graph_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/system"
	"github.com/reelgraph/reelgraph/internal/upload"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

const systemQuery = `{ system {
	version commit databaseBytes
	queues { name waiting running retrying scheduled oldestWaitingAt }
	storage {
		bytes videoBytes audioBytes imageBytes mouseBytes exportBytes extractBytes catalogBytes workspaceLimitBytes uploadLimitBytes
	}
	disk { totalBytes freeBytes reserveBytes }
	findings { name state message remedies }
} }`

// Only operators read the state of the server, and only for them does it check anything.
func TestSystemIsForOperators(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})

	var checks atomic.Int64

	s.Resolver.Node = system.Node{Version: "1.2.3", Examine: func(context.Context) []*model.Finding {
		checks.Add(1)

		return nil
	}}
	s.Resolver.Remake()

	operator := person(t, s, testkit.MemberOpts{})
	elsewhere := person(t, s, testkit.MemberOpts{})
	session := func(m testkit.Member) string { return cookieOf(t, enter(t, s, m.Email, password)) }

	require.Equal(t, "unauthorized", s.Ask(t, "", systemQuery, nil).Code())
	require.Equal(t, "forbidden", s.Ask(t, operator.Key, systemQuery, nil).Code(), "a key of an operator")
	require.Equal(t, "forbidden", s.Ask(t, elsewhere.Key, systemQuery, nil).Code(), "a key of another workspace's owner")
	require.Equal(t, "forbidden", as(t, s, session(elsewhere), systemQuery, nil).Code(), "an owner of another workspace")

	for _, role := range []auth.Role{auth.RoleAdmin, auth.RoleMember, auth.RoleViewer} {
		m := person(t, s, testkit.MemberOpts{WorkspaceID: operator.WorkspaceID, Role: role})
		refused := as(t, s, session(m), systemQuery, nil)
		require.Equal(t, "forbidden", refused.Code(), role)
		require.Nil(t, refused.Data, role)
	}

	cookie := session(operator)
	own := as(t, s, cookie, `mutation { createWorkspace(input: {name: "Another"}) { workspace { id } } }`, nil)
	moved := as(t, s, session(operator), `mutation ($id: ID!) { switchWorkspace(id: $id) { session { id } } }`,
		map[string]any{"id": api.Dig(own.Data, "createWorkspace", "workspace", "id")})
	require.Equal(t, "forbidden", as(t, s, cookieOf(t, moved), systemQuery, nil).Code(), "an operator's session in another workspace")
	require.Zero(t, checks.Load())

	shown := as(t, s, cookie, systemQuery, nil)
	require.Empty(t, shown.Errors, shown.Body)
	require.Equal(t, "1.2.3", api.Dig(shown.Data, "system", "version"))
	require.EqualValues(t, 1, checks.Load())
}

// The state of the server is what the database and the machine hold, over all workspaces.
func TestSystem(t *testing.T) {
	t.Parallel()

	var later atomic.Int64

	wire := api.NewWire(t, testkit.Database(t))
	s := api.New(t, api.Options{DSN: wire.DSN, Clock: func() time.Time { return time.Now().Add(time.Duration(later.Load())) }})
	checks, broken := 0, false
	s.Resolver.Uploads = upload.Limits{Upload: 77}
	s.Resolver.Node = system.Node{
		Version: "1.2.3", Commit: "abc",
		Disk: func() (model.Disk, error) {
			if broken {
				return model.Disk{}, errors.New("cannot be read")
			}

			return model.Disk{TotalBytes: 900, FreeBytes: 500, ReserveBytes: 100}, nil
		},
		Examine: func(context.Context) []*model.Finding {
			checks++

			return []*model.Finding{
				{Name: "fonts", State: model.FindingStateWarning, Message: "without one", Remedies: []string{"install it", "or not"}},
				{Name: "postgres", State: model.FindingStateOk, Message: "17", Remedies: []string{}},
			}
		},
	}
	s.Resolver.Remake()

	operator := person(t, s, testkit.MemberOpts{})
	cookie := cookieOf(t, enter(t, s, operator.Email, password))
	require.Empty(t, as(t, s, cookie, `{ system { queues { name } storage { bytes } } }`, nil).Errors) // counts its cost separately

	statements := func() int64 {
		before := wire.Count()

		require.Empty(t, as(t, s, cookie, `{ system { queues { name } storage { bytes } } }`, nil).Errors)

		return wire.Count() - before
	}
	few := statements()

	storeOfEach(t, s, operator)
	jobsOfEach(t, s)
	require.Equal(t, few, statements(), "one statement each, whatever there is")

	shown := as(t, s, cookie, systemQuery, nil)
	require.Empty(t, shown.Errors, shown.Body)

	var size int64

	require.NoError(t, s.Store.DB.QueryRow(`SELECT pg_database_size(current_database())`).Scan(&size))
	require.InDelta(t, size, api.Dig(shown.Data, "system", "databaseBytes"), 1<<20)
	require.Equal(t, map[string]any{
		"videoBytes": 4_003.0, "audioBytes": 500.0, "imageBytes": 20.0, "mouseBytes": 7.0, "exportBytes": 60_000.0,
		"extractBytes": 111.0, "catalogBytes": 900_000.0, "bytes": 964_641.0, "workspaceLimitBytes": nil, "uploadLimitBytes": 77.0,
	}, api.Dig(shown.Data, "system", "storage"))
	require.Equal(t, map[string]any{"totalBytes": 900.0, "freeBytes": 500.0, "reserveBytes": 100.0}, api.Dig(shown.Data, "system", "disk"))
	require.Equal(t, []any{
		map[string]any{"name": "fonts", "state": "WARNING", "message": "without one", "remedies": []any{"install it", "or not"}},
		map[string]any{"name": "postgres", "state": "OK", "message": "17", "remedies": []any{}},
	}, api.Dig(shown.Data, "system", "findings"))

	queues := map[string]map[string]any{}

	var names []string

	for _, q := range api.Dig(shown.Data, "system", "queues").([]any) {
		q := q.(map[string]any)
		name := q["name"].(string)
		names, queues[name] = append(names, name), q
	}

	require.IsIncreasing(t, names)
	require.Subset(t, names, []string{"figures", "mail", "media", "probe", "render", "retired", "speech", "webhook"})
	require.Equal(t, map[string]any{
		"name": "render", "waiting": 3.0, "running": 2.0, "retrying": 1.0, "scheduled": 1.0, "oldestWaitingAt": "2026-01-01T00:00:00.000Z",
	}, queues["render"])
	require.Equal(t, map[string]any{
		"name": "speech", "waiting": 0.0, "running": 0.0, "retrying": 0.0, "scheduled": 0.0, "oldestWaitingAt": nil,
	}, queues["speech"])
	require.EqualValues(t, 1, queues["retired"]["waiting"], "a queue that no longer exists")

	// Findings are kept for ten seconds, the rest is new.
	broken = true

	shown = as(t, s, cookie, systemQuery, nil)
	require.Empty(t, shown.Errors, shown.Body)
	require.Nil(t, api.Dig(shown.Data, "system", "disk"))
	require.Equal(t, 1, checks)

	later.Store(int64(10 * time.Second))
	require.Empty(t, as(t, s, cookie, systemQuery, nil).Errors)
	require.Equal(t, 2, checks)

	require.Empty(t, as(t, s, cookie, `{ system { version } }`, nil).Errors)
	require.Equal(t, 2, checks, "only when they are asked for")
}

// storeOfEach stores files of every kind in two workspaces, and files that do not count.
func storeOfEach(t *testing.T, s *api.Server, one testkit.Member) {
	t.Helper()

	other := testkit.NewMember(t, s.Store, testkit.MemberOpts{})

	for _, c := range []struct {
		m      testkit.Member
		kind   values.SourceKind
		bytes  int64
		change string
	}{
		{one, values.SourceKindVideo, 1_000, ``},
		{other, values.SourceKindVideo, 3_000, `status = 'failed', interrupted_at = now()`}, // what arrived can still be continued
		{other, values.SourceKindVideo, 3, `joined_id = ''`},
		{other, values.SourceKindVideo, 50_000_000, `status = 'failed'`},
		{other, values.SourceKindVideo, 60_000_000, `joined_id = 'src_whole'`},
		{one, values.SourceKindAudio, 0, `status = 'uploading', upload_offset = 500, reserved_bytes = 9000000`},
		{one, values.SourceKindImage, 20, ``},
		{other, values.SourceKindMouse, 7, ``},
	} {
		src := testkit.NewSource(t, s.Store, c.m, testkit.SourceOpts{Kind: c.kind})
		_, err := s.Store.DB.Exec(`UPDATE sources SET bytes = $2 WHERE id = $1`, src.ID, c.bytes)
		require.NoError(t, err)

		if c.change != "" {
			_, err = s.Store.DB.Exec(`UPDATE sources SET `+c.change+` WHERE id = $1`, src.ID)
			require.NoError(t, err)
		}
	}

	for m, bytes := range map[testkit.Member]int64{one: 20_000, other: 40_000} {
		v := testkit.NewVideo(t, s.Store, m, testkit.VideoOpts{})

		m.Do(t, s.Store, func(ctx context.Context, db *ent.Client) {
			db.Export.Create().SetVideo(v).SetUserID(m.UserID).SetGranularity(values.GranularityStory).SetResolution(values.ResolutionP1080).
				SetFps(values.FPS30).SetSpeed(values.Speed1).SetSubtitles(false).SetRevision(0).SetPlanHash("x").SetPlan([]byte("{}")).
				SetBytes(bytes).ExecX(ctx)
			db.Extract.Create().SetSubjectID(v.ID).SetKey("k").SetRecipe([]byte("{}")).ExecX(ctx) // not made yet
		})
	}

	one.Do(t, s.Store, func(ctx context.Context, db *ent.Client) {
		db.Extract.Create().SetSubjectID("vid_x").SetKey("made").SetRecipe([]byte("{}")).SetStatus(values.ExtractStatusReady).
			SetFiles([]values.ExtractFile{{Name: "a.jpg", BlobKey: "a", Bytes: 100}, {Name: "b.jpg", BlobKey: "b", Bytes: 11}}).ExecX(ctx)
		db.CatalogItem.Create().SetID("preset").SetType(values.CatalogTypeMusic).SetName("Music").SetRecipeHash("x").SetBlobKey("x").
			SetBytes(900_000).ExecX(ctx)
	})
}

// jobsOfEach adds jobs in every state.
func jobsOfEach(t *testing.T, s *api.Server) {
	t.Helper()

	_, err := s.Store.DB.Exec(`
INSERT INTO river_job (kind, args, max_attempts, queue, state, scheduled_at, finalized_at)
VALUES ('test', '{}', 3, 'render', 'available', '2026-01-01T00:00:00Z', NULL),
	('test', '{}', 3, 'render', 'available', '2026-01-02T00:00:00Z', NULL),
	('test', '{}', 3, 'render', 'scheduled', now() - interval '1 minute', NULL),
	('test', '{}', 3, 'render', 'scheduled', now() + interval '1 hour', NULL),
	('test', '{}', 3, 'render', 'running', '2025-01-01T00:00:00Z', NULL),
	('test', '{}', 3, 'render', 'running', '2025-01-01T00:00:00Z', NULL),
	('test', '{}', 3, 'render', 'retryable', '2025-01-01T00:00:00Z', NULL),
	('test', '{}', 3, 'render', 'completed', '2025-01-01T00:00:00Z', now()),
	('test', '{}', 3, 'speech', 'discarded', '2025-01-01T00:00:00Z', now()),
	('test', '{}', 3, 'retired', 'available', now(), NULL)`)
	require.NoError(t, err)
}
