package server

import (
	"context"
	"net/http"

	"github.com/reelgraph/reelgraph/internal/chain"
	"github.com/reelgraph/reelgraph/internal/idempotency"
)

// incoming is a request on its way to be executed. Small ones are read before the gate admits them, so that one
// statement counts all they cost; whatever is wrong with them is said after it has.
type incoming struct {
	method string
	body   []byte
	*request

	op  *operation // once it was prepared
	err error
}

type incomingKey struct{}

// maxEarly is the size of a request that is read of whoever sends it, in bytes.
const maxEarly = 16 << 10

// Price is what a request costs beyond the one that every request costs, if its document is known: others are not
// read for nobody. It implements limit.Price.
func (s *Server) Price(r *http.Request) (*http.Request, int) {
	short := r.ContentLength >= 0 && r.ContentLength <= maxEarly // one of unknown length may never end
	if r.Method != http.MethodGet && (r.Method != http.MethodPost || !short) {
		return r, 0
	}

	in := s.receive(r, maxEarly)

	return r.WithContext(context.WithValue(r.Context(), incomingKey{}, in)), s.price(r.Context(), in)
}

// price is 0 also of what cannot be executed.
func (s *Server) price(ctx context.Context, in *incoming) int {
	if in.err != nil || !s.knows(in.request) {
		return 0
	}

	op, err := s.ready(ctx, in)
	if err != nil {
		return 0
	}

	return op.surcharge()
}

// knows reports whether the document of a request was read before.
func (s *Server) knows(req *request) bool {
	text := req.Query
	if text == "" {
		text, _ = s.persisted.get(req.hash())
	}

	_, kept := s.documents.get(text)

	return kept
}

// receive reads the parameters of GET or the body of POST, which may have so many bytes, unless that was done. 0 is
// the bound of every body.
func (*Server) receive(r *http.Request, most int64) *incoming {
	if in, done := r.Context().Value(incomingKey{}).(*incoming); done {
		return in
	}

	in := &incoming{method: r.Method, request: &request{header: r.Header}}

	if in.body, in.err = (chain.Bounds{Body: most, Unread: r.Method == http.MethodGet}).Read(r); in.err != nil {
		return in
	}

	if in.keyed, in.err = idempotency.FromHTTP(r, in.body); in.err != nil {
		return in
	}

	if r.Method == http.MethodGet {
		in.err = in.fromQuery(r.URL.RawQuery)
	} else {
		in.err = in.fromJSON(in.body)
	}

	return in
}

// ready is the operation of a request, as far as it may be executed once it is paid for.
func (s *Server) ready(ctx context.Context, in *incoming) (*operation, error) {
	if in.op == nil && in.err == nil {
		in.op, in.err = s.prepare(ctx, in.request)
	}

	if in.err == nil && in.method == http.MethodGet && !in.op.isQuery() && !in.op.isSubscription() {
		in.err = notAllowedError{"POST"}
	}

	return in.op, in.err
}
