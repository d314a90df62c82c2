package graph_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/export"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// bin is a workspace with videos to trash.
type bin struct {
	*testing.T
	*api.Server

	owner, admin, maker, editor, member, viewer, stranger testkit.Member

	// shared is visible to the workspace and editor edits it. On joint, which is personal, admin collaborates. Nobody
	// but maker knows of secret. maker created all three.
	shared, joint, secret *ent.Video
}

func newBin(t *testing.T, o api.Options) *bin {
	t.Helper()

	s := api.New(t, o)
	b := &bin{T: t, Server: s, owner: testkit.NewMember(t, s.Store, testkit.MemberOpts{}), stranger: testkit.NewMember(t, s.Store, testkit.MemberOpts{})}
	join := func(role auth.Role) testkit.Member {
		return testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: b.owner.WorkspaceID, Role: role})
	}
	b.admin, b.maker, b.editor, b.member, b.viewer = join(auth.RoleAdmin), join(auth.RoleMember), join(auth.RoleMember), join(auth.RoleMember), join(auth.RoleViewer)
	b.shared = testkit.NewVideo(t, s.Store, b.maker, testkit.VideoOpts{Name: "Shared"})
	b.joint = testkit.NewVideo(t, s.Store, b.maker, testkit.VideoOpts{Name: "Joint", Visibility: values.VisibilityPersonal})
	b.secret = testkit.NewVideo(t, s.Store, b.maker, testkit.VideoOpts{Name: "Secret", Visibility: values.VisibilityPersonal})

	b.maker.Do(t, s.Store, func(ctx context.Context, c *ent.Client) {
		invite := func(v *ent.Video, m testkit.Member, role values.CollaboratorRole) {
			c.Collaborator.Create().SetVideo(v).SetUserID(m.UserID).SetRole(role).ExecX(ctx)
		}
		invite(b.shared, b.editor, values.CollaboratorRoleEditor)
		invite(b.joint, b.admin, values.CollaboratorRoleViewer)
		invite(b.joint, b.editor, values.CollaboratorRoleEditor)
	})

	return b
}

// put asks for several videos to be trashed or restored.
func (b *bin) put(m testkit.Member, mutation string, videos ...*ent.Video) api.Graph {
	b.Helper()

	named := make([]string, len(videos))
	for i, v := range videos {
		named[i] = v.ID
	}

	fields := map[string]string{"trashVideos": "deletedIds", "restoreVideos": "videos { id name trashedAt purgedAt }"}[mutation]

	return b.Ask(b.T, m.Key, `mutation ($ids: [ID!]!) { `+mutation+`(ids: $ids) { `+fields+` } }`, map[string]any{"ids": named})
}

// trash returns the names of the videos that a member finds in the trash, and their number as it is counted.
func (b *bin) trash(m testkit.Member) (names []string, total float64) {
	b.Helper()

	g := b.Ask(b.T, m.Key, `{ trash(first: 100) { totalCount nodes { name } } }`, nil)
	require.Empty(b.T, g.Errors, g.Body)

	names = []string{}

	for _, node := range api.Dig(g.Data, "trash", "nodes").([]any) {
		names = append(names, api.Dig(node, "name").(string))
	}

	slices.Sort(names)

	return names, api.Dig(g.Data, "trash", "totalCount").(float64)
}

