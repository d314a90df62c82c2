package analytics_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/maxmind/mmdbwriter"
	"github.com/maxmind/mmdbwriter/mmdbtype"
	"github.com/oschwald/maxminddb-golang/v2"
	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/playbackevent"
	"github.com/reelgraph/reelgraph/ent/viewsession"
	"github.com/reelgraph/reelgraph/ent/webhookmessage"
	"github.com/reelgraph/reelgraph/internal/analytics"
	"github.com/reelgraph/reelgraph/internal/platform/input"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/keyring"
	"github.com/reelgraph/reelgraph/internal/platform/middleware"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
	rollup "github.com/reelgraph/reelgraph/workers/analytics"
)

// desk receives the reports of players and has a clock that the test sets.
type desk struct {
	*testing.T
	*analytics.Server

	api   *api.Server
	owner testkit.Member
	video *ent.Video

	mu  sync.Mutex
	now time.Time
}

func newDesk(t *testing.T) *desk {
	t.Helper()

	box, err := keyring.NewBox("view tokens", keyring.NewSecret())
	require.NoError(t, err)

	s := api.New(t, api.Options{})
	d := &desk{T: t, api: s, owner: testkit.NewMember(t, s.Store, testkit.MemberOpts{}), now: time.Now().UTC().Truncate(time.Millisecond)}
	d.video = testkit.NewVideo(t, s.Store, d.owner, testkit.VideoOpts{})
	d.Server = &analytics.Server{
		Clock: func() time.Time {
			d.mu.Lock()
			defer d.mu.Unlock()

			return d.now
		},
		Countries: analytics.Countries{Peers: middleware.Peers{Trusted: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}}, Header: "X-Country"},
		Jobs:      s.Resolver.Jobs, Read: input.ReadBody, Refuse: s.Errors.Write, Store: s.Store,
		Tokens: analytics.Tokens{Box: box, Host: "reel.example"},
	}

	return d
}

func (d *desk) wait(long time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()

	d.now = d.now.Add(long)
}

// open returns the token of a new page.
func (d *desk) open(referrer string) string {
	return d.Tokens.Open(d.video.ID, referrer, d.Clock())
}

// send sends a report and returns the response.
func (d *desk) send(token, body string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, "/playback/"+token, strings.NewReader(body))
	r.Header.Set("Content-Type", "text/plain;charset=UTF-8")
	r.Header.Set("User-Agent", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
	r.RemoteAddr = "10.1.2.3:4567"

	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}

	w := httptest.NewRecorder()
	middleware.Identify(d.Handler()).ServeHTTP(w, r)

	return w
}

// told sends a report that must succeed and returns the renewed token.
func (d *desk) told(token, body string, header ...string) string {
	d.Helper()

	w := d.send(token, body, header...)
	require.Equal(d.T, http.StatusOK, w.Code, w.Body)

	var said map[string]string
	require.NoError(d.T, json.Unmarshal(w.Body.Bytes(), &said))
	require.Len(d.T, said, 1)

	return said["viewToken"]
}

func (d *desk) batch(seq int, kinds ...string) string {
	events := make([]string, len(kinds))
	for i, kind := range kinds {
		events[i] = fmt.Sprintf(`{"type":%q,"atMs":%d}`, kind, d.Clock().UnixMilli())
	}

	return fmt.Sprintf(`{"seq":%d,"events":[%s]}`, seq, strings.Join(events, ","))
}

func (d *desk) sessions() (all []*ent.ViewSession) {
	d.owner.Do(d.T, d.api.Store, func(ctx context.Context, db *ent.Client) {
		all = db.ViewSession.Query().Order(ent.Asc(viewsession.FieldCreatedAt)).AllX(ctx)
	})

	return all
}

// reports returns how many reports of a session are stored.
func (d *desk) reports(s *ent.ViewSession) (n int) {
	d.owner.Do(d.T, d.api.Store, func(ctx context.Context, db *ent.Client) {
		n = db.PlaybackEvent.Query().Where(playbackevent.SessionID(s.ID)).CountX(ctx)
	})

	return n
}

