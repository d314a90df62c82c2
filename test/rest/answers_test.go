package rest_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/dunglas/httpsfv"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/rest/router"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// step is a raw request and the expected answer. A code without an error status is a GraphQL error answered with 200.
type step struct {
	method, target string
	header         []string // lines
	body           string
	announced      int // Content-Length, if it differs from that of body
	status         int
	code           fault.Code
}

// Every answer has the rate limit headers in their exact form and a request id. Every error has the documented shape.
func TestEveryAnswer(t *testing.T) {
	t.Parallel()

	elsewhere := newElsewhere(router.Errors{BaseURL: api.BaseURL, Log: slog.New(slog.DiscardHandler)})
	a := &answers{T: t, Server: api.New(t, api.Options{
		Quota: 100, Also: map[string]http.Handler{"/v1/moved": elsewhere, "/v1/broken": elsewhere},
	})}
	owner := testkit.NewMember(t, a.Store, testkit.MemberOpts{})
	reader := testkit.NewMember(t, a.Store, testkit.MemberOpts{WorkspaceID: owner.WorkspaceID, Role: auth.RoleViewer})
	v := testkit.NewVideo(t, a.Store, owner, testkit.VideoOpts{})
	made := a.Call(t, owner.Key, http.MethodPost, "/v1/webhooks/endpoints", `{"url":"https://hooks.example/","filterTypes":["video.created"]}`)
	endpoint := strings.Split(made.Body, `"`)[3]

	a.owner, a.video = owner, v.ID
	as := func(m testkit.Member) string { return "Authorization: Bearer " + m.Key }
	key, broken := as(owner), "/v1/webhooks/endpoints/"+endpoint+"/secret"

	a.execute(`UPDATE webhook_endpoints SET secret_sealed = 'nonsense'`)

	for _, s := range []step{
		{target: "/v1/videos", header: []string{key}, status: 200},
		{method: http.MethodHead, target: "/v1/videos", header: []string{key}, status: 200},
		{target: "/v1/moved", header: []string{key}, status: 302},
		{target: "/v1/videos/" + v.ID, header: []string{key, "If-None-Match: *"}, status: 304},
		{target: "/v1/videos?limit=0", header: []string{key}, status: 400, code: fault.BadRequestCode},
		{target: "/v1/videos", status: 401, code: fault.UnauthorizedCode},
		{method: http.MethodDelete, target: "/v1/videos/" + v.ID, header: []string{as(reader)}, status: 403, code: fault.ForbiddenCode},
		{target: "/v1/videos/nonsense", header: []string{key}, status: 404, code: fault.NotFoundCode},
		{target: "/v1/nowhere", status: 404, code: fault.NotFoundCode},
		{method: http.MethodPut, target: "/v1/videos", header: []string{key}, status: 405, code: fault.BadRequestCode},
		{
			method: http.MethodPatch, target: "/v1/videos/" + v.ID, header: []string{key, "If-Match: \"7-0\"", jsonBody},
			body: `{"name":"x"}`, status: 409, code: fault.EditConflictCode,
		},
		{method: http.MethodPost, target: "/v1/sources", header: []string{key, jsonBody}, announced: 1<<20 + 1, status: 413, code: fault.BadRequestCode},
		{target: "/v1/videos?x=" + strings.Repeat("x", 8<<10), header: []string{key}, status: 414, code: fault.BadRequestCode},
		{method: http.MethodPost, target: "/v1/sources", header: []string{key, "Content-Type: text/plain"}, body: "{}", status: 415, code: fault.BadRequestCode},
		{target: "/v1/videos", header: []string{key, "X-Big: " + strings.Repeat("x", 64<<10)}, status: 431, code: fault.BadRequestCode},
		{target: broken, header: []string{key}, status: 500, code: fault.ServerErrorCode},
		{target: "/v1/broken", header: []string{key}, status: 500, code: fault.ServerErrorCode},

		a.graph(200, "", key, `{viewer{role}}`),
		{target: "/graphql?query=%7Bviewer%7Brole%7D%7D", header: []string{key}, status: 200},
		a.graph(200, fault.BadRequestCode, key, `{nothing}`),
		a.graph(400, fault.BadRequestCode, key, `{nothing}`, "Accept: application/graphql-response+json"),
		a.graph(200, fault.BadRequestCode, key, `{videos(first:0){nodes{id}}}`),
		{method: http.MethodPost, target: "/graphql", header: []string{key, jsonBody}, body: `{"query":`, status: 400, code: fault.BadRequestCode},
		a.graph(401, fault.UnauthorizedCode, "X-No: key", `{viewer{role}}`),
		a.graph(200, fault.ForbiddenCode, as(reader), `mutation{deleteVideo(id:\"`+v.ID+`\"){deletedId}}`),
		a.graph(200, fault.NotFoundCode, key, `{video(id:\"nonsense\"){id}}`),
		{method: http.MethodPut, target: "/graphql", header: []string{key}, status: 405, code: fault.BadRequestCode},
		{target: "/graphql?query=mutation%7BdeleteVideo(id:1)%7BdeletedId%7D%7D", header: []string{key}, status: 405, code: fault.BadRequestCode},
		{method: http.MethodPost, target: "/graphql", header: []string{key, jsonBody}, announced: 1<<20 + 1, status: 413, code: fault.BadRequestCode},
		{target: "/graphql?query=" + strings.Repeat("x", 8<<10), header: []string{key}, status: 414, code: fault.BadRequestCode},
		{method: http.MethodPost, target: "/graphql", header: []string{key, "Content-Type: text/plain"}, body: "{}", status: 415, code: fault.BadRequestCode},
		a.graph(431, fault.BadRequestCode, key, `{viewer{role}}`, "X-Big: "+strings.Repeat("x", 64<<10)),
		a.graph(200, fault.ServerErrorCode, key, `{webhookSecret(endpointId:\"`+endpoint+`\")}`),
	} {
		a.provoke(s)
	}

	a.whileRunning(step{
		method: http.MethodPatch, target: "/v1/videos/" + v.ID, header: []string{key, jsonBody, "Idempotency-Key: a"},
		body: `{"name":"x"}`, status: 409, code: fault.ConflictCode,
	})
	a.whileRunning(a.graph(409, fault.ConflictCode, key,
		`mutation{updateVideo(id:\"`+v.ID+`\",input:{name:\"y\"}){video{id}}}`, "Idempotency-Key: a"))

	a.spend(owner)
	a.provoke(step{target: "/v1/videos", header: []string{key}, status: 429, code: fault.RateLimitedCode})
	a.provoke(a.graph(429, fault.RateLimitedCode, key, `{viewer{role}}`))
	a.provoke(a.graph(200, "", as(reader), `{viewer{role}}`))

	writer := testkit.NewMember(t, a.Store, testkit.MemberOpts{})

	a.execute(`ALTER TABLE idempotency_keys ADD CHECK (false) NOT VALID`)
	a.provoke(a.graph(500, fault.ServerErrorCode, as(writer), `mutation{createSource(input:{}){uploadUrl}}`, "Idempotency-Key: b"))

	a.execute(`ALTER TABLE rate_windows RENAME TO gone_too`)
	a.provoke(step{target: "/v1/videos", header: []string{key}, status: 503, code: fault.UnavailableCode})
	a.provoke(a.graph(503, fault.UnavailableCode, key, `{viewer{role}}`))
	a.provoke(step{target: "/v1/nowhere", header: []string{key}, status: 404, code: fault.NotFoundCode})
}