// Who may delete a video may trash and restore it, and sees it in the trash: its creator, and owners and admins who could
// read it before. For all others it is gone. It is all or nothing.
func TestWhoMayTrashAndRestore(t *testing.T) {
	t.Parallel()

	b := newBin(t, api.Options{})

	for _, refused := range []struct {
		who     testkit.Member
		videos  []*ent.Video
		code    string
		message string
	}{
		{b.stranger, []*ent.Video{b.shared}, "not_found", "No such video at ids[0]."},
		{b.owner, []*ent.Video{b.shared, b.secret}, "not_found", "No such video at ids[1]."},
		{b.owner, []*ent.Video{b.joint}, "not_found", "No such video at ids[0]."},
		{b.viewer, []*ent.Video{b.shared}, "forbidden", "ids[0]: You are a viewer in this workspace: viewers cannot edit videos, even as collaborators."},
		{b.member, []*ent.Video{b.shared}, "forbidden", "ids[0]: You may read this video but not edit it."},
		{b.editor, []*ent.Video{b.joint, b.shared}, "forbidden", "ids[0]: Only the video's creator, owners and admins may delete it."},
		{b.maker, nil, "bad_request", "ids must have 1 to 100 items."},
		{b.maker, slices.Repeat([]*ent.Video{b.shared}, 101), "bad_request", "ids must have 1 to 100 items."},
	} {
		g := b.put(refused.who, "trashVideos", refused.videos...)
		require.Equal(t, refused.code, g.Code(), g.Body)
		require.Equal(t, refused.message, g.Errors[0].Message)
	}

	read := func(m testkit.Member, v *ent.Video) int {
		return b.Call(t, m.Key, http.MethodGet, "/v1/videos/"+v.ID, "").Status
	}
	require.Equal(t, http.StatusOK, read(b.owner, b.shared), "nothing was trashed")

	g := b.put(b.maker, "trashVideos", b.secret, b.shared, b.joint, b.shared)
	require.Equal(t, []any{b.secret.ID, b.shared.ID, b.joint.ID}, api.Dig(g.Data, "trashVideos", "deletedIds"), g.Body)

	for who, found := range map[*testkit.Member][]string{
		&b.owner: {"Shared"}, &b.admin: {"Joint", "Shared"}, &b.maker: {"Joint", "Secret", "Shared"},
		&b.editor: {}, &b.member: {}, &b.viewer: {}, &b.stranger: {},
	} {
		names, total := b.trash(*who)
		require.Equal(t, found, names, who.Role)
		require.InDelta(t, len(found), total, 0)

		for _, v := range []*ent.Video{b.shared, b.joint, b.secret} {
			require.Equal(t, http.StatusNotFound, read(*who, v))

			if slices.Contains(found, v.Name) || who == &b.viewer {
				continue
			}

			for _, mutation := range []string{"trashVideos", "restoreVideos"} {
				require.Equal(t, "not_found", b.put(*who, mutation, v).Code(), "%s %s", mutation, v.Name)
			}

			require.Equal(t, http.StatusNotFound, b.Call(t, who.Key, http.MethodDelete, "/v1/videos/"+v.ID, "").Status)
		}
	}

	require.Equal(t, "forbidden", b.put(b.viewer, "restoreVideos", b.shared).Code())
	require.Equal(t, "not_found", b.put(b.maker, "trashVideos", b.shared).Code(), "it is in the trash already")

	g = b.put(b.owner, "restoreVideos", b.shared, b.joint)
	require.Equal(t, "No such video at ids[1].", g.Errors[0].Message)
	require.Equal(t, http.StatusNotFound, read(b.owner, b.shared), "nothing was restored")

	g = b.put(b.admin, "restoreVideos", b.shared, b.joint)
	require.JSONEq(t, fmt.Sprintf(`[{"id":%q,"name":"Shared","trashedAt":null,"purgedAt":null},{"id":%q,"name":"Joint","trashedAt":null,"purgedAt":null}]`,
		b.shared.ID, b.joint.ID), encoded(t, api.Dig(g.Data, "restoreVideos", "videos")))
	require.Equal(t, http.StatusOK, read(b.member, b.shared))
	require.Equal(t, http.StatusNotFound, read(b.owner, b.joint))
	require.Equal(t, http.StatusOK, read(b.editor, b.joint))
	require.Equal(t, "not_found", b.put(b.maker, "restoreVideos", b.shared).Code(), "it is not in the trash")

	// A creator who is a viewer now may do nothing.
	b.owner.Do(t, b.Store, func(ctx context.Context, c *ent.Client) { c.Membership.Update().SetRole(auth.RoleViewer).ExecX(ctx) })

	names, _ := b.trash(b.maker)
	require.Empty(t, names)
	require.Equal(t, "forbidden", b.put(b.maker, "restoreVideos", b.secret).Code())
}

