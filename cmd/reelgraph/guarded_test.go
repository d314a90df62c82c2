package main

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/platform/localpg"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// say sends a request and returns the whole response.
func (s *host) say(method, address, body string, headers ...string) (int, http.Header, string) {
	s.Helper()

	r, err := http.NewRequestWithContext(s.Context(), method, address, strings.NewReader(body))
	require.NoError(s, err)

	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}

	answer, err := http.DefaultClient.Do(r)
	require.NoError(s, err)

	defer answer.Body.Close()

	content, err := io.ReadAll(answer.Body)
	require.NoError(s, err)

	api.Measure(s, r, body, api.Answer{Status: answer.StatusCode, Header: answer.Header, Body: string(content)})

	return answer.StatusCode, answer.Header, string(content)
}

// guarded returns a host with an operators' address, and a dashboard at another origin.
func guarded(t *testing.T) (s *host, operators string, log *safeBuffer) {
	t.Helper()

	s, log = newHost(t), &safeBuffer{}
	socket, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)

	s.env["REELGRAPH_METRICS_ADDR"], s.env["REELGRAPH_CORS_ORIGINS"] = socket.Addr().String(), "https://studio.example"
	s.env["REELGRAPH_ORIGINS"] = "https://also.example"

	require.NoError(t, socket.Close())

	s.startLogged(log)
	s.newOwner()
	require.NotEmpty(t, s.key)

	return s, "http://" + s.env["REELGRAPH_METRICS_ADDR"], log
}

// signIn sets a person's password and signs them in.
func (s *host) signIn(email string) (cookie string) {
	s.Helper()

	a := app{
		stdin: strings.NewReader("correct horse\n"), stdout: io.Discard, stderr: s.Output(),
		getenv: func(name string) string { return s.env[name] },
	}
	require.NoError(s, a.run(s.Context(), []string{"reelgraph", "users", "password", "--user", email}))

	document, err := json.Marshal(map[string]any{
		"query":     `mutation ($in: SignInInput!) { signIn(input: $in) { session { id } } }`,
		"variables": map[string]any{"in": map[string]any{"email": email, "password": "correct horse"}},
	})
	require.NoError(s, err)

	_, h, body := s.say(http.MethodPost, s.base+"/graphql", string(document), "Content-Type", "application/json", "Origin", s.base)
	cookie, _, _ = strings.Cut(h.Get("Set-Cookie"), ";")
	require.Contains(s, cookie, "reel_st_", body)

	return cookie
}

