package analytics_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
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
	"github.com/reelgraph/reelgraph/test/testkit/race"
	rollup "github.com/reelgraph/reelgraph/workers/analytics"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// present is when the figures are read: the day after clocks moved forward in Europe.
var present = time.Date(2026, 3, 30, 12, 7, 0, 0, time.UTC)

// dice invents histories.
type dice struct{ *rand.Rand }

func (d dice) history(video int, lengthMs int64) history {
	h := history{
		video: video, lengthMs: lengthMs, opened: present.Add(-time.Duration(d.IntN(5*24*3600)+3600) * time.Second),
		country:  []string{"", "FR", "BR", "NP"}[d.IntN(4)],
		referrer: []string{"", "example.com", "example.org"}[d.IntN(3)],
	}
	clock, position := h.opened.UnixMilli(), int64(0)

	for seq := range int64(1 + d.IntN(5)) {
		r := report{seq: seq}

		for range d.IntN(5) {
			clock += int64(d.IntN(1200))
			e := d.event(&position, lengthMs)
			e.atMs = clock + int64(d.IntN(30)-15) // browser clocks differ from ours
			r.events = append(r.events, e)
		}

		if d.IntN(4) == 0 { // a pause that may cross the end of a quarter
			clock += int64(d.IntN(40 * 60_000))
		}

		r.received = time.UnixMilli(clock + int64(d.IntN(300))).UTC()

		if d.IntN(12) > 0 { // otherwise the report was lost
			h.reports = append(h.reports, r)
		}

		if d.IntN(5) == 0 { // the response was lost, so the report is sent again
			h.reports = append(h.reports, r)
		}
	}

	if d.IntN(4) == 0 { // some arrive late
		d.Shuffle(len(h.reports), func(i, j int) { h.reports[i], h.reports[j] = h.reports[j], h.reports[i] })
	}

	return h
}

func (d dice) event(position *int64, lengthMs int64) event {
	e := event{kind: values.PlaybackEventType(values.PlaybackEventType("").Values()[d.IntN(6)])}
	seconds := func(ms int64) *float64 {
		s := float64(ms) / 1000

		return &s
	}

	switch e.kind {
	case values.PlaybackEventTypeSeek:
		to := d.Int64N(lengthMs + 1)
		e.from, e.to = seconds(*position), seconds(to)
		*position = to
	case values.PlaybackEventTypeOpen, values.PlaybackEventTypePlay:
	default:
		if d.IntN(3) == 0 { // players round differently
			*position = max(0, *position+int64(d.IntN(700)-350))
		}

		to := *position + d.Int64N(1+min(1500, lengthMs))
		e.from, e.to = seconds(*position), seconds(to)
		*position = to

		if d.IntN(3) == 0 {
			rate := []float64{0.5, 1.5, 2, 4, 16}[d.IntN(5)]
			e.rate = &rate
		}
	}

	return e
}

