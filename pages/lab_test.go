package pages_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/export"
	"github.com/reelgraph/reelgraph/ent/playbackevent"
	"github.com/reelgraph/reelgraph/ent/viewsession"
	"github.com/reelgraph/reelgraph/internal/account"
	"github.com/reelgraph/reelgraph/internal/analytics"
	"github.com/reelgraph/reelgraph/internal/engine/encode"
	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/engine/probe"
	"github.com/reelgraph/reelgraph/internal/extracts"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/platform/input"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/keyring"
	"github.com/reelgraph/reelgraph/internal/platform/middleware"
	"github.com/reelgraph/reelgraph/internal/platform/outbound"
	"github.com/reelgraph/reelgraph/internal/platform/queue"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/transcripts"
	"github.com/reelgraph/reelgraph/internal/upload"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/pages"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
	"github.com/reelgraph/reelgraph/test/testkit/footage"
	"github.com/reelgraph/reelgraph/web/studio"
	"github.com/reelgraph/reelgraph/workers"
	"github.com/reelgraph/reelgraph/workers/media"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// lab is the API with its pages, as the product serves them.
type lab struct {
	*testing.T
	*api.Server

	age    atomic.Int64 // added to the time at which pages are made, to simulate old pages; a time.Duration
	front  string       // address of the pages
	desk   *extracts.Desk
	dsn    string
	member testkit.Member
	tools  ffmpeg.Tools
	topics *store.Topics
}

// secret is the server's secret.
var secret = []byte(strings.Repeat("s", 32))

func newLab(t *testing.T) *lab {
	t.Helper()

	l := &lab{T: t, dsn: testkit.Database(t)}
	l.Server = api.New(t, api.Options{DSN: l.dsn})
	l.member = testkit.NewMember(t, l.Store, testkit.MemberOpts{})

	var err error

	l.tools, err = ffmpeg.Find(exec.LookPath)
	require.NoError(t, err)

	l.listen()
	l.desk = &extracts.Desk{
		Addresses: l.Resolver.Addresses, Blobs: l.Resolver.Blobs, Clock: time.Now,
		Fonts: new(encode.Engine).Fonts, Jobs: l.Resolver.Jobs,
		Store: l.Store, Topics: l.topics, Wait: time.Minute,
	}
	l.Resolver.Media, l.Resolver.Topics = l.desk, l.topics
	l.Resolver.Remake()
	l.serve()

	return l
}

func (l *lab) listen() {
	l.Helper()

	topics, err := store.Listen(l.dsn)
	require.NoError(l, err)

	l.topics = topics
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})

	go func() { defer close(ended); topics.Run(ctx) }()

	l.Cleanup(func() {
		cancel()
		<-ended
		require.NoError(l, topics.Close())
	})
}

func box(tb testing.TB, purpose string) keyring.Box {
	tb.Helper()

	b, err := keyring.NewBox(purpose, secret)
	require.NoError(tb, err)

	return b
}

