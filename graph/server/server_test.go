package server_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/graph/server"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
)

func query(text string) string {
	return `{"query":` + strconv.Quote(text) + `}`
}

func TestMediaTypesAndStatuses(t *testing.T) {
	t.Parallel()

	s := start(t)
	good := query("{ viewer { user { email } } }")

	for _, c := range []struct {
		method, target, accept, body string
		status                       int
		kind, want                   string
	}{
		{"POST", "/", "", good, 200, plain, `{"data":{"viewer":{"user":{"email":"ann@example.test"}}},"extensions":{"cost":{"complexity":3,"charged":1}}}`},
		{"POST", "/", "*/*", good, 200, plain, `"data"`},
		{"POST", "/", "text/html", good, 200, plain, `"data"`},
		{"POST", "/", response, good, 200, response, `"data"`},
		{"POST", "/", response + ", application/json", good, 200, response, `"data"`},
		{"POST", "/", response + ";q=0.5, application/json", good, 200, plain, `"data"`},
		{"GET", "/?query=" + url.QueryEscape("{ __typename }"), response, "", 200, response, `{"data":{"__typename":"Query"}`},
		{"GET", "/?operationName=B&query=" + url.QueryEscape("query A { __typename } query B { b: __typename }"), plain, "", 200, plain, `{"data":{"b":"Query"}`},
		{"GET", "/?variables=" + url.QueryEscape(`{"id":"v"}`) + "&query=" + url.QueryEscape("query ($id: ID!) { video(id: $id) { id } }"), plain, "", 200, plain, `{"data":{"video":{"id":"v"}}`},

		{"POST", "/", response, query("{"), 400, response, `{"errors":[{"message":"Expected Name, found <EOF>","locations":[{"line":1,"column":2}],"extensions":{"code":"bad_request"`},
		{"POST", "/", plain, query("{"), 200, plain, `{"errors":[{"message":"Expected Name`},
		{"POST", "/", response, query("{ nope }"), 400, response, `"code":"bad_request"`},
		{"POST", "/", response, query("query A { __typename } query B { __typename }"), 400, response, "set operationName to the one"},
		{"POST", "/", response, `{"query":"query A { __typename }","operationName":"B"}`, 400, response, "no operation with that operationName"},
		{"POST", "/", response, `{"query":"query ($id: ID!) { video(id: $id) { id } }"}`, 400, response, `"message":"variables.id must be defined.","locations":[{"line":1,"column":8}],"extensions":{"code":"bad_request"`},
		{"POST", "/", plain, `{"query":"query ($id: ID!) { video(id: $id) { id } }","variables":{"id":{}}}`, 200, plain, "variables.id must be a string"},
		{"POST", "/", response, query("{ playlists(visibility: 30) { nodes { id } } }"), 400, response, " It is one of ORG, PERSONAL."},
		{"POST", "/", response, query("{ playlists(visibility: EVERYBODY) { nodes { id } } }"), 400, response, " It is one of ORG, PERSONAL."},
		{
			"POST", "/", plain, `{"query":"query ($v: Visibility!) { playlists(visibility: $v) { nodes { id } } }","variables":{"v":"everybody"}}`, 200, plain,
			"variables.v everybody is not a valid Visibility. It is one of ORG, PERSONAL.",
		},
		{"POST", "/", response, query("{" + strings.Repeat("a{", 16) + "b" + strings.Repeat("}", 17)), 400, response, "nested deeper than 15 levels"},
		{"POST", "/", response, query("{ videos(first: 100) { nodes { exports(first: 100) { nodes { id } } } } }"), 400, response, "complexity of 20201"},
		{"POST", "/", response, query(`subscription { exportProgress(id: "two") { id } }`), 400, response, "server-sent events"},

		{"POST", "/", plain, `{"query":`, 400, plain, "must be one JSON object"},
		{"POST", "/", plain, `[]`, 400, plain, "Batches are not supported"},
		{"POST", "/", plain, `{"query":"{ __typename }"} {}`, 400, plain, "unexpected data after the object"},
		{"POST", "/", plain, ``, 400, plain, "has no body"},
		{"POST", "/", plain, `{"qeury":"x"}`, 400, plain, "query is required"},
		{"POST", "/", plain, `{"query":{}}`, 400, plain, failing("bad_request", "query must be a string.")},
		{"POST", "/", plain, `{"query":"{ __typename }","variables":[]}`, 400, plain, "variables must be an object"},
		{"POST", "/", plain, `{"query":"{ __typename }","operationName":7}`, 400, plain, "operationName must be a string"},
		{"POST", "/", plain, `{"query":"{ __typename }","operationName":null,"variables":null,"extensions":null,"id":1}`, 200, plain, `"data"`},
		{"GET", "/?query=a&query=b", plain, "", 400, plain, "query must be given only once"},
		{"GET", "/?query=a&variables=b", plain, "", 400, plain, "variables must be a JSON object"},
		{"GET", "/?query=" + url.QueryEscape(`mutation { deleteVideo(id: 1) { deletedId } }`), plain, "", 405, plain, "only served by POST"},
		{"PUT", "/", plain, good, 405, plain, "only served by GET, POST"},
		{"POST", "/", plain, `"` + strings.Repeat("x", 1<<20) + `"`, 413, plain, `"code":"bad_request"`},
		{"GET", "/?query=" + strings.Repeat("x", 9<<10), plain, "", 414, plain, `"code":"bad_request"`},
	} {
		answer, body := s.ask(t, c.method, c.target, c.accept, c.body)
		require.Equal(t, c.status, answer.StatusCode, "%.200s: %.300s", c.body, body)
		require.Equal(t, c.kind+"; charset=utf-8", answer.Header.Get("Content-Type"), c.body)
		require.Contains(t, body, c.want)
		require.Equal(t, "no-store", answer.Header.Get("Cache-Control"))
		require.True(t, json.Valid([]byte(body)))

		if answer.StatusCode != http.StatusOK {
			require.NotContains(t, body, `"data"`)
		}
	}

	answer, _ := s.ask(t, "POST", "/", plain, good, "Content-Type", "text/plain")
	require.Equal(t, 415, answer.StatusCode)

	answer, _ = s.ask(t, "PUT", "/", plain, good)
	require.Equal(t, "GET, POST", answer.Header.Get("Allow"))

	answer, _ = s.ask(t, "POST", "/", plain, good, "Idempotency-Key", "é")
	require.Equal(t, 400, answer.StatusCode)
}

