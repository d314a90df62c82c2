package graph_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// stream is a subscription over server-sent events.
type stream struct {
	t     *testing.T
	lines *bufio.Scanner
}

func subscribe(t *testing.T, s *api.Server, key, document string) stream {
	t.Helper()

	body, err := json.Marshal(map[string]any{"query": document})
	require.NoError(t, err)

	ctx, stop := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL+"/graphql", strings.NewReader(string(body)))
	require.NoError(t, err)

	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "text/event-stream")
	r.Header.Set("Authorization", "Bearer "+key)

	resp, err := s.Client().Do(r)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, resp.StatusCode)

	t.Cleanup(func() {
		stop()

		_ = resp.Body.Close()
	})

	return stream{t, bufio.NewScanner(resp.Body)}
}

// next returns the next event.
func (s stream) next() string {
	s.t.Helper()

	for s.lines.Scan() {
		if text, found := strings.CutPrefix(s.lines.Text(), "data: "); found && text != "" {
			return text
		}
	}

	require.NoError(s.t, s.lines.Err())

	return ""
}

// hear delivers notifications to the server's streams until the test ends.
func hear(t *testing.T, s *api.Server) {
	t.Helper()

	running, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})

	go func() {
		defer close(ended)

		s.Resolver.Topics.Run(running)
	}()

	t.Cleanup(func() {
		stop()
		<-ended
	})
}

// A subscriber to a video gets it after each edit, and its transcript when that becomes ready.
func TestWatchingAVideo(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	owner := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	sound := testkit.NewSource(t, s.Store, owner, testkit.SourceOpts{HasAudio: true})

	hear(t, s)

	made := s.Ask(t, owner.Key, `mutation { createVideo(input: {sourceId: "`+sound.ID+`"}) { video { id clips { nodes { id } } } } }`, nil)
	require.Empty(t, made.Errors, made.Body)

	video := api.Dig(made.Data, "createVideo", "video", "id").(string)
	clip := api.Dig(made.Data, "createVideo", "video", "clips", "nodes").([]any)[0].(map[string]any)["id"].(string)

	edits := subscribe(t, s, owner.Key, `subscription { videoUpdated(id: "`+video+`") { revision name transcript { text } } }`)
	require.Contains(t, edits.next(), `"revision":0`)

	words := subscribe(t, s, owner.Key, `subscription { transcriptReady(videoId: "`+video+`") { status language text } }`)

	require.Empty(t, s.Ask(t, owner.Key, `mutation { updateVideo(id: "`+video+`", input: {name: "New"}) { video { id } } }`, nil).Errors)
	require.Contains(t, edits.next(), `"revision":1,"name":"New","transcript":{"text":""}`)

	put := func(text string) {
		require.Empty(t, s.Ask(t, owner.Key, `mutation ($text: String!) { putTranscript(clipId: "`+clip+
			`", input: {format: VTT, text: $text, language: "en"}) { clip { id } } }`, map[string]any{
			"text": "WEBVTT\n\n00:00.000 --> 00:01.000\n" + text,
		}).Errors)
	}

	put("hello there")
	require.Contains(t, edits.next(), `"revision":2,"name":"New","transcript":{"text":"hello there"}`)
	require.Contains(t, words.next(), `{"status":"READY","language":"en","text":"hello there"}`)

	many := s.Ask(t, owner.Key, `subscription { a: videoUpdated(id: "`+video+`") { id } b: videoUpdated(id: "`+video+`") { id } }`, nil)
	require.Equal(t, "bad_request", many.Code())
	require.Contains(t, many.Body, "exactly one field")

	refused := subscribe(t, s, testkit.NewMember(t, s.Store, testkit.MemberOpts{}).Key, `subscription { videoUpdated(id: "`+video+`") { id } }`)
	require.Contains(t, refused.next(), "not_found")

	require.Empty(t, s.Ask(t, owner.Key, `mutation { deleteVideo(id: "`+video+`") { deletedId } }`, nil).Errors)
	require.Empty(t, edits.next(), "a deleted video sends nothing")
}

