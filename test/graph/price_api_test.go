package graph_test

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// dear costs seven requests.
const dear = `query ($n: Int!) { videos(first: $n) { nodes { id name clips(first: 20) { nodes { id name } } } } }`

// used returns the requests counted for a member so far, over all minutes.
func used(t *testing.T, s *api.Server, m testkit.Member) (total int) {
	t.Helper()

	require.NoError(t, s.Store.DB.QueryRow(`SELECT coalesce(sum(used), 0) FROM rate_windows WHERE subject = $1`,
		m.UserID+":"+m.WorkspaceID).Scan(&total))

	return total
}

// charged returns the cost that an answer reports.
func charged(t *testing.T, answer string) int {
	t.Helper()

	var told struct {
		Extensions struct{ Cost struct{ Charged int } }
	}

	require.NoError(t, json.Unmarshal([]byte(answer), &told), answer)

	return told.Extensions.Cost.Charged
}

// The counted cost equals the cost reported in the answer, for known and new documents and every transport.
func TestDocumentCostIsEqualOnEveryTransport(t *testing.T) {
	t.Parallel()

	const large = 17 << 10

	s := api.New(t, api.Options{})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	hash := func(document string) string {
		sum := sha256.Sum256([]byte(document))

		return `"extensions":{"persistedQuery":{"version":1,"sha256Hash":"` + hex.EncodeToString(sum[:]) + `"}}`
	}
	given := func(document string) string {
		text, err := json.Marshal(document)
		require.NoError(t, err)

		return `"query":` + string(text)
	}

	const variables = `"variables":{"n":100}`

	post := func(body string) string { return s.Call(t, m.Key, http.MethodPost, "/graphql", body).Body }
	get := func(document, body string) string {
		target := "/graphql?" + url.Values{"query": {document}, "variables": {`{"n":100}`}}.Encode()

		return s.Call(t, m.Key, http.MethodGet, target, body).Body
	}
	raw := func(write func(conn io.Writer, body string)) func(string) string {
		return func(document string) string {
			conn, err := net.Dial("tcp", s.Listener.Addr().String())
			require.NoError(t, err)

			defer conn.Close()

			write(conn, "{"+given(document)+","+variables+"}")

			answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
			require.NoError(t, err)

			text, err := io.ReadAll(answer.Body)
			require.NoError(t, err)
			require.NoError(t, answer.Body.Close())

			return string(text)
		}
	}
	head := "POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: Bearer " + m.Key + "\r\n"
	message := func(padding string) func(string) string {
		return func(document string) string {
			return operate(t, s, m.Key, "/graphql", `{`+given(document)+`,`+variables+padding+`}`)
		}
	}

	for name, ask := range map[string]func(document string) string{
		"POST": func(d string) string { return post(`{` + given(d) + `,` + variables + `}`) },
		"large POST": func(d string) string {
			return post(`{` + given(d) + `,` + variables + strings.Repeat(" ", large) + `}`)
		},
		"hash":      func(d string) string { return post(`{` + given(d) + `,` + variables + `,` + hash(d) + `}`) },
		"GET":       func(d string) string { return get(d, "") },
		"GET, body": func(d string) string { return get(d, strings.Repeat("x", large)) },
		"in chunks": raw(func(conn io.Writer, body string) {
			_, err := fmt.Fprintf(conn, "%sTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", head, len(body), body)
			require.NoError(t, err)
		}),
		"once told to": raw(func(conn io.Writer, body string) {
			_, err := fmt.Fprintf(conn, "%sContent-Length: %d\r\nExpect: 100-continue\r\n\r\n", head, len(body))
			require.NoError(t, err)

			told, err := http.ReadResponse(bufio.NewReader(conn.(io.Reader)), nil)
			require.NoError(t, err)
			require.Equal(t, http.StatusContinue, told.StatusCode)
			require.NoError(t, told.Body.Close())

			_, err = io.WriteString(conn, body)
			require.NoError(t, err)
		}),
		"message":       message(""),
		"large message": message(`,"extensions":{"padding":"` + strings.Repeat("x", large) + `"}`),
	} {
		document := dear + " # " + name

		for _, known := range []string{"new", "known", "known"} {
			before := used(t, s, m)
			answer := ask(document)
			cost := used(t, s, m) - before

			if strings.HasSuffix(name, "message") {
				cost-- // opening the websocket
			}

			require.Equal(t, 7, charged(t, answer), "%s, %s: %s", name, known, answer)
			require.Equal(t, 7, cost, "%s, %s", name, known)
		}
	}

	before := used(t, s, m)
	require.Equal(t, 7, charged(t, post(`{`+hash(dear+" # hash")+`,`+variables+`}`)))
	require.Equal(t, 7, used(t, s, m)-before)

	// Opening a websocket does not run an operation in its URL.
	before = used(t, s, m)
	operate(t, s, m.Key, "/graphql?"+url.Values{"query": {dear + " # GET"}, "variables": {`{"n":100}`}}.Encode(), `{"query":"{ __typename }"}`)
	require.Equal(t, 1+1, used(t, s, m)-before, "opened, asked")
}

