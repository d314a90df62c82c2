package pages_test

import (
	"encoding/json"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/test/testkit/browser"
)

// TestChosenPicture: a chosen picture is fetched once, and pages show its copy. If that fails, the video says why.
func TestChosenPicture(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	l.work()

	var asked atomic.Int64

	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)

		switch r.URL.Path {
		case "/chosen.png":
			assert.NoError(t, png.Encode(w, image.NewGray(image.Rect(0, 0, 2400, 1200))))
		case "/gone":
			w.WriteHeader(http.StatusGone)
		default:
			fmt.Fprint(w, "#EXTM3U\nfile:///etc/passwd") // this is not a picture
		}
	}))
	t.Cleanup(elsewhere.Close)

	v := l.video(film(t, "1"), nil)
	choose := func(address string) {
		l.Call(t, l.member.Key, http.MethodPatch, "/v1/videos/"+v.ID, `{"customThumbnailURL":`+address+`}`)
	}
	poster := func() string { return l.client().get("/video/" + v.ID + "/poster.jpg").header.Get("Location") }
	sizeAt := func(address string) [2]int {
		shown, err := jpeg.DecodeConfig(strings.NewReader(l.client().get(address).body))
		require.NoError(t, err, address)

		return [2]int{shown.Width, shown.Height}
	}
	film, chosen := [2]int{1920, 1080}, [2]int{1920, 960}

	became := func() any {
		g := l.Ask(t, l.member.Key, `query($id: ID!) { video(id: $id) { customThumbnail { status error } } }`, map[string]any{"id": v.ID})
		require.Empty(t, g.Errors)

		return g.Data["video"].(map[string]any)["customThumbnail"]
	}
	becomes := func(status string, fault any) {
		require.Eventually(t, func() bool { return became().(map[string]any)["status"] != "PENDING" }, browser.Patience, 20*time.Millisecond)
		require.Equal(t, map[string]any{"status": status, "error": fault}, became())
	}

	// previews returns the size of the picture that oEmbed offers within some bounds, or zero if there is none. It also
	// checks the picture itself.
	previews := func(bounds string) [2]int {
		var said struct {
			URL    string `json:"thumbnail_url"`
			Width  int    `json:"thumbnail_width"`
			Height int    `json:"thumbnail_height"`
		}

		o := l.client().get("/oembed?url=" + url.QueryEscape(l.front+"/video/"+v.ID+"/view") + bounds)
		require.NoError(t, json.Unmarshal([]byte(o.body), &said), o.body)

		if said.URL != "" {
			at := l.client().get(strings.TrimPrefix(said.URL, l.front))
			require.Equal(t, [2]int{said.Width, said.Height}, sizeAt(at.header.Get("Location")))
		}

		return [2]int{said.Width, said.Height}
	}

	require.Equal(t, [2]int{640, 360}, previews(""), "no larger than the video")
	require.Equal(t, [2]int{320, 180}, previews("&maxwidth=639"))
	require.Equal(t, [2]int{640, 360}, previews("&maxwidth=1919&maxheight=360"))
	require.Equal(t, [2]int{}, previews("&maxwidth=319"), "no picture is that small")

	require.Nil(t, became())
	require.Equal(t, film, sizeAt(poster()))
	choose(`"` + elsewhere.URL + `/chosen.png"`)

	was := poster()

	becomes("READY", nil)
	require.NotEqual(t, was, poster(), "browsers keep what they have loaded")
	require.Equal(t, chosen, sizeAt(poster()))
	require.Equal(t, chosen, previews(""))
	require.Equal(t, [2]int{1280, 640}, previews("&maxheight=959"))
	require.EqualValues(t, 1, asked.Load())

	card := regexp.MustCompile(`/stills/[^"]+/small\.jpg\?[^"]+`).FindString(l.client().get("/playlist/" + l.playlist(v).ID + "/view").body)
	require.Equal(t, [2]int{320, 160}, sizeAt(card))

	choose(`"` + elsewhere.URL + `/other"`)
	require.Equal(t, film, sizeAt(poster()))
	becomes("FAILED", "The file is a playlist, not a recording. Upload the media itself.")
	require.EqualValues(t, 2, asked.Load())
	choose(`"` + elsewhere.URL + `/gone"`)
	becomes("FAILED", "The address answered with status 410.")
	choose(`"http://169.254.169.254/latest"`)
	becomes("FAILED", "The address is not allowed: it must be public.")
	choose(`"` + elsewhere.URL + `/chosen.png"`)
	becomes("READY", nil)
	require.Equal(t, chosen, sizeAt(poster()))
	choose("null")
	require.Equal(t, film, sizeAt(poster()))
	require.Nil(t, became())
}

// TestPreview: the moving picture of a video has a permanent address for those who may watch the video.
func TestPreview(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	l.work()

	v := l.made(film(t, "1"))
	at := "/video/" + v.ID + "/preview.gif"

	found := l.client().get(at)
	require.Equal(t, http.StatusFound, found.status)
	require.Equal(t, "public, max-age=300", found.header.Get("Cache-Control"))

	moving, err := gif.DecodeAll(strings.NewReader(l.client().get(found.header.Get("Location")).body))
	require.NoError(t, err)
	require.Greater(t, len(moving.Image), 1)

	l.Call(t, l.member.Key, http.MethodPatch, "/v1/videos/"+v.ID, `{"linkScope":"private"}`)
	require.Equal(t, http.StatusNotFound, l.client().get(at).status)
}
