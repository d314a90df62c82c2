package middleware

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Peers finds the address of the client. The zero value trusts no proxy.
type Peers struct {
	// Trusted are the networks of our own proxies. Only their X-Forwarded-For is trusted.
	Trusted []netip.Prefix
}

// Of returns the client's address. This is the address of the connection or, behind trusted proxies, the last address
// in X-Forwarded-For that is not a trusted proxy. The zero Addr means that there is no address, as on a unix socket.
func (p Peers) Of(r *http.Request) netip.Addr {
	peer := address(r.RemoteAddr)
	if !p.trusts(peer) {
		return peer
	}

	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")

	for _, said := range slices.Backward(hops) {
		hop := address(strings.TrimSpace(said))
		if !hop.IsValid() {
			break // not one of our proxies, so what it wrote before is not trusted
		}

		if peer = hop; !p.trusts(peer) {
			break
		}
	}

	return peer
}

// Behind reports whether the request came through one of our own proxies, so that its headers can be trusted.
func (p Peers) Behind(r *http.Request) bool { return p.trusts(address(r.RemoteAddr)) }

func (p Peers) trusts(a netip.Addr) bool {
	for _, prefix := range p.Trusted {
		if prefix.Contains(a) {
			return true
		}
	}

	return false
}

// address parses an address with or without a port; proxies send both.
func address(s string) netip.Addr {
	if host, _, err := net.SplitHostPort(s); err == nil {
		s = host
	}

	a, err := netip.ParseAddr(strings.Trim(s, "[]"))
	if err != nil {
		return netip.Addr{}
	}

	return a.Unmap().WithZone("")
}