func (d *desk) views() (n int64) {
	d.owner.Do(d.T, d.api.Store, func(ctx context.Context, db *ent.Client) { n = db.Video.GetX(ctx, d.video.ID).Views })

	return n
}

// A report that is sent again, or eight times concurrently, counts once, and so do its events.
func TestReportsCountOnce(t *testing.T) {
	t.Parallel()

	d := newDesk(t)
	d.api.Call(t, d.owner.Key, http.MethodPost, "/v1/webhooks/endpoints",
		`{"url":"https://hooks.example/in","filterTypes":["video.viewed","video.milestone"]}`)

	token := d.open("")
	first := d.batch(0, "open", "play")

	var all sync.WaitGroup
	for range 8 {
		all.Go(func() { d.send(token, first) })
	}

	all.Wait()

	token = d.told(token, first)
	token = d.told(token, d.batch(1, "pause", "play"))
	d.told(d.told(d.open(""), d.batch(0, "open")), `{"seq":1,"events":[]}`)

	sessions := d.sessions()
	require.Len(t, sessions, 2)
	require.Equal(t, 2, d.reports(sessions[0]))
	require.NotNil(t, sessions[0].FirstPlayAt)
	require.Equal(t, d.video.DurationMs, sessions[0].DurationMs)
	require.Nil(t, sessions[1].FirstPlayAt)
	require.EqualValues(t, 1, d.views())

	viewed := func() (at time.Time) {
		d.owner.Do(t, d.api.Store, func(ctx context.Context, db *ent.Client) { at = *db.Video.GetX(ctx, d.video.ID).FirstViewedAt })

		return at
	}
	firstView := viewed()
	require.True(t, firstView.Equal(sessions[0].FirstPlayAt.Truncate(time.Millisecond)), firstView)

	var bodies []string

	d.owner.Do(t, d.api.Store, func(ctx context.Context, db *ent.Client) {
		for _, m := range db.WebhookMessage.Query().Order(ent.Asc(webhookmessage.FieldEventType)).AllX(ctx) {
			bodies = append(bodies, m.Body)
		}
	})
	require.Len(t, bodies, 2)
	require.Contains(t, bodies[0], `"milestone":1,"views":1`)
	require.Contains(t, bodies[1], `"viewId":"`+sessions[0].ID+`"`)
	require.Contains(t, bodies[1], `"startedAt":"`+sessions[0].FirstPlayAt.UTC().Format("2006-01-02T15:04:05.000Z")+`"`)

	d.told(d.open(""), d.batch(0, "open", "play"))
	require.EqualValues(t, 2, d.views())
	require.True(t, firstView.Equal(viewed()), "a second view is not the first")
}

// A report that another server with a slow clock receives is in the figures.
func TestReportsOfSlowClocksAreCounted(t *testing.T) {
	t.Parallel()

	d := newDesk(t)
	token := d.open("")
	d.told(token, d.batch(1, "play"))
	d.wait(-5 * time.Second)
	d.told(token, d.batch(0, "open"))

	require.NoError(t, (&rollup.Roll{Store: d.api.Store}).Work(t.Context(), &river.Job[jobs.Roll]{}))

	opens := 0

	d.owner.Do(t, d.api.Store, func(ctx context.Context, db *ent.Client) {
		for _, q := range db.ViewQuarter.Query().AllX(ctx) {
			opens += q.Opens
		}
	})
	require.Equal(t, 1, opens)
}

// A report that comes over an hour after a session's last event opens a new session, whose view counts. Sent again,
// it does not open a third.
func TestSessionsEnd(t *testing.T) {
	t.Parallel()

	d := newDesk(t)
	token := d.told(d.open(""), d.batch(0, "open", "play"))

	d.wait(time.Hour)

	token = d.told(token, d.batch(1, "play"))
	require.Len(t, d.sessions(), 1)
	d.wait(time.Hour + time.Millisecond)

	late := d.batch(2, "play")
	renewed := d.told(token, late)
	d.told(token, late)
	d.told(token, d.batch(3, "pause")) // the renewed token was lost
	d.told(renewed, d.batch(4, "pause"))

	sessions := d.sessions()
	require.Len(t, sessions, 2)
	require.Equal(t, 3, d.reports(sessions[1]))
	require.EqualValues(t, 2, d.views())

	d.wait(6*time.Hour + time.Millisecond)
	require.Equal(t, http.StatusForbidden, d.send(renewed, d.batch(5, "play")).Code)
}

