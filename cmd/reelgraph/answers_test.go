package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/stretchr/testify/require"
)

// raw sends a request and returns the response as transferred, still encoded.
func (s *host) raw(method, path, body string, headers ...string) (status int, h http.Header, content []byte) {
	s.Helper()

	r, err := http.NewRequestWithContext(s.Context(), method, s.base+path, strings.NewReader(body))
	require.NoError(s, err)

	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}

	answer, err := (&http.Transport{DisableCompression: true, DisableKeepAlives: true}).RoundTrip(r)
	require.NoError(s, err)

	defer answer.Body.Close()

	content, err = io.ReadAll(answer.Body)
	require.NoError(s, err)

	return answer.StatusCode, answer.Header, content
}

// unpacked decodes content.
func unpacked(t *testing.T, coding string, content []byte) string {
	t.Helper()

	var from io.Reader = bytes.NewReader(content)

	switch coding {
	case "br":
		from = brotli.NewReader(from)
	case "gzip":
		unzip, err := gzip.NewReader(from)
		require.NoError(t, err)

		from = unzip
	}

	plain, err := io.ReadAll(from)
	require.NoError(t, err)

	return string(plain)
}

// textIsCompressed checks every kind of text that the server sends, in each coding and in none.
func (s *host) textIsCompressed(t *testing.T) {
	t.Helper()

	authorization := "Bearer " + s.key
	_, _, page := s.raw(http.MethodGet, "/graphiql", "")
	_, after, found := strings.Cut(string(page), `href="/graphiql/assets/`)
	require.True(t, found)

	style, _, _ := strings.Cut(after, `"`)
	introspection := `{"query":"{ __schema { types { name description } } }"}`

	for _, c := range []struct {
		method, path, body string
		tagged, immutable  bool
	}{
		{http.MethodGet, "/openapi.json", "", true, false},
		{http.MethodGet, "/openapi.yaml", "", true, false},
		{http.MethodGet, "/llms.txt", "", true, false},
		{http.MethodGet, "/docs", "", true, false},
		{http.MethodGet, "/graphql/schema.graphqls", "", true, false},
		{http.MethodGet, "/graphiql/assets/" + style, "", true, true},
		{http.MethodGet, "/sign-in", "", false, false},
		{http.MethodGet, "/v1/text-presets", "", false, false},
		{http.MethodPost, "/graphql", introspection, false, false},
	} {
		ask := func(accepted string, more ...string) (int, http.Header, []byte) {
			return s.raw(c.method, c.path, c.body, append([]string{
				"Accept-Encoding", accepted, "Authorization", authorization, "Content-Type", "application/json",
			}, more...)...)
		}

		status, h, plain := ask("identity")
		require.Equal(t, http.StatusOK, status, "%s: %s", c.path, plain)
		require.Empty(t, h.Get("Content-Encoding"), c.path)
		require.Contains(t, strings.Join(h.Values("Vary"), ", "), "Accept-Encoding", c.path)

		for _, coding := range []string{"gzip", "br"} {
			status, h, content := ask(coding + ", deflate;q=0.5")
			require.Equal(t, http.StatusOK, status, c.path)
			require.Equal(t, coding, h.Get("Content-Encoding"), c.path)
			require.Less(t, len(content), len(plain)*7/10, c.path)
			require.Equal(t, c.immutable, strings.Contains(h.Get("Cache-Control"), "immutable"), c.path)

			require.Equal(t, string(plain), unpacked(t, coding, content), c.path)

			require.Equal(t, c.tagged, h.Get("ETag") != "", c.path)

			if c.tagged {
				for _, again := range []string{coding, "identity"} {
					status, _, content = ask(again, "If-None-Match", h.Get("ETag"))
					require.Equal(t, http.StatusNotModified, status, c.path)
					require.Empty(t, content, c.path)
				}
			}
		}
	}

	// A page of another site requested with our cookies is not compressed.
	_, h, _ := s.raw(http.MethodGet, "/sign-in", "", "Accept-Encoding", "gzip", "Cookie", "a=b", "Sec-Fetch-Site", "cross-site")
	require.Empty(t, h.Get("Content-Encoding"))
}

// wrongAddressesHavePages checks what browsers and programs get for unknown addresses.
func (s *host) wrongAddressesHavePages(t *testing.T) {
	t.Helper()

	const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

	for path, status := range map[string]int{
		"/nothing": 404, "/nothing/below": 404, "/videos": 404, "/v2/videos": 404, "/v1x": 404, "/docs/nothing": 404, "/video/vid_x/view": 404,
		"/player/nothing": 404, "/graphiql/nothing": 404, "/downloads/exp_x": 403, "/media/su_x": 403, "/catalog/nothing": 404,
	} {
		got, h, content := s.raw(http.MethodGet, path, "", "Accept", browser)
		require.Equal(t, status, got, path)
		require.Equal(t, "text/html; charset=utf-8", h.Get("Content-Type"), path)
		require.Contains(t, string(content), "<h1>", path)
		require.NotContains(t, string(content), "docsUrl", path)

		if strings.HasPrefix(path, "/video/") || strings.HasPrefix(path, "/player/") {
			continue // which are pages for every client
		}

		for _, accepted := range []string{"*/*", "application/json", "text/html;q=0, */*"} {
			got, h, content = s.raw(http.MethodGet, path, "", "Accept", accepted)
			require.Equal(t, status, got, path)
			require.Equal(t, "application/json", h.Get("Content-Type"), "%s %s", path, accepted)
			require.Contains(t, string(content), "docsUrl", path)
		}
	}

	for _, path := range []string{"/v1", "/v1/", "/v1/nothing", "/graphql/nothing", "/graphql/"} {
		got, h, content := s.raw(http.MethodGet, path, "", "Accept", browser)
		require.Equal(t, http.StatusNotFound, got, path)
		require.Equal(t, "application/json", h.Get("Content-Type"), path)
		require.Contains(t, string(content), "docsUrl", path)
	}

	got, h, _ := s.raw(http.MethodPost, "/nothing", "{}", "Accept", browser)
	require.Equal(t, http.StatusNotFound, got)
	require.Equal(t, "application/json", h.Get("Content-Type"))

	for _, method := range []string{http.MethodGet, http.MethodHead} {
		got, h, content := s.raw(method, "/favicon.ico", "", "Accept-Encoding", "gzip")
		require.Equal(t, http.StatusOK, got)
		require.Equal(t, "image/vnd.microsoft.icon", h.Get("Content-Type"))
		require.Empty(t, h.Get("Content-Encoding"))
		require.Equal(t, method == http.MethodGet, bytes.HasPrefix(content, []byte{0, 0, 1, 0, 3, 0}))
	}
}
