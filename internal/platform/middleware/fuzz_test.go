package middleware_test

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/platform/middleware"
)

// FuzzPeer uses arbitrary text as X-Forwarded-For: without a trusted proxy it is ignored.
func FuzzPeer(f *testing.F) {
	for _, seed := range []string{"", "198.51.100.9", "a, 10.0.0.1", "[::1]:5", "::ffff:10.0.0.1", "fe80::1%eth0", ",,,", "1.2.3.4:99999"} {
		f.Add("10.0.0.1:5", seed)
		f.Add("192.0.2.1:5", seed)
		f.Add(seed, seed)
	}

	peers := middleware.Peers{Trusted: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}}

	f.Fuzz(func(t *testing.T, remote, forwarded string) {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = remote
		alone := middleware.Peers{}.Of(r)

		r.Header.Set("X-Forwarded-For", forwarded)
		require.Equal(t, alone, middleware.Peers{}.Of(r))

		of := peers.Of(r)
		require.Empty(t, of.Zone())
		require.False(t, of.Is4In6())

		if !peers.Behind(r) {
			require.Equal(t, alone, of)
		}
	})
}
