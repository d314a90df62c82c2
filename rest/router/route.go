package router

import (
	"context"
	"fmt"
	"net/http"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/reelgraph/reelgraph/internal/platform/idempotency"
	"github.com/reelgraph/reelgraph/internal/platform/input"
	"github.com/reelgraph/reelgraph/internal/platform/middleware"
	"github.com/reelgraph/reelgraph/rest/shape"
)

// Route is one row of the table: a method, a path, and a typed operation. G is the type of the resolvers that the
// operation calls. Everything else follows from the types of the operation's input and result and from the options of
// the row.
type Route[G any] struct {
	Method    string
	Path      string
	Operation string // operationId: the name of the function
	Origins   *input.Origins
	Answer    reflect.Type
	Traits    traits
	run       func(ctx context.Context, g G, r *http.Request, body []byte) (idempotency.Answer, error)
}

// operation is the function of a row: it calls a resolver with a selection and shapes the result. Rights,
// transactions and errors are those of the resolver.
type operation[G, In, Out any] func(ctx context.Context, g G, in In) (Out, error)

// traits holds what options set for a row.
type traits struct {
	Bounds  middleware.Bounds
	Tagged  bool
	secret  bool
	Retired *retirement
}

type option func(*traits)

// Tagged is an option for a GET that adds an ETag to the response and handles If-None-Match. The result type must
// implement Reviser.
func Tagged(t *traits) { t.Tagged = true }

// Secret is an option for operations whose response contains a secret. The copy that is stored for repeated requests
// is encrypted.
func Secret(t *traits) { t.secret = true }

// Accepting is an option for operations that also accept bodies other than JSON. Such a body must have one of the
// given content types and at most limit bytes. The operation gets it unparsed.
func Accepting(limit int64, types ...string) option {
	return func(t *traits) { t.Bounds.Body, t.Bounds.Types = limit, types }
}

// retirement is the deprecation of an operation.
type retirement struct {
	deprecated time.Time
	sunset     time.Time
	notice     string // address of the explanation
}

// leastNotice is how long a deprecated operation must still work.
const leastNotice = 180 * 24 * time.Hour

// deprecated adds the headers of a deprecation to every response: when it was deprecated, when it ends, and the
// address of the explanation. It panics if the end is less than 180 days after the deprecation or the explanation is
// missing.
func deprecated(since, sunset time.Time, notice string) option {
	if sunset.Sub(since) < leastNotice || notice == "" {
		panic(fmt.Sprintf("rest: a deprecated operation needs 180 days and an explanation: %s to %s, %q", since, sunset, notice))
	}

	return func(t *traits) { t.Retired = &retirement{since, sunset, notice} }
}

func (t traits) announce(h http.Header) {
	if t.Retired == nil {
		return
	}

	h.Set("Deprecation", "@"+strconv.FormatInt(t.Retired.deprecated.Unix(), 10))
	h.Set("Link", "<"+t.Retired.notice+`>; rel="deprecation"`)
	h.Set("Sunset", t.Retired.sunset.UTC().Format(http.TimeFormat))
}

// Get returns the Route for a GET request to path.
func Get[G, In, Out any](path string, op operation[G, In, Out], options ...option) Route[G] {
	return row(http.MethodGet, path, op, options)
}

// Post returns the Route for a POST request to path.
func Post[G, In, Out any](path string, op operation[G, In, Out], options ...option) Route[G] {
	return row(http.MethodPost, path, op, options)
}

// Put returns the Route for a PUT request to path.
func Put[G, In, Out any](path string, op operation[G, In, Out], options ...option) Route[G] {
	return row(http.MethodPut, path, op, options)
}

// Patch returns the Route for a PATCH request to path.
func Patch[G, In, Out any](path string, op operation[G, In, Out], options ...option) Route[G] {
	return row(http.MethodPatch, path, op, options)
}

// Del returns the Route for a DELETE request to path.
func Del[G, In, Out any](path string, op operation[G, In, Out], options ...option) Route[G] {
	return row(http.MethodDelete, path, op, options)
}

func row[G, In, Out any](method, path string, op operation[G, In, Out], options []option) Route[G] {
	out := reflect.TypeFor[Out]()
	if out.Kind() != reflect.Struct {
		panic(fmt.Sprintf("rest: %s %s returns %s, which is not a JSON object", method, path, out))
	}

	rt := Route[G]{Method: method, Path: path, Operation: nameOf(op), Answer: out, Origins: input.OriginsOf(reflect.TypeFor[In](), path)}
	rt.Traits.Bounds.Unread = method == http.MethodGet

	for _, o := range options {
		o(&rt.Traits)
	}

	if rt.Traits.Tagged && !out.Implements(reflect.TypeFor[shape.Reviser]()) {
		panic(fmt.Sprintf("rest: %s %s is tagged, but %s has no revision", method, path, out))
	}

	in, traits := rt.Origins, rt.Traits
	rt.run = func(ctx context.Context, g G, r *http.Request, body []byte) (idempotency.Answer, error) {
		var input In
		if err := in.Read(r, body, reflect.ValueOf(&input).Elem()); err != nil {
			return idempotency.Answer{}, err
		}

		out, err := op(ctx, g, input)
		if err != nil {
			return idempotency.Answer{}, err
		}

		return traits.answer(out)
	}

	return rt
}

// nameOf returns the last part of a function's name, the operationId of its row.
func nameOf(op any) string {
	name := runtime.FuncForPC(reflect.ValueOf(op).Pointer()).Name()

	return name[strings.LastIndexByte(name, '.')+1:]
}

// answer encodes the result of an operation.
func (t traits) answer(out any) (idempotency.Answer, error) {
	if l, ok := out.(shape.Located); ok {
		if address := l.Location(); address != "" {
			return idempotency.Answer{Status: http.StatusFound, Header: map[string]string{"Location": address}}, nil
		}
	}

	body, err := shape.Encode(out)
	if err != nil {
		return idempotency.Answer{}, err
	}

	a := idempotency.Answer{Status: http.StatusOK, Body: body, Secret: t.secret}
	if t.Tagged {
		tag, err := entityTag(out.(shape.Reviser), body) //nolint:forcetypeassert // row made sure
		if err != nil {
			return idempotency.Answer{}, err
		}

		a.Header = map[string]string{"ETag": tag}
	}

	return a, nil
}