func TestTheServerIsGuarded(t *testing.T) { //nolint:tparallel // the last reads the log of the others
	t.Parallel()

	s, operators, log := guarded(t)

	t.Run("EveryAnswerTellsBrowsers", func(t *testing.T) { //nolint:paralleltest // as above
		for path, status := range map[string]int{
			"/": 200, "/docs": 200, "/openapi.json": 200, "/healthz": 200, "/readyz": 200, "/graphiql": 200, "/graphql": 401,
			"/graphql/schema.graphqls": 200, "/v1/videos": 401, "/v1/nothing": 404, "/nothing": 404, "/uploads/src_x": 405, "/uploads": 405,
			"/downloads/exp_x": 403, "/playback/x": 405, "/river/": 401, "/catalog/x": 404,
			"/welcome": 200, "/invite": 200, "/reset": 200, "/account/nothing": 404,
			"/sign-in": 200, "/sign-out": 200, // which redirects to the former
		} {
			got, h, body := s.say(http.MethodGet, s.base+path, "")
			require.Equal(t, status, got, "%s: %s", path, body)
			require.Equal(t, "nosniff", h.Get("X-Content-Type-Options"), path)
			require.NotEmpty(t, h.Get("Content-Security-Policy"), path)
			require.NotEmpty(t, h.Get("Referrer-Policy"), path)
			require.NotEmpty(t, h.Get("X-Request-Id"), path)
			require.Empty(t, h.Get("Access-Control-Allow-Credentials"), path)
		}
	})

	t.Run("TextIsCompressed", s.textIsCompressed)               //nolint:paralleltest // as above
	t.Run("WrongAddressesHavePages", s.wrongAddressesHavePages) //nolint:paralleltest // as above

	t.Run("AnotherPageHasAKey", func(t *testing.T) { //nolint:paralleltest // as above
		status, h, _ := s.say(http.MethodOptions, s.base+"/v1/videos", "",
			"Origin", "https://studio.example", "Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", "authorization")
		require.Equal(t, http.StatusNoContent, status)
		require.Equal(t, "https://studio.example", h.Get("Access-Control-Allow-Origin"))

		status, h, _ = s.say(http.MethodGet, s.base+"/v1/videos", "", "Origin", "https://studio.example", "Authorization", "Bearer "+s.key)
		require.Equal(t, http.StatusOK, status)
		require.Equal(t, "https://studio.example", h.Get("Access-Control-Allow-Origin"))

		_, h, _ = s.say(http.MethodGet, s.base+"/v1/videos", "", "Origin", "https://evil.example", "Authorization", "Bearer "+s.key)
		require.Empty(t, h.Get("Access-Control-Allow-Origin"))
	})

	t.Run("OurOtherAddresses", func(t *testing.T) { //nolint:paralleltest // as above
		local := strings.Replace(s.base, "127.0.0.1", "localhost", 1)

		for origin, allowed := range map[string]string{
			local: local, "https://also.example": "https://also.example", "http://localhost:1": "", "http://also.example": "", "null": "",
		} {
			_, h, _ := s.say(http.MethodOptions, s.base+"/uploads/su_x", "", "Origin", origin, "Access-Control-Request-Method", "PATCH")
			require.Equal(t, allowed, h.Get("Access-Control-Allow-Origin"), origin)
			require.Empty(t, h.Get("Access-Control-Allow-Credentials"), "no cookies for that origin")
		}

		cookie := s.signIn("owner@localhost")

		for origin, status := range map[string]int{
			local: 200, "https://also.example": 200, "https://studio.example": 401, "http://evil.example": 401,
		} {
			got, _, body := s.say(http.MethodPost, s.base+"/graphql", `{"query":"{ viewer { role } }"}`, "Content-Type", "application/json",
				"Origin", origin, "Cookie", cookie)
			require.Equal(t, status, got, "%s: %s", origin, body)
			require.Equal(t, status != 200, strings.Contains(body, "REELGRAPH_ORIGINS"), "%s: %s", origin, body)
		}
	})

	t.Run("UploadsAreMadeByKeyOrSession", func(t *testing.T) { //nolint:paralleltest // as above
		create := func(headers ...string) (int, http.Header) {
			status, h, _ := s.say(http.MethodPost, s.base+"/uploads", "",
				append([]string{"Tus-Resumable", "1.0.0", "Upload-Length", "7"}, headers...)...)

			return status, h
		}
		owner := s.signIn("owner@localhost")

		status, h := create("Authorization", "Bearer "+s.key, "Origin", "https://studio.example")
		require.Equal(t, http.StatusCreated, status)
		require.True(t, strings.HasPrefix(h.Get("Location"), s.base+"/uploads/su_"), h.Get("Location"))
		require.NotEmpty(t, h.Get("X-RateLimit-Remaining"))

		for _, shown := range []string{"Location", "Upload-Offset", "Upload-Length", "Tus-Resumable", "Tus-Extension", "Reelgraph-Source-Id"} {
			require.Contains(t, h.Get("Access-Control-Expose-Headers"), shown)
		}

		status, _ = create("Cookie", owner, "Origin", s.base)
		require.Equal(t, http.StatusCreated, status)

		status, _ = create("Cookie", owner, "Origin", "https://evil.example")
		require.Equal(t, http.StatusUnauthorized, status)

		status, _ = create()
		require.Equal(t, http.StatusUnauthorized, status)

		status, h, _ = s.say(http.MethodOptions, s.base+"/uploads", "", "Origin", "https://studio.example",
			"Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", "tus-resumable,upload-length,upload-metadata")
		require.Equal(t, http.StatusNoContent, status)

		for _, sent := range []string{
			"Upload-Concat", "Upload-Defer-Length", "Upload-Length", "Upload-Metadata", "Upload-Offset", "X-HTTP-Method-Override",
			"traceparent", "apollographql-client-name", "apollographql-client-version",
		} {
			require.Contains(t, h.Get("Access-Control-Allow-Headers"), sent)
		}
	})

	t.Run("PagesAboutJobsAreForOperators", func(t *testing.T) { //nolint:paralleltest // as above
		page, list := s.base+"/river/", s.base+"/river/api/queues"
		owner := s.signIn("owner@localhost")

		_, err := command(t, s.env, "keys", "create", "--user", "other@example.com", "--workspace", "Elsewhere")
		require.NoError(t, err)

		other := s.signIn("other@example.com")

		_, err = command(t, s.env, "keys", "create", "--user", "member@example.com", "--workspace", "My workspace")
		require.NoError(t, err)

		member := s.signIn("member@example.com")

		for name, c := range map[string]struct {
			headers []string
			status  int
		}{
			"typed":                         {[]string{"Cookie", owner, "Sec-Fetch-Site", "none"}, 200},
			"from our own page":             {[]string{"Cookie", owner, "Sec-Fetch-Site", "same-origin"}, 200},
			"from another page":             {[]string{"Cookie", owner, "Sec-Fetch-Site", "cross-site", "Origin", "https://evil.example"}, 401},
			"linked elsewhere":              {[]string{"Cookie", owner, "Sec-Fetch-Site", "cross-site"}, 200},
			"without https":                 {[]string{"Cookie", owner}, 200},
			"nobody":                        {nil, 401},
			"a made-up session":             {[]string{"Cookie", owner + "x", "Sec-Fetch-Site", "none"}, 401},
			"a key":                         {[]string{"Authorization", "Bearer " + s.key}, 401},
			"a member":                      {[]string{"Cookie", member, "Sec-Fetch-Site", "none"}, 403},
			"an owner of another workspace": {[]string{"Cookie", other, "Sec-Fetch-Site", "none"}, 403},
		} {
			for _, address := range []string{page, list} {
				status, h, body := s.say(http.MethodGet, address, "", c.headers...)
				require.Equal(t, c.status, status, "%s, %s: %s", name, address, body)
				require.Contains(t, h.Get("Content-Security-Policy"), "frame-ancestors 'none'")
			}
		}

		status, _, body := s.say(http.MethodGet, page+"jobs?state=running", "", "Accept", "text/html,*/*", "Sec-Fetch-Site", "none")
		require.Equal(t, http.StatusOK, status)
		require.Contains(t, body, `name="to" value="/river/jobs?state=running"`, "an anonymous visitor is asked to sign in")

		status, _, body = s.say(http.MethodGet, page, "", "Accept", "text/html,*/*", "Cookie", member, "Sec-Fetch-Site", "none")
		require.Equal(t, http.StatusForbidden, status)
		require.Contains(t, body, "<p>Only owners of the first workspace", "as a page")

		status, _, _ = s.say(http.MethodPut, s.base+"/river/api/queues/webhook/pause", "", "Cookie", owner, "Sec-Fetch-Site", "none")
		require.Equal(t, http.StatusUnauthorized, status, "a PUT is not a page visit")

		status, _, _ = s.say(http.MethodPut, s.base+"/river/api/queues/webhook/pause", "", "Cookie", owner)
		require.Equal(t, http.StatusUnauthorized, status, "without Sec-Fetch-Site, the request is not from our page")

		_, _, body = s.say(http.MethodGet, list, "", "Cookie", owner, "Sec-Fetch-Site", "same-origin")
		require.Contains(t, body, `"webhook"`)
	})

	t.Run("OperatorsSeeFigures", func(t *testing.T) { //nolint:paralleltest // as above
		for path, holds := range map[string]string{
			"/metrics": "reelgraph_http_request_duration_seconds_count", "/debug/pprof/": "goroutine", "/readyz": "ready", "/healthz": "ok",
		} {
			status, _, body := s.say(http.MethodGet, operators+path, "")
			require.Equal(t, http.StatusOK, status, path)
			require.Contains(t, body, holds, path)

			if path == "/metrics" || path == "/debug/pprof/" {
				status, _, _ = s.say(http.MethodGet, s.base+path, "")
				require.Equal(t, http.StatusNotFound, status, "not on the public port: %s", path)
			}
		}

		require.Eventually(t, func() bool { // the first job may take a while
			_, _, body := s.say(http.MethodGet, operators+"/metrics", "")

			return strings.Contains(body, `reelgraph_job_duration_seconds_count{kind=`)
		}, time.Minute, 50*time.Millisecond)
	})

	t.Run("NoSecretIsInTheLog", func(t *testing.T) { //nolint:paralleltest // as above
		// Errors while secrets are in use.
		for _, address := range []string{"/uploads/src_x?token=1.abcdefghijklmnop", "/v1/videos?cursor=reel_pk_" + strings.Repeat("x", 32)} {
			s.say(http.MethodPut, s.base+address, "x", "Authorization", "Bearer "+s.key)
		}

		require.NotContains(t, log.String(), s.key)
		require.NotRegexp(t, `reel_(pk|st)_\w{8}|whsec_\w{8}|token=\d`, log.String())
	})
}