// The figures equal those of a model that goes through the raw reports millisecond by millisecond, for any video,
// range of days and time zone.
func TestFiguresEqualTheModel(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{Clock: func() time.Time { return present }})
	owner := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	other := testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: owner.WorkspaceID})
	d := dice{rand.New(rand.NewPCG(7, 11))}

	const movies = 6

	trials := 1100
	if race.Detector {
		trials = 200
	}

	var (
		videos    []*ent.Video
		histories []history
	)

	for i := range movies {
		length := []int64{37, 100, 999, 1500, 2500, 4001}[i]
		source := testkit.NewSource(t, s.Store, owner, testkit.SourceOpts{DurationMs: length})
		opts := testkit.VideoOpts{Source: source, Name: "V"}

		if i == 0 {
			opts.Visibility = values.VisibilityPersonal
		}

		videos = append(videos, testkit.NewVideo(t, s.Store, []testkit.Member{owner, other}[i%2], opts))
	}

	for range trials {
		video := d.IntN(movies - 1) // the last video is never watched
		h := d.history(video, videos[video].DurationMs)
		h.play()

		histories = append(histories, h)
	}

	keep(t, s, owner, videos, histories)

	for range 30 {
		check(t, s, d, []testkit.Member{owner, other}, videos, histories)
	}

	// The sums change with their videos.
	owner.Do(t, s.Store, func(ctx context.Context, db *ent.Client) {
		videos[0] = db.Video.UpdateOneID(videos[0].ID).SetVisibility(values.VisibilityOrg).SaveX(ctx)
		videos[1] = db.Video.UpdateOneID(videos[1].ID).SetVisibility(values.VisibilityPersonal).SaveX(ctx)
		db.Video.DeleteOneID(videos[movies-2].ID).ExecX(ctx)
	})

	videos = videos[:movies-2]
	histories = slices.DeleteFunc(histories, func(h history) bool { return h.video >= len(videos) })

	for range 10 {
		check(t, s, d, []testkit.Member{owner, other}, videos, histories)
	}

	// A video in the trash is in no sum. What it was watched before and what is counted only now come back with it.
	var late []history

	for range 40 {
		h := d.history(len(videos)-1, videos[len(videos)-1].DurationMs)
		h.play()

		late = append(late, h)
	}

	trash(t, s, owner, videos[len(videos)-1], true)
	keep(t, s, owner, videos, late)

	kept := videos[:len(videos)-1]
	left := slices.DeleteFunc(slices.Clone(histories), func(h history) bool { return h.video >= len(kept) })

	for range 10 {
		check(t, s, d, []testkit.Member{owner, other}, kept, left)
	}

	trash(t, s, owner, videos[len(videos)-1], false)

	for range 10 {
		check(t, s, d, []testkit.Member{owner, other}, videos, append(histories, late...))
	}

	// One that is deleted from the trash leaves nothing behind.
	trash(t, s, owner, videos[len(videos)-1], true)
	owner.Do(t, s.Store, func(ctx context.Context, db *ent.Client) { db.Video.DeleteOneID(videos[len(videos)-1].ID).ExecX(ctx) })

	for range 5 {
		check(t, s, d, []testkit.Member{owner, other}, kept, left)
	}
}

func trash(t *testing.T, s *api.Server, m testkit.Member, v *ent.Video, in bool) {
	t.Helper()

	m.Do(t, s.Store, func(ctx context.Context, db *ent.Client) {
		if in {
			db.Video.UpdateOneID(v.ID).SetTrashedAt(present).ExecX(ctx)
		} else {
			db.Video.UpdateOneID(v.ID).ClearTrashedAt().ExecX(ctx)
		}
	})
}

// keep stores histories as reports; half of them are rolled up before the rest arrives.
func keep(t *testing.T, s *api.Server, m testkit.Member, videos []*ent.Video, histories []history) {
	t.Helper()

	made := map[int]*ent.ViewSession{}

	for _, late := range []bool{false, true} {
		require.NoError(t, s.Store.InTx(auth.WithTrash(m.Context()), func(ctx context.Context) error { // as if the videos were trashed later
			db := s.Store.Client(ctx)

			var reports []*ent.PlaybackEventCreate

			for i, h := range histories {
				if made[i] == nil {
					made[i] = db.ViewSession.Create().SetVideo(videos[h.video]).SetDurationMs(h.lengthMs).SetOpenedAt(h.opened).
						SetNillableCountry(maybe(h.country)).SetNillableReferrer(maybe(h.referrer)).SaveX(ctx)
				}

				seen := map[int64]bool{}

				for n, r := range h.reports {
					if seen[r.seq] || len(r.events) == 0 {
						continue
					}

					seen[r.seq] = true

					if (n >= 2) == late {
						reports = append(reports, db.PlaybackEvent.Create().SetSessionID(made[i].ID).SetSeq(r.seq).SetCreatedAt(r.received).SetEvents(r.stored(h)))
					}
				}
			}

			for some := range slices.Chunk(reports, 1000) {
				db.PlaybackEvent.CreateBulk(some...).ExecX(ctx)
			}

			_, err := db.ExecContext(ctx, waitSQL)

			return err
		}))

		roll(t, s)

		// Late reports find that partitions were already made for the others.
		require.NoError(t, (&rollup.Days{Clock: func() time.Time { return present.AddDate(0, 0, -4) }, Store: s.Store}).
			Work(context.Background(), &river.Job[jobs.Days]{}))
	}
}