// The events of a session are limited to more than any viewer needs. Reports that it already has are acknowledged
// again, and over an hour later a new session begins.
func TestSessionsAreBounded(t *testing.T) {
	t.Parallel()

	d := newDesk(t)
	token := d.told(d.open(""), d.batch(0, "open", "play"))

	full := func(seq int) string { return d.batch(seq, slices.Repeat([]string{"pause"}, 1000)...) }
	for seq := range 49 {
		token = d.told(token, full(seq+1))
	}

	w := d.send(token, full(50))
	require.Equal(t, http.StatusTooManyRequests, w.Code, w.Body)
	require.Equal(t, "3600", w.Header().Get("Retry-After"))
	require.Equal(t, http.StatusTooManyRequests, d.send(token, full(50)).Code)

	d.told(token, full(49))
	d.told(token, d.batch(51, slices.Repeat([]string{"pause"}, 998)...))
	require.Equal(t, http.StatusTooManyRequests, d.send(token, d.batch(52, "play")).Code)

	require.Len(t, d.sessions(), 1)
	require.EqualValues(t, 50_000, d.sessions()[0].Events)

	d.wait(time.Hour + time.Millisecond)
	d.told(d.told(token, full(50)), full(53))
	require.Len(t, d.sessions(), 2)
	require.Equal(t, 51, d.reports(d.sessions()[0]))
	require.EqualValues(t, 2000, d.sessions()[1].Events)
}

// A player continues its report numbers after a session has ended, however high they are.
func TestReportNumbersContinue(t *testing.T) {
	t.Parallel()

	d := newDesk(t)
	token := d.told(d.open(""), d.batch(0, "open", "play"))

	d.wait(time.Hour)

	token = d.told(token, d.batch(7200, "pause"))
	d.wait(time.Hour)

	token = d.told(token, d.batch(14_400, "pause"))
	d.wait(time.Hour + time.Second)

	token = d.told(token, d.batch(14_401, "play"))
	d.told(token, d.batch(14_402, "pause"))
	require.Len(t, d.sessions(), 2)
	require.Equal(t, http.StatusTooManyRequests, d.send(token, d.batch(30_000, "pause")).Code)
}

// Countries are accepted only from our own proxies. Nothing about viewers who ask not to be tracked is stored, and
// reports of bots are dropped.
func TestWhoIsCounted(t *testing.T) {
	t.Parallel()

	d := newDesk(t)
	open := d.batch(0, "open", "play")
	d.told(d.open("https://www.news.example.co.uk/a?b"), open, "X-Country", "fr", "User-Agent", "Bottle/1.0")
	d.wait(time.Second)
	d.told(d.open("https://reel.example/playlist/x"), open, "X-Country", "XX")
	d.wait(time.Second)
	d.told(d.open("https://www.example.com/"), open, "X-Country", "FR", "DNT", "1")
	d.wait(time.Second)
	d.told(d.open("https://www.example.com/"), open, "X-Country", "FR", "Sec-GPC", "1")

	for _, agent := range []string{
		"", "Mozilla/5.0 (compatible; Googlebot/2.1)", "curl/8.5.0", "Mozilla/5.0 (X11) HeadlessChrome/140.0.0.0 Safari/537.36",
	} {
		d.told(d.open(""), open, "User-Agent", agent)
	}

	sessions := d.sessions()
	require.Len(t, sessions, 4)
	require.Equal(t, "FR", *sessions[0].Country)
	require.Equal(t, "example.co.uk", *sessions[0].Referrer)
	require.False(t, sessions[0].Private)

	for i, s := range sessions[1:] {
		require.Nil(t, s.Country)
		require.Nil(t, s.Referrer)
		require.Equal(t, i > 0, s.Private)
	}

	require.EqualValues(t, 4, d.views())
}

