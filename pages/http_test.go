package pages_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/web/player"
)

// TestSettings: the page obeys each setting of its video.
func TestSettings(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	recorded := film(t, "1")
	v := l.video(recorded, func(s *values.VideoSettings) { s.CommentsEnabled = false })
	l.rendered(v, recorded)

	c, at := l.client(), "/video/"+v.ID+"/view"

	for name, check := range map[string]struct {
		set         func(*values.VideoSettings)
		then, never string
	}{
		"nothing":           {func(*values.VideoSettings) {}, `"captions":false`, `id="comments"`},
		"captions":          {func(s *values.VideoSettings) { s.CaptionsDefaultEnabled = true }, `"captions":true`, ""},
		"comments":          {func(s *values.VideoSettings) { s.CommentsEnabled = true }, `id="comments"`, ""},
		"rate":              {func(s *values.VideoSettings) { s.DefaultPlaybackRate = 1.75 }, `"rate":1.75`, ""},
		"no downloads":      {func(*values.VideoSettings) {}, "Copy link", "Download"},
		"downloads":         {func(s *values.VideoSettings) { s.DownloadsEnabled = true }, "Download", "Source files"},
		"raw downloads":     {func(s *values.VideoSettings) { s.DownloadsEnabled, s.RawDownloadsEnabled = true, true }, "Source files", ""},
		"raw alone":         {func(s *values.VideoSettings) { s.RawDownloadsEnabled = true }, "Copy link", "Source files"},
		"date":              {func(*values.VideoSettings) {}, "<time datetime", ""},
		"no date":           {func(s *values.VideoSettings) { s.PublishDateEnabled = false }, "views", "<time datetime"},
		"data with a date":  {func(*values.VideoSettings) {}, `"uploadDate"`, ""},
		"data with no date": {func(s *values.VideoSettings) { s.PublishDateEnabled = false }, `"VideoObject"`, "uploadDate"},
		"no views":          {func(s *values.VideoSettings) { s.ViewCountEnabled = false }, "<time datetime", "views"},
		"transcript":        {func(*values.VideoSettings) {}, "data-transcript", ""},
		"no transcript":     {func(s *values.VideoSettings) { s.TranscriptsEnabled = false }, "<track", "data-transcript"},
		"not indexed":       {func(*values.VideoSettings) {}, `<meta name="robots" content="noindex">`, ""},
		"indexed":           {func(s *values.VideoSettings) { s.SearchEngineIndexingEnabled = true }, "og:title", "noindex"},
		"private, indexed": {func(s *values.VideoSettings) {
			s.SearchEngineIndexingEnabled, s.LinkScope = true, values.LinkScopePrivate
		}, "noindex", "finds its viewers"},
		"embedded only": {func(s *values.VideoSettings) { s.LinkScope = values.LinkScopeEmbedOnly }, "embed it", "finds its viewers"},
	} {
		l.change(v, func(_ *ent.VideoUpdateOne, s *values.VideoSettings) {
			*s = values.DefaultVideoSettings()
			s.CommentsEnabled = false
			check.set(s)
		})
		l.rendered(v, recorded)

		got := c.get(at)
		require.Contains(t, got.body, check.then, name)

		if check.never != "" {
			require.NotContains(t, got.body, check.never, name)
		}

		require.Equal(t, strings.Contains(got.body, `content="noindex"`), got.header.Get("X-Robots-Tag") == "noindex", name)
	}
}

