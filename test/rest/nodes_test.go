package rest_test

import (
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

const quota = 100

func nodes(t *testing.T) []*api.Server {
	t.Helper()

	dsn := testkit.Database(t)
	all := make([]*api.Server, 3)

	for i := range all {
		all[i] = api.New(t, api.Options{DSN: dsn, Quota: quota})
	}

	return all
}

// Three servers with one database share one budget: of ten times as many requests, exactly the budget is admitted.
func TestNodesShareOneBudget(t *testing.T) {
	t.Parallel()

	servers := nodes(t)

	for {
		m := testkit.NewMember(t, servers[0].Store, testkit.MemberOpts{})
		answers := make([]api.Answer, 10*quota)

		var (
			all   sync.WaitGroup
			place = make(chan struct{}, 48) // the number of database connections of three servers
		)

		for i := range answers {
			place <- struct{}{}

			all.Go(func() {
				defer func() { <-place }()

				s := servers[i%len(servers)]

				if i%2 == 0 {
					answers[i] = s.Call(t, m.Key, http.MethodGet, "/v1/videos?limit=1", "")
				} else {
					answers[i] = s.Ask(t, m.Key, `{ viewer { role } }`, nil).Answer
				}
			})
		}

		all.Wait()

		windows, statuses, left := map[string]bool{}, map[int]int{}, map[string]bool{}

		for _, a := range answers {
			windows[a.Header.Get("X-RateLimit-Reset")] = true
			statuses[a.Status]++

			if a.Status == http.StatusOK {
				left[a.Header.Get("X-RateLimit-Remaining")] = true
			}
		}

		if len(windows) > 1 {
			continue // a new minute began meanwhile
		}

		require.Equal(t, map[int]int{http.StatusOK: quota, http.StatusTooManyRequests: 9 * quota}, statuses)
		require.Len(t, left, quota, "two answers had the same remainder")

		return
	}
}

// A revoked key is refused by every node at once, at most a tenth of a second later.
func TestNodesRefuseARevokedKey(t *testing.T) {
	t.Parallel()

	servers := nodes(t)
	m := testkit.NewMember(t, servers[0].Store, testkit.MemberOpts{})

	for _, s := range servers {
		require.Equal(t, http.StatusOK, s.Call(t, m.Key, http.MethodGet, "/v1/videos", "").Status)
	}

	_, err := servers[0].Store.DB.Exec(`UPDATE api_keys SET revoked_at = now() WHERE id = $1`, m.KeyID)
	require.NoError(t, err)

	revoked := time.Now()

	var all sync.WaitGroup

	statuses, took := make([]int, 2*len(servers)), make([]time.Duration, 2*len(servers))

	for i := range statuses {
		all.Go(func() {
			if s := servers[i/2]; i%2 == 0 {
				statuses[i] = s.Call(t, m.Key, http.MethodGet, "/v1/videos", "").Status
			} else {
				statuses[i] = s.Ask(t, m.Key, `{ viewer { role } }`, nil).Status
			}

			took[i] = time.Since(revoked)
		})
	}

	all.Wait()

	for i, status := range statuses {
		require.Equal(t, http.StatusUnauthorized, status)
		t.Logf("refused after %s", took[i])
	}
}
