package server_test

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/reelgraph/reelgraph/graph/server"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/idempotency"
)

type failingMutations struct{ err error }

func (f failingMutations) Run(context.Context, *idempotency.Request, func(context.Context) (idempotency.Answer, error)) (idempotency.Answer, error) {
	return idempotency.Answer{}, f.err
}

func progress(id, fields string) string {
	return query(`subscription { exportProgress(id: "` + id + `") { ` + fields + ` } }`)
}

func TestEvents(t *testing.T) {
	t.Parallel()

	s := start(t)

	answer, body := s.ask(t, "POST", "/", stream, progress("two", "id progress"))
	require.Equal(t, "text/event-stream; charset=utf-8", answer.Header.Get("Content-Type"))
	require.Equal(t, ":\n\n"+
		`event: next`+"\n"+`data: {"data":{"exportProgress":{"id":"two","progress":0}},"extensions":{"cost":{"complexity":3,"charged":1}}}`+"\n\n"+
		`event: next`+"\n"+`data: {"data":{"exportProgress":{"id":"two","progress":1}}}`+"\n\n"+
		"event: complete\ndata:\n\n", body)

	_, body = s.ask(t, "POST", "/", stream, query("{ __typename }"))
	require.Contains(t, body, "event: next\ndata: {\"data\":{\"__typename\":\"Query\"}")

	_, body = s.ask(t, "POST", "/", stream, query(`mutation { deleteVideo(id: "1") { deletedId } }`))
	require.Contains(t, body, `{"data":{"deleteVideo":{"deletedId":"1"}}`)

	for id, code := range map[string]string{"missing": "not_found", "panic": "server_error", "broken": "server_error"} {
		_, body = s.ask(t, "POST", "/", stream, progress(id, "id"))
		require.Contains(t, body, `"code":"`+code+`"`)
		require.True(t, strings.HasSuffix(body, "event: complete\ndata:\n\n"), body)
	}

	_, body = s.ask(t, "POST", "/", stream, progress("two", "id error { code }"))
	require.Equal(t, 2, strings.Count(body, `"code":"server_error"`), body)

	answer, body = s.ask(t, "POST", "/", stream, query("{ nope }"))
	require.Equal(t, 400, answer.StatusCode)
	require.Contains(t, body, `"code":"bad_request"`)
}

func TestSignsOfLife(t *testing.T) {
	t.Parallel()

	s := start(t, func(o *server.Options, _ *trial) { o.Heartbeat = time.Millisecond })
	lines, leave := s.open(t, progress("quiet", "id"))

	for range 5 {
		require.Equal(t, ":", <-lines)
		require.Empty(t, <-lines)
	}

	leave()
}

// TestJSONUnlessAStreamIsNeeded: clients list everything they can read. They get JSON unless only a stream
// is possible.
func TestJSONUnlessAStreamIsNeeded(t *testing.T) {
	t.Parallel()

	const (
		urql   = "application/graphql-response+json, application/json, text/event-stream, multipart/mixed"
		apollo = "multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/json"
		events = "text/event-stream; charset=utf-8"
		json   = "application/json; charset=utf-8"
		exact  = "application/graphql-response+json; charset=utf-8"
	)

	s := start(t)

	for _, c := range []struct{ accept, query, subscription string }{
		{urql, exact, events},
		{"text/event-stream, application/json", json, events},
		{"application/json;q=0.1, text/event-stream", json, events},
		{"text/event-stream, */*;q=0.1", json, events},
		{"text/event-stream", events, events},
		{"text/*", events, events},
		{"text/event-stream, application/json;q=0", events, events},
		{"text/event-stream, application/graphql-response+json;q=0, application/*;q=0", events, events},
		{"text/event-stream;q=0, application/json", json, ""},
		{apollo, json, ""},
		{"*/*", json, ""},
		{"application/json", json, ""},
	} {
		for operation, document := range map[string]string{"query": "{ __typename }", "mutation": `mutation { deleteVideo(id: "1") { deletedId } }`} {
			a, body := s.ask(t, "POST", "/", c.accept, query(document))
			require.Equal(t, c.query, a.Header.Get("Content-Type"), "%s for %s", operation, c.accept)
			require.Equal(t, c.query == events, strings.HasPrefix(body, ":\n\n"), body)
		}

		a, _ := s.ask(t, "POST", "/", c.accept, progress("two", "id"))
		if c.subscription == events {
			require.Equal(t, events, a.Header.Get("Content-Type"), "a subscription for %s", c.accept)
		} else {
			require.Equal(t, 400, a.StatusCode, "a subscription for %s", c.accept)
		}
	}
}

