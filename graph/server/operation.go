package server

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/reelgraph/reelgraph/graph/limits"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/idempotency"
	"github.com/reelgraph/reelgraph/internal/transcripts"
)

// operation is a request that may be executed.
type operation struct {
	*graphql.OperationContext

	keyed      *idempotency.Request
	plan       Plan // nil if gqlgen executes it
	complexity int
}

// document is a parsed document with the plans of its operations.
type document struct {
	*limits.Document

	plans map[*ast.OperationDefinition]Plan
}

// perUnit is how much complexity is included in the basic cost of one request.
const perUnit = 1000

func (o *operation) isQuery() bool { return o.Operation.Operation == ast.Query }

func (o *operation) isSubscription() bool { return o.Operation.Operation == ast.Subscription }

// surcharge returns the cost of the operation beyond the basic cost of one request.
func (o *operation) surcharge() int { return o.complexity / perUnit }

// cost returns the extension that reports the cost.
func (o *operation) cost() map[string]any {
	return map[string]any{"cost": cost{o.complexity, 1 + o.surcharge()}}
}

type cost struct {
	Complexity int `json:"complexity"`
	Charged    int `json:"charged"`
}

// writtenError is an error in the client's document, found before execution.
type writtenError struct{ gqlerror.List }

// prepare determines the operation to execute. Its errors are document errors or faults.
func (s *Server) prepare(ctx context.Context, req *request) (op *operation, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = s.recovered(ctx, cause)
		}
	}()

	if err := s.persist(req); err != nil {
		return nil, err
	}

	doc, err := s.document(req)
	if err != nil {
		return nil, err
	}

	definition := doc.Operations.ForName(req.OperationName)

	switch {
	case definition == nil && req.OperationName == "":
		return nil, faulty("The document has several operations: set operationName to the one to execute.")
	case definition == nil:
		return nil, faulty("The document has no operation with that operationName.")
	}

	variables, err := s.variables(doc.Nulls, definition, req.Variables)
	if err != nil {
		return nil, err
	}

	complexity, tooMuch := s.limits.Cost(definition, variables)
	if tooMuch != nil {
		return nil, writtenError{gqlerror.List{tooMuch}}
	}

	op = &operation{keyed: req.keyed, plan: doc.plans[definition], complexity: complexity, OperationContext: &graphql.OperationContext{
		RawQuery: req.Query, OperationName: req.OperationName, Extensions: req.Extensions, Headers: req.header,
		Doc: doc.QueryDocument, Operation: definition, Variables: variables,
		RecoverFunc:            s.recovered,
		ResolverMiddleware:     func(ctx context.Context, next graphql.Resolver) (any, error) { return next(ctx) },
		RootResolverMiddleware: func(ctx context.Context, next graphql.RootResolver) graphql.Marshaler { return next(ctx) },
	}}

	if op.isSubscription() && len(graphql.CollectFields(op.OperationContext, definition.SelectionSet, nil)) != 1 {
		return nil, faulty("A subscription must select exactly one field.")
	}

	return op, nil
}

func faulty(message string) error { return writtenError{gqlerror.List{{Message: message}}} }

// document parses a document, or returns the stored one.
func (s *Server) document(req *request) (*document, error) {
	text := req.Query
	if text == "" {
		return nil, fault.BadRequest("query is required. It must be the text of a GraphQL document.")
	}

	if doc, kept := s.documents.get(text); kept {
		return doc, nil
	}

	read, errs := s.limits.Read(text)
	if len(errs) > 0 {
		return nil, writtenError{errs}
	}

	doc := &document{read, s.compile(read.QueryDocument)}

	if !req.nobody {
		s.documents.add(text, doc, doc.Weight+fieldsOfNone+len(text)/bytesOfField)
	}

	return doc, nil
}

// compile makes plans for the operations that can be compiled.
func (s *Server) compile(doc *ast.QueryDocument) map[*ast.OperationDefinition]Plan {
	plans := map[*ast.OperationDefinition]Plan{}

	for _, op := range doc.Operations {
		if s.o.Compile == nil {
			break
		}

		if plan, err := s.o.Compile(doc, op); err == nil {
			plans[op] = plan
		}
	}

	return plans
}

// persistedExtension is the extension in which a client names a query by its hash.
const persistedExtension = "persistedQuery"

// hash returns the hash of the query, or an empty string.
func (req *request) hash() string {
	given, _ := req.Extensions[persistedExtension].(map[string]any)
	hash, _ := given["sha256Hash"].(string)

	return strings.ToLower(hash)
}