const jsonBody = "Content-Type: application/json"

// answers sends requests that provoke every answer of a server, and checks the answers.
type answers struct {
	*testing.T
	*api.Server

	owner testkit.Member
	video string
	asked int
}

func (a *answers) graph(status int, code fault.Code, key, document string, header ...string) step {
	return step{
		method: http.MethodPost, target: "/graphql", header: append(header, key, jsonBody),
		body: `{"query":"` + document + `"}`, status: status, code: code,
	}
}

func (a *answers) execute(statement string, args ...any) {
	a.Helper()

	_, err := a.Store.DB.Exec(statement, args...)
	require.NoError(a, err)
}

// spend uses up a person's budget for this minute and the next, in case it begins.
func (a *answers) spend(m testkit.Member) {
	a.execute(`INSERT INTO rate_windows (subject, minute, used)
		SELECT $1, date_trunc('minute', now()) + n * interval '1 minute', 100 FROM generate_series(0, 1) n
		ON CONFLICT (subject, minute) DO UPDATE SET used = 100`, m.UserID+":"+m.WorkspaceID)
}

// whileRunning sends a keyed write of the video while the first one is still running.
func (a *answers) whileRunning(s step) {
	a.Helper()

	tx, err := a.Store.DB.Begin()
	require.NoError(a, err)

	defer tx.Rollback()

	_, err = tx.Exec(`SELECT FROM videos WHERE id = $1 FOR UPDATE`, a.video)
	require.NoError(a, err)

	first := make(chan string)

	go func() { first <- a.send(s, "first") }()

	require.Eventually(a, func() bool {
		var running bool

		err := a.Store.DB.QueryRow(`SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted
			AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))`).Scan(&running)

		return err == nil && running
	}, 10*time.Second, 5*time.Millisecond)

	a.provoke(s)
	require.NoError(a, tx.Rollback())
	require.Contains(a, <-first, "HTTP/1.1 200 OK")
}