func TestGateRunsFirst(t *testing.T) {
	t.Parallel()

	s := start(t)

	answer, body := s.ask(t, "POST", "/", plain, "{", "Authorization", "Bearer bad")
	require.Equal(t, 401, answer.StatusCode)
	require.Equal(t, "Bearer", answer.Header.Get("WWW-Authenticate"))
	require.Contains(t, body, `"code":"unauthorized"`)

	s.gate.refusal = fault.RateLimited(7 * time.Second)
	answer, body = s.ask(t, "POST", "/", response, "{")
	require.Equal(t, 429, answer.StatusCode)
	require.Equal(t, "7", answer.Header.Get("Retry-After"))
	require.Contains(t, body, `"code":"rate_limited"`)
}

func TestComplexityIsPaidBeforeExecution(t *testing.T) {
	t.Parallel()

	s := start(t)
	text := query("{ videos(first: 100) { nodes { " + strings.Repeat("id name ", 5) + many(20, "a#: name ") + " } } }")

	_, body := s.ask(t, "POST", "/", plain, text)
	require.Contains(t, body, `"cost":{"complexity":3101,"charged":4}`)
	require.Equal(t, 3, s.gate.spent)

	s.gate.budget = fault.RateLimited(time.Second)
	answer, body := s.ask(t, "POST", "/", plain, text)
	require.Equal(t, 429, answer.StatusCode)
	require.NotContains(t, body, `"data"`)
}

func many(n int, text string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(text, "#", fmt.Sprint(i)))
	}

	return b.String()
}

func TestErrorsOfFields(t *testing.T) {
	t.Parallel()

	s := start(t)
	place := regexp.MustCompile(`"path":\["\w+"[^]]*\],"locations":\[{"line":1,"column":\d+}\],`)

	for text, want := range map[string]string{
		`{ v: video(id: "missing") { id } }`: failing("not_found", "No such video."),
		`{ video(id: "broken") { id } }`:     failing("server_error", "Something went wrong on our side. Report the X-Request-Id of this response to the operator."),
		`{ video(id: "panic") { id } }`:      failing("server_error", "Something went wrong on our side. Report the X-Request-Id of this response to the operator."),
		`{ videos { nodes { id } } }`:        `"code":"server_error"`,
		`mutation { createWebhookEndpoint(input: {url: "ftp://x", filterTypes: []}) { secret } }`: failing("bad_request", "input.url must be an absolute http or https URL."),
	} {
		answer, body := s.ask(t, "POST", "/", response, query(text))
		require.Equal(t, 200, answer.StatusCode)
		require.Contains(t, place.ReplaceAllString(body, ""), want, text)
		require.Regexp(t, place, body)
		require.Contains(t, body, `"data":`, text)
		require.NotContains(t, body, "hunter2")
		require.NotContains(t, body, "kaboom")
		require.Equal(t, 1, strings.Count(body, `"code"`), body)
	}

	require.Contains(t, s.log.String(), "hunter2")
	require.Contains(t, s.log.String(), "kaboom")
	require.Contains(t, s.log.String(), "requestId=req1")
	require.NotContains(t, s.log.String(), "No such video")
}

