package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/platform/localpg"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// Three processes over one database act as one: together they admit exactly the budget of a minute, and
// a key that one of them revokes is refused by all.
func TestThreeProcessesAreOne(t *testing.T) {
	t.Parallel()

	const budget = 100

	pg, err := localpg.StartTemp(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, pg.Stop()) })

	nodes := make([]*host, 3)
	for i := range nodes {
		nodes[i] = newHost(t)
		nodes[i].env["DATABASE_URL"], nodes[i].env["REELGRAPH_WORKERS"] = pg.DSN(), "0"
		nodes[i].env["REELGRAPH_RATE_LIMIT"], nodes[i].env["REELGRAPH_STOP_DELAY"] = fmt.Sprint(budget), "0s"
		nodes[i].spawn()
	}

	for trial := 0; ; trial++ {
		key, err := command(t, nodes[0].env, "keys", "create", "--user", fmt.Sprintf("user%d@example.com", trial))
		require.NoError(t, err)

		admitted, windows := flood(t, nodes, strings.TrimSpace(key), 10*budget)
		if len(windows) == 1 { // the minute did not end in between
			require.Equal(t, budget, admitted)

			break
		}
	}

	revoked := revokedEverywhere(t, nodes)
	t.Logf("refused by all %s after it was revoked", revoked)
	require.Less(t, revoked, 100*time.Millisecond)
}

// flood sends requests to all nodes at once and returns how many were admitted, and in which minutes.
func flood(t *testing.T, nodes []*host, key string, requests int) (admitted int, windows map[string]bool) {
	t.Helper()

	var (
		all sync.WaitGroup
		mu  sync.Mutex
	)

	windows = map[string]bool{}

	const workers = 40

	for worker := range workers {
		all.Go(func() {
			for range requests / workers {
				const path = "/v1/videos"

				a := nodes[worker%len(nodes)].answer(key, path)
				if err := api.Measured(httptest.NewRequest(http.MethodGet, path, nil), "", a); err != nil {
					t.Error(err)
				}

				mu.Lock()

				windows[a.Header.Get("X-RateLimit-Reset")] = true

				switch a.Status {
				case http.StatusOK:
					admitted++
				case http.StatusTooManyRequests:
				default:
					t.Errorf("answered %d", a.Status)
				}

				mu.Unlock()
			}
		})
	}

	all.Wait()

	return admitted, windows
}

// answer sends a request with the owner's key, from any goroutine. On an error, which it reports, it returns the zero Answer.
func (s *host) answer(key, path string) (a api.Answer) {
	r, err := http.NewRequest(http.MethodGet, s.base+path, nil)
	if err != nil {
		s.Error(err)

		return a
	}

	r.Header.Set("Authorization", "Bearer "+key)

	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		s.Error(err)

		return a
	}

	defer answer.Body.Close()

	content, err := io.ReadAll(answer.Body)
	if err != nil {
		s.Error(err)
	}

	return api.Answer{Status: answer.StatusCode, Header: answer.Header, Body: string(content)}
}

// revokedEverywhere returns how long after the response to its revocation a key was refused by every node.
func revokedEverywhere(t *testing.T, nodes []*host) time.Duration {
	t.Helper()

	var keys [2]string

	for i := range keys {
		out, err := command(t, nodes[0].env, "keys", "create", "--user", "revoker@example.com")
		require.NoError(t, err)

		keys[i] = strings.TrimSpace(out)
	}

	var found struct {
		Data struct {
			Viewer struct {
				APIKeys struct {
					Nodes []struct{ ID, Last4 string }
				}
			}
		}
	}

	nodes[0].key = keys[0]
	nodes[0].call(http.MethodPost, "/graphql", `{"query":"{ viewer { apiKeys { nodes { id last4 } } } }"}`, &found)

	for _, k := range found.Data.Viewer.APIKeys.Nodes {
		if strings.HasSuffix(keys[1], k.Last4) {
			for _, n := range nodes {
				status := n.answer(keys[1], "/v1/videos").Status
				require.Equal(t, http.StatusOK, status)
			}

			nodes[0].call(http.MethodPost, "/graphql", `{"query":"mutation { revokeApiKey(id: \"`+k.ID+`\") { deletedId } }"}`, &struct{}{})
		}
	}

	// All nodes are asked at once: otherwise the sum of their response times would be measured.
	statuses := make([]int, len(nodes))

	var all sync.WaitGroup

	began := time.Now()

	for i, n := range nodes {
		all.Go(func() { statuses[i] = n.answer(keys[1], "/v1/videos").Status })
	}

	all.Wait()

	took := time.Since(began)

	require.Equal(t, slices.Repeat([]int{http.StatusUnauthorized}, len(nodes)), statuses)

	return took
}
