package router

import (
	"database/sql"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/platform/fault"
)

func TestErrorsHaveExactlyThreeFields(t *testing.T) {
	t.Parallel()

	a := setup(t)
	long := strings.Repeat("x", 1<<20)

	for _, c := range []struct {
		name, method, target, body string
		header                     []string
		status                     int
		code                       fault.Code
		message                    string
	}{
		{"route", "GET", "/v1/nothing", "", nil, 404, "not_found", "No such route."},
		{"trailing slash", "GET", "/v1/books/", "", nil, 404, "not_found", "No such route."},
		{"empty segment", "PUT", "/v1/books//text", "x", []string{"Content-Type", "text/vtt"}, 404, "not_found", "No such route."},
		{"route before key", "GET", "/v1/nothing", "", []string{"Authorization", ""}, 404, "not_found", "No such route."},
		{
			"method", "POST", "/v1/books/x", "", nil, 405, "bad_request",
			"This route does not support the method POST; it supports GET, HEAD, PATCH, DELETE.",
		},
		{"method before key", "PUT", "/v1/books/x", "", []string{"Authorization", ""}, 405, "bad_request", ""},
		{"unknown method", "BREW", "/v1/books/x", "", nil, 405, "bad_request", ""},
		{"unknown method of no route", "BREW", "/v1/nothing", "", nil, 404, "not_found", ""},
		{"key", "GET", "/v1/books/x", "", []string{"Authorization", "Bearer x"}, 401, "unauthorized", ""},
		{"key before size", "PATCH", "/v1/books/x", long + "x", []string{"Authorization", ""}, 401, "unauthorized", ""},
		{"size", "PATCH", "/v1/books/x", long + "x", nil, 413, "bad_request", ""},
		{"target", "GET", "/v1/books/x?" + strings.Repeat("x", 8192), "", nil, 414, "bad_request", ""},
		{"type", "PATCH", "/v1/books/x", "name=x", []string{"Content-Type", "application/x-www-form-urlencoded"}, 415, "bad_request", ""},
		{"headers", "GET", "/v1/books/x", "", []string{"X-Large", strings.Repeat("x", 65<<10)}, 431, "bad_request", ""},
		{"key header before body", "PATCH", "/v1/books/x", "{", []string{"Idempotency-Key", `"x`}, 400, "bad_request", ""},
		{
			"body", "PATCH", "/v1/books/x", `{"Name":1}`, nil, 400, "bad_request",
			`Name is not a known property: did you mean "name"?; name is required.`,
		},
		{"empty body", "PATCH", "/v1/books/x", "", nil, 400, "bad_request", "name is required."},
		{"no body wanted", "DELETE", "/v1/books/x", `{"x":1}`, nil, 400, "bad_request", "x is not a known property."},
		{
			"query", "GET", "/v1/books/x?limit=0&limit=1&cursor=&kinds=round,none&unknown=%zz", "", nil, 400, "bad_request",
			"limit must be at least 1 and at most 100; limit must not be given twice; " +
				"cursor must not be empty; kinds must be one of none, regular, squircle.",
		},
		{"operation", "GET", "/v1/books/gone", "", nil, 404, "not_found", "No such book."},
		{"conflict", "PATCH", "/v1/books/x", `{"name":"n"}`, []string{"If-Match", `"6-x"`}, 409, "edit_conflict", ""},
		{"unforeseen", "GET", "/v1/books/foreign", "", nil, 500, "server_error", ""},
		{"panic", "GET", "/v1/books/panic", "", nil, 500, "server_error", ""},
	} {
		resp, body := a.ask(c.method, c.target, c.body, c.header...)
		require.Equal(t, c.status, resp.StatusCode, "%s: %s", c.name, body)
		require.Equal(t, "application/json", resp.Header.Get("Content-Type"), c.name)
		require.Equal(t, map[bool]string{true: "Bearer"}[c.status == 401], resp.Header.Get("WWW-Authenticate"), c.name)
		require.Equal(t, c.status == 405, resp.Header.Get("Allow") != "", c.name)

		var fields map[string]string
		require.NoError(t, json.Unmarshal([]byte(body), &fields), c.name)
		require.Len(t, fields, 3, c.name)
		require.Equal(t, string(c.code), fields["error"], c.name)
		require.Equal(t, "https://example.org/docs/errors#"+string(c.code), fields["docsUrl"], c.name)
		require.NotEmpty(t, fields["message"])
		require.NotContains(t, body, "secret cause", c.name)

		if c.message != "" {
			require.Equal(t, c.message, fields["message"], c.name)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()

	faults := Errors{Log: slog.New(slog.DiscardHandler)}
	later := fault.Conflict("Still running.")
	later.RetryAfter = 1500 * time.Millisecond

	for _, c := range []struct {
		err   error
		after string
	}{
		{fault.RateLimited(0), "1"},
		{fault.RateLimited(41100 * time.Millisecond), "42"},
		{&fault.Error{Code: fault.UnavailableCode}, "1"},
		{later, "2"},
		{fault.Conflict("Busy."), ""},
		{fault.NotImplemented("No."), ""},
	} {
		w := httptest.NewRecorder()
		faults.Write(w, httptest.NewRequest(http.MethodGet, "/", nil), c.err)
		require.Equal(t, c.after, w.Header().Get("Retry-After"), c.err)
	}
}

func TestErrorIsClassifiedByTheGraph(t *testing.T) {
	t.Parallel()

	faults := Errors{Log: slog.New(slog.DiscardHandler), Classify: func(err error) *fault.Error {
		if errors.Is(err, sql.ErrNoRows) {
			return fault.NotFound("video")
		}

		return nil
	}}

	for err, status := range map[error]int{sql.ErrNoRows: 404, io.EOF: 500, fault.Forbidden("No."): 403} {
		w := httptest.NewRecorder()
		w.Header().Set("Location", "/")
		faults.Write(w, httptest.NewRequest(http.MethodGet, "/", nil), err)
		require.Equal(t, status, w.Code)
		require.Empty(t, w.Header().Get("Location"))
	}
}
