package graph_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/webhook/event"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// A clip and an export lead back to their video, with any fields, wherever they were reached, also after a write.
func TestPartsLeadToTheirVideo(t *testing.T) {
	t.Parallel()

	dsn := testkit.Database(t)
	fast, slow := api.New(t, api.Options{DSN: dsn}), api.New(t, api.Options{DSN: dsn, Interpret: true})
	m := testkit.NewMember(t, fast.Store, testkit.MemberOpts{})

	var videos []*ent.Video

	for i := range 2 {
		v := testkit.NewVideo(t, fast.Store, m, testkit.VideoOpts{})
		videos = append(videos, v)

		g := fast.Ask(t, m.Key, fmt.Sprintf(`mutation { a: updateVideo(id: %[1]q, input: {name: "Video %[2]d", description: "About %[2]d"}) { video { id } }
			duplicateClip(id: %[3]q) { clip { video { name clips { nodes { video { description } } } } } }
			startExport(videoId: %[1]q) { export { id video { name exports { nodes { id video { name } } } } } } }`, v.ID, i, v.Edges.Clips[0].ID), nil)
		require.Empty(t, g.Errors, g.Body)
		require.Equal(t, fmt.Sprint("Video ", i), api.Dig(g.Data, "duplicateClip", "clip", "video", "name"))

		for _, c := range api.Dig(g.Data, "duplicateClip", "clip", "video", "clips", "nodes").([]any) {
			require.Equal(t, fmt.Sprint("About ", i), api.Dig(c, "video", "description"))
		}

		for _, e := range api.Dig(g.Data, "startExport", "export", "video", "exports", "nodes").([]any) {
			require.Equal(t, fmt.Sprint("Video ", i), api.Dig(e, "video", "name"))
		}
	}

	for _, s := range []*api.Server{fast, slow} {
		g := s.Ask(t, m.Key, `{ videos(sort: {field: NAME, direction: ASC}) { nodes {
			clips { nodes { id video { name revision clips(first: 1) { nodes { id corners video { description } } } } } }
			few: clips(first: 1) { pageInfo { endCursor } }
			exports { nodes { video { description settings { linkScope } tags { totalCount } } } } } } }`, nil)
		require.Empty(t, g.Errors, g.Body)

		for i, v := range api.Dig(g.Data, "videos", "nodes").([]any) {
			clips := api.Dig(v, "clips", "nodes").([]any)
			require.Len(t, clips, 2)

			for _, c := range clips {
				require.Equal(t, fmt.Sprint("Video ", i), api.Dig(c, "video", "name"))
				require.EqualValues(t, 2, api.Dig(c, "video", "revision"))

				first := api.Dig(c, "video", "clips", "nodes").([]any)[0]
				require.Equal(t, api.Dig(clips[0], "id"), api.Dig(first, "id"))
				require.Equal(t, fmt.Sprint("About ", i), api.Dig(first, "video", "description"))
			}

			export := api.Dig(v, "exports", "nodes").([]any)[0]
			require.Equal(t, fmt.Sprint("About ", i), api.Dig(export, "video", "description"))
			require.Equal(t, "PUBLIC", api.Dig(export, "video", "settings", "linkScope"))

			later := s.Ask(t, m.Key, fmt.Sprintf(`{ video(id: %q) { clips(after: %q) { nodes { id video { name } } } } exports(videoId: %q) { nodes { video { name } } }
				clip(id: %q) { video { name } } export(id: %q) { video { name } } }`,
				videos[i].ID, api.Dig(v, "few", "pageInfo", "endCursor"), videos[i].ID, api.Dig(clips[1], "id"), exportOf(t, s, m, videos[i].ID)), nil)
			require.Empty(t, later.Errors, later.Body)

			name := fmt.Sprint("Video ", i)
			require.Equal(t, name, api.Dig(api.Dig(later.Data, "video", "clips", "nodes").([]any)[0], "video", "name"))
			require.Equal(t, name, api.Dig(api.Dig(later.Data, "exports", "nodes").([]any)[0], "video", "name"))
			require.Equal(t, name, api.Dig(later.Data, "clip", "video", "name"))
			require.Equal(t, name, api.Dig(later.Data, "export", "video", "name"))
		}
	}
}