func TestPersistedQueries(t *testing.T) {
	t.Parallel()

	s := start(t)
	text := "{ viewer { user { name } } }"
	sum := sha256.Sum256([]byte(text))
	asked := func(query, hash string) string {
		return fmt.Sprintf(`{"query":%q,"extensions":{"persistedQuery":{"version":1,"sha256Hash":%q}}}`, query, hash)
	}
	hash := hex.EncodeToString(sum[:])

	_, body := s.ask(t, "POST", "/", plain, asked("", hash))
	require.Contains(t, body, `"message":"PersistedQueryNotFound"`)

	answer, _ := s.ask(t, "POST", "/", plain, asked("{ __typename }", hash))
	require.Equal(t, 400, answer.StatusCode)

	for _, h := range []string{hash, strings.ToUpper(hash)} {
		for _, q := range []string{text, ""} {
			_, body = s.ask(t, "POST", "/", plain, asked(q, h))
			require.Contains(t, body, `"name":"Ann <ann>"`)
		}
	}

	target := "/?extensions=" + url.QueryEscape(`{"persistedQuery":{"version":1,"sha256Hash":"`+hash+`"}}`)
	_, body = s.ask(t, "GET", target, plain, "")
	require.Contains(t, body, `"name":"Ann <ann>"`)
}

func TestMutationIsAllOrNothing(t *testing.T) {
	t.Parallel()

	s := start(t)

	_, body := s.ask(t, "POST", "/", plain, query(`mutation { a: deleteVideo(id: "1") { deletedId } b: deleteVideo(id: "missing") { deletedId } }`))
	require.Contains(t, body, `"data":null`)
	require.Contains(t, body, `"code":"not_found"`)
}

func TestFailedCommitHidesTheResult(t *testing.T) {
	t.Parallel()

	for code, err := range map[int]error{503: fault.Unavailable(time.Second), 409: fault.Conflict("It runs."), 500: errors.New("lost")} {
		s := start(t, func(o *server.Options, _ *trial) { o.Mutations = failingMutations{err} })

		answer, body := s.ask(t, "POST", "/", plain, query(`mutation { deleteVideo(id: "1") { deletedId } }`))
		require.Equal(t, code, answer.StatusCode)
		require.NotContains(t, body, `"data"`)
		require.NotContains(t, body, "lost")
	}
}

func TestQueriesAreSafeForConcurrentUse(t *testing.T) {
	t.Parallel()

	s := start(t)

	var all sync.WaitGroup

	for i := range 20 {
		body := fmt.Sprintf(`{"query":"query ($id: ID!) { video(id: $id) { id name } }","variables":{"id":"v%d"}}`, i%10)

		all.Go(func() { assert.Contains(t, s.told(t, body), `"name":"A video"`) })
	}

	all.Wait()
}

// TestLongBodiesAreRefusedByTheirStart: a document that is much too long gets the same message whether its whole
// body or only its start was read.
func TestLongBodiesAreRefusedByTheirStart(t *testing.T) {
	t.Parallel()

	s := start(t)
	long := strings.Repeat("x", 1_000_000)

	for _, body := range []string{
		`{"query":"{ x(y: \"` + long + `\") }"}`,
		`{"operationName":null,"query":"{ x(y: \"` + long + `\") }"}`,
	} {
		for _, header := range [][]string{nil, {"Idempotency-Key", "one"}} {
			answer, text := s.ask(t, http.MethodPost, "/", response, body, header...)
			require.Equal(t, http.StatusBadRequest, answer.StatusCode)
			require.Contains(t, text, failing("bad_request", "The document is longer than 65536 bytes. Pass long values as variables."))
		}
	}

	answer, _ := s.ask(t, http.MethodPost, "/", response, `{"query":"`+long+long+`"}`)
	require.Equal(t, http.StatusRequestEntityTooLarge, answer.StatusCode)
}