// serve serves the pages and the API at one address.
func (l *lab) serve() {
	l.Helper()

	front := httptest.NewUnstartedServer(nil)
	l.front = "http://" + front.Listener.Addr().String()

	base, err := url.Parse(l.front)
	require.NoError(l, err)

	log, tokens := slog.New(slog.DiscardHandler), analytics.Tokens{Box: box(l, "view tokens"), Host: base.Host}
	l.Resolver.Addresses.BaseURL = l.front
	l.Resolver.Remake()

	watching := (&pages.Server{
		Addresses: l.Resolver.Addresses, Accounts: l.Resolver.Services.Accounts, Box: box(l, "passwords of pages"),
		Clock:   func() time.Time { return time.Now().Add(-time.Duration(l.age.Load())) },
		Cookies: account.Cookies{Base: base}, Graph: l.Resolver, Log: log, Refuse: l.Errors.Write,
		Sharing: l.Resolver.Services.Sharing, Tokens: tokens,
	}).Handler()
	files := (&upload.Server{
		Addresses: l.Resolver.Addresses, Blobs: l.Resolver.Blobs, Clock: time.Now, Log: log, Refuse: l.Errors.Write, Still: l.desk.Made, Store: l.Store,
		Thumbnail: func(ctx context.Context, videoID, name string) (values.ExtractFile, error) {
			v, err := l.Resolver.Services.Exports.ThumbnailByID(ctx, videoID, name)
			if err != nil {
				return values.ExtractFile{}, err
			}

			return l.desk.Thumbnail(ctx, v, name)
		},
	}).Handler()
	reports := (&analytics.Server{
		Clock: time.Now, Jobs: l.Resolver.Jobs, Read: input.ReadBody, Refuse: l.Errors.Write, Store: l.Store, Tokens: tokens,
	}).Handler()

	page := studio.Handler(studio.Options{
		IsBrowser: func(r *http.Request) bool { return strings.Contains(r.Header.Get("Accept"), "text/html") },
		SignedIn:  func(r *http.Request) (bool, error) { return account.Cookies{Base: base}.Reading(r) != "", nil },
		Refuse:    l.Errors.Write,
	}, http.NotFoundHandler())

	routes := http.NewServeMux()
	for path, handler := range map[string]http.Handler{
		"/video/": watching, "/playlist/": watching, "/sign-in": watching, "/sign-out": watching, "/oembed": watching, "/player/": watching,
		"/watch/": files, "/media/": files, "/stills/": files, "/downloads/": files, "/playback/": reports,
		"/videos/": page, "/studio/": page, "/favicon.ico": http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}),
		"/": l.Config.Handler,
	} {
		routes.Handle(path, handler)
	}

	front.Config.Handler = middleware.Identify(middleware.Guard(log, l.Errors.Write)(routes))
	front.Start()
	l.Cleanup(front.Close)
}

// work runs workers for pictures and films until the test ends.
func (l *lab) work() {
	l.Helper()

	deps := media.Deps{
		Addresses: l.Resolver.Addresses, Blobs: l.Resolver.Blobs, Cache: encode.DirCache{Dir: l.TempDir()}, Clock: time.Now,
		Engine: &encode.Engine{Tools: l.tools, Dir: l.TempDir()}, Logger: slog.New(slog.DiscardHandler), Queue: l.Resolver.Jobs,
		Store: l.Store, Topics: l.topics,
	}
	locks := queue.NewLocks(l.Store.DB)
	sizes, err := workers.Queues(map[string]int{jobs.QueueMedia: 2, jobs.QueueRender: 1})
	require.NoError(l, err)

	fetch := outbound.NewClient(outbound.NewTargets(netip.MustParsePrefix("127.0.0.0/8")))
	all, _ := workers.Register(workers.Deps{Media: deps, Fetch: fetch, Prepare: l.Resolver.Services.Exports.PrepareThumbnails})
	q, err := queue.New(l.Store.DB, l.dsn, all, queue.Config{
		Grace: time.Millisecond, Locks: locks, Logger: slog.New(slog.DiscardHandler), Queues: sizes,
	})
	require.NoError(l, err)

	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)

	go func() { ended <- q.Run(ctx) }()

	l.Cleanup(sync.OnceFunc(func() {
		cancel()
		require.NoError(l, <-ended)
		require.NoError(l, locks.Close())
	}))
}

// films are colored films with a tone, by length in seconds, made once for all tests. One is a portrait.
var films = map[string]func() ([]byte, error){
	"1": filmOf("1", "640x360"), "9": filmOf("9", "640x360"), "12": filmOf("12", "640x360"), "upright": filmOf("1", "360x640"),
}

func filmOf(seconds, size string) func() ([]byte, error) {
	return sync.OnceValues(func() (content []byte, err error) {
		folder, err := os.MkdirTemp("", "films-")
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()

		path := filepath.Join(folder, "film.mp4")

		err = footage.FFmpeg(context.Background(), nil, nil, "-v", "error", "-nostdin",
			"-f", "lavfi", "-i", "gradients=size="+size+":rate=30:c0=0x3b2fbf:c1=0xf2a65a:c2=0x2a9d8f:n=3:speed=0.02:seed=7",
			"-f", "lavfi", "-i", "sine=frequency=330:sample_rate=48000", "-t", seconds,
			"-c:v", "libx264", "-preset", "ultrafast", "-g", "15", "-pix_fmt", "yuv420p", "-c:a", "aac", "-movflags", "+faststart", path)
		if err != nil {
			return nil, err
		}

		return os.ReadFile(path)
	})
}

