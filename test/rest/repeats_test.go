package rest_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// together sends n requests concurrently and returns their answers.
func together(n int, send func(i int) api.Answer) []api.Answer {
	var all sync.WaitGroup

	answers := make([]api.Answer, n)

	for i := range answers {
		all.Go(func() { answers[i] = send(i) })
	}

	all.Wait()

	return answers
}

// tally counts answers by status.
type tally map[int]int

func count(answers []api.Answer) tally {
	c := tally{}
	for _, a := range answers {
		c[a.Status]++
	}

	return c
}

// A keyed request sent many times concurrently takes effect once, in REST and the graph. A different request with its
// key is refused.
func TestAKeyedRequestHappensOnce(t *testing.T) {
	t.Parallel()

	const repeats = 200

	s := api.New(t, api.Options{})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	stored := 0

	for door, send := range map[string]func(name string) api.Answer{
		"REST": func(name string) api.Answer {
			return s.Call(t, m.Key, http.MethodPost, "/v1/sources", `{"name":"`+name+`"}`, "Idempotency-Key", "k")
		},
		"graph": func(name string) api.Answer {
			return s.Ask(t, m.Key, `mutation { createSource(input: {name: "`+name+`"}) { source { id } } }`, nil, "Idempotency-Key", "k").Answer
		},
	} {
		// A request that waited too long on a busy machine was not executed; it is sent again as Retry-After says.
		again := func(int) api.Answer {
			for {
				if a := send(door); a.Status != http.StatusServiceUnavailable {
					return a
				}
			}
		}

		answers := together(repeats, again)
		bodies, fresh := map[string]bool{}, 0

		for _, a := range answers {
			if a.Status == http.StatusConflict {
				require.Equal(t, "1", a.Header.Get("Retry-After"))

				continue
			}

			require.Equal(t, http.StatusOK, a.Status, a.Body)
			bodies[a.Body] = true

			if a.Header.Get("Idempotency-Replayed") == "" {
				fresh++
			}
		}

		require.Len(t, bodies, 1, door)
		require.Equal(t, 1, fresh, door)

		for _, a := range together(repeats, again) {
			require.Equal(t, "true", a.Header.Get("Idempotency-Replayed"), "%s: %d %s", door, a.Status, a.Body)
			require.True(t, bodies[a.Body], door)
		}

		require.Equal(t, http.StatusBadRequest, send("another").Status, door)

		stored++

		var made, kept int
		require.NoError(t, s.Store.DB.QueryRow(`SELECT count(*) FROM sources WHERE name IN ($1, 'another')`, door).Scan(&made))
		require.NoError(t, s.Store.DB.QueryRow(`SELECT count(*) FROM idempotency_keys`).Scan(&kept))
		require.Equal(t, 1, made, door)
		require.Equal(t, stored, kept, door)
	}
}

// A graph request's key belongs to its document and variables. A failed mutation leaves the key unused.
func TestKeysOfTheGraph(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	document := `mutation ($name: String) { createSource(input: {name: $name}) { source { id name } } }`
	ask := func(name string) api.Graph {
		return s.Ask(t, m.Key, document, map[string]any{"name": name}, "Idempotency-Key", `"k"`)
	}

	require.Equal(t, "bad_request", ask("").Code(), "an empty name")

	first := ask("one")
	require.Empty(t, first.Errors, first.Body)
	require.Empty(t, first.Header.Get("Idempotency-Replayed"))
	require.Equal(t, first.Body, ask("one").Body)

	other := ask("two")
	require.Equal(t, http.StatusBadRequest, other.Status)
	require.Equal(t, "bad_request", other.Code())

	var stored string
	require.NoError(t, s.Store.DB.QueryRow(`SELECT encode(body, 'escape') FROM idempotency_keys`).Scan(&stored))
	require.NotContains(t, stored, "one", "stored answers may hold a secret and must be encrypted")
}

