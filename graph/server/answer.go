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

// media is the kind of JSON a client wants.
type media int

const (
	mediaJSON     media = iota // for clients from before the specification: 200 for whatever is well formed
	mediaResponse              // application/graphql-response+json: a status that means something
)

func (m media) contentType() string {
	if m == mediaResponse {
		return typeResponse + "; charset=utf-8"
	}

	return typeJSON + "; charset=utf-8"
}

// The media types of answers.
const (
	typeJSON     = "application/json"
	typeResponse = "application/graphql-response+json"
	typeEvents   = "text/event-stream"
)

// accepted is what a client can read. Most clients name everything they know in each request, so that a stream of events is
// for who asks for something that only a stream can answer, or for who reads nothing else.
type accepted struct {
	media  media // of JSON
	json   bool  // whether JSON is acceptable at all
	events bool  // whether a stream of events is
}

// acceptedOf reads Accept. Who does not ask for graphql-response+json by name gets plain JSON.
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

// weighs reports whether a type is acceptable: what is said of the most exact name counts.
func weighs(weight map[string]float64, names ...string) bool {
	for _, name := range names {
		if q, said := weight[name]; said {
			return q > 0
		}
	}

	return false
}

// streams reports whether an operation is answered as a stream of events.
func (a accepted) streams(op *operation) bool { return a.events && (op.isSubscription() || !a.json) }

// answer is one answer over HTTP.
type answer struct {
	server *Server
	w      http.ResponseWriter
	media  media
	strict bool // whether a status means something though the media type is that of old clients: they read no JSON anyway
}

// write sends a body. header holds what a stored answer was first sent with.
func (a *answer) write(status int, body []byte, header map[string]string) {
	h := a.w.Header()
	h.Set("Content-Type", a.media.contentType())
	h.Set("Cache-Control", "no-store")
	h.Add("Vary", "Accept") // beside Origin, where other pages may ask

	for name, value := range header {
		h.Set(name, value)
	}

	h.Set("Content-Length", strconv.Itoa(len(body)))
	a.w.WriteHeader(status)
	_, _ = a.w.Write(body) //nolint:gosec // JSON under its own media type, to whoever still reads
}

// refuse answers a request that is not executed.
func (a *answer) refuse(ctx context.Context, err error) {
	status, f := a.server.status(ctx, err)

	if errors.As(err, new(writtenError)) && a.media == mediaJSON && !a.strict {
		status = http.StatusOK // as that media type has it
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

// seconds are those of Retry-After, rounded up.
func seconds(d time.Duration) string {
	return strconv.FormatInt(int64((d+time.Second-1)/time.Second), 10)
}

// status is what a refusal answers with.
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

// encode writes an answer. The data is JSON already and is taken as it is, for checking it again
// takes as long as making it.
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

// marshal encodes what we made ourselves, which cannot fail.
func (s *Server) marshal(ctx context.Context, v any) []byte {
	var b bytes.Buffer

	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)

	if err := encoder.Encode(v); err != nil {
		s.o.Log.ErrorContext(ctx, "answer not encoded", "requestId", middleware.RequestID(ctx), "error", err)

		return []byte("null")
	}

	return bytes.TrimRight(b.Bytes(), "\n")
}
