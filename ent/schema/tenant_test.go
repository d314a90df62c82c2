package schema_test

import (
	"context"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/schema"
	"github.com/reelgraph/reelgraph/ent/source"
	"github.com/reelgraph/reelgraph/ent/user"
	"github.com/reelgraph/reelgraph/ent/video"
	"github.com/reelgraph/reelgraph/ent/workspace"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// global holds the entities that belong to no workspace and hold no data of one.
var global = map[string]bool{"CatalogItem": true, "Certificate": true, "ServerSecret": true}

// Every entity, including those added later, refuses reads and writes without a viewer.
func TestNoViewerIsRefusedEverywhere(t *testing.T) {
	t.Parallel()

	s := testkit.Open(t)
	nobody := context.Background()

	require.NoError(t, s.InTx(nobody, func(ctx context.Context) error {
		clients := reflect.ValueOf(s.Client(ctx)).Elem()
		checked := 0

		for i := range clients.NumField() {
			name := clients.Type().Field(i).Name

			query := clients.Field(i).MethodByName("Query")
			if !clients.Type().Field(i).IsExported() || !query.IsValid() || global[name] {
				continue
			}

			checked++

			err := call(ctx, query.Call(nil)[0], "Count")
			require.ErrorIs(t, err, schema.ErrNobody, "%s can be read", name)

			err = call(ctx, clients.Field(i).MethodByName("Delete").Call(nil)[0], "Exec")
			require.ErrorIs(t, err, schema.ErrNobody, "%s can be deleted", name)

			err = call(ctx, clients.Field(i).MethodByName("Update").Call(nil)[0], "Save")
			require.ErrorIs(t, err, schema.ErrNobody, "%s can be updated", name)
		}

		require.Greater(t, checked, 25)

		return nil
	}))
}

// call calls a method that takes a context and returns an error last.
func call(ctx context.Context, on reflect.Value, method string) error {
	out := on.MethodByName(method).Call([]reflect.Value{reflect.ValueOf(ctx)})
	err, _ := reflect.TypeAssert[error](out[len(out)-1])

	return err
}

// Rows of one workspace cannot be read or changed from another, by any operation.
func TestWorkspacesAreIsolated(t *testing.T) {
	t.Parallel()

	s := testkit.Open(t)
	ours, theirs := testkit.NewMember(t, s, testkit.MemberOpts{}), testkit.NewMember(t, s, testkit.MemberOpts{})
	v := testkit.NewVideo(t, s, ours, testkit.VideoOpts{})

	theirs.Do(t, s, func(ctx context.Context, c *ent.Client) {
		require.Zero(t, c.Video.Query().CountX(ctx))
		require.Zero(t, c.Clip.Query().CountX(ctx))
		require.Zero(t, c.Source.Query().Where(source.StatusEQ(values.SourceStatusReady)).CountX(ctx))
		require.Zero(t, c.User.Query().Where(user.ID(ours.UserID)).CountX(ctx))
		require.Zero(t, c.Workspace.Query().Where(workspace.ID(ours.WorkspaceID)).CountX(ctx))

		_, err := c.Video.Get(ctx, v.ID)
		require.True(t, ent.IsNotFound(err), "%v", err)

		_, err = c.Video.UpdateOneID(v.ID).SetName("taken").Save(ctx)
		require.True(t, ent.IsNotFound(err), "%v", err)

		require.Zero(t, c.Video.Update().Where(video.ID(v.ID)).SetName("taken").SaveX(ctx))
		require.True(t, ent.IsNotFound(c.Video.DeleteOneID(v.ID).Exec(ctx)))
		require.Zero(t, c.Video.Delete().ExecX(ctx))
		require.True(t, ent.IsNotFound(c.User.UpdateOneID(ours.UserID).SetName("taken").Exec(ctx)))
		require.True(t, ent.IsNotFound(c.Workspace.UpdateOneID(ours.WorkspaceID).SetName("taken").Exec(ctx)))
	})

	// Each runs in its own transaction, because Postgres aborts a transaction at its first error.
	refused := map[string]func(ctx context.Context, c *ent.Client) error{
		"an edge to a foreign row": func(ctx context.Context, c *ent.Client) error {
			return c.Chapter.Create().SetVideoID(v.ID).SetClipID(v.Edges.Clips[0].ID).SetAtMs(0).SetTitle("x").Exec(ctx)
		},
		"a foreign row among many": func(ctx context.Context, c *ent.Client) error {
			mine := testkit.NewVideo(t, s, theirs, testkit.VideoOpts{})
			_, err := schema.Proven(ctx, c, mine.Edges.Clips[0].ID, mine.ID, v.Edges.Clips[0].ID)

			return err
		},
		"an edge to another row than those proved": func(ctx context.Context, c *ent.Client) error {
			mine := testkit.NewVideo(t, s, theirs, testkit.VideoOpts{})

			ctx, err := schema.Proven(ctx, c, mine.ID, mine.Edges.Clips[0].ID)
			require.NoError(t, err)

			return c.Chapter.Create().SetVideoID(mine.ID).SetClipID(v.Edges.Clips[0].ID).SetAtMs(0).SetTitle("x").Exec(ctx)
		},
		"an edge to a foreign source": func(ctx context.Context, c *ent.Client) error {
			mine := c.Video.Create().SetUserID(theirs.UserID).SetName("mine").SetWidth(16).SetHeight(16).
				SetSettings(values.DefaultVideoSettings()).SetEditing(values.DefaultEditing()).SaveX(ctx)

			return c.Clip.Create().SetVideo(mine).SetName("x").SetPosition(0).SetRecordingMs(1).SetDurationMs(1).
				SetNillableScreenSourceID(v.Edges.Clips[0].ScreenSourceID).SetCuts(values.Cuts{}).
				SetHasMicrophone(false).SetHasSystemAudio(false).SetBackground(values.DefaultBackground()).Exec(ctx)
		},
		"a row of a foreign workspace": func(ctx context.Context, c *ent.Client) error {
			return c.Source.Create().SetWorkspaceID(ours.WorkspaceID).SetKind(values.SourceKindVideo).Exec(ctx)
		},
		"a workspace": func(ctx context.Context, c *ent.Client) error {
			return c.Workspace.Create().SetName("x").Exec(ctx)
		},
		"a membership in a foreign workspace": func(ctx context.Context, c *ent.Client) error {
			return c.Membership.Create().SetWorkspaceID(ours.WorkspaceID).SetUserID(theirs.UserID).SetRole(auth.RoleOwner).Exec(ctx)
		},
	}

	for name, write := range refused {
		err := s.InTx(theirs.Context(), func(ctx context.Context) error { return write(ctx, s.Client(ctx)) })
		require.ErrorIs(t, err, schema.ErrForeign, name)
	}

	ours.Do(t, s, func(ctx context.Context, c *ent.Client) {
		require.Equal(t, v.Name, c.Video.GetX(ctx, v.ID).Name)
	})
}