func exportOf(t *testing.T, s *api.Server, m testkit.Member, video string) string {
	t.Helper()

	g := s.Ask(t, m.Key, fmt.Sprintf(`{ exports(videoId: %q) { nodes { id } } }`, video), nil)

	return api.Dig(api.Dig(g.Data, "exports", "nodes").([]any)[0], "id").(string)
}

// A video tells the playlists that contain it, those of others that are personal apart, and its comments with their count.
func TestPlaylistsAndCommentsOfVideos(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	other := testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: m.WorkspaceID})
	video, lonely := testkit.NewVideo(t, s.Store, m, testkit.VideoOpts{}), testkit.NewVideo(t, s.Store, m, testkit.VideoOpts{})
	names, bodies := []any{}, []any{}

	for i := range 5 {
		owner, visibility := m, values.VisibilityOrg

		switch i {
		case 1:
			visibility = values.VisibilityPersonal
		case 3:
			owner, visibility = other, values.VisibilityPersonal
		}

		owner.Do(t, s.Store, func(ctx context.Context, db *ent.Client) {
			// Named in another order than that in which the video is added.
			list := db.Playlist.Create().SetUserID(owner.UserID).SetName(fmt.Sprint("P", (i+3)%5)).SetVisibility(visibility).SaveX(ctx)
			db.PlaylistVideo.Create().SetPlaylist(list).SetVideo(video).SetPosition(0).SetCreatedAt(time.Date(2026, 5, 1, 12, 0, i, 0, time.UTC)).ExecX(ctx)
			db.Comment.Create().SetVideo(video).SetAuthor("A").SetBody(fmt.Sprint("C", i)).SetCreatedAt(time.Date(2026, 5, 1, 12, 0, i, 0, time.UTC)).ExecX(ctx)

			if i != 3 {
				names = append(names, list.Name)
			}

			bodies = append(bodies, fmt.Sprint("C", i))
		})
	}

	read := func(nodes any, field string) []any {
		all := []any{}
		for _, node := range nodes.([]any) {
			all = append(all, api.Dig(node, field))
		}

		return all
	}
	fields := `id playlistIds playlists(first: 3) { totalCount nodes { id name } pageInfo { hasNextPage endCursor } } all: playlists { nodes { id name videoCount } }
		comments(first: 2) { totalCount nodes { body } pageInfo { endCursor } } count: comments { totalCount }`
	many := s.Ask(t, m.Key, `{ videos { nodes { `+fields+` } } }`, nil)
	require.Empty(t, many.Errors, many.Body)

	for _, v := range api.Dig(many.Data, "videos", "nodes").([]any) {
		one := s.Ask(t, m.Key, fmt.Sprintf(`{ video(id: %q) { %s } }`, api.Dig(v, "id"), fields), nil)
		require.Equal(t, api.Dig(v, "all"), api.Dig(one.Data, "video", "all"))
		require.Equal(t, api.Dig(v, "comments", "nodes"), api.Dig(one.Data, "video", "comments", "nodes"))
		require.Equal(t, api.Dig(v, "playlistIds"), any(read(api.Dig(v, "all", "nodes"), "id")))

		if api.Dig(v, "id") == lonely.ID {
			require.EqualValues(t, 0, api.Dig(v, "count", "totalCount"))
			require.EqualValues(t, 0, api.Dig(v, "playlists", "totalCount"))

			continue
		}

		require.Equal(t, names, read(api.Dig(v, "all", "nodes"), "name"))
		require.EqualValues(t, len(names), api.Dig(v, "playlists", "totalCount"))
		require.EqualValues(t, len(bodies), api.Dig(v, "count", "totalCount"))

		later := s.Ask(t, m.Key, fmt.Sprintf(`{ video(id: %q) { playlists(after: %q) { totalCount nodes { name videos { nodes { id } } } }
			comments(after: %q) { totalCount nodes { body } } } }`, api.Dig(v, "id"), api.Dig(v, "playlists", "pageInfo", "endCursor"),
			api.Dig(v, "comments", "pageInfo", "endCursor")), nil)
		require.Empty(t, later.Errors, later.Body)
		require.Equal(t, names[3:], read(api.Dig(later.Data, "video", "playlists", "nodes"), "name"))
		require.EqualValues(t, len(names), api.Dig(later.Data, "video", "playlists", "totalCount"))
		require.Equal(t, bodies[2:], read(api.Dig(later.Data, "video", "comments", "nodes"), "body"))
	}
}