// waitSQL makes the sessions wait for their figures, as the server does when it receives a report.
const waitSQL = `UPDATE view_sessions s SET waiting_since = now(), created_at = first, last_event_at = last
FROM (SELECT session_id, min(created_at) AS first, max(created_at) AS last FROM playback_events GROUP BY session_id) e WHERE e.session_id = s.id`

func (r report) stored(h history) json.RawMessage {
	events := make([]analytics.Event, len(r.events))
	for i, e := range r.events {
		events[i] = analytics.Event{Type: e.kind, AtMs: e.atMs, FromSeconds: e.from, ToSeconds: e.to, Rate: e.rate}
	}

	text, err := json.Marshal(analytics.Within(events, h.opened, r.received))
	if err != nil {
		panic(err)
	}

	return text
}

func maybe(text string) *string {
	if text == "" {
		return nil
	}

	return &text
}

func roll(t *testing.T, s *api.Server) {
	t.Helper()

	require.NoError(t, (&rollup.Roll{Clock: func() time.Time { return present }, Store: s.Store}).Work(context.Background(), &river.Job[jobs.Roll]{}))
}

// check compares the figures of some videos and days with its own sums.
func check(t *testing.T, s *api.Server, d dice, people []testkit.Member, videos []*ent.Video, histories []history) {
	t.Helper()

	zoneName := []string{"UTC", "Europe/Paris", "America/St_Johns", "Asia/Kathmandu", "Pacific/Auckland", "Australia/Lord_Howe"}[d.IntN(6)]
	zone, err := time.LoadLocation(zoneName)
	require.NoError(t, err)

	query := url.Values{"timezone": {zoneName}}
	days := map[time.Time]string{}
	dayOf := func(at time.Time) string {
		if days[at] == "" {
			days[at] = at.In(zone).Format(time.DateOnly)
		}

		return days[at]
	}
	first, last := "", dayOf(present)

	if d.IntN(2) == 0 {
		first = dayOf(present.AddDate(0, 0, -d.IntN(8)))
		query.Set("startDate", first)
	}

	if d.IntN(2) == 0 {
		last = dayOf(present.AddDate(0, 0, -d.IntN(3)))
		query.Set("endDate", last)
	}

	if first > last {
		return
	}

	who, path := d.IntN(2), "/v1/analytics"
	counted := func(h history) bool { return videos[h.video].Visibility == values.VisibilityOrg }

	switch video := d.IntN(10); {
	case video < len(videos):
		if videos[video].Visibility == values.VisibilityPersonal {
			who = video % 2 // its creator
		}

		path = "/v1/videos/" + videos[video].ID + "/analytics"
		counted = func(h history) bool { return h.video == video }
	case video%2 == 0:
		query.Set("scope", "mine")

		counted = func(h history) bool { return videos[h.video].UserID == people[who].UserID }
	}

	in := func(at time.Time) bool { return dayOf(at) >= first && dayOf(at) <= last }
	want := sum(slices.DeleteFunc(slices.Clone(histories), func(h history) bool { return !counted(h) }), in, dayOf)

	a := s.Call(t, people[who].Key, http.MethodGet, path+"?"+query.Encode(), "")
	require.Equal(t, http.StatusOK, a.Status, a.Body)

	var got map[string]any
	require.NoError(t, json.Unmarshal([]byte(a.Body), &got))

	checkTogether(t, s, people[who], query)

	where := path + "?" + query.Encode()
	require.Equal(t, want.summary, got["summary"], where)
	require.Equal(t, want.printedDays(first, last), got["viewsOverTime"], where)
	require.Equal(t, want.printedRetention(), got["retention"], where)
	require.ElementsMatch(t, printedPlaces("country", want.countries), got["geography"], where)
	require.ElementsMatch(t, printedPlaces("referrerDomain", want.referrers), got["referrers"], where)
	require.True(t, slices.IsSortedFunc(got["geography"].([]any), byViews))

	if strings.HasPrefix(path, "/v1/analytics") {
		require.ElementsMatch(t, want.printedVideos(videos), got["topVideos"], where)
		require.True(t, slices.IsSortedFunc(got["topVideos"].([]any), byViews))
	}
}

