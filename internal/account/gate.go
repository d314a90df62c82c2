package account

import (
	"context"
	"net/http"

	"github.com/reelgraph/reelgraph/internal/platform/limit"
	"github.com/reelgraph/reelgraph/internal/platform/middleware"
)

// A Door authenticates requests to the graph by API key or by session cookie.
type Door struct {
	Cookies Cookies
	Gate    *limit.Gate
	Peers   middleware.Peers
}

// Handler returns a handler that authenticates and limits every request before it calls next. It works like
// limit.Gate.HandlerOf.
func (d Door) Handler(price limit.Price, next http.Handler) http.Handler {
	return d.Gate.HandlerOf(d.credential, price, d.Cookies.Handler(d.Peers, next))
}

// Admit authenticates one operation on a websocket and counts it against the caller's budget. The operation costs 1
// plus the value of extra. opened is the request that opened the websocket.
func (d Door) Admit(ctx context.Context, opened *http.Request, extra int) context.Context {
	return d.Gate.Admit(ctx, d.credential(opened), d.Peers.Of(opened), extra)
}

// credential returns the API key of a request if it has an Authorization header, and its session token otherwise.
func (d Door) credential(r *http.Request) limit.Credential {
	if len(r.Header["Authorization"]) > 0 {
		return limit.Bearer(r)
	}

	return limit.Credential{Session: d.Cookies.Token(r), Lack: d.Cookies.Lack(r)}
}