// TestHeads tests a page's head, its policy, and where it may be embedded.
func TestHeads(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	v := l.video(film(t, "9"), func(s *values.VideoSettings) { s.SearchEngineIndexingEnabled = true })
	c := l.client()

	view := c.get("/video/" + v.ID + "/view")
	require.Equal(t, http.StatusOK, view.status)
	require.Contains(t, view.header.Get("Content-Security-Policy"), "default-src 'none'; script-src 'self'; style-src 'self'")
	require.Contains(t, view.header.Get("Content-Security-Policy"), "frame-ancestors 'none'")
	require.Contains(t, view.body, `<link rel="canonical" href="`+l.front+`/video/`+v.ID+`/view">`)
	require.NotRegexp(t, `(src|href)="(https?:)?//`, strings.ReplaceAll(view.body, l.front, ""))
	require.NotContains(t, view.body, "style=")

	_, after, _ := strings.Cut(view.body, `<script type="application/ld+json">`)
	data, _, _ := strings.Cut(after, "</script>")

	var described map[string]any
	require.NoError(t, json.Unmarshal([]byte(data), &described))
	require.Equal(t, "VideoObject", described["@type"])
	require.Equal(t, "PT9S", described["duration"])
	require.Len(t, described["hasPart"], 3)

	embed := c.get("/video/" + v.ID + "/embed")
	require.True(t, strings.HasSuffix(embed.header.Get("Content-Security-Policy"), "frame-ancestors *"))
	l.change(v, func(_ *ent.VideoUpdateOne, s *values.VideoSettings) {
		s.AllowedEmbedDomains = []string{"Example.com", "https://blog.example.org/", "Bücher.example", "*.below.example:8443", "bad domain; script-src *", "co.uk", "'self' http://evil.example"}
	})

	embed = c.get("/video/" + v.ID + "/embed")
	require.True(t, strings.HasSuffix(embed.header.Get("Content-Security-Policy"),
		"frame-ancestors 'self' example.com:* *.example.com:* blog.example.org:* *.blog.example.org:* "+
			"xn--bcher-kva.example:* *.xn--bcher-kva.example:* *.below.example:8443"), embed.header)

	var said struct {
		Type, HTML, Title string
		Width, Height     int
	}

	o := c.get("/oembed?maxwidth=320&url=" + url.QueryEscape(l.front+"/video/"+v.ID+"/view"))
	require.NoError(t, json.Unmarshal([]byte(o.body), &said), o.body)
	require.Equal(t, "video", said.Type)
	require.Equal(t, [2]int{320, 180}, [2]int{said.Width, said.Height})
	require.Contains(t, said.HTML, l.front+"/video/"+v.ID+"/embed")
	require.Equal(t, http.StatusNotImplemented, c.get("/oembed?format=xml&url=x").status)
	require.Equal(t, http.StatusNotFound, c.get("/oembed?url=https%3A%2F%2Felsewhere.example").status)
	require.Equal(t, http.StatusBadRequest, c.get("/oembed").status)

	for _, wrong := range []string{"maxwidth=0", "maxwidth=wide", "maxheight=", "maxheight=1.5", "maxheight=99999999999"} {
		o := c.get("/oembed?" + wrong + "&url=" + url.QueryEscape(l.front+"/video/"+v.ID+"/view"))
		require.Equal(t, http.StatusBadRequest, o.status, wrong)
		require.Contains(t, o.body, "must be a whole number of pixels, at least 1")
	}

	at := l.front + "/video/" + v.ID
	shown := `src="` + at + "/embed"

	for address, source := range map[string]string{
		at + "/view#t=10": shown + `#t=10"`, at + "/embed?t=1m30s": shown + `#t=1m30s"`, at + "/view?x=y#a=b&t=2.5": shown + `#t=2.5"`,
		at + "/view?t=3#t=10": shown + `#t=10"`, at + "/view#top": shown + `"`, at + `/view#t="><script>`: shown + `"`, at + "/view#t=": shown + `"`,
		strings.Replace(at, "http://", "HTTP://", 1) + "/view": shown + `"`,
	} {
		o := c.get("/oembed?url=" + url.QueryEscape(address))
		require.NoError(t, json.Unmarshal([]byte(o.body), &said), address)
		require.Contains(t, said.HTML, source, address)
		require.Contains(t, said.HTML, " allowfullscreen></iframe>")
	}

	for size, want := range map[[2]int]int{{640, 360}: 640, {1000, 562}: 640, {1920, 1080}: 1920, {320, 180}: 320, {128, 72}: 0} {
		l.change(v, func(u *ent.VideoUpdateOne, _ *values.VideoSettings) { u.SetWidth(size[0]).SetHeight(size[1]) })

		var sized struct {
			Width, Height int
			Thumbnail     int `json:"thumbnail_width"`
		}

		require.NoError(t, json.Unmarshal([]byte(c.get("/oembed?url="+url.QueryEscape(at+"/view")).body), &sized))
		require.Equal(t, want, sized.Thumbnail, "%v", size)
		require.Equal(t, min(size[0], 960), sized.Width)
	}

	titled := `<h1 class="caption" dir="auto"><a href="` + l.front + "/video/" + v.ID + `/view"`
	require.Contains(t, c.get("/video/"+v.ID+"/embed").body, titled)

	l.change(v, func(_ *ent.VideoUpdateOne, s *values.VideoSettings) { s.LinkScope = values.LinkScopeEmbedOnly })
	require.Equal(t, http.StatusForbidden, c.get("/video/"+v.ID+"/view").status)
	require.Equal(t, http.StatusForbidden, c.get("/video/"+v.ID+"/embed", "Sec-Fetch-Dest", "document").status)

	inside := c.get("/video/"+v.ID+"/embed", "Sec-Fetch-Dest", "iframe")
	require.Equal(t, http.StatusOK, inside.status)
	require.NotContains(t, inside.body, titled, "a link to a page that nobody may open")

	require.Equal(t, http.StatusNotFound, c.get("/video/vid_none/view").status)
	require.Equal(t, http.StatusMethodNotAllowed, c.post("/video/"+v.ID+"/view", url.Values{}).status)
	require.Equal(t, http.StatusForbidden, c.get("/video/"+v.ID+"/captions.vtt").status)
	require.Less(t, player.PackedSize(), 120<<10)
}