func encoded(t *testing.T, value any) string {
	t.Helper()

	text, err := json.Marshal(value)
	require.NoError(t, err)

	return string(text)
}

// Videos in the trash are listed last trashed first, page by page, with the time of their deletion 30 days later.
func TestTrashIsAList(t *testing.T) {
	t.Parallel()

	now := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	b := newBin(t, api.Options{Clock: func() time.Time { return now }})

	for _, v := range []*ent.Video{b.joint, b.shared, b.secret} {
		require.Empty(t, b.put(b.maker, "trashVideos", v).Errors)

		now = now.Add(time.Hour)
	}

	seen, after := []string{}, ""

	for {
		g := b.Ask(t, b.maker.Key, `query ($after: String) { trash(first: 2, after: $after) {
			edges { cursor node { name trashedAt purgedAt clips { nodes { id } } creator { id } } } pageInfo { hasNextPage endCursor } } }`,
			map[string]any{"after": maybe(after)})
		require.Empty(t, g.Errors, g.Body)

		for _, edge := range api.Dig(g.Data, "trash", "edges").([]any) {
			node := api.Dig(edge, "node")
			seen = append(seen, fmt.Sprint(api.Dig(node, "name"), " ", api.Dig(node, "trashedAt"), " ", api.Dig(node, "purgedAt")))

			require.Equal(t, b.maker.UserID, api.Dig(node, "creator", "id"))
			require.Len(t, api.Dig(node, "clips", "nodes"), 1)
		}

		if after, _ = api.Dig(g.Data, "trash", "pageInfo", "endCursor").(string); api.Dig(g.Data, "trash", "pageInfo", "hasNextPage") == false {
			break
		}
	}

	require.Equal(t, []string{
		"Secret 2026-03-01T12:00:00.000Z 2026-03-31T12:00:00.000Z",
		"Shared 2026-03-01T11:00:00.000Z 2026-03-31T11:00:00.000Z",
		"Joint 2026-03-01T10:00:00.000Z 2026-03-31T10:00:00.000Z",
	}, seen)

	other := b.Ask(t, b.admin.Key, `query ($after: String) { trash(after: $after) { nodes { id } } }`, map[string]any{"after": after})
	require.Equal(t, "bad_request", other.Code(), "a cursor of somebody else's list")
}

func maybe(text string) *string {
	if text == "" {
		return nil
	}

	return &text
}

