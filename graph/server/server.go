// Package server answers GraphQL requests: over HTTP, as server-sent events and over websockets. It
// knows nothing of any type of the graph. The transports are our own: an answer ends with its
// goroutines, a mutation is one transaction with its Idempotency-Key, and every refusal has its status.
package server

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/executor"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/reelgraph/reelgraph/graph/limits"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/idempotency"
	"github.com/reelgraph/reelgraph/internal/platform/middleware"
)

// Options configure a Server. Everything without a word about zero is required.
type Options struct {
	// Classify is what an error of a resolver may tell its caller.
	Classify func(error) *fault.Error
	// Mutations runs each mutation in one transaction.
	Mutations Mutations
	Gate      Gate
	Peers     middleware.Peers
	// Compile makes a plan of a query that is answered without gqlgen's execution; nil and an error for the
	// others. Nil compiles nothing.
	Compile func(doc *ast.QueryDocument, op *ast.OperationDefinition) (Plan, error)
	// BaseURL is where the service is reached, without a slash at its end.
	BaseURL string
	// Opens reports whether pages of an origin may open a websocket with a request; nil is none. The product's is
	// account.Cookies.Ours, and the origins that the operator lets use keys.
	Opens func(origin string, r *http.Request) bool
	Log   *slog.Logger

	// Draining ends the streams when it does, and nothing else; nil never does.
	Draining context.Context //nolint:containedctx // of the process, and not of a request

	Heartbeat time.Duration // between signs of life on a stream; 0 means 10 s
	Patience  time.Duration // with a client that does not read, answer or introduce itself; 0 means 20 s
}

// Plan is a query that was compiled. What it cannot answer, gqlgen executes.
type Plan interface {
	Answer(ctx context.Context, variables map[string]any) (data []byte, err error)
}

// Mutations runs a mutation and commits what it did, unless its answer is undone. The product's is
// idempotency.Keys.
type Mutations interface {
	Run(ctx context.Context, req *idempotency.Request, produce func(context.Context) (idempotency.Answer, error)) (idempotency.Answer, error)
}

// Gate is what has become of a request at the limiter. The product's are the functions of package
// limit and of account.Door.
type Gate struct {
	// Refusal is why a request that came through the gate must not be served, or a stream not go on.
	Refusal func(ctx context.Context) error
	// Spend takes n more from its budget, unless that was done when it was admitted.
	Spend func(ctx context.Context, n int) error
	// Admit lets one operation of a websocket through the gate, as if it were the request that opened
	// the websocket, sent again, with what it costs beyond one.
	Admit func(ctx context.Context, opened *http.Request, extra int) context.Context
	// Subscribe counts a subscription of a request until release, or says why there must not be one more; nil counts none.
	Subscribe func(ctx context.Context) (release func(), err error)
	// Open says which operations need nobody; nil is none. They cost no more than one.
	Open func(op *ast.OperationDefinition) bool
}

// Server is the http.Handler of the graph.
type Server struct {
	o         Options
	schema    graphql.ExecutableSchema
	limits    *limits.Schema
	executor  *executor.Executor
	documents *recent[*document]
	persisted *recent[string]
}

// What is kept of documents that were asked before.
const (
	documentWeight  = 40_000  // fields and fragments, some 10 MB at most, of which the collector makes 50
	fieldsOfNone    = 12      // what a document weighs that has hardly any: its parts and its plan are 3 KB
	bytesOfField    = 256     // what else a document is written with weighs as much as a field of that length
	persistedWeight = 4 << 20 // bytes
)

// New makes a Server of a schema with its resolvers.
func New(schema graphql.ExecutableSchema, o Options) *Server {
	o.Heartbeat = cmp.Or(o.Heartbeat, 10*time.Second)
	o.Patience = cmp.Or(o.Patience, 20*time.Second)

	if o.Draining == nil {
		o.Draining = context.Background()
	}

	s := &Server{
		o: o, schema: schema, limits: limits.New(schema.Schema()), executor: executor.New(schema),
		documents: newRecent[*document](documentWeight), persisted: newRecent[string](persistedWeight),
	}

	s.executor.SetErrorPresenter(s.present)
	s.executor.SetRecoverFunc(s.recovered)

	return s
}