// An endpoint tells its attempts, all or those with one outcome, newest first, and how it is doing; an attempt tells its
// message and, until it is deleted, its endpoint.
func TestEndpointsTellTheirAttempts(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	stranger := testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: m.WorkspaceID, Role: auth.RoleOwner})
	start := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

	var (
		busy, idle *ent.WebhookEndpoint
		sent       []string // the ids of the attempts at the busy endpoint, oldest first
		failed     []string
	)

	m.Do(t, s.Store, func(ctx context.Context, db *ent.Client) {
		busy = db.WebhookEndpoint.Create().SetUserID(m.UserID).SetURL("https://busy.example/").SetSecretSealed([]byte{}).SaveX(ctx)
		idle = db.WebhookEndpoint.Create().SetUserID(m.UserID).SetURL("https://idle.example/").SetSecretSealed([]byte{}).SaveX(ctx)

		for range 2 {
			_, err := s.Resolver.Jobs.Send(ctx, event.Sample(values.EventTypeVideoCreated), busy)
			require.NoError(t, err)
		}

		deliveries := db.WebhookDelivery.Query().AllX(ctx)
		require.Len(t, deliveries, 2)

		// Of six attempts, which alternate between two messages, the third succeeds.
		for i := range 6 {
			status := values.AttemptStatusFailed
			if i == 2 {
				status = values.AttemptStatusSucceeded
			}

			a := db.WebhookAttempt.Create().SetDelivery(deliveries[i%2]).SetAttempt(i/2 + 1).SetStatus(status).SetDurationMs(1).
				SetSentAt(start.Add(time.Duration(i) * time.Minute)).SaveX(ctx)
			sent = append([]string{a.ID}, sent...)

			if i != 2 {
				failed = append([]string{a.ID}, failed...)
			}
		}

		deliveries[0].Update().SetStatus(values.DeliveryStatusSucceeded).ExecX(ctx)
	})

	ids := func(nodes any) []string {
		all := []string{}
		for _, node := range nodes.([]any) {
			all = append(all, api.Dig(node, "id").(string))
		}

		return all
	}
	fields := `id attempts(first: 4) { totalCount nodes { id messageId endpointId message { id eventType } endpoint { id url } } pageInfo { endCursor } }
		failed: attempts(status: FAILED) { totalCount nodes { id status } } good: attempts(status: SUCCEEDED) { nodes { id } }
		health { lastAttemptAt lastSuccessAt consecutiveFailures pendingDeliveries }`

	list := s.Ask(t, m.Key, `{ webhookEndpoints { nodes { `+fields+` } } }`, nil)
	require.Empty(t, list.Errors, list.Body)

	for _, e := range api.Dig(list.Data, "webhookEndpoints", "nodes").([]any) {
		alone := s.Ask(t, m.Key, fmt.Sprintf(`{ webhookEndpoint(id: %q) { %s } }`, api.Dig(e, "id"), fields), nil)
		require.Empty(t, alone.Errors, alone.Body)

		for _, field := range []string{"failed", "good", "health"} {
			require.Equal(t, api.Dig(e, field), api.Dig(alone.Data, "webhookEndpoint", field))
		}

		require.Equal(t, api.Dig(e, "attempts", "nodes"), api.Dig(alone.Data, "webhookEndpoint", "attempts", "nodes"))

		if api.Dig(e, "id") == idle.ID {
			require.Empty(t, ids(api.Dig(e, "attempts", "nodes")))
			require.Equal(t, map[string]any{
				"lastAttemptAt": nil, "lastSuccessAt": nil, "consecutiveFailures": 0.0, "pendingDeliveries": 0.0,
			}, api.Dig(e, "health"))

			continue
		}

		require.Equal(t, sent[:4], ids(api.Dig(e, "attempts", "nodes")))
		require.EqualValues(t, 6, api.Dig(e, "attempts", "totalCount"))
		require.Equal(t, failed, ids(api.Dig(e, "failed", "nodes")))
		require.EqualValues(t, 5, api.Dig(e, "failed", "totalCount"))
		require.Equal(t, sent[3:4], ids(api.Dig(e, "good", "nodes")))
		require.Equal(t, map[string]any{
			"lastAttemptAt": "2026-05-01T12:05:00.000Z", "lastSuccessAt": "2026-05-01T12:02:00.000Z", "consecutiveFailures": 3.0, "pendingDeliveries": 1.0,
		}, api.Dig(e, "health"))

		for _, a := range api.Dig(e, "attempts", "nodes").([]any) {
			require.Equal(t, api.Dig(a, "messageId"), api.Dig(a, "message", "id"))
			require.Equal(t, "https://busy.example/", api.Dig(a, "endpoint", "url"))
			require.Equal(t, busy.ID, api.Dig(a, "endpointId"))
		}

		later := s.Ask(t, m.Key, fmt.Sprintf(`{ webhookEndpoint(id: %q) { attempts(after: %q) { nodes { id } } } }`,
			busy.ID, api.Dig(e, "attempts", "pageInfo", "endCursor")), nil)
		require.Equal(t, sent[4:], ids(api.Dig(later.Data, "webhookEndpoint", "attempts", "nodes")))

		wrong := s.Ask(t, m.Key, fmt.Sprintf(`{ webhookEndpoint(id: %q) { attempts(status: FAILED, after: %q) { nodes { id } } } }`,
			busy.ID, api.Dig(e, "attempts", "pageInfo", "endCursor")), nil)
		require.Equal(t, "bad_request", wrong.Code())
	}

	g := s.Ask(t, stranger.Key, fmt.Sprintf(`{ nodes(ids: [%q, %q]) { id } webhookEndpoints { nodes { id } } }`, busy.ID, sent[0]), nil)
	require.Equal(t, []any{nil, nil}, api.Dig(g.Data, "nodes"))
	require.Empty(t, api.Dig(g.Data, "webhookEndpoints", "nodes"))

	gone := s.Ask(t, m.Key, fmt.Sprintf(`mutation { deleteWebhookEndpoint(id: %q) { deletedId } }`, busy.ID), nil)
	require.Empty(t, gone.Errors, gone.Body)

	g = s.Ask(t, m.Key, fmt.Sprintf(`{ node(id: %q) { ... on WebhookAttempt { endpoint { id } endpointId message { eventType } } }
		webhookMessages { nodes { attempts { nodes { endpoint { id } } } } } }`, sent[0]), nil)
	require.Empty(t, g.Errors, g.Body)
	require.Nil(t, api.Dig(g.Data, "node", "endpoint"))
	require.Equal(t, busy.ID, api.Dig(g.Data, "node", "endpointId"))
	require.Equal(t, "VIDEO_CREATED", api.Dig(g.Data, "node", "message", "eventType"))

	for _, message := range api.Dig(g.Data, "webhookMessages", "nodes").([]any) {
		for _, a := range api.Dig(message, "attempts", "nodes").([]any) {
			require.Nil(t, api.Dig(a, "endpoint"))
		}
	}
}