// socket opens a subscription over a websocket, with a header or a key as the credential.
func socket(t *testing.T, s *api.Server, header http.Header, key, document string) func() string {
	t.Helper()

	conn, _, err := websocket.Dial(t.Context(), s.URL+"/graphql", &websocket.DialOptions{ //nolint:bodyclose // the library closes it
		Subprotocols: []string{"graphql-transport-ws"}, HTTPHeader: header,
	})
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.CloseNow() })

	next := func() string {
		_, said, err := conn.Read(t.Context())
		require.NoError(t, err)

		return string(said)
	}

	for _, m := range []map[string]any{
		{"type": "connection_init", "payload": map[string]any{"Authorization": "Bearer " + key}},
		{"type": "subscribe", "id": "1", "payload": map[string]any{"query": document}},
	} {
		text, err := json.Marshal(m)
		require.NoError(t, err)
		require.NoError(t, conn.Write(t.Context(), websocket.MessageText, text))
	}

	require.Contains(t, next(), "connection_ack")

	return next
}

// A stream ends once a new request with its credential would be refused. Until then its events cost no requests.
func TestAStreamEndsWithItsCredential(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	hear(t, s)

	owner := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	video := testkit.NewVideo(t, s.Store, owner, testkit.VideoOpts{})
	document := `subscription { videoUpdated(id: "` + video.ID + `") { name } }`
	must := func(g api.Graph) { require.Empty(t, g.Errors, g.Body) }
	rename := func(name string) {
		must(s.Ask(t, owner.Key, `mutation { updateVideo(id: "`+video.ID+`", input: {name: "`+name+`"}) { video { id } } }`, nil))
	}

	for name, begin := range map[string]func(m testkit.Member) (next func() string, end func()){
		"a revoked key": func(m testkit.Member) (func() string, func()) {
			return subscribe(t, s, m.Key, document).next, func() {
				must(s.Ask(t, m.Key, `mutation { revokeApiKey(id: "`+m.KeyID+`") { deletedId } }`, nil))
			}
		},
		"a removed member": func(m testkit.Member) (func() string, func()) {
			return socket(t, s, nil, m.Key, document), func() {
				must(s.Ask(t, owner.Key, `mutation { removeMember(userId: "`+m.UserID+`") { deletedId } }`, nil))
			}
		},
		"a session that has ended": func(m testkit.Member) (func() string, func()) {
			cookie := cookieOf(t, enter(t, s, m.Email, password))

			return socket(t, s, http.Header{"Cookie": {cookie}, "Origin": {api.BaseURL}}, "", document), func() {
				must(as(t, s, cookie, `mutation { signOut { deletedId } }`, nil))
			}
		},
	} {
		m := person(t, s, testkit.MemberOpts{WorkspaceID: owner.WorkspaceID})
		used := func(of string) (n int) {
			require.NoError(t, s.Store.DB.QueryRow(`SELECT coalesce(sum(used), 0) FROM rate_windows WHERE subject LIKE $1`, of+m.UserID+":"+m.WorkspaceID).Scan(&n))

			return n
		}
		requests := func() int { return used("") + used("session:") }

		next, end := begin(m)
		require.Contains(t, next(), `"name":`, name)

		paid := requests()

		require.Zero(t, used("events:"), "the first event is paid with the request")

		rename("seen by " + m.UserID)
		require.Contains(t, next(), "seen by "+m.UserID, name)
		require.Equal(t, paid, requests(), name)
		require.Equal(t, 1, used("events:"), name)

		end()
		rename("unseen by " + m.UserID)

		last := next()
		require.NotContains(t, last, "unseen", name)
		require.Contains(t, last, `"code":"unauthorized"`, name)
	}
}

// A stream shows what its viewer may see now, after changes of role.
func TestAStreamGoesByTheRoleOfNow(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	hear(t, s)

	settings := values.DefaultVideoSettings()
	settings.DownloadsEnabled = false

	owner := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	member := testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: owner.WorkspaceID})
	video := testkit.NewVideo(t, s.Store, owner, testkit.VideoOpts{Settings: &settings})
	ask := func(document string) api.Graph {
		g := s.Ask(t, owner.Key, document, nil)
		require.Empty(t, g.Errors, g.Body)

		return g
	}

	export := api.Dig(ask(`mutation { startExport(videoId: "`+video.ID+`") { export { id } } }`).Data, "startExport", "export", "id").(string)

	edits := subscribe(t, s, member.Key, `subscription { videoUpdated(id: "`+video.ID+`") { exports { nodes { id } } } }`)
	require.Contains(t, edits.next(), `"nodes":[]`)

	ask(`mutation { updateMember(userId: "` + member.UserID + `", input: {role: ADMIN}) { member { role } } }`)
	ask(`mutation { updateVideo(id: "` + video.ID + `", input: {name: "New"}) { video { id } } }`)
	require.Contains(t, edits.next(), export)
}