// film returns the path of a film.
func film(tb testing.TB, name string) string {
	tb.Helper()

	content, err := films[name]()
	require.NoError(tb, err)

	path := filepath.Join(tb.TempDir(), "film.mp4")
	require.NoError(tb, os.WriteFile(path, content, 0o600))

	return path
}

// source uploads a film.
func (l *lab) source(path string) *ent.Source {
	l.Helper()

	content, err := os.ReadFile(path)
	require.NoError(l, err)

	sum := sha256.Sum256(content)
	info, err := probe.File(l.Context(), l.tools, path, probe.KindVideo)
	require.NoError(l, err)
	probe, err := json.Marshal(info)
	require.NoError(l, err)

	src := testkit.NewSource(l, l.Store, l.member, testkit.SourceOpts{Name: "recording.mp4", DurationMs: info.DurationMs, HasAudio: true})
	key := l.keep("sources", path)
	l.member.Do(l, l.Store, func(ctx context.Context, c *ent.Client) {
		src = c.Source.UpdateOneID(src.ID).SetWidth(info.Video.Width).SetHeight(info.Video.Height).SetBlobKey(key).
			SetSha256(hex.EncodeToString(sum[:])).SetProbe(probe).SaveX(ctx)
	})

	return src
}

func (l *lab) keep(kind, path string) string {
	l.Helper()

	key, err := blob.NewKey(kind, ".mp4")
	require.NoError(l, err)

	content, err := os.ReadFile(path)
	require.NoError(l, err)

	copied := filepath.Join(l.TempDir(), "kept.mp4") // the store moves the file
	require.NoError(l, os.WriteFile(copied, content, 0o600))
	_, err = l.Resolver.Blobs.PutFile(l.Context(), key, copied)
	require.NoError(l, err)

	return key
}

// video creates a video of a film with chapters, words and settings.
func (l *lab) video(path string, set func(*values.VideoSettings)) *ent.Video {
	l.Helper()

	settings := values.DefaultVideoSettings()
	if set != nil {
		set(&settings)
	}

	v := testkit.NewVideo(l, l.Store, l.member, testkit.VideoOpts{
		Name: "How a reel finds its viewers", Source: l.source(path), Settings: &settings,
	})
	l.member.Do(l, l.Store, func(ctx context.Context, c *ent.Client) {
		clip := v.Edges.Clips[0]
		c.Video.UpdateOneID(v.ID).SetWidth(640).SetHeight(360).SetDescription("What happens between a recording and the people who watch it.\nIn three chapters.").ExecX(ctx)
		c.Clip.UpdateOneID(clip.ID).SetTranscriptLanguage("en").ExecX(ctx)

		for i, title := range []string{"A beginning", "The middle of it", "Where it leads"} {
			c.Chapter.Create().SetVideo(v).SetClip(clip).SetTitle(title).SetAtMs(int64(i) * 4000).ExecX(ctx)
		}

		var words []transcripts.Word
		for i, w := range strings.Fields("Every recording begins somewhere. This one begins here, and nobody knows how it ends. " +
			"Somebody watches it. Somebody else only reads along, and that is just as well.") {
			words = append(words, transcripts.Word{Text: w, StartMs: int64(i) * 380, EndMs: int64(i)*380 + 340})
		}

		_, err := transcripts.Replace(ctx, c, clip, words, time.Now())
		require.NoError(l, err)
	})

	return v
}

// rendered adds a finished film to a video.
func (l *lab) rendered(v *ent.Video, path string) {
	l.Helper()

	l.finish(l.export(v, func(*ent.ExportCreate) {}).ID, path)
}

// finish completes an export with a film.
func (l *lab) finish(id, path string) {
	l.Helper()

	key := l.keep("exports", path)
	l.member.Do(l, l.Store, func(ctx context.Context, c *ent.Client) {
		c.Export.UpdateOneID(id).SetBlobKey(key).SetStatus(values.ExportStatusCompleted).SetProgress(100).
			SetFinishedAt(time.Now()).SetExpiresAt(time.Now().Add(jobs.ExportKept)).ExecX(ctx)
	})
}