// send writes the request unchanged, so that no client code changes a header, and returns the raw answer.
func (a *answers) send(s step, id string) string {
	conn, err := net.Dial("tcp", strings.TrimPrefix(a.URL, "http://"))
	if err != nil {
		return err.Error()
	}
	defer conn.Close()

	if s.method == "" {
		s.method = http.MethodGet
	}

	if s.announced == 0 {
		s.announced = len(s.body)
	}

	head := []string{s.method + " " + s.target + " HTTP/1.1", "Host: reel.example", "Connection: close", "X-Request-Id: " + id}
	if s.announced > 0 {
		head = append(head, "Content-Length: "+strconv.Itoa(s.announced))
	}

	if _, err := io.WriteString(conn, strings.Join(append(head, s.header...), "\r\n")+"\r\n\r\n"+s.body); err != nil {
		return err.Error()
	}

	all, err := io.ReadAll(conn)
	if err != nil {
		return err.Error()
	}

	return string(all)
}

func (a *answers) provoke(s step) {
	a.Helper()

	a.asked++
	id := fmt.Sprint("Test.", a.asked)
	name := fmt.Sprint(s.method, " ", s.target[:min(60, len(s.target))], " ", s.status, s.code)
	raw := a.send(s, id)

	resp, err := http.ReadResponse(bufio.NewReader(strings.NewReader(raw)), &http.Request{Method: s.method})
	require.NoError(a, err, name)

	defer resp.Body.Close()

	body, err := io.ReadAll(resp.Body)
	require.NoError(a, err, name)
	require.Equal(a, s.status, resp.StatusCode, "%s\n%s", name, body)

	head, _, _ := strings.Cut(raw, "\r\n\r\n")
	headers := map[string]string{}

	for _, line := range strings.Split(head, "\r\n")[1:] {
		header, value, _ := strings.Cut(line, ": ")
		require.NotContains(a, headers, header, name)
		headers[header] = value
	}

	require.Equal(a, id, headers["X-Request-Id"], name)
	rateHeaders(a, headers, s.status, name)

	switch {
	case s.code == "":
		require.NotContains(a, string(body), `"errors"`, name)
	case strings.HasPrefix(s.target, "/graphql"):
		graphError(a, body, s.code, id, name)
	default:
		restError(a, body, s.code, name)
	}
}

