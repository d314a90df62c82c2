// Package outbound makes requests to addresses that a user has chosen: it says which addresses may be reached, and its client
// refuses every other one when it connects. Start with Targets and NewClient.
package outbound

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"
)

const (
	idleConnections = 1024
	idlePerHost     = 8
	idleTime        = 60 * time.Second
	maxHeaderBytes  = 64 << 10
)

// NewClient makes the HTTP client for addresses that somebody else has chosen. Each dial
// checks the address that was resolved, so a name cannot change its meaning between check
// and use; no proxy is asked and no redirect is followed. It has no time limit of its own:
// the context of a request carries it.
func NewClient(targets *Targets) *http.Client {
	dialer := &net.Dialer{
		ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error {
			target, err := netip.ParseAddrPort(address)
			if err != nil {
				return fmt.Errorf("dial %s: %w", address, err)
			}
			return targets.CheckAddress(target)
		},
	}
	return &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			DialContext:            dialer.DialContext,
			DisableCompression:     true, // a small answer stays small
			ForceAttemptHTTP2:      true,
			IdleConnTimeout:        idleTime,
			MaxIdleConns:           idleConnections,
			MaxIdleConnsPerHost:    idlePerHost,
			MaxResponseHeaderBytes: maxHeaderBytes,
			Proxy:                  nil,
		},
	}
}
