package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"regexp"

	"github.com/reelgraph/reelgraph/graph/limits"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/idempotency"
)

// request is a client's request over any transport.
type request struct {
	Query         string         `json:"query"`
	OperationName string         `json:"operationName"`
	Variables     map[string]any `json:"variables"`
	Extensions    map[string]any `json:"extensions"`

	header http.Header
	keyed  *idempotency.Request // nil without an Idempotency-Key
	nobody bool                 // nothing is stored for a request without authentication
}

// fromJSON parses the object of a POST body or a websocket message. It ignores unknown properties, because clients
// send their own.
func (req *request) fromJSON(body []byte) error {
	if longDocument(body) {
		req.Query = string(openingQuery(body)[:limits.MaxText+1]) // refused as too long in any case

		return nil
	}

	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()

	err := decoder.Decode(req)
	if err == nil {
		if _, after := decoder.Token(); !errors.Is(after, io.EOF) {
			err = errors.New("unexpected data after the object")
		}
	}

	var wrong *json.UnmarshalTypeError

	switch {
	case err == nil:
		return wholePairs(body, []byte(req.Query))
	case len(bytes.TrimSpace(body)) == 0:
		return fault.BadRequest("The request has no body. It must be a JSON object with a query.")
	case errors.As(err, &wrong) && wrong.Field != "":
		return fault.BadRequest(wrong.Field + " must be " + kindOf(wrong.Field) + ".")
	case errors.As(err, &wrong):
		return fault.BadRequest("The request body must be one JSON object. Batches are not supported.")
	default:
		return fault.BadRequest("The request body must be one JSON object: " + err.Error() + ".")
	}
}

// idempotencyKey is the extension for a mutation's Idempotency-Key if the transport has no headers.
const keyExtension = "idempotencyKey"

// fromMessage parses the payload of a websocket message.
func (req *request) fromMessage(payload []byte) (err error) {
	if err := req.fromJSON(payload); err != nil {
		return err
	}

	given, there := req.Extensions[keyExtension]
	if !there {
		return nil
	}

	key, _ := given.(string) // any other type is an invalid key
	req.keyed, err = idempotency.FromMessage(key, "extensions."+keyExtension, "/graphql", payload)

	return err //nolint:wrapcheck // a fault
}

// longestSpelling is the largest number of JSON bytes for one byte of text, as in \u0020.
const longestSpelling = 6

// opening matches the start of a body whose first property is the query.
var opening = regexp.MustCompile(`^\s*\{\s*"query"\s*:\s*"`)

// longDocument reports whether a body, or the start of one, begins with a query that is longer than allowed.
func longDocument(body []byte) bool {
	return len(body) > limits.MaxText && leastBytes(openingQuery(body)) > limits.MaxText
}

// openingQuery returns the escaped text of a query that is the body's first property. With it, a query that is much
// too long is found without parsing a megabyte of JSON.
func openingQuery(body []byte) []byte {
	begin := opening.FindIndex(body)
	if begin == nil {
		return nil
	}

	text := body[begin[1]:]

	for at := 0; ; at++ {
		quote := bytes.IndexByte(text[at:], '"')
		if quote < 0 {
			return text
		}

		at += quote

		if escapes := at - len(bytes.TrimRight(text[:at], `\`)); escapes%2 == 0 {
			return text[:at]
		}
	}
}

// leastBytes returns the smallest number of bytes that an escaped JSON text can stand for.
func leastBytes(spelled []byte) int {
	return len(spelled) - (longestSpelling-1)*bytes.Count(spelled, []byte{'\\'})
}

func kindOf(field string) string {
	if field == "query" || field == "operationName" {
		return "a string"
	}

	return "an object"
}

// fromQuery parses the parameters of a GET.
func (req *request) fromQuery(raw string) error {
	values, err := url.ParseQuery(raw)
	if err != nil {
		return fault.BadRequest("The query string cannot be parsed.")
	}

	for _, name := range []string{"query", "operationName", "variables", "extensions"} {
		if len(values[name]) > 1 {
			return fault.BadRequest(name + " must be given only once.")
		}
	}

	req.Query, req.OperationName = values.Get("query"), values.Get("operationName")

	for name, into := range map[string]*map[string]any{"variables": &req.Variables, "extensions": &req.Extensions} {
		text := values.Get(name)
		if text == "" {
			continue
		}

		decoder := json.NewDecoder(bytes.NewReader([]byte(text)))
		decoder.UseNumber()

		if err := decoder.Decode(into); err != nil {
			return fault.BadRequest(name + " must be a JSON object.")
		}
	}

	return wholePairs([]byte(req.Query), []byte(values.Get("variables")))
}