// TestFilms: the film made for a page and an export requested by a person do not interfere with each other.
func TestFilms(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	recorded := film(t, "1")

	opened, asked := l.video(recorded, nil), l.video(recorded, nil)
	look := func(v *ent.Video) { require.Equal(t, http.StatusOK, l.client().get("/video/"+v.ID+"/view").status) }
	ask := func(v *ent.Video) {
		l.Call(t, l.member.Key, http.MethodPost, "/v1/videos/"+v.ID+"/exports", "")
	}

	look(opened)
	ask(opened)
	require.Len(t, l.exports(opened), 2)

	ask(asked)
	look(asked)
	require.Len(t, l.exports(asked), 1, "the requested export is used")
}

// TestCaptionsOfFilms: a page plays films with captions exactly if the video has captions, whatever else was
// exported.
func TestCaptionsOfFilms(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	recorded := film(t, "1")

	for _, on := range []bool{false, true} {
		v := l.video(recorded, func(s *values.VideoSettings) { s.DownloadsEnabled = true })
		l.change(v, func(u *ent.VideoUpdateOne, _ *values.VideoSettings) {
			editing := v.Editing
			editing.SubtitlesEnabled = on
			u.SetEditing(editing)
		})

		view := func() string { return l.client().get("/video/" + v.ID + "/view").body }
		export := func(subtitles bool) string {
			var made struct{ Export struct{ ExportID string } }

			answer := l.Call(t, l.member.Key, http.MethodPost, "/v1/videos/"+v.ID+"/exports", fmt.Sprintf(`{"subtitles":%t}`, subtitles))
			require.NoError(t, json.Unmarshal([]byte(answer.Body), &made), answer.Body)
			l.finish(made.Export.ExportID, recorded)

			return made.Export.ExportID
		}

		other := export(!on)
		require.NotContains(t, view(), other, "captions: %t", on)

		fitting := export(on)

		l.change(v, func(u *ent.VideoUpdateOne, _ *values.VideoSettings) { u.SetName("Another name of the same film") })

		shown := view()
		require.Contains(t, shown, "/watch/"+fitting, "captions: %t", on)
		require.Contains(t, shown, "/downloads/"+fitting)
		require.NotContains(t, shown, other)
		require.Equal(t, on, strings.Contains(shown, `"burnedWords":true`))
	}
}