// open begins a stream and returns its lines and a function that closes it.
func (s *trial) open(t *testing.T, body string) (<-chan string, context.CancelFunc) {
	t.Helper()

	ctx, cancel := context.WithCancel(context.Background())
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL, strings.NewReader(body))
	require.NoError(t, err)

	r.Header = http.Header{"Authorization": {"Bearer good"}, "Content-Type": {plain}, "Accept": {stream}}

	answer, err := s.Client().Do(r) //nolint:bodyclose // closed elsewhere
	require.NoError(t, err)

	lines := make(chan string)

	go func() {
		defer answer.Body.Close()

		for in := bufio.NewScanner(answer.Body); in.Scan(); {
			select {
			case lines <- in.Text():
			case <-ctx.Done():
				return
			}
		}
	}()

	return lines, cancel
}

func TestGoroutinesEndWithTheirClient(t *testing.T) { //nolint:paralleltest // it counts all goroutines
	before := goleak.IgnoreCurrent()
	s := start(t, func(o *server.Options, _ *trial) { o.Heartbeat = 5 * time.Millisecond })

	for _, id := range []string{"quiet", "endless"} {
		lines, leave := s.open(t, progress(id, "id"))
		<-lines
		leave()

		c := s.dial(t, nil)
		c.send(t, `{"type":"connection_init","payload":{"Authorization":"Bearer good"}}`)
		c.send(t, `{"id":"1","type":"subscribe","payload":`+progress(id, "id")+`}`)
		c.expect(t, `{"type":"connection_ack"}`)
		require.NoError(t, c.CloseNow())
	}

	require.Eventually(t, func() bool { return s.resolvers.watching() == 0 }, 5*time.Second, time.Millisecond)

	s.Client().CloseIdleConnections()
	s.Close()
	goleak.VerifyNone(t, before)
}

// TestServerGivesUpOnClientThatStopsReading fills every buffer to a client that stopped reading, and checks that the server
// gives up.
func TestServerGivesUpOnClientThatStopsReading(t *testing.T) {
	t.Parallel()

	s := start(t, func(o *server.Options, _ *trial) { o.Patience = 50 * time.Millisecond })
	_, leave := s.open(t, progress("endless", many(30, "a#: id ")))

	require.Eventually(t, func() bool { return s.resolvers.watching() == 1 }, 5*time.Second, time.Millisecond)
	require.Eventually(t, func() bool { return s.resolvers.watching() == 0 }, 20*time.Second, 10*time.Millisecond)
	leave()
}

// dial requests a websocket and returns the status of the response.
func dial(address string, header http.Header, protocol string) (*websocket.Conn, int, error) {
	o := &websocket.DialOptions{Subprotocols: []string{protocol}, HTTPHeader: header}

	conn, answer, err := websocket.Dial(context.Background(), address, o) //nolint:bodyclose // the library closes it
	if answer == nil {
		return nil, 0, err
	}

	return conn, answer.StatusCode, err
}

type client struct{ *websocket.Conn }

func (s *trial) dial(t *testing.T, header http.Header) client {
	t.Helper()

	conn, _, err := dial(s.URL, header, "graphql-transport-ws")
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.CloseNow() })

	return client{conn}
}

func (c client) send(t *testing.T, text string) {
	t.Helper()

	require.NoError(t, c.Write(context.Background(), websocket.MessageText, []byte(text)))
}

// expect reads a message and compares it with the text, or with its start if the text ends in "…".
func (c client) expect(t *testing.T, want string) {
	t.Helper()

	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()

	var got json.RawMessage

	require.NoError(t, wsjson.Read(ctx, c.Conn, &got))

	if begin, cut := strings.CutSuffix(want, "…"); cut {
		require.True(t, strings.HasPrefix(string(got), begin), string(got))
	} else {
		require.Equal(t, want, string(got))
	}
}

// closed expects the websocket to be closed with the code.
func (c client) closed(t *testing.T, code int) {
	t.Helper()

	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()

	for {
		if _, _, err := c.Read(ctx); err != nil {
			require.Equal(t, websocket.StatusCode(code), websocket.CloseStatus(err), err)

			return
		}
	}
}