// A trashed video leaves lists, search, playlists and their counts, and comes back to its places when it is restored.
func TestTrashedVideosLeaveAndReturn(t *testing.T) {
	t.Parallel()

	b := newBin(t, api.Options{})
	first, last := testkit.NewVideo(t, b.Store, b.maker, testkit.VideoOpts{Name: "First"}), testkit.NewVideo(t, b.Store, b.maker, testkit.VideoOpts{Name: "Last"})
	tag := ids.New(ids.Tag)

	var list string

	b.maker.Do(t, b.Store, func(ctx context.Context, c *ent.Client) {
		p := c.Playlist.Create().SetUserID(b.maker.UserID).SetName("P").SetVisibility(values.VisibilityOrg).SaveX(ctx)
		list = p.ID

		for i, v := range []*ent.Video{first, b.shared, last} {
			c.PlaylistVideo.Create().SetPlaylist(p).SetVideo(v).SetPosition(i).ExecX(ctx)
		}

		c.Tag.Create().SetID(tag).SetUserID(b.maker.UserID).SetName("T").SetNameKey("t").SetColor("#000000FF").ExecX(ctx)
		c.VideoTag.Create().SetVideoID(b.shared.ID).SetTagID(tag).ExecX(ctx)
	})

	// seen is what a member finds of the video in every list.
	seen := func(m testkit.Member) string {
		g := b.Ask(t, m.Key, `query ($list: ID!, $tag: ID!) {
			videos { totalCount nodes { name } } tagged: videos(tagIds: [$tag]) { totalCount nodes { name } }
			in: videos(playlistId: $list) { totalCount nodes { name } }
			searchVideos(query: "Shared") { totalCount nodes { video { name } } }
			playlist(id: $list) { videoCount videos { totalCount nodes { name } } }
			playlists(visibility: ORG) { nodes { videoCount videos { totalCount nodes { name } } } }
		}`, map[string]any{"list": list, "tag": tag})
		require.Empty(t, g.Errors, g.Body)

		rest := b.Call(t, m.Key, http.MethodGet, "/v1/playlists/"+list, "")
		require.Equal(t, http.StatusOK, rest.Status)

		return encoded(t, g.Data) + rest.Body
	}

	before := seen(b.member)
	require.Equal(t, 6, strings.Count(before, "Shared"), before)
	require.Contains(t, before, `"videoCount":3`)
	require.Contains(t, before, `[{"name":"First"},{"name":"Shared"},{"name":"Last"}]`)

	require.Empty(t, b.put(b.maker, "trashVideos", b.shared).Errors)

	for _, m := range []testkit.Member{b.maker, b.owner, b.member, b.editor} {
		gone := seen(m)
		require.NotContains(t, gone, "Shared")
		require.Contains(t, gone, `"in":{"nodes":[{"name":"Last"},{"name":"First"}],"totalCount":2}`)
		require.Contains(t, gone, `"videos":2,`, "REST")
		require.Contains(t, gone, `"playlist":{"videoCount":2,"videos":{"nodes":[{"name":"First"},{"name":"Last"}],"totalCount":2}}`)
		require.Contains(t, gone, `"searchVideos":{"nodes":[],"totalCount":0}`)
		require.Contains(t, gone, `"tagged":{"nodes":[],"totalCount":0}`)
	}

	for _, body := range []string{
		b.Call(t, b.maker.Key, http.MethodPost, "/v1/playlists/"+list+"/videos", `{"videoId":"`+b.shared.ID+`"}`).Body,
		b.Call(t, b.maker.Key, http.MethodDelete, "/v1/playlists/"+list+"/videos/"+b.shared.ID, "").Body,
	} {
		require.Contains(t, body, `"not_found"`)
	}

	require.Empty(t, b.put(b.owner, "restoreVideos", b.shared).Errors)
	require.Equal(t, before, seen(b.member))
}