// operate sends one operation over a new websocket and returns its first answer.
func operate(t *testing.T, s *api.Server, key, target, payload string) string {
	t.Helper()

	conn, _, err := websocket.Dial(t.Context(), s.URL+target, &websocket.DialOptions{ //nolint:bodyclose // the library closes it
		Subprotocols: []string{"graphql-transport-ws"}, HTTPHeader: http.Header{"Authorization": {"Bearer " + key}},
	})
	require.NoError(t, err)

	defer func() { _ = conn.CloseNow() }()

	for _, m := range []string{
		`{"type":"connection_init"}`,
		`{"type":"subscribe","id":"1","payload":` + payload + `}`,
	} {
		require.NoError(t, conn.Write(t.Context(), websocket.MessageText, []byte(m)))
	}

	for range 2 {
		_, said, err := conn.Read(t.Context())
		require.NoError(t, err)

		var m struct {
			Type    string
			Payload json.RawMessage
		}

		require.NoError(t, json.Unmarshal(said, &m))

		if m.Type != "connection_ack" {
			return string(m.Payload)
		}
	}

	return ""
}

// A message that cannot be read counts like any other.
func TestUnreadableMessagesAreCounted(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})

	for _, payload := range []string{`7`, `{"query":7}`, `{"query":"{ viewer { role } }","padding":[` + strings.Repeat(`1,`, 20<<10) + `1],"variables":3}`} {
		before := used(t, s, m)
		require.Contains(t, operate(t, s, m.Key, "/graphql", payload), "bad_request")
		require.Equal(t, 2, used(t, s, m)-before)
	}
}

// A websocket whose key is over its limit is refused with the time to try again.
func TestWebsocketRefusedOverLimit(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{Quota: 3})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})

	_, err := s.Store.DB.Exec(`INSERT INTO rate_windows (subject, minute, used)
		SELECT $1, date_trunc('minute', now()) + later, 3 FROM unnest('{0 min, 1 min}'::interval[]) later`, m.UserID+":"+m.WorkspaceID)
	require.NoError(t, err)

	conn, _, err := websocket.Dial(t.Context(), s.URL+"/graphql", &websocket.DialOptions{ //nolint:bodyclose // the library closes it
		Subprotocols: []string{"graphql-transport-ws"},
	})
	require.NoError(t, err)

	defer func() { _ = conn.CloseNow() }()

	require.NoError(t, conn.Write(t.Context(), websocket.MessageText,
		[]byte(`{"type":"connection_init","payload":{"Authorization":"Bearer `+m.Key+`"}}`)))

	_, _, err = conn.Read(t.Context())
	require.Equal(t, websocket.StatusTryAgainLater, websocket.CloseStatus(err))
	require.Regexp(t, `Try again in [1-9]\d* s"`, err.Error())
}

// The cost of a new document is counted in a separate statement, that of a known document with the request.
func TestKnownDocumentCostIsCountedWithRequest(t *testing.T) {
	t.Parallel()

	wire := api.NewWire(t, testkit.Database(t))
	s := api.New(t, api.Options{DSN: wire.DSN, Quota: 1000})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	document := dear

	// No request updates when its key was last used.
	_, err := s.Store.DB.ExecContext(t.Context(), "UPDATE api_keys SET last_used_at = now() + interval '1 hour'")
	require.NoError(t, err)

	ask := func(n int) (statements int64, cost, left int) {
		before := wire.Count()
		g := s.Ask(t, m.Key, document, map[string]any{"n": n})
		require.Empty(t, g.Errors, g.Body)

		left, err := strconv.Atoi(g.Header.Get("X-RateLimit-Remaining"))
		require.NoError(t, err)

		return wire.Count() - before, charged(t, g.Body), left
	}

	first, cost, left := ask(100)
	require.Equal(t, 7, cost)

	second, _, after := ask(100)
	require.Equal(t, first-1, second)

	third, less, last := ask(10)
	require.Equal(t, 1, less)
	require.Equal(t, second, third)

	if last < after && after < left { // the window did not turn over
		require.Equal(t, []int{993, 986, 985}, []int{left, after, last})
	}
}