// checkTogether compares the figures of all videos at once with those of each video.
func checkTogether(t *testing.T, s *api.Server, who testkit.Member, query url.Values) {
	t.Helper()

	const figures = `{ summary { averagePercentViewed pageOpens totalViews totalWatchTimeSeconds uniqueSessions completions averageWatchTimeSeconds }
		viewsOverTime { date views uniqueSessions watchTimeSeconds } retention { percent watchCount uniqueViewers }
		geography { country views uniqueSessions } referrers { referrerDomain views uniqueSessions } }`

	given := []string{fmt.Sprintf("timezone: %q", query.Get("timezone"))}

	for _, day := range []string{"startDate", "endDate"} {
		if query.Has(day) {
			given = append(given, fmt.Sprintf("%s: %q", day, query.Get(day)))
		}
	}

	arguments := strings.Join(given, ", ")

	all := s.Ask(t, who.Key, `{ videos(first: 6) { nodes { id analytics(`+arguments+`) `+figures+` } } }`, nil)
	require.Empty(t, all.Errors, all.Body)

	nodes := api.Dig(all.Data, "videos", "nodes").([]any)
	require.NotEmpty(t, nodes)

	for _, v := range nodes {
		one := s.Ask(t, who.Key, fmt.Sprintf(`{ videoAnalytics(videoId: %q, %s) %s }`, api.Dig(v, "id"), arguments, figures), nil)
		require.Empty(t, one.Errors, one.Body)
		require.Equal(t, api.Dig(one.Data, "videoAnalytics"), api.Dig(v, "analytics"), "%s of %s", arguments, api.Dig(v, "id"))
	}
}

func byViews(a, b any) int {
	return int(b.(map[string]any)["views"].(float64) - a.(map[string]any)["views"].(float64))
}

func (a answer) printedDays(first, last string) []any {
	days := []any{}

	if first == "" {
		for day := range a.days {
			if first == "" || day < first {
				first = day
			}
		}
	}

	if first == "" {
		return days
	}

	for day, _ := time.Parse(time.DateOnly, first); day.Format(time.DateOnly) <= last; day = day.AddDate(0, 0, 1) {
		name := day.Format(time.DateOnly)
		days = append(days, map[string]any{
			"date": name, "views": float64(a.days[name][0]), "uniqueSessions": float64(a.days[name][1]), "watchTimeSeconds": float64(a.days[name][2]) / 1000,
		})
	}

	return days
}

func (a answer) printedRetention() []any {
	points := []any{}

	for p, n := range a.retention {
		if n[0] > 0 {
			points = append(points, map[string]any{"percent": float64(p), "watchCount": float64(n[0]), "uniqueViewers": float64(n[1])})
		}
	}

	return points
}

func printedPlaces(field string, all map[string][2]int64) []any {
	points := []any{}

	for place, n := range all {
		point := map[string]any{field: place, "views": float64(n[0]), "uniqueSessions": float64(n[1])}
		if place == "" {
			point[field] = nil
		}

		points = append(points, point)
	}

	return points
}

func (a answer) printedVideos(videos []*ent.Video) []any {
	top := []any{}

	for video, n := range a.videos {
		top = append(top, map[string]any{
			"videoId": videos[video].ID, "name": "V", "views": float64(n[0]), "uniqueSessions": float64(n[1]), "watchTimeSeconds": float64(n[2]) / 1000,
		})
	}

	return top
}