// A server whose storage takes no files is not ready, and is ready again when it does.
func TestReadyzReportsOutages(t *testing.T) {
	t.Parallel()

	s := newHost(t)
	pg := temporary(t)
	s.env["DATABASE_URL"] = pg.dsn
	s.start()

	// A file in place of the media folder.
	blobs := filepath.Join(s.env["REELGRAPH_DATA"], "blobs")
	require.NoError(t, os.Rename(blobs, blobs+".away"))
	require.NoError(t, os.WriteFile(blobs, nil, 0o600))

	waitFor := func(status int, reason string) {
		require.Eventually(t, func() bool {
			got, _, body := s.say(http.MethodGet, s.base+"/readyz", "")

			return got == status && strings.Contains(body, reason)
		}, time.Minute, 50*time.Millisecond, reason)
	}
	waitFor(http.StatusServiceUnavailable, "storage")

	require.NoError(t, os.Remove(blobs))
	require.NoError(t, os.Rename(blobs+".away", blobs))
	waitFor(http.StatusOK, "ready")

	// A read-only database, such as one left behind by a switch-over.
	pg.exec("ALTER SYSTEM SET default_transaction_read_only = on")
	pg.exec("SELECT pg_reload_conf()")
	waitFor(http.StatusServiceUnavailable, "database")
	pg.exec("ALTER SYSTEM RESET default_transaction_read_only")
	pg.exec("SELECT pg_reload_conf()")
	waitFor(http.StatusOK, "ready")

	require.NoError(t, pg.stop())
	waitFor(http.StatusServiceUnavailable, "database")

	status, _, _ := s.say(http.MethodGet, s.base+"/healthz", "")
	require.Equal(t, http.StatusOK, status, "alive, waiting for the database")
}

