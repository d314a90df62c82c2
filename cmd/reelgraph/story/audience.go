package story

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/netip"
	"time"

	"github.com/riverqueue/river"

	"github.com/reelgraph/reelgraph/internal/analytics"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/middleware"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/video/values"
	rollup "github.com/reelgraph/reelgraph/workers/analytics"
)

// The length of the watching period and the number of viewers.
const (
	Days    = 30
	Viewers = 60 // of each video
	country = "X-Demo-Country"
	agent   = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
)

// An audience watches the videos of the demo over a past month, and reports as players do.
type audience struct {
	*rand.Rand

	desk *analytics.Server
	door http.Handler
	now  time.Time
}

// NewAudience creates an audience that behaves in the same way in every demo. The audience sends its playback events
// to desk, the analytics server. NewAudience replaces the Clock and Countries of desk.
func NewAudience(desk *analytics.Server) *audience {
	a := &audience{Rand: rand.New(rand.NewPCG(20, 26)), desk: desk} //nolint:gosec // reproducible on purpose
	desk.Clock = func() time.Time { return a.now }
	desk.Countries = analytics.Countries{
		Peers: middleware.Peers{Trusted: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}}, Header: country,
	}
	a.door = middleware.Identify(desk.Handler())

	return a
}

// watched is a video of the demo.
type watched struct {
	ID              string
	DurationSeconds float64
	Views           int64
}

// Watch simulates one month of viewers for each video that has no views yet, and then rolls up the playback events.
func (a *audience) Watch(ctx context.Context, g *Guide, s *store.Store) error {
	var seen struct{ Videos struct{ Nodes []watched } }
	if err := g.graph(ctx, `{ videos(first: 100) { nodes { id durationSeconds views } } }`, nil, &seen); err != nil {
		return err
	}

	for _, v := range seen.Videos.Nodes {
		if v.Views > 0 || v.DurationSeconds <= 0 {
			continue
		}

		for range Viewers {
			if err := a.visit(ctx, v); err != nil {
				return err
			}
		}
	}

	return (&rollup.Roll{Store: s}).Work(ctx, &river.Job[jobs.Roll]{})
}

// visit is one viewer: more come by day than by night, and more toward the end of the month.
func (a *audience) visit(ctx context.Context, v watched) error {
	ago := time.Duration(a.Float64() * a.Float64() * Days * float64(24*time.Hour))
	day := time.Now().Add(-ago - 24*time.Hour).UTC().Truncate(24 * time.Hour)
	a.now = day.Add(time.Duration((8 + 10*(a.Float64()+a.Float64())/2) * float64(time.Hour))).Truncate(time.Millisecond)

	referrer := []string{"", "", "https://chat.example.com/", "https://news.example.org/today", "https://wiki.example.net/"}[a.IntN(5)]
	country := []string{"DE", "DE", "US", "US", "US", "FR", "GB", "BR", "IN", "JP"}[a.IntN(10)]
	p := &viewer{audience: a, country: country, token: a.desk.Tokens.Open(v.ID, referrer, a.now)}

	p.event(values.PlaybackEventTypeOpen, nil, nil)

	if a.IntN(6) == 0 { // opens the page and leaves
		return p.report(ctx)
	}

	p.pass(time.Duration(a.IntN(8)) * time.Second)
	p.event(values.PlaybackEventTypePlay, nil, nil)

	stays := min(1, 0.25+a.ExpFloat64()*0.6) * v.DurationSeconds
	at := 0.0

	for at < stays {
		next := min(at+5, stays)
		p.play(at, next)
		at = next

		if a.IntN(8) == 0 { // watches a part again
			back := max(0, at-3)
			p.event(values.PlaybackEventTypeSeek, &at, &back)
			p.play(back, at)
		}

		if err := p.report(ctx); err != nil {
			return err
		}
	}

	if stays == v.DurationSeconds {
		p.event(values.PlaybackEventTypeEnded, nil, nil)
	} else {
		p.event(values.PlaybackEventTypePause, nil, nil)
	}

	return p.report(ctx)
}

// viewer is one viewer while watching.
type viewer struct {
	*audience

	country, token string
	seq            int64
	events         []analytics.Event
}

func (p *viewer) pass(long time.Duration) { p.now = p.now.Add(long) }

func (p *viewer) event(kind values.PlaybackEventType, from, to *float64) {
	p.events = append(p.events, analytics.Event{Type: kind, AtMs: p.now.UnixMilli(), FromSeconds: from, ToSeconds: to})
}

func (p *viewer) play(from, to float64) {
	p.pass(time.Duration((to - from) * float64(time.Second)))
	p.event(values.PlaybackEventTypeProgress, &from, &to)
}

// reportTries is how often a viewer repeats a report to a busy server, as players do.
const reportTries = 10

// report sends the events since the last report.
func (p *viewer) report(ctx context.Context) error {
	body, err := json.Marshal(map[string]any{"seq": p.seq, "events": p.events})
	if err != nil {
		return err
	}

	w, err := p.send(ctx, body)
	for try := 1; err == nil && w.status == http.StatusServiceUnavailable && try < reportTries; try++ {
		w, err = p.send(ctx, body)
	}

	if err != nil {
		return err
	}

	var said struct {
		ViewToken string `json:"viewToken"`
	}

	if err := json.Unmarshal(w.Bytes(), &said); err != nil || w.status != http.StatusOK {
		return fmt.Errorf("send playback events: %d %s", w.status, w)
	}

	p.token, p.events = said.ViewToken, p.events[:0]
	p.seq++

	return nil
}

func (p *viewer) send(ctx context.Context, body []byte) (*overheard, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "/playback/"+p.token, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}

	r.RemoteAddr = "127.0.0.1:1"
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", agent)
	r.Header.Set(country, p.country)

	w := &overheard{header: http.Header{}, status: http.StatusOK}
	p.door.ServeHTTP(w, r)

	return w, nil
}

// overheard is a response that stays in the process.
type overheard struct {
	bytes.Buffer

	header http.Header
	status int
}

// Header implements http.ResponseWriter, as WriteHeader does.
func (h *overheard) Header() http.Header { return h.header }

func (h *overheard) WriteHeader(status int) { h.status = status }