// Countries are looked up in a mounted database by the address that the proxy saw, IPv4 or IPv6. The proxy's own
// header has precedence.
func TestCountriesOfADatabase(t *testing.T) {
	t.Parallel()

	tree, err := mmdbwriter.New(mmdbwriter.Options{DatabaseType: "Test-Country", IncludeReservedNetworks: true})
	require.NoError(t, err)

	for network, iso := range map[string]mmdbtype.DataType{
		"203.0.113.0/24": mmdbtype.String("PT"), "2001:db8::/32": mmdbtype.String("SE"), "198.51.100.0/24": mmdbtype.Uint32(7),
	} {
		_, of, err := net.ParseCIDR(network)
		require.NoError(t, err)
		require.NoError(t, tree.Insert(of, mmdbtype.Map{"country": mmdbtype.Map{"iso_code": iso}}))
	}

	path := filepath.Join(t.TempDir(), "countries.mmdb")
	file, err := os.Create(path)
	require.NoError(t, err)

	_, err = tree.WriteTo(file)
	require.NoError(t, err)
	require.NoError(t, file.Close())

	d := newDesk(t)
	d.Countries.DB, err = maxminddb.Open(path)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Countries.DB.Close()) })

	open := d.batch(0, "open")
	want := []*string{}
	told := func(country string, header ...string) {
		want = append(want, nil)
		if country != "" {
			want[len(want)-1] = &country
		}

		d.told(d.open(""), open, header...)
		d.wait(time.Second)
	}

	told("PT", "X-Forwarded-For", "203.0.113.9")
	told("SE", "X-Forwarded-For", "2001:db8::9")
	told("FR", "X-Forwarded-For", "203.0.113.9", "X-Country", "FR")
	told("", "X-Forwarded-For", "192.0.2.1")    // unknown address
	told("", "X-Forwarded-For", "198.51.100.1") // the entry is not a country code
	told("", "X-Forwarded-For", "203.0.113.9", "DNT", "1")

	for i, s := range d.sessions() {
		require.Equal(t, want[i], s.Country, i)
	}
}

func TestReportsThatAreRefused(t *testing.T) {
	t.Parallel()

	d := newDesk(t)
	token := d.open("")

	for what, c := range map[string]struct {
		status      int
		token, body string
		header      []string
	}{
		"another token":  {http.StatusForbidden, token[1:], d.batch(0, "open"), nil},
		"no object":      {http.StatusBadRequest, token, `[]`, nil},
		"unknown type":   {http.StatusBadRequest, token, d.batch(0, "jump"), nil},
		"unknown field":  {http.StatusBadRequest, token, `{"seq":0,"events":[],"x":1}`, nil},
		"negative":       {http.StatusBadRequest, token, `{"seq":-1,"events":[]}`, nil},
		"too long":       {http.StatusRequestEntityTooLarge, token, `{"seq":0,"events":[]}` + strings.Repeat(" ", 64<<10), nil},
		"of a form":      {http.StatusUnsupportedMediaType, token, d.batch(0, "open"), []string{"Content-Type", "text/html"}},
		"far too many":   {http.StatusTooManyRequests, token, d.batch(1000, "open"), nil},
		"of no video":    {http.StatusNotFound, d.Tokens.Open("vid_01jz8x3mpv0000000000000000", "", d.Clock()), d.batch(0, "open"), nil},
		"before it ends": {http.StatusBadRequest, token, `{"seq":0`, nil},
	} {
		w := d.send(c.token, c.body, c.header...)
		require.Equal(t, c.status, w.Code, "%s\n%s", what, w.Body)
		require.Contains(t, w.Body.String(), `"docsUrl"`)
	}

	require.Empty(t, d.sessions())

	w := httptest.NewRecorder()
	d.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/playback/"+token, nil))
	require.Equal(t, http.StatusMethodNotAllowed, w.Code)
	require.Equal(t, http.MethodPost, w.Header().Get("Allow"))
}
