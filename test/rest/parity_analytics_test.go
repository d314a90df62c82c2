package rest_test

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/analytics"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
	rollup "github.com/reelgraph/reelgraph/workers/analytics"
)

// REST and the graph return the same figures.
func TestParityOfAnalytics(t *testing.T) {
	t.Parallel()

	now := time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)
	s := api.New(t, api.Options{Clock: func() time.Time { return now }})
	owner := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	guest := testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: owner.WorkspaceID, Role: auth.RoleViewer})
	known := testkit.NewVideo(t, s.Store, owner, testkit.VideoOpts{})
	another := testkit.NewVideo(t, s.Store, owner, testkit.VideoOpts{})
	unseen := testkit.NewVideo(t, s.Store, owner, testkit.VideoOpts{})
	secret := testkit.NewVideo(t, s.Store, owner, testkit.VideoOpts{Visibility: values.VisibilityPersonal})

	owner.Do(t, s.Store, func(ctx context.Context, db *ent.Client) {
		db.Collaborator.Create().SetVideo(secret).SetUserID(guest.UserID).SetRole(values.CollaboratorRoleViewer).ExecX(ctx)

		for i, v := range []*ent.Video{known, known, another, secret} {
			session := db.ViewSession.Create().SetVideo(v).SetDurationMs(v.DurationMs).SetOpenedAt(now)
			if i == 0 {
				session.SetCountry("FR").SetReferrer("example.com")
			}

			watch(ctx, t, db, session.SaveX(ctx), now.AddDate(0, 0, -i))
		}
	})

	roll(t, s, now)

	reads := []read{
		{"getWorkspaceAnalytics", "/v1/analytics", nil},
		{"getWorkspaceAnalytics", "/v1/analytics?limit=1", map[string]any{"first": 1}},
		{"getWorkspaceAnalytics", "/v1/analytics?scope=mine", map[string]any{"scope": "MINE"}},
		{"getWorkspaceAnalytics", "/v1/analytics?startDate=tomorrow", map[string]any{"startDate": "tomorrow"}},
		{"getVideoAnalytics", "/v1/videos/" + known.ID + "/analytics?startDate=2026-02-01&endDate=2026-02-28&timezone=Asia/Tokyo", map[string]any{
			"id": known.ID, "startDate": "2026-02-01", "endDate": "2026-02-28", "timezone": "Asia/Tokyo",
		}},
	}

	for _, v := range []*ent.Video{known, unseen, secret} {
		reads = append(reads, read{"getVideoAnalytics", "/v1/videos/" + v.ID + "/analytics", map[string]any{"id": v.ID}})
	}

	for i, r := range reads {
		require.Equal(t, i != 3, compare(t, s, owner.Key, r))
		require.Equal(t, i != 3 && i != len(reads)-1, compare(t, s, guest.Key, r), "the figures of %s", r.path)
	}
}

// The list of top videos continues where a page ended, and its cursor works in no other list.
func TestTopVideosInPages(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})

	now := time.Now()

	for i := range 5 {
		v := testkit.NewVideo(t, s.Store, m, testkit.VideoOpts{})
		m.Do(t, s.Store, func(ctx context.Context, db *ent.Client) {
			for range 1 + i/2 {
				watch(ctx, t, db, db.ViewSession.Create().SetVideo(v).SetDurationMs(v.DurationMs).SetOpenedAt(now).SaveX(ctx), now)
			}
		})
	}

	roll(t, s, now)

	var (
		seen   []string
		cursor string
		page   struct {
			TopVideos []struct {
				VideoID string `json:"videoId"`
				Views   int    `json:"views"`
			} `json:"topVideos"`
			Pagination struct {
				NextCursor string `json:"nextCursor"`
			} `json:"pagination"`
		}
	)

	for range 3 {
		a := s.Call(t, m.Key, http.MethodGet, "/v1/analytics?limit=2"+cursor, "")
		require.Equal(t, http.StatusOK, a.Status, a.Body)

		page.Pagination.NextCursor = ""
		require.NoError(t, json.Unmarshal([]byte(a.Body), &page))

		for _, v := range page.TopVideos {
			seen = append(seen, v.VideoID)
		}

		if page.Pagination.NextCursor != "" {
			cursor = "&cursor=" + page.Pagination.NextCursor
			require.Equal(t, http.StatusBadRequest, s.Call(t, m.Key, http.MethodGet, "/v1/analytics?scope=mine"+cursor, "").Status)
		}
	}

	require.Empty(t, page.Pagination.NextCursor)
	require.Len(t, seen, 5)
	slices.Sort(seen)
	require.Len(t, slices.Compact(seen), 5)
}

// figuresInREST shapes figures of the graph as REST would. Null has a meaning there.
func figuresInREST(data map[string]any) map[string]any {
	figures := map[string]any{}

	for _, root := range data {
		figures = root.(map[string]any)
	}

	if top, paged := figures["topVideos"].(map[string]any); paged {
		info := top["pageInfo"].(map[string]any)
		page := map[string]any{"hasMore": info["hasNextPage"], "nextCursor": nil}

		if info["hasNextPage"] == true {
			page["nextCursor"] = info["endCursor"]
		}

		figures["topVideos"], figures["pagination"] = top["nodes"], page
	}

	return figures
}

// watch records that a session played a second of its video, like the report endpoint.
func watch(ctx context.Context, t *testing.T, db *ent.Client, session *ent.ViewSession, at time.Time) {
	t.Helper()

	from, to := 0.3, 1.3
	events, err := json.Marshal([]analytics.Event{
		{Type: values.PlaybackEventTypeOpen},
		{Type: values.PlaybackEventTypePlay, FromSeconds: &from},
		{Type: values.PlaybackEventTypePause, AtMs: 1000, FromSeconds: &from, ToSeconds: &to},
	})
	require.NoError(t, err)

	db.PlaybackEvent.Create().SetSessionID(session.ID).SetSeq(1).SetCreatedAt(at).SetEvents(events).ExecX(ctx)

	_, err = db.ExecContext(ctx, "UPDATE view_sessions SET waiting_since = $2, created_at = $2, last_event_at = $2 WHERE id = $1", session.ID, at)
	require.NoError(t, err)
}

// roll computes figures from reports.
func roll(t *testing.T, s *api.Server, now time.Time) {
	t.Helper()

	require.NoError(t, (&rollup.Roll{Clock: func() time.Time { return now }, Store: s.Store}).
		Work(context.Background(), &river.Job[jobs.Roll]{}))
}