// rented is a Postgres for one test.
type rented struct {
	*testing.T

	dsn  string
	stop func() error
}

func temporary(t *testing.T) rented {
	t.Helper()

	pg, err := localpg.StartTemp(t.Context())
	require.NoError(t, err)

	r := rented{T: t, dsn: pg.DSN(), stop: sync.OnceValue(pg.Stop)}
	t.Cleanup(func() { require.NoError(t, r.stop()) })

	return r
}

// exec runs a statement, even when the database is read-only.
func (r rented) exec(statement string) {
	r.Helper()

	db, err := sql.Open("postgres", r.dsn)
	require.NoError(r, err)

	defer db.Close()

	_, err = db.ExecContext(r.Context(), statement)
	require.NoError(r, err)
}

// A database's password never appears in the program's output.
func TestWrongDatabaseIsReportedWithoutItsPassword(t *testing.T) {
	t.Parallel()

	var said bytes.Buffer

	env := map[string]string{
		"DATABASE_URL": "postgres://someone:hush-hush@127.0.0.1:1/db?sslmode=disable", "REELGRAPH_ADDR": "127.0.0.1:0",
		"REELGRAPH_DATA": filepath.Join(t.TempDir(), "data"),
	}
	a := app{stdout: &said, stderr: &said, getenv: func(name string) string { return env[name] }}
	err := a.run(t.Context(), []string{"reelgraph", "serve"})
	require.Error(t, err)
	require.NotContains(t, err.Error()+said.String(), "hush-hush")
}
