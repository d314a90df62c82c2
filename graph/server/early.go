package server

import (
	"cmp"
	"context"
	"net/http"

	"github.com/reelgraph/reelgraph/internal/platform/idempotency"
	"github.com/reelgraph/reelgraph/internal/platform/middleware"
)

// incoming is a request on its way to be executed. Small ones are read before the gate admits them, so that one
// statement counts all they cost; whatever is wrong with them is said after it has.
type incoming struct {
	method string // empty on a websocket
	*request

	keyErr error      // what is wrong with its Idempotency-Key, which comes before what is wrong with the rest
	op     *operation // once it was prepared
	err    error
}

type incomingKey struct{}

// maxEarly is the size of a request that is read of whoever sends it, in bytes.
const maxEarly = 16 << 10

// Price is what a request costs beyond the one that every request costs, if it is small and its document known; it is
// 0 for the others, for which Spend asks. It implements limit.Price.
func (s *Server) Price(r *http.Request) (*http.Request, int) {
	small := r.ContentLength >= 0 && r.ContentLength <= maxEarly // one of unknown length may never end
	asks := r.Header.Get("Expect") != ""                         // before it sends the body

	switch {
	case opensSocket(r): // its operations are priced, each for itself
		return r, 0
	case r.Method == http.MethodGet:
	case r.Method != http.MethodPost, !small, asks:
		return r, 0
	}

	in := s.receive(r)

	return r.WithContext(context.WithValue(r.Context(), incomingKey{}, in)), s.price(r.Context(), in)
}

// price is 0 also of what cannot be executed. Nothing new is remembered: nobody knows yet who asks.
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

// knows reports whether the document of a request was read before, and its hash, if it gives one.
func (s *Server) knows(req *request) bool {
	text := req.Query

	if hash := req.hash(); hash != "" {
		kept, known := s.persisted.get(hash)
		if !known {
			return false
		}

		text = cmp.Or(text, kept)
	}

	_, kept := s.documents.get(text)

	return kept
}

// receive reads the parameters of GET or the body of POST, unless that was done.
func (*Server) receive(r *http.Request) *incoming {
	if in, done := r.Context().Value(incomingKey{}).(*incoming); done {
		return in
	}

	in := &incoming{method: r.Method, request: &request{header: r.Header}}

	body, err := (middleware.Bounds{Unread: r.Method == http.MethodGet, Enough: longDocument}).Read(r)
	if err != nil {
		in.err = err

		return in
	}

	in.keyed, in.keyErr = idempotency.FromHTTP(r, body)

	if r.Method == http.MethodGet {
		in.err = in.fromQuery(r.URL.RawQuery)
	} else {
		in.err = in.fromJSON(body)
	}

	return in
}

// ready is the operation of a request, as far as it may be executed once it is paid for.
func (s *Server) ready(ctx context.Context, in *incoming) (*operation, error) {
	if in.keyErr != nil {
		return nil, in.keyErr
	}

	if in.op == nil && in.err == nil {
		in.op, in.err = s.prepare(ctx, in.request)
	}

	if in.err == nil && in.method == http.MethodGet && !in.op.isQuery() && !in.op.isSubscription() {
		in.err = notAllowedError{"This operation", "POST"}
	}

	return in.op, in.err
}

// admitted is the operation of a request that came through the gate, paid for.
func (s *Server) admitted(ctx context.Context, in *incoming) (*operation, error) {
	op, err := s.ready(ctx, in)
	if err != nil {
		return nil, err
	}

	if err := s.o.Gate.Spend(ctx, op.surcharge()); err != nil {
		return nil, err //nolint:wrapcheck // a fault
	}

	return op, nil
}