// The unfinished exports of a trashed video end as canceled, those for its pages too, and stay so. An export that waits
// for the video while it is being trashed does not begin.
func TestTrashStopsExports(t *testing.T) {
	t.Parallel()

	b := newBin(t, api.Options{})

	hear(t, b.Server)

	made := map[string]string{}

	b.maker.Do(t, b.Store, func(ctx context.Context, c *ent.Client) {
		for name, v := range map[string]*ent.Video{"running": b.shared, "pages": b.shared, "done": b.shared, "another's": b.joint} {
			create := c.Export.Create().SetVideo(v).SetUserID(b.maker.UserID).SetGranularity(values.GranularityStory).
				SetResolution(values.ResolutionP1080).SetFps(values.FPS30).SetSpeed(values.Speed1).SetSubtitles(false).SetRevision(0).
				SetPlan(json.RawMessage(`{}`)).SetPlanHash(name).SetForPages(name == "pages")
			if name == "done" {
				create.SetStatus(values.ExportStatusCompleted).SetFinishedAt(time.Now())
			}

			made[name] = create.SaveX(ctx).ID
		}
	})

	watched := subscribe(t, b.Server, b.maker.Key, `subscription { videoUpdated(id: "`+b.shared.ID+`") { name } }`)
	require.Contains(t, watched.next(), "Shared")

	progress := subscribe(t, b.Server, b.maker.Key, `subscription { exportProgress(id: "`+made["running"]+`") { status } }`)
	require.Contains(t, progress.next(), "PENDING")

	require.Empty(t, b.put(b.maker, "trashVideos", b.shared).Errors)

	for _, s := range []stream{watched, progress} { // both end without another word about the video
		for line := s.next(); line != ""; line = s.next() {
			require.NotContains(t, line, `"data":{`)
		}
	}

	states := func() map[string]values.ExportStatus {
		found := map[string]values.ExportStatus{}

		b.maker.Do(t, b.Store, func(ctx context.Context, c *ent.Client) {
			for name, id := range made {
				e := c.Export.Query().Where(export.ID(id)).OnlyX(ctx)
				require.Equal(t, e.Status == values.ExportStatusCanceled, e.CancelRequestedAt != nil, name)
				require.Equal(t, name == "another's", e.FinishedAt == nil, name)
				found[name] = e.Status
			}
		})

		return found
	}
	ended := map[string]values.ExportStatus{
		"running": values.ExportStatusCanceled, "pages": values.ExportStatusCanceled, "done": values.ExportStatusCompleted,
		"another's": values.ExportStatusPending,
	}
	require.Equal(t, ended, states())

	require.Empty(t, b.put(b.maker, "restoreVideos", b.shared).Errors)
	require.Equal(t, ended, states())

	answers := make(chan api.Answer, 1)

	b.maker.Do(t, b.Store, func(ctx context.Context, c *ent.Client) {
		c.Video.UpdateOneID(b.shared.ID).SetTrashedAt(time.Now()).ExecX(ctx)

		go func() { answers <- b.Call(t, b.maker.Key, http.MethodPost, "/v1/videos/"+b.shared.ID+"/exports", "") }()

		testkit.AwaitLock(t, b.Store)
	})
	require.Equal(t, http.StatusNotFound, (<-answers).Status)
}

// Deleting from the trash deletes the video for good and frees its space, which it takes up until then.
func TestTrashCountsAsStorage(t *testing.T) {
	t.Parallel()

	b := newBin(t, api.Options{})
	bytes := func() (n int64) {
		require.NoError(t, b.Store.DB.QueryRowContext(t.Context(), `SELECT coalesce(sum(bytes), 0) FROM exports WHERE workspace_id = $1`, b.owner.WorkspaceID).Scan(&n))

		return n
	}
	discards := func() (n int) {
		require.NoError(t, b.Store.DB.QueryRowContext(t.Context(), `SELECT count(*) FROM river_job WHERE kind = 'discard' AND args->>'videoId' = $1
			AND args->'blobKeys' ? 'exports/film' AND args->'sourceIds' ? $2`, b.shared.ID, *b.shared.Edges.Clips[0].ScreenSourceID).Scan(&n))

		return n
	}

	b.maker.Do(t, b.Store, func(ctx context.Context, c *ent.Client) {
		c.Export.Create().SetVideo(b.shared).SetUserID(b.maker.UserID).SetGranularity(values.GranularityStory).
			SetResolution(values.ResolutionP1080).SetFps(values.FPS30).SetSpeed(values.Speed1).SetSubtitles(false).SetRevision(0).
			SetPlan(json.RawMessage(`{}`)).SetPlanHash("").SetStatus(values.ExportStatusCompleted).SetFinishedAt(time.Now()).
			SetBlobKey("exports/film").SetBytes(1000).ExecX(ctx)
	})

	require.Empty(t, b.put(b.maker, "trashVideos", b.shared).Errors)
	require.EqualValues(t, 1000, bytes())
	require.Zero(t, discards())

	require.Equal(t, http.StatusOK, b.Call(t, b.admin.Key, http.MethodDelete, "/v1/videos/"+b.shared.ID, "").Status)
	require.Zero(t, bytes())
	require.Equal(t, 1, discards())

	names, _ := b.trash(b.maker)
	require.Empty(t, names)
	require.Equal(t, "not_found", b.put(b.maker, "restoreVideos", b.shared).Code())
}