// persist resolves and stores automatic persisted queries.
func (s *Server) persist(req *request) error {
	given, asked := req.Extensions[persistedExtension].(map[string]any)
	if !asked {
		return nil
	}

	hash := req.hash()

	switch version, _ := given["version"].(json.Number); {
	case version != "1" || len(hash) != hex.EncodedLen(sha256.Size):
		return fault.BadRequest("extensions.persistedQuery must have version 1 and a sha256Hash.")
	case req.Query == "":
		query, known := s.persisted.get(hash)
		if !known {
			return faulty("PersistedQueryNotFound") // the exact text that clients expect
		}

		req.Query = query
	default:
		sum := sha256.Sum256([]byte(req.Query))
		if hex.EncodeToString(sum[:]) != hash {
			return fault.BadRequest("extensions.persistedQuery.sha256Hash must be the hash of the query.")
		}

		if len(req.Query) <= limits.MaxText && !req.nobody {
			s.persisted.add(hash, req.Query, len(req.Query)+len(hash))
		}
	}

	return nil
}

// query executes a query and returns the encoded response.
func (s *Server) query(ctx context.Context, op *operation) []byte {
	return s.encode(ctx, s.execute(ctx, op))
}

// execute returns the single response of a query or a mutation.
func (s *Server) execute(ctx context.Context, op *operation) (answer *graphql.Response) {
	defer func() {
		if cause := recover(); cause != nil {
			answer = s.failed(ctx, s.recovered(ctx, cause))
		}

		answer.Extensions = op.cost()
	}()

	if op.plan != nil {
		if data, err := op.plan.Answer(transcripts.WithReading(ctx), op.Variables); err == nil {
			return &graphql.Response{Data: data}
		}
	}

	next, ctx := s.executor.DispatchOperation(transcripts.WithReading(ctx), op.OperationContext)
	if answer = next(ctx); answer == nil {
		return s.failed(ctx, context.Cause(ctx)) // the client is gone
	}

	return answer
}

// failed returns a response that has only an error.
func (s *Server) failed(ctx context.Context, err error) *graphql.Response {
	return &graphql.Response{Data: json.RawMessage("null"), Errors: gqlerror.List{s.public(ctx, s.classify(ctx, err))}}
}

// mutate executes a mutation in one transaction. If any of its fields fails, everything is rolled back and the
// response has no data.
func (s *Server) mutate(ctx context.Context, op *operation, contentType string) (idempotency.Answer, error) {
	return s.o.Mutations.Run(ctx, op.keyed, func(ctx context.Context) (idempotency.Answer, error) { //nolint:wrapcheck // a fault
		answer := s.execute(ctx, op)

		undone := len(answer.Errors) > 0
		if undone {
			answer.Data = json.RawMessage("null")
		}

		status, header := http.StatusOK, map[string]string{"Content-Type": contentType}
		if f := limited(answer.Errors); f != nil {
			status, header["Retry-After"] = http.StatusTooManyRequests, seconds(f.RetryAfter)
		}

		return idempotency.Answer{
			Status: status,
			Header: header,
			Body:   s.encode(ctx, answer),
			Secret: true, // the response may contain a secret
			Undone: undone,
		}, nil
	})
}

// limited returns the error among those of a mutation that asks the caller to retry later.
func limited(errs gqlerror.List) *fault.Error {
	for _, err := range errs {
		if f, ok := fault.As(err); ok && f.Code == fault.RateLimitedCode {
			return f
		}
	}

	return nil
}

// event is one response of a stream.
type event struct {
	body []byte
	// refused holds the errors of an operation that was not started.
	refused gqlerror.List
}

// each executes an operation and passes its responses to yield until yield returns false or the context ends.
func (s *Server) each(ctx context.Context, op *operation, contentType string, yield func(event) bool) {
	defer func() {
		if cause := recover(); cause != nil {
			yield(event{refused: s.errors(ctx, s.recovered(ctx, cause))})
		}
	}()

	switch {
	case op.isQuery():
		yield(event{body: s.query(ctx, op)})
	case op.isSubscription():
		s.subscribe(ctx, op, yield)
	default:
		done, err := s.mutate(ctx, op, contentType)
		if err != nil {
			yield(event{refused: s.errors(ctx, err)})

			return
		}

		yield(event{body: done.Body})
	}
}

func (s *Server) subscribe(ctx context.Context, op *operation, yield func(event) bool) {
	next, ctx := s.executor.DispatchOperation(ctx, op.OperationContext)

	for paid := op.cost(); ; paid = nil {
		answer := next(ctx)

		switch {
		case answer == nil:
			if err := s.o.Gate.Refusal(ctx); err != nil { // the state may have changed
				yield(event{refused: s.errors(ctx, err)})
			}

			return
		case answer.Data == nil && len(answer.Errors) > 0:
			yield(event{refused: answer.Errors})

			return
		}

		answer.Extensions = paid
		if !yield(event{body: s.encode(ctx, answer)}) {
			return
		}
	}
}