// TestFilmsOfUndoneEdits: after an undone edit, the page plays the finished film of that state, or makes it again if
// it was canceled.
func TestFilmsOfUndoneEdits(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	recorded := film(t, "1")
	v := l.video(recorded, nil)

	// edited returns the page after an edit, and the film that is being made for it.
	edited := func(width int) (view string, making *ent.Export) {
		l.change(v, func(u *ent.VideoUpdateOne, _ *values.VideoSettings) { u.SetWidth(width) })
		view = l.client().get("/video/" + v.ID + "/view").body

		for _, e := range l.exports(v) {
			if e.FinishedAt == nil {
				require.Nil(t, making)
				making = e
			}
		}

		return view, making
	}

	_, first := edited(640)
	_, second := edited(320)
	_, again := edited(640)
	require.NotNil(t, again)
	require.NotEqual(t, first.PlanHash, second.PlanHash)
	require.Equal(t, first.PlanHash, again.PlanHash)

	l.finish(again.ID, recorded)

	for i := range 10 {
		_, making := edited(700 + 2*i)
		l.finish(making.ID, recorded)
	}

	view, making := edited(640)
	require.Nil(t, making)
	require.Contains(t, view, "/watch/"+again.ID)
}

// TestHiddenRecordings: until there is a film, a page does not serve a recording that the edit hides at some time.
func TestHiddenRecordings(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	recorded := film(t, "1")
	screen, camera := l.source(recorded), l.source(recorded)
	shape := func(kind values.LayoutKind) *values.LayoutShape { return &values.LayoutShape{Kind: kind} }

	for name, c := range map[string]struct {
		camera      *ent.Source
		base, while *values.LayoutShape
		crop        *values.CropBox
		blur        bool
		hides       bool
	}{
		"both":                       {camera: camera},
		"both, and again":            {camera: camera, while: shape(values.LayoutKindTvPresenter)},
		"the screen alone":           {},
		"the screen is base":         {camera: camera, base: shape(values.LayoutKindScreenOnly), hides: true},
		"the camera is base":         {camera: camera, base: shape(values.LayoutKindCameraOnly), hides: true},
		"the screen for a while":     {camera: camera, while: shape(values.LayoutKindScreenOnly), hides: true},
		"the camera for a while":     {camera: camera, while: shape(values.LayoutKindCameraOnly), hides: true},
		"b-roll over both":           {camera: camera, while: shape(values.LayoutKindBRoll), hides: true},
		"b-roll over the whole time": {while: shape(values.LayoutKindBRoll), hides: true},
		"a crop":                     {crop: &values.CropBox{WidthPct: 50, HeightPct: 50}, hides: true},
		"a blur":                     {blur: true, hides: true},
	} {
		v := testkit.NewVideo(t, l.Store, l.member, testkit.VideoOpts{Source: screen, Camera: c.camera})
		l.member.Do(t, l.Store, func(ctx context.Context, db *ent.Client) {
			clip := v.Edges.Clips[0]
			update := db.Clip.UpdateOneID(clip.ID)

			if c.base != nil {
				update.SetBaseLayout(c.base)
			}

			if c.crop != nil {
				update.SetCrop(c.crop)
			}

			update.ExecX(ctx)

			lay := func(kind values.EffectKind, params values.EffectParams) {
				db.Effect.Create().SetClip(clip).SetKind(kind).SetStartMs(200).SetEndMs(600).SetParams(params).ExecX(ctx)
			}

			if c.while != nil {
				lay(values.EffectKindLayout, values.EffectParams{Layout: &values.LayoutParams{Shape: *c.while}})
			}

			if c.blur {
				lay(values.EffectKindBlur, values.EffectParams{Mask: &values.MaskParams{Dimensions: values.Extent{WidthPct: 10, HeightPct: 10}}})
			}
		})

		view := l.client().get("/video/" + v.ID + "/view").body
		require.Equal(t, !c.hides, strings.Contains(view, "/media/"+screen.ID), name)
		require.Equal(t, !c.hides && c.camera != nil, strings.Contains(view, "/media/"+camera.ID), name)
	}
}
