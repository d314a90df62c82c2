package signin

import (
	"context"
	"net/http"

	"github.com/reelgraph/reelgraph/internal/chain"
	"github.com/reelgraph/reelgraph/internal/limit"
)

// A Door lets requests to the graph in: by their key, or by the cookie of a session.
type Door struct {
	Cookies Cookies
	Gate    *limit.Gate
	Peers   chain.Peers
}

// Handler admits every request before next sees it, as limit.Gate.Handler does.
func (d Door) Handler(next http.Handler) http.Handler {
	return d.Gate.HandlerOf(d.credential, d.Cookies.Handler(d.Peers, next))
}

// Admit lets in one operation of the websocket that the request opened.
func (d Door) Admit(ctx context.Context, opened *http.Request) context.Context {
	return d.Gate.Admit(ctx, d.credential(opened), d.Peers.Of(opened))
}

// credential is the key of a request, if it has an Authorization header, else its session.
func (d Door) credential(r *http.Request) limit.Credential {
	if len(r.Header["Authorization"]) > 0 {
		return limit.Bearer(r)
	}

	return limit.Credential{Session: d.Cookies.Token(r)}
}