func TestWebsocket(t *testing.T) {
	t.Parallel()

	s := start(t)
	c := s.dial(t, nil)

	c.send(t, `{"type":"connection_init","payload":{"authorization":"Bearer good"}}`)
	c.expect(t, `{"type":"connection_ack"}`)
	c.send(t, `{"type":"ping","payload":{"a":1}}`)
	c.expect(t, `{"type":"pong","payload":{"a":1}}`)

	c.send(t, `{"id":"1","type":"subscribe","payload":`+progress("two", "progress")+`}`)
	c.expect(t, `{"id":"1","type":"next","payload":{"data":{"exportProgress":{"progress":0}},"extensions":{"cost":{"complexity":2,"charged":1}}}}`)
	c.expect(t, `{"id":"1","type":"next","payload":{"data":{"exportProgress":{"progress":1}}}}`)
	c.expect(t, `{"id":"1","type":"complete"}`)

	c.send(t, `{"id":"2","type":"subscribe","payload":`+query("{ __typename }")+`}`)
	c.expect(t, `{"id":"2","type":"next","payload":{"data":{"__typename":"Query"}…`)
	c.expect(t, `{"id":"2","type":"complete"}`)

	c.send(t, `{"id":"3","type":"subscribe","payload":`+query("{ nope }")+`}`)
	c.expect(t, `{"id":"3","type":"error","payload":[{"message":"Cannot query field \"nope\"…`)
	c.send(t, `{"id":"3","type":"subscribe","payload":`+progress("panic", "id")+`}`)
	c.expect(t, `{"id":"3","type":"error","payload":[{"message":"Something went wrong…`)

	// An id may be reused as soon as its operation was ended, and not before.
	c.send(t, `{"id":"4","type":"subscribe","payload":`+progress("quiet", "id")+`}`)
	require.Eventually(t, func() bool { return s.resolvers.watching() == 1 }, 5*time.Second, time.Millisecond)
	c.send(t, `{"id":"4","type":"complete"}`)
	c.send(t, `{"id":"4","type":"subscribe","payload":`+query("{ __typename }")+`}`)
	c.expect(t, `{"id":"4","type":"next",…`)
	c.expect(t, `{"id":"4","type":"complete"}`)
	require.Eventually(t, func() bool { return s.resolvers.watching() == 0 }, 5*time.Second, time.Millisecond)

	require.Equal(t, 1+6, s.gate.admits, "connection_init and each operation")

	c.send(t, `{"id":"5","type":"subscribe","payload":`+progress("quiet", "id")+`}`)
	c.send(t, `{"id":"5","type":"subscribe","payload":`+progress("quiet", "id")+`}`)
	c.closed(t, 4409)
	require.Eventually(t, func() bool { return s.resolvers.watching() == 0 }, 5*time.Second, time.Millisecond)
}

func TestWebsocketEndsOfConversations(t *testing.T) {
	t.Parallel()

	s := start(t)
	hello := `{"type":"connection_init","payload":{"Authorization":"Bearer good"}}`

	for name, c := range map[string]struct {
		messages []string
		code     int
	}{
		"no key":       {[]string{`{"type":"connection_init"}`}, 4401},
		"bad key":      {[]string{`{"type":"connection_init","payload":{"Authorization":"Bearer bad"}}`}, 4401},
		"other scheme": {[]string{`{"type":"connection_init","payload":{"Authorization":"Basic good"}}`}, 4401},
		"no manners":   {[]string{`{"id":"1","type":"subscribe","payload":{}}`}, 4401},
		"not JSON":     {[]string{`hello`}, 4400},
		"unknown type": {[]string{hello, `{"type":"start"}`}, 4400},
		"without id":   {[]string{hello, `{"type":"subscribe","payload":{}}`}, 4400},
		"twice":        {[]string{hello, hello}, 4429},
		"too large":    {[]string{hello, `{"type":"` + strings.Repeat("x", 1<<20) + `"}`}, 1009},
	} {
		conn := s.dial(t, nil)
		for _, m := range c.messages {
			conn.send(t, m)
		}

		t.Log(name)
		conn.closed(t, c.code)
	}

	impatient := start(t, func(o *server.Options, _ *trial) { o.Patience = 10 * time.Millisecond })
	impatient.dial(t, nil).closed(t, 4408)
}

func TestWebsocketsThatAreNotOpened(t *testing.T) {
	t.Parallel()

	s := start(t)

	for name, c := range map[string]struct {
		header   http.Header
		protocol string
		status   int
	}{
		"other protocol": {nil, "graphql-ws", 400},
		"bad key":        {http.Header{"Authorization": {"Bearer bad"}}, "graphql-transport-ws", 401},
		"foreign page":   {http.Header{"Origin": {"https://evil.test"}}, "graphql-transport-ws", 403},
		"opaque page":    {http.Header{"Origin": {"null"}}, "graphql-transport-ws", 403},
	} {
		_, status, err := dial(s.URL, c.header, c.protocol)
		require.Error(t, err)
		require.Equal(t, c.status, status, name)
	}

	for _, origin := range []string{s.URL, "http://reelgraph.test"} {
		c := s.dial(t, http.Header{"Authorization": {"Bearer good"}, "Origin": {origin}})
		c.send(t, `{"type":"connection_init"}`)
		c.expect(t, `{"type":"connection_ack"}`)
		require.NoError(t, c.Close(websocket.StatusNormalClosure, ""))
	}

	s.gate.refusal = fault.RateLimited(time.Second)
	_, status, err := dial(s.URL, nil, "graphql-transport-ws")
	require.Error(t, err)
	require.Equal(t, 429, status)
}
