// Package outbound makes HTTP requests to addresses that a user has chosen. Targets defines which addresses are
// allowed; the client refuses to connect to all others. Start with Targets and NewClient.
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

// NewClient returns an HTTP client for addresses that a user has chosen. It checks the resolved address of every
// connection, because a host name may resolve to a different address later. It uses no proxy and follows no
// redirects. It has no timeout of its own: the context of the request sets one.
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
			DisableCompression:     true, // a small response may not decompress into a large one
			ForceAttemptHTTP2:      true,
			IdleConnTimeout:        idleTime,
			MaxIdleConns:           idleConnections,
			MaxIdleConnsPerHost:    idlePerHost,
			MaxResponseHeaderBytes: maxHeaderBytes,
			Proxy:                  nil,
		},
	}
}
