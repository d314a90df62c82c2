package server

import (
	"cmp"
	"context"
	"net/http"

	"github.com/reelgraph/reelgraph/internal/platform/idempotency"
	"github.com/reelgraph/reelgraph/internal/platform/middleware"
)

// incoming is a request that has not been executed yet. Small requests are read before they are admitted, so that one
// statement can count their full cost. Errors in them are reported only after admission.
type incoming struct {
	method string // empty on a websocket
	*request

	keyErr error      // error of its Idempotency-Key, reported before all others
	op     *operation // once it is prepared
	err    error
}

type incomingKey struct{}

// maxEarly is the largest request, in bytes, that is read before its sender is known.
const maxEarly = 16 << 10

// Price returns what a request costs beyond the basic cost of one, if it is small and its document is known. For
// others it returns 0, and Spend takes the rest later. It implements limit.Price.
func (s *Server) Price(r *http.Request) (*http.Request, int) {
	small := r.ContentLength >= 0 && r.ContentLength <= maxEarly // a request of unknown length may never end
	asks := r.Header.Get("Expect") != ""                         // the client waits before it sends the body

	switch {
	case opensSocket(r): // each of its operations is priced separately
		return r, 0
	case r.Method == http.MethodGet:
	case r.Method != http.MethodPost, !small, asks:
		return r, 0
	}

	in := s.receive(r)

	return r.WithContext(context.WithValue(r.Context(), incomingKey{}, in)), s.price(r.Context(), in)
}

// price also returns 0 for requests that cannot be executed. It stores no new documents, because the sender is not
// known yet.
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

// knows reports whether the document of a request is known, by its text or its hash.
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

// receive reads the parameters of a GET or the body of a POST, unless that was done already.
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

// ready returns the operation of a request that may be executed after its cost has been counted.
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

// admitted counts the cost of an admitted request and returns its operation.
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