// ServeHTTP implements http.Handler. The request has come through the gate.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if opensSocket(r) {
		s.serveSocket(w, r)

		return
	}

	ctx := r.Context()
	accepts := acceptedOf(r.Header.Values("Accept"))
	a := &answer{server: s, w: w, media: accepts.media, strict: !accepts.json}

	op, err := s.read(r)
	if err != nil {
		a.refuse(ctx, err)

		return
	}

	switch {
	case accepts.streams(op):
		release, err := s.subscribing(ctx, op)
		if err != nil {
			a.refuse(ctx, err)

			return
		}

		defer release()

		s.serveEvents(ctx, a, op)
	case op.isSubscription():
		a.refuse(ctx, fault.BadRequest("A subscription is answered as server-sent events (Accept: text/event-stream) or over a websocket."))
	default:
		s.serveOnce(ctx, a, op)
	}
}

// subscribing counts an operation that is a subscription, until release.
func (s *Server) subscribing(ctx context.Context, op *operation) (release func(), err error) {
	if s.o.Gate.Subscribe == nil || !op.isSubscription() {
		return func() {}, nil
	}

	return s.o.Gate.Subscribe(ctx) //nolint:wrapcheck // a fault
}

// read takes a request through everything that comes before execution, in the contract's order.
func (s *Server) read(r *http.Request) (*operation, error) {
	if r.Method != http.MethodGet && r.Method != http.MethodPost {
		return nil, notAllowedError{"The graph", "GET, POST"}
	}

	ctx := r.Context()
	if err := s.o.Gate.Refusal(ctx); err != nil {
		return s.readOpen(r, err)
	}

	return s.admitted(ctx, s.receive(r))
}

// readOpen is read for a request of nobody: whatever it is but one of the operations that need nobody, the
// answer is the refusal.
func (s *Server) readOpen(r *http.Request, refusal error) (*operation, error) {
	if s.o.Gate.Open == nil || r.Method != http.MethodPost || !fault.Is(refusal, fault.UnauthorizedCode) {
		return nil, refusal
	}

	r.Body = http.MaxBytesReader(nil, r.Body, maxEarly)
	in := s.receive(r)
	in.nobody, in.keyed, in.keyErr = true, nil, nil // a key is somebody's

	op, err := s.ready(r.Context(), in)
	if err != nil {
		return nil, s.refusalOf(in.request, err, refusal)
	}

	if !s.o.Gate.Open(op.Operation) || op.surcharge() > 0 {
		return nil, refusal
	}

	op.keyed = nil // as it was prepared for somebody

	return op, nil
}

// refusalOf is what is wrong with a request of nobody, if it is for an operation that needs nobody.
func (s *Server) refusalOf(req *request, wrong, refusal error) error {
	doc, err := s.document(req)
	if err != nil {
		return refusal
	}

	if op := doc.Operations.ForName(req.OperationName); op == nil || !s.o.Gate.Open(op) {
		return refusal
	}

	return wrong
}

// notAllowedError is a method by which something is not served.
type notAllowedError struct{ what, methods string }

func (n notAllowedError) Error() string { return "only " + n.methods }

// serveOnce answers a query or a mutation.
func (s *Server) serveOnce(ctx context.Context, a *answer, op *operation) {
	if op.isQuery() {
		a.write(http.StatusOK, s.query(ctx, op), nil)

		return
	}

	done, err := s.mutate(ctx, op, a.media.contentType())
	if err != nil {
		a.refuse(ctx, err)

		return
	}

	a.write(done.Status, done.Body, done.Header)
}

// recovered makes a server error of a panic, and tells the log alone what it was.
func (s *Server) recovered(ctx context.Context, cause any) error {
	s.o.Log.ErrorContext(ctx, "panic in the graph",
		"requestId", middleware.RequestID(ctx), "panic", fmt.Sprint(cause), "stack", string(debug.Stack()))

	return fault.ServerError(nil)
}
