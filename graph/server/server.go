// Package server answers GraphQL requests over HTTP, server-sent events and websockets. It does not depend on the
// types of the graph. It implements the transports itself, to guarantee three things: all goroutines of a response
// end with the response, a mutation and its Idempotency-Key are stored in one transaction, and every refusal has its
// own HTTP status.
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

// Options configures a Server. Fields are required unless their comment says what zero means.
type Options struct {
	// Classify returns the public error for an error of a resolver.
	Classify func(error) *fault.Error
	// Mutations runs each mutation in one transaction.
	Mutations Mutations
	Gate      Gate
	Peers     middleware.Peers
	// Compile returns a plan for a query that can be answered without gqlgen's execution. For other queries it returns
	// an error. If Compile is nil, no query is compiled.
	Compile func(doc *ast.QueryDocument, op *ast.OperationDefinition) (Plan, error)
	// BaseURL is the public address of the service, without a trailing slash.
	BaseURL string
	// Opens reports whether pages of an origin may open a websocket; nil allows none. The product uses
	// account.Cookies.Ours and the origins that the operator allows to use keys.
	Opens func(origin string, r *http.Request) bool
	Log   *slog.Logger

	// Draining ends all streams when it is canceled. If it is nil, nothing ends them.
	Draining context.Context //nolint:containedctx // of the process, and not of a request

	Heartbeat time.Duration // between keep-alives on a stream; 0 means 10 s
	Patience  time.Duration // how long to wait for a client to read, respond or authenticate; 0 means 20 s
}

// Plan is a compiled query. If Answer returns an error, gqlgen executes the query.
type Plan interface {
	Answer(ctx context.Context, variables map[string]any) (data []byte, err error)
}

// Mutations runs a mutation and commits it. It does not commit if the response is an error. In production it is
// idempotency.Keys.
type Mutations interface {
	Run(ctx context.Context, req *idempotency.Request, produce func(context.Context) (idempotency.Answer, error)) (idempotency.Answer, error)
}

// Gate holds the functions that admit and limit requests. In production they come from package limit and
// account.Door.
type Gate struct {
	// Refusal returns why an admitted request must not be served, or a stream must end; nil if there is no reason.
	Refusal func(ctx context.Context) error
	// Spend takes n more from the budget. It takes nothing that admission has already taken.
	Spend func(ctx context.Context, n int) error
	// Admit admits one operation of a websocket as if the request that opened the websocket were sent again. extra is
	// its cost beyond one.
	Admit func(ctx context.Context, opened *http.Request, extra int) context.Context
	// Subscribe counts a subscription until release is called, or returns an error if there are too many; nil counts
	// none.
	Subscribe func(ctx context.Context) (release func(), err error)
	// Open reports whether an operation needs no authentication; nil means that all need it. Such operations cost
	// one.
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

// How many known documents are kept.
const (
	documentWeight  = 40_000  // fields and fragments: at most about 10 MB, which with garbage is 50 MB
	fieldsOfNone    = 12      // weight of a document with almost no fields: its parts and its plan take 3 KB
	bytesOfField    = 256     // this many other bytes of a document weigh as much as one field
	persistedWeight = 4 << 20 // bytes
)

// New returns a Server for a schema with resolvers.
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

// ServeHTTP implements http.Handler. The request must have passed the gate.
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
		a.refuse(ctx, fault.BadRequest("Subscriptions are served only as server-sent events (Accept: text/event-stream) or over a websocket."))
	default:
		s.serveOnce(ctx, a, op)
	}
}

// subscribing counts an operation if it is a subscription, until release is called.
func (s *Server) subscribing(ctx context.Context, op *operation) (release func(), err error) {
	if s.o.Gate.Subscribe == nil || !op.isSubscription() {
		return func() {}, nil
	}

	return s.o.Gate.Subscribe(ctx) //nolint:wrapcheck // a fault
}

// read performs all steps before execution, in the order of the contract.
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

// readOpen reads a request without authentication. Unless it is an operation that needs none, the result is the
// refusal.
func (s *Server) readOpen(r *http.Request, refusal error) (*operation, error) {
	if s.o.Gate.Open == nil || r.Method != http.MethodPost || !fault.Is(refusal, fault.UnauthorizedCode) {
		return nil, refusal
	}

	r.Body = http.MaxBytesReader(nil, r.Body, maxEarly)
	in := s.receive(r)
	in.nobody, in.keyed, in.keyErr = true, nil, nil // keys belong to users

	op, err := s.ready(r.Context(), in)
	if err != nil {
		return nil, s.refusalOf(in.request, err, refusal)
	}

	if !s.o.Gate.Open(op.Operation) || op.surcharge() > 0 {
		return nil, refusal
	}

	op.keyed = nil // it was prepared for a user

	return op, nil
}

// refusalOf returns the error of an unauthenticated request if its operation needs no authentication; otherwise the
// refusal.
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

// notAllowedError means that the HTTP method is not allowed.
type notAllowedError struct{ what, methods string }

// Error returns the methods that are allowed.
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

// recovered turns a panic into a server error and logs its cause.
func (s *Server) recovered(ctx context.Context, cause any) error {
	s.o.Log.ErrorContext(ctx, "panic in a GraphQL request",
		"requestId", middleware.RequestID(ctx), "panic", fmt.Sprint(cause), "stack", string(debug.Stack()))

	return fault.ServerError(nil)
}