// Of several edits of the same version with If-Match, one succeeds and the others are refused.
func TestOneOfManyEditsWins(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	v := testkit.NewVideo(t, s.Store, m, testkit.VideoOpts{})
	path := "/v1/videos/" + v.ID
	tag := s.Call(t, m.Key, http.MethodGet, path, "").Header.Get("ETag")

	answers := together(10, func(i int) api.Answer {
		return s.Call(t, m.Key, http.MethodPatch, path, fmt.Sprintf(`{"name":"%d"}`, i), "If-Match", tag)
	})
	require.Equal(t, tally{http.StatusOK: 1, http.StatusConflict: 9}, count(answers))

	// Without If-Match all of them take effect, one after the other.
	answers = together(10, func(int) api.Answer {
		return s.Call(t, m.Key, http.MethodPost, path+"/clips/"+v.Edges.Clips[0].ID+"/cut", `{"fromMs":0,"toMs":100}`)
	})
	require.Equal(t, tally{http.StatusOK: 10}, count(answers))
	require.InDelta(t, 9.0, at(t, s.Call(t, m.Key, http.MethodGet, path, "").Body, []string{"video", "durationSeconds"}), 0)
	require.InDelta(t, 11, at(t, s.Call(t, m.Key, http.MethodGet, path, "").Body, []string{"video", "revision"}), 0)

	// Equal exports requested concurrently are one export.
	made := map[any]bool{}
	for _, a := range together(8, func(int) api.Answer { return s.Call(t, m.Key, http.MethodPost, path+"/exports", "") }) {
		made[at(t, a.Body, []string{"export", "exportId"})] = true
	}

	require.Len(t, made, 1)
}

// An entity tag covers what is shown. Newly signed addresses do not change it, and views change it without failing an
// editor's If-Match.
func TestEntityTagsOfWhatIsSeen(t *testing.T) {
	t.Parallel()

	now := time.Now()
	s := api.New(t, api.Options{Clock: func() time.Time { return now }})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	v := testkit.NewVideo(t, s.Store, m, testkit.VideoOpts{})
	path := "/v1/videos/" + v.ID
	clip := path + "/clips/" + v.Edges.Clips[0].ID

	before := s.Call(t, m.Key, http.MethodGet, path, "")
	now = now.Add(time.Hour)
	later := s.Call(t, m.Key, http.MethodGet, path, "")

	require.NotEqual(t, before.Body, later.Body, "addresses are signed again")
	require.Equal(t, before.Header.Get("ETag"), later.Header.Get("ETag"))

	_, err := s.Store.DB.Exec(`UPDATE videos SET views = views + 1 WHERE id = $1`, v.ID)
	require.NoError(t, err)

	seen := s.Call(t, m.Key, http.MethodGet, path, "", "If-None-Match", before.Header.Get("ETag"))
	require.Equal(t, http.StatusOK, seen.Status)
	require.NotEqual(t, before.Header.Get("ETag"), seen.Header.Get("ETag"))
	require.Equal(t, at(t, before.Body, []string{"video", "updatedAt"}), at(t, seen.Body, []string{"video", "updatedAt"}))

	head := s.Call(t, m.Key, http.MethodHead, path, "")
	require.Equal(t, seen.Header.Get("ETag"), head.Header.Get("ETag"))
	require.Empty(t, head.Body)

	// The tag of a clip contains its video's revision, and any tag with that revision matches.
	require.True(t, strings.HasPrefix(s.Call(t, m.Key, http.MethodGet, clip, "").Header.Get("ETag"), `"0-`))
	require.Equal(t, http.StatusOK, s.Call(t, m.Key, http.MethodPatch, clip, `{"name":"x"}`, "If-Match", before.Header.Get("ETag")).Status)
	require.Equal(t, http.StatusConflict, s.Call(t, m.Key, http.MethodPatch, clip, `{"name":"y"}`, "If-Match", before.Header.Get("ETag")).Status)
	require.Equal(t, http.StatusOK, s.Call(t, m.Key, http.MethodGet, path, "", "If-None-Match", seen.Header.Get("ETag")).Status)
}
