package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/middleware"
)

// media is the kind of JSON that a client accepts.
type media int

const (
	mediaJSON     media = iota // for clients older than the specification: 200 for every well-formed request
	mediaResponse              // application/graphql-response+json: with a meaningful status
)

func (m media) contentType() string {
	if m == mediaResponse {
		return typeResponse + "; charset=utf-8"
	}

	return typeJSON + "; charset=utf-8"
}

// The media types of responses.
const (
	typeJSON     = "application/json"
	typeResponse = "application/graphql-response+json"
	typeEvents   = "text/event-stream"
)

// accepted holds what a client can read. Most clients list all types that they know in each request. So a stream of
// events is sent only for an operation that needs one, or to a client that accepts nothing else.
type accepted struct {
	media  media // which kind of JSON
	json   bool  // whether JSON is acceptable at all
	events bool  // whether a stream of events is acceptable
}

// acceptedOf parses Accept. A client that does not name graphql-response+json gets plain JSON.
func acceptedOf(accept []string) accepted {
	if len(accept) == 0 || len(accept) == 1 && (accept[0] == typeJSON || accept[0] == "*/*") {
		return accepted{json: true}
	}

	weight := map[string]float64{}

	for part := range strings.SplitSeq(strings.Join(accept, ","), ",") {
		kind, params, err := mime.ParseMediaType(part)
		if err != nil {
			continue
		}

		q := 1.0
		if given, has := params["q"]; has {
			q, _ = strconv.ParseFloat(given, 64)
		}

		weight[kind] = max(weight[kind], q)
	}

	out := accepted{
		json:   weighs(weight, typeJSON, "application/*", "*/*") || weighs(weight, typeResponse),
		events: weighs(weight, typeEvents, "text/*"),
	}

	if weight[typeResponse] > 0 && weight[typeResponse] >= weight[typeJSON] {
		out.media = mediaResponse
	}

	return out
}

// weighs reports whether a type is acceptable. The most specific name decides.
func weighs(weight map[string]float64, names ...string) bool {
	for _, name := range names {
		if q, said := weight[name]; said {
			return q > 0
		}
	}

	return false
}

// streams reports whether an operation is answered with a stream of events.
func (a accepted) streams(op *operation) bool { return a.events && (op.isSubscription() || !a.json) }

// answer is one response over HTTP.
type answer struct {
	server *Server
	w      http.ResponseWriter
	media  media
	strict bool // whether the status is meaningful even though the media type is the old one, because the client does not read JSON
}

// write sends a body. header holds the headers of a stored response.
func (a *answer) write(status int, body []byte, header map[string]string) {
	h := a.w.Header()
	h.Set("Content-Type", a.media.contentType())
	h.Set("Cache-Control", "no-store")
	h.Add("Vary", "Accept") // in addition to Origin, if other origins are allowed

	for name, value := range header {
		h.Set(name, value)
	}

	h.Set("Content-Length", strconv.Itoa(len(body)))
	a.w.WriteHeader(status)
	_, _ = a.w.Write(body) //nolint:gosec // JSON with its own media type; the client may be gone
}

// refuse answers a request that is not executed.
func (a *answer) refuse(ctx context.Context, err error) {
	status, f := a.server.status(ctx, err)

	if errors.As(err, new(writtenError)) && a.media == mediaJSON && !a.strict {
		status = http.StatusOK // as that media type requires
	}

	if not, ok := errors.AsType[notAllowedError](err); ok {
		a.w.Header().Set("Allow", not.methods)
	}

	switch {
	case status == http.StatusUnauthorized:
		a.w.Header()["WWW-Authenticate"] = []string{"Bearer"}
	case f.RetryAfter > 0:
		a.w.Header().Set("Retry-After", seconds(f.RetryAfter))
	}

	a.write(status, a.server.encode(ctx, &graphql.Response{Errors: a.server.errors(ctx, err)}), nil)
}

// seconds formats a Retry-After, rounded up.
func seconds(d time.Duration) string {
	return strconv.FormatInt(int64((d+time.Second-1)/time.Second), 10)
}

// status returns the HTTP status and the public error of a refusal.
func (s *Server) status(ctx context.Context, err error) (int, *fault.Error) {
	var (
		transport *middleware.RefusalError
		written   writtenError
		method    notAllowedError
	)

	switch {
	case errors.As(err, &transport):
		return transport.Status, transport.Fault
	case errors.As(err, &written):
		return http.StatusBadRequest, fault.BadRequest("")
	case errors.As(err, &method):
		return http.StatusMethodNotAllowed, fault.BadRequest("")
	}

	f := s.classify(ctx, err)

	return statuses()[f.Code], f
}

func statuses() map[fault.Code]int {
	return map[fault.Code]int{
		fault.BadRequestCode:     http.StatusBadRequest,
		fault.UnauthorizedCode:   http.StatusUnauthorized,
		fault.ForbiddenCode:      http.StatusForbidden,
		fault.NotFoundCode:       http.StatusNotFound,
		fault.ConflictCode:       http.StatusConflict,
		fault.EditConflictCode:   http.StatusConflict,
		fault.RateLimitedCode:    http.StatusTooManyRequests,
		fault.ServerErrorCode:    http.StatusInternalServerError,
		fault.NotImplementedCode: http.StatusNotImplemented,
		fault.UnavailableCode:    http.StatusServiceUnavailable,
	}
}

// encode encodes a response. Its data is valid JSON already and is copied unchanged, because checking it takes as
// long as producing it.
func (s *Server) encode(ctx context.Context, answer *graphql.Response) []byte {
	var b bytes.Buffer

	b.Grow(len(answer.Data) + 256) //nolint:mnd // room for the extensions
	b.WriteByte('{')

	part := func(name string, content []byte) {
		if b.Len() > 1 {
			b.WriteByte(',')
		}

		b.WriteString(`"` + name + `":`)
		b.Write(content)
	}

	if len(answer.Errors) > 0 {
		part("errors", s.marshal(ctx, answer.Errors))
	}

	if answer.Data != nil {
		part("data", answer.Data)
	}

	if len(answer.Extensions) > 0 {
		part("extensions", s.marshal(ctx, answer.Extensions))
	}

	b.WriteByte('}')

	return b.Bytes()
}

// marshal encodes values of our own types, which cannot fail.
func (s *Server) marshal(ctx context.Context, v any) []byte {
	var b bytes.Buffer

	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)

	if err := encoder.Encode(v); err != nil {
		s.o.Log.ErrorContext(ctx, "cannot encode the response", "requestId", middleware.RequestID(ctx), "error", err)

		return []byte("null")
	}

	return bytes.TrimRight(b.Bytes(), "\n")
}
