package studio_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/platform/compress"
	"github.com/reelgraph/reelgraph/web/studio"
)

// pageOf returns the response to a GET request of a browser.
func pageOf(t *testing.T, h http.Handler, target string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()

	r := httptest.NewRequest(http.MethodGet, target, nil)
	r.Header.Set("Accept", "text/html")

	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}

	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)

	return w
}

// handler serves the studio to somebody who is signed in, or not. Everything else is a 404.
func handler(signedIn bool, err error) http.Handler {
	return studio.Handler(studio.Options{
		IsBrowser: func(r *http.Request) bool { return r.Method == http.MethodGet && r.Header.Get("Accept") == "text/html" },
		SignedIn:  func(*http.Request) (bool, error) { return signedIn, err },
		Refuse:    func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusServiceUnavailable) },
	}, http.NotFoundHandler())
}

var screens = []string{
	"/", "/?tag=tag_1", "/videos/vid_1", "/playlists", "/playlists/pl_1", "/analytics", "/activity", "/settings", "/settings/keys",
}

func TestScreensAreOnePage(t *testing.T) {
	t.Parallel()

	h := handler(true, nil)

	for _, at := range screens {
		w := pageOf(t, h, at)
		require.Equal(t, http.StatusOK, w.Code, at)
		require.Contains(t, w.Body.String(), `<div id="root">`, at)

		policy := w.Header().Get("Content-Security-Policy")
		require.Contains(t, policy, "default-src 'none'; script-src 'self'; style-src 'self'; ")
		require.Contains(t, policy, "frame-ancestors 'none'")
		require.NotContains(t, policy, "unsafe")
		require.Equal(t, []string{"private, no-cache", "Accept, Cookie"}, []string{w.Header().Get("Cache-Control"), w.Header().Values("Vary")[0]})

		require.Equal(t, http.StatusNotFound, pageOf(t, h, at, "Accept", "application/json").Code, "programs get what they got before")
	}

	for _, at := range []string{
		"/videos", "/videos/", "/videos/vid_1/edit", "/playlists/", "/playlists/pl_1/x", "/analytics/x", "/settings/keys/x", "/studio/",
		"/studio/index.html", "/studio/assets/nothing.js", "/other",
	} {
		require.Equal(t, http.StatusNotFound, pageOf(t, h, at).Code, at)
	}
}

// TestSignedOutReturns: somebody who is not signed in goes to the page for signing in, and returns to where they wanted.
func TestSignedOutReturns(t *testing.T) {
	t.Parallel()

	for at, to := range map[string]string{"/": "%2F", "/videos/vid_1?t=3": "%2Fvideos%2Fvid_1%3Ft%3D3", "/settings/keys": "%2Fsettings%2Fkeys"} {
		w := pageOf(t, handler(false, nil), at)
		require.Equal(t, http.StatusSeeOther, w.Code, at)
		require.Equal(t, "/sign-in?to="+to, w.Header().Get("Location"))
		require.Equal(t, "no-store", w.Header().Get("Cache-Control"))
		require.NotContains(t, w.Body.String(), "root")
	}

	require.Equal(t, http.StatusServiceUnavailable, pageOf(t, handler(false, errors.New("no database")), "/").Code)
}

var assets = regexp.MustCompile(`(?:href|src)="(/studio/assets/[^"]+)"`)

// TestAssetsAreKept: what the page loads is kept by browsers forever, and sent as it was compressed when it was built.
func TestAssetsAreKept(t *testing.T) {
	t.Parallel()

	h := handler(true, nil)
	named := assets.FindAllStringSubmatch(pageOf(t, h, "/").Body.String(), -1)
	require.GreaterOrEqual(t, len(named), 3, "a script, a style sheet and a font")

	for _, found := range named {
		at := found[1]
		plain := pageOf(t, h, at)
		require.Equal(t, http.StatusOK, plain.Code, at)
		require.Equal(t, "public, max-age=31536000, immutable", plain.Header().Get("Cache-Control"))
		require.Empty(t, plain.Header().Get("Content-Encoding"))

		if strings.HasSuffix(at, ".woff2") {
			require.Equal(t, "font/woff2", plain.Header().Get("Content-Type"))

			continue
		}

		if plain.Body.Len() < 1<<10 { // not worth compressing
			continue
		}

		for _, coding := range []compress.Coding{compress.Gzip, compress.Brotli} {
			w := pageOf(t, h, at, "Accept-Encoding", string(coding))
			require.Equal(t, string(coding), w.Header().Get("Content-Encoding"), at)
			require.Less(t, w.Body.Len(), plain.Body.Len()/2, at)
			require.Equal(t, plain.Body.String(), unpacked(t, coding, w.Body.Bytes()), at)
		}
	}
}

func unpacked(t *testing.T, coding compress.Coding, content []byte) string {
	t.Helper()

	var r io.Reader = brotli.NewReader(bytes.NewReader(content))

	if coding == compress.Gzip {
		z, err := gzip.NewReader(bytes.NewReader(content))
		require.NoError(t, err)

		r = z
	}

	plain, err := io.ReadAll(r)
	require.NoError(t, err)

	return string(plain)
}