// A transcript event is sent once for each change to that status, and a copy's creation is announced once.
func TestEventsOfTranscriptsAndCopies(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	owner := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	sound := testkit.NewSource(t, s.Store, owner, testkit.SourceOpts{HasAudio: true})

	call := func(method, path, body string, header ...string) map[string]any {
		a := s.Call(t, owner.Key, method, path, body, header...)
		require.Equal(t, http.StatusOK, a.Status, a.Body)

		var said map[string]any
		require.NoError(t, json.Unmarshal([]byte(a.Body), &said))

		return said
	}

	call("POST", "/v1/webhooks/endpoints", `{"url":"https://hooks.example/","filterTypes":["transcript.ready","video.created"]}`)

	told := func() map[string]int {
		counts := map[string]int{}

		for _, m := range call("GET", "/v1/webhooks/messages?limit=200", "")["messages"].([]any) {
			counts[m.(map[string]any)["eventType"].(string)]++
		}

		return counts
	}

	made := call("POST", "/v1/videos", `{"sourceId":"`+sound.ID+`"}`)["video"].(map[string]any)
	path := "/v1/videos/" + made["id"].(string)
	first := path + "/clips/" + made["clipIds"].([]any)[0].(string)
	put := func(clip, text string) {
		call("PUT", clip+"/transcript", "WEBVTT\n\n00:00.000 --> 00:01.000\n"+text, "Content-Type", "text/vtt")
	}

	require.Equal(t, map[string]int{"video.created": 1}, told())

	put(first, "one")
	require.Equal(t, map[string]int{"video.created": 1, "transcript.ready": 1}, told())

	put(first, "two")
	require.Equal(t, 1, told()["transcript.ready"], "it was ready already")

	second := call("POST", path+"/clips", `{"sourceId":"`+sound.ID+`"}`)["clip"].(map[string]any)["id"].(string)

	require.Equal(t, 1, told()["transcript.ready"], "the new clip has no transcript yet")

	put(path+"/clips/"+second, "three")
	require.Equal(t, 2, told()["transcript.ready"])

	third := call("POST", path+"/clips", `{"sourceId":"`+sound.ID+`"}`)["clip"].(map[string]any)["id"].(string)
	call("DELETE", path+"/clips/"+third, "")
	require.Equal(t, 3, told()["transcript.ready"], "the clip without a transcript was deleted")

	call("POST", path+"/duplicate", "")
	require.Equal(t, map[string]int{"video.created": 2, "transcript.ready": 3}, told())
}

// Over its event budget a stream waits and then sends the newest state of everything it watches. Requests still work
// and no stream ends. A user can have at most 100 subscriptions.
func TestEventsBeyondTheirBudget(t *testing.T) {
	t.Parallel()

	waiting, next := make(chan struct{}, 100), make(chan struct{})
	s := api.New(t, api.Options{EventQuota: 2, Wait: func(ctx context.Context, _ time.Duration) error {
		waiting <- struct{}{}

		select {
		case <-next:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}})
	hear(t, s)

	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	video := testkit.NewVideo(t, s.Store, m, testkit.VideoOpts{})
	rename := func(name string) {
		g := s.Ask(t, m.Key, `mutation { updateVideo(id: "`+video.ID+`", input: {name: "`+name+`"}) { video { id } } }`, nil)
		require.Empty(t, g.Errors, g.Body)
	}
	stream := subscribe(t, s, m.Key, `subscription { videoUpdated(id: "`+video.ID+`") { name } }`)
	require.Contains(t, stream.next(), `"name":`)

	sent := 0

	for n := 0; ; n++ { // repeat once if a new minute begins
		rename(fmt.Sprint("at once ", n))

		seen := make(chan string, 1)
		go func() { seen <- stream.next() }()

		select {
		case text := <-seen:
			require.Contains(t, text, fmt.Sprint("at once ", n))

			sent++

			continue
		case <-waiting:
		}

		require.GreaterOrEqual(t, sent, 2)
		rename("missed")
		rename("newest")

		_, err := s.Store.DB.Exec(`UPDATE rate_windows SET minute = minute - interval '1 minute' WHERE subject LIKE 'events:%'`)
		require.NoError(t, err)
		close(next)

		require.Contains(t, <-seen, `"newest"`)

		break
	}

	rename("after")

	for last := ""; !strings.Contains(last, "after"); {
		last = stream.next()
		require.NotContains(t, last, "missed")
		require.NotContains(t, last, "errors")
	}
}
