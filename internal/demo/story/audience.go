package story

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/netip"
	"time"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/video"
	"github.com/reelgraph/reelgraph/internal/analytics"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/input"
	"github.com/reelgraph/reelgraph/internal/platform/keyring"
	"github.com/reelgraph/reelgraph/internal/platform/middleware"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// The length of the watching period and the number of viewers.
const (
	Days    = 30
	Viewers = 60 // of each video
	country = "X-Demo-Country"
	agent   = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
)

// An audience watches the videos of the demo over a past month, and reports as players do. It has an analytics server of
// its own, whose clock is that of the viewer.
type audience struct {
	tokens analytics.Tokens
	door   http.Handler
	now    time.Time
}

func newAudience(g *Guide) (*audience, error) {
	box, err := keyring.NewBox("view tokens of the demo", keyring.NewSecret()) // they stay in this process
	if err != nil {
		return nil, err
	}

	a := &audience{tokens: analytics.Tokens{Box: box}}
	desk := &analytics.Server{
		Clock: func() time.Time { return a.now }, Jobs: g.Jobs, Read: input.ReadBody, Store: g.Store, Tokens: a.tokens,
		Countries: analytics.Countries{
			Peers: middleware.Peers{Trusted: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}}, Header: country,
		},
		Refuse: func(w http.ResponseWriter, _ *http.Request, err error) {
			if answer, ours := w.(*overheard); ours {
				answer.refused = err
			}
		},
	}
	a.door = middleware.Identify(desk.Handler())

	return a, nil
}

// Watch sends viewers to those videos of the workspace that have none yet.
func (g *Guide) Watch(ctx context.Context) error {
	crowd, err := newAudience(g)
	if err != nil {
		return err
	}

	unseen, err := g.Store.Client(ctx).Video.Query().Where(video.Views(0), video.DurationMsGT(0)).Order(video.ByID()).All(ctx)
	if err != nil {
		return fmt.Errorf("find videos without viewers: %w", err)
	}

	for place, v := range unseen {
		if err := crowd.watch(ctx, v, place, 0, func(int) error { return nil }); err != nil {
			return err
		}
	}

	return nil
}

// watch sends the viewers to a video of the demo that have not seen it yet. A video that somebody has deleted is not
// watched.
func (t *telling) watch(ctx context.Context, a *audience, place int, s story) error {
	seen := t.made.Videos[s.Name]

	v, err := t.Store.Client(ctx).Video.Get(ctx, seen.ID)
	if ent.IsNotFound(err) {
		return nil
	}

	if err != nil {
		return fmt.Errorf("read video: %w", err)
	}

	err = a.watch(ctx, v, place, seen.Visits, func(visits int) error {
		return t.Store.InTx(ctx, func(ctx context.Context) error {
			return t.keep(ctx, func(made *values.DemoMade) {
				made.Videos[s.Name] = values.DemoVideo{ID: v.ID, Complete: true, Visits: visits}
			})
		})
	})
	if fault.Is(err, fault.NotFoundCode) {
		return nil
	}

	return err
}

// watch sends the viewers from a number on to a video. place makes those of one video differ from those of another. seen
// is called with the number of viewers so far.
func (a *audience) watch(ctx context.Context, v *ent.Video, place, from int, seen func(visits int) error) error {
	for n := from; n < Viewers; n++ {
		p := &viewer{
			audience: a,
			Rand:     rand.New(rand.NewPCG(uint64(place), uint64(n))), //nolint:gosec // reproducible on purpose
		}

		if err := p.visit(ctx, v); err != nil {
			return err
		}

		if err := seen(n + 1); err != nil {
			return err
		}
	}

	return nil
}

// viewer is one viewer of a video: more come by day than by night, and more toward the end of the month.
type viewer struct {
	*audience
	*rand.Rand

	country, token string
	seq            int64
	events         []analytics.Event
}

// visit opens the page of a video and, in most cases, plays it.
func (p *viewer) visit(ctx context.Context, v *ent.Video) error {
	ago := time.Duration(p.Float64() * p.Float64() * Days * float64(24*time.Hour))
	day := time.Now().Add(-ago - 24*time.Hour).UTC().Truncate(24 * time.Hour)
	p.now = day.Add(time.Duration((8 + 10*(p.Float64()+p.Float64())/2) * float64(time.Hour))).Truncate(time.Millisecond)

	referrer := []string{"", "", "https://chat.example.com/", "https://news.example.org/today", "https://wiki.example.net/"}[p.IntN(5)]
	p.country = []string{"DE", "DE", "US", "US", "US", "FR", "GB", "BR", "IN", "JP"}[p.IntN(10)]
	p.token = p.tokens.Open(v.ID, referrer, p.now)

	p.event(values.PlaybackEventTypeOpen, nil, nil)

	if p.IntN(6) == 0 { // opens the page and leaves
		return p.report(ctx)
	}

	p.pass(time.Duration(p.IntN(8)) * time.Second)
	p.event(values.PlaybackEventTypePlay, nil, nil)

	length := float64(v.DurationMs) / 1000
	stays := min(1, 0.25+p.ExpFloat64()*0.6) * length
	at := 0.0

	for at < stays {
		next := min(at+5, stays)
		p.play(at, next)
		at = next

		if p.IntN(8) == 0 { // watches a part again
			back := max(0, at-3)
			p.event(values.PlaybackEventTypeSeek, &at, &back)
			p.play(back, at)
		}

		if err := p.report(ctx); err != nil {
			return err
		}
	}

	if stays == length {
		p.event(values.PlaybackEventTypeEnded, nil, nil)
	} else {
		p.event(values.PlaybackEventTypePause, nil, nil)
	}

	return p.report(ctx)
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
	for try := 1; err == nil && fault.Is(w.refused, fault.UnavailableCode) && try < reportTries; try++ {
		w, err = p.send(ctx, body)
	}

	if err = errors.Join(err, ctx.Err()); err != nil {
		return err
	}

	if w.refused != nil {
		return fmt.Errorf("send playback events: %w", w.refused)
	}

	var said struct {
		ViewToken string `json:"viewToken"`
	}

	if err := json.Unmarshal(w.Bytes(), &said); err != nil {
		return fmt.Errorf("send playback events: %w", err)
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

	w := &overheard{header: http.Header{}}
	p.door.ServeHTTP(w, r)

	return w, nil
}

// overheard is a response that stays in the process.
type overheard struct {
	bytes.Buffer

	header  http.Header
	refused error
}

// Header implements http.ResponseWriter, as WriteHeader does.
func (h *overheard) Header() http.Header { return h.header }

// WriteHeader does nothing: errors come through refused.
func (*overheard) WriteHeader(int) {}