// export creates an export of the current video without a job.
func (l *lab) export(v *ent.Video, set func(*ent.ExportCreate)) (made *ent.Export) {
	l.Helper()

	l.member.Do(l, l.Store, func(ctx context.Context, c *ent.Client) {
		e := c.Export.Create().SetVideo(v).SetUserID(l.member.UserID).SetGranularity(values.GranularityStory).
			SetResolution(values.ResolutionP1080).SetFps(values.FPS30).SetSpeed(values.Speed1).SetSubtitles(false).
			SetRevision(c.Video.GetX(ctx, v.ID).Revision).SetPlanHash("hash").SetPlan(json.RawMessage("{}"))
		set(e)
		made = e.SaveX(ctx)
	})

	return made
}

// made creates a video whose recording is also its finished film.
func (l *lab) made(recorded string) *ent.Video {
	l.Helper()

	v := l.video(recorded, nil)
	l.rendered(v, recorded)

	return v
}

// change edits a video and raises its revision.
func (l *lab) change(v *ent.Video, set func(*ent.VideoUpdateOne, *values.VideoSettings)) {
	l.Helper()

	l.member.Do(l, l.Store, func(ctx context.Context, c *ent.Client) {
		now := c.Video.GetX(ctx, v.ID)
		update := c.Video.UpdateOneID(v.ID)
		set(update, &now.Settings)
		update.SetSettings(now.Settings).AddRevision(1).ExecX(ctx)
	})
}

// playlist creates a playlist of videos.
func (l *lab) playlist(videos ...*ent.Video) *ent.Playlist {
	l.Helper()

	var made *ent.Playlist

	l.member.Do(l, l.Store, func(ctx context.Context, c *ent.Client) {
		made = c.Playlist.Create().SetUserID(l.member.UserID).SetName("First steps").SetEmoji("🎬").SetDescription("To begin with.").SaveX(ctx)
		for i, v := range videos {
			c.PlaylistVideo.Create().SetPlaylist(made).SetVideo(v).SetPosition(i).ExecX(ctx)
		}
	})

	return made
}

// reports returns the number of reports of a video.
func (l *lab) reports(v *ent.Video) int {
	return len(l.received(v))
}

// received returns the reports of a video.
func (l *lab) received(v *ent.Video) []*ent.PlaybackEvent {
	ctx, client := auth.AsSystem(l.Context()), l.Store.Client(l.Context())
	sessions := client.ViewSession.Query().Where(viewsession.VideoID(v.ID)).IDsX(ctx)

	return client.PlaybackEvent.Query().Where(playbackevent.SessionIDIn(sessions...)).AllX(ctx)
}

// paused reports whether a pause of the video was reported.
func (l *lab) paused(v *ent.Video) bool {
	return slices.ContainsFunc(l.received(v), func(e *ent.PlaybackEvent) bool { return strings.Contains(string(e.Events), `"pause"`) })
}

// exports returns all exports of a video.
func (l *lab) exports(v *ent.Video) []*ent.Export {
	return l.Store.Client(l.Context()).Export.Query().Where(export.VideoID(v.ID)).AllX(auth.AsSystem(l.Context()))
}

// client is a browser with cookies and without scripts.
type client struct {
	*lab

	jar http.CookieJar
}

func (l *lab) client() client {
	l.Helper()

	jar, err := cookiejar.New(nil)
	require.NoError(l, err)

	return client{l, jar}
}

// page is a response.
type page struct {
	status int
	header http.Header
	body   string
}

func (c client) get(path string, header ...string) page {
	c.Helper()

	return c.ask(http.MethodGet, path, nil, header...)
}

// post sends a form like our own pages.
func (c client) post(path string, form url.Values) page {
	c.Helper()

	return c.ask(http.MethodPost, path, form, "Origin", c.front, "Sec-Fetch-Site", "same-origin")
}

func (c client) ask(method, path string, form url.Values, header ...string) page {
	c.Helper()

	r, err := http.NewRequestWithContext(c.Context(), method, c.front+path, strings.NewReader(form.Encode()))
	require.NoError(c, err)

	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}

	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}

	browser := http.Client{Jar: c.jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

	answer, err := browser.Do(r)
	require.NoError(c, err)

	defer answer.Body.Close()

	body, err := io.ReadAll(answer.Body)
	require.NoError(c, err)

	return page{answer.StatusCode, answer.Header, string(body)}
}