// rateHeaders fails unless the three kinds of rate headers, in the documented letter case, agree and are correct.
func rateHeaders(t require.TestingT, h map[string]string, status int, name string) {
	require.Equal(t, `"public-api";q=100;w=60`, h["RateLimit-Policy"], name)
	require.Equal(t, "100", h["X-RateLimit-Limit"], name)

	policy, err := httpsfv.UnmarshalList([]string{h["RateLimit-Policy"]})
	require.NoError(t, err, name)
	require.Equal(t, []any{"public-api", int64(100), int64(60)}, parts(policy, "q", "w"), name)

	list, err := httpsfv.UnmarshalList([]string{h["RateLimit"]})
	require.NoError(t, err, name)

	budget := parts(list, "r", "t")
	require.Equal(t, "public-api", budget[0], name)
	require.Equal(t, h["X-RateLimit-Remaining"], fmt.Sprint(budget[1]), name)

	left := float64(budget[2].(int64))
	require.GreaterOrEqual(t, left, 0.0, name)
	require.LessOrEqual(t, left, 60.0, name)

	reset, err := strconv.ParseInt(h["X-RateLimit-Reset"], 10, 64)
	require.NoError(t, err, name)
	require.InDelta(t, time.Until(time.UnixMilli(reset)).Seconds(), left, 1.5, name) // allow for the transfer

	retry, has := h["Retry-After"]

	switch {
	case status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable:
		require.Equal(t, "0", h["X-RateLimit-Remaining"], name)

		after, err := strconv.Atoi(retry)
		require.NoError(t, err, name)
		require.GreaterOrEqual(t, after, 1, name)
		require.InDelta(t, left, after, 1, name)
	case has:
		require.Equal(t, http.StatusConflict, status, name)
	}
}

// parts returns the single member of a list and its parameters, and fails if it has others.
func parts(list httpsfv.List, names ...string) []any {
	if len(list) != 1 {
		return nil
	}

	item, isItem := list[0].(httpsfv.Item)
	if !isItem || len(item.Params.Names()) != len(names) {
		return nil
	}

	all := []any{item.Value}

	for _, name := range names {
		value, _ := item.Params.Get(name)
		all = append(all, value)
	}

	return all
}

func restError(t require.TestingT, body []byte, code fault.Code, name string) {
	var got map[string]string

	require.NoError(t, json.Unmarshal(body, &got), name)
	require.NotEmpty(t, got["message"], name)
	require.Equal(t, map[string]string{
		"error": string(code), "message": got["message"], "docsUrl": api.BaseURL + "/docs/errors#" + string(code),
	}, got, name)
	require.NotContains(t, string(body), "secret cause")
}

func graphError(t require.TestingT, body []byte, code fault.Code, id, name string) {
	var got struct {
		Errors []struct {
			Message    string            `json:"message"`
			Extensions map[string]string `json:"extensions"`
		} `json:"errors"`
	}

	require.NoError(t, json.NewDecoder(bytes.NewReader(body)).Decode(&got), name)
	require.NotEmpty(t, got.Errors, "%s %s", name, body)

	for _, e := range got.Errors {
		require.NotEmpty(t, e.Message, name)
		require.Equal(t, map[string]string{
			"code": string(code), "requestId": id, "docsUrl": api.BaseURL + "/docs/errors#" + string(code),
		}, e.Extensions, name)
	}
}

// A panic in a handler or resolver gets an answer that does not reveal its cause.
func TestAPanicOfAResolver(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{Clock: func() time.Time { panic("the secret cause") }})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})

	a := s.Call(t, m.Key, http.MethodPost, "/v1/sources", "")
	require.Equal(t, http.StatusInternalServerError, a.Status)
	restError(t, []byte(a.Body), fault.ServerErrorCode, "REST")

	g := s.Ask(t, m.Key, `mutation { createSource(input: {}) { uploadUrl } }`, nil)
	require.Equal(t, string(fault.ServerErrorCode), g.Code())
	require.NotContains(t, g.Body, "secret cause")

	var rows int
	require.NoError(t, s.Store.DB.QueryRowContext(context.Background(), `SELECT count(*) FROM sources`).Scan(&rows))
	require.Zero(t, rows)
}
