package limit_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/limit"
	"github.com/reelgraph/reelgraph/test/testkit"
)

// found returns the status codes of responses, and the remaining budget they report.
func found(t *testing.T, answers []*httptest.ResponseRecorder) (codes, left []int) {
	t.Helper()

	for _, w := range answers {
		codes = append(codes, w.Code)
		left = append(left, remaining(t, w))
	}

	return codes, left
}

func TestSpend(t *testing.T) {
	t.Parallel()

	n := newNode(t, testkit.Database(t), 10)

	spend := func(more int) http.Handler {
		return n.serve(func(w http.ResponseWriter, r *http.Request) {
			if err := limit.Spend(r.Context(), more); err != nil {
				refuse(w, r, err)
			}
		})
	}

	withinOneMinute(t, func() []*httptest.ResponseRecorder {
		m := testkit.NewMember(t, n.Store, testkit.MemberOpts{})

		return []*httptest.ResponseRecorder{
			ask(spend(4), "Bearer "+m.Key, here),  // 5 used
			ask(spend(5), "Bearer "+m.Key, here),  // 6 would make 11: refused, and its 1 is refunded
			ask(spend(10), "Bearer "+m.Key, here), // never fits
			ask(spend(0), "Bearer "+m.Key, here),  // 6
			ask(spend(3), "Bearer "+m.Key, here),  // 10
			ask(spend(0), "Bearer "+m.Key, here),
		}
	}, func(a []*httptest.ResponseRecorder) {
		codes, left := found(t, a)
		require.Equal(t, []int{200, 429, 400, 200, 200, 429}, codes)
		require.Equal(t, []int{5, 0, 5, 4, 0, 0}, left)
		require.Contains(t, a[1].Body.String(), "as much as 6 requests")
		require.Contains(t, a[2].Body.String(), "as much as 11 requests; at most 10 are allowed in a minute")
	})

	require.True(t, fault.Is(limit.Spend(context.Background(), 1), fault.UnauthorizedCode), "no request was admitted")
}

// A cost that is known beforehand is counted once, at admission, if there is room for it.
func TestPriced(t *testing.T) {
	t.Parallel()

	n := newNode(t, testkit.Database(t), 20)

	window := func(m testkit.Member) (used int) {
		require.NoError(t, n.DB.QueryRow(`SELECT sum(used) FROM rate_windows WHERE subject = $1`, m.UserID+":"+m.WorkspaceID).Scan(&used))

		return used
	}

	// seen is what a trial observed; it is discarded if the minute changed meanwhile.
	type seen struct {
		used []int // the window's count, in order
		errs []error
	}

	var saw seen

	withinOneMinute(t, func() []*httptest.ResponseRecorder {
		saw = seen{}
		m := testkit.NewMember(t, n.Store, testkit.MemberOpts{})
		key := "Bearer " + m.Key

		spends := func(costs ...int) http.HandlerFunc {
			return func(_ http.ResponseWriter, r *http.Request) {
				saw.used = append(saw.used, window(m))

				for _, more := range costs {
					saw.errs = append(saw.errs, limit.Spend(r.Context(), more))
					saw.used = append(saw.used, window(m))
				}
			}
		}

		return []*httptest.ResponseRecorder{
			ask(n.priced(4, spends(4)), key, here),
			ask(n.priced(4, spends(2, 5)), key, here), // 10, and 3 that were not known before
			ask(n.priced(7, spends(7)), key, here),    // would make 21
			ask(n.priced(5, whoami), "Bearer wrong", here),
			ask(n.priced(6, spends(6)), key, here),
			ask(n.priced(1, whoami), key, here),
		}
	}, func(a []*httptest.ResponseRecorder) {
		codes, left := found(t, a)
		require.Equal(t, []int{200, 200, 200, 401, 200, 429}, codes)
		require.Equal(t, 15, left[0])
		require.Equal(t, 7, left[1])
		require.Equal(t, 0, left[2])
		require.GreaterOrEqual(t, left[3], 18, "an invalid key costs its address one request") // 18 after a repeated trial
		require.Equal(t, 0, left[4])

		require.Equal(t, []int{
			5, 5, // counted before Spend, and only once
			10, 10, 13,
			14, 13, // a refused request costs nothing
			20, 20,
		}, saw.used)
		require.Len(t, saw.errs, 5)
		require.True(t, fault.Is(saw.errs[3], fault.RateLimitedCode))

		for _, i := range []int{0, 1, 2, 4} {
			require.NoError(t, saw.errs[i])
		}
	})
}

// The window holds exactly the cost of the admitted requests, however many nodes charge and refund concurrently.
func TestSurchargesAreExactAcrossNodes(t *testing.T) {
	t.Parallel()

	const quota = 100

	dsn := testkit.Database(t)
	nodes := []node{newNode(t, dsn, quota), newNode(t, dsn, quota), newNode(t, dsn, quota)}

	var m testkit.Member

	withinOneMinute(t, func() []*httptest.ResponseRecorder {
		m = testkit.NewMember(t, nodes[0].Store, testkit.MemberOpts{})
		answers := make([]*httptest.ResponseRecorder, 4*quota)

		var all sync.WaitGroup

		for i := range answers {
			known := i % 5 * (i / 5 % 2) // known beforehand for half of them

			h := nodes[i%len(nodes)].priced(known, func(w http.ResponseWriter, r *http.Request) {
				if err := limit.Spend(r.Context(), i%5); err != nil {
					refuse(w, r, err)
				}
			})

			all.Go(func() { answers[i] = ask(h, "Bearer "+m.Key, here) })
		}

		all.Wait()

		return answers
	}, func(answers []*httptest.ResponseRecorder) {
		admitted := 0

		for i, a := range answers {
			if a.Code == http.StatusOK {
				admitted += 1 + i%5
			}
		}

		var used int

		require.NoError(t, nodes[0].DB.QueryRow(`SELECT used FROM rate_windows WHERE subject = $1 ORDER BY minute DESC`,
			m.UserID+":"+m.WorkspaceID).Scan(&used))
		require.Equal(t, used, admitted)
		require.LessOrEqual(t, used, quota)
		require.Greater(t, used, quota/2)
	})
}
