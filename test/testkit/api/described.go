package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"

	"github.com/reelgraph/reelgraph/rest"
	"github.com/reelgraph/reelgraph/rest/openapi"
)

// description is the product's API description, against which every request of the tests and its answer is checked.
type description struct {
	doc      *openapi.Document
	requests schemas // as published
	answers  schemas // closed: new properties of answers must be described
}

// schemas are the schemas of one document, by JSON pointer.
type schemas struct {
	compiler *jsonschema.Compiler
	mu       *sync.Mutex
}

const location = "https://reel.example/openapi.json"

var described = sync.OnceValue(func() *description {
	doc := rest.Describe(BaseURL)

	text, err := doc.JSON()
	if err != nil {
		panic(err)
	}

	load := func(closed bool) schemas {
		document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			panic(err)
		}

		c := jsonschema.NewCompiler()

		if closed {
			closeObjects(document)
			c.AssertFormat()
		}

		if err := c.AddResource(location, document); err != nil {
			panic(err)
		}

		return schemas{c, new(sync.Mutex)}
	}

	return &description{doc, load(false), load(true)}
})

// closeObjects forbids properties that a schema does not name.
func closeObjects(node any) {
	switch n := node.(type) {
	case []any:
		for _, child := range n {
			closeObjects(child)
		}
	case map[string]any:
		if properties, isSchema := n["properties"].(map[string]any); isSchema && n["type"] == "object" {
			if _, says := n["additionalProperties"]; !says {
				n["additionalProperties"] = false
			}

			for _, p := range properties {
				closeObjects(p)
			}

			return
		}

		for _, child := range n {
			closeObjects(child)
		}
	}
}

// check returns how a value breaks the schema at a JSON pointer.
func (s schemas) check(pointer string, value any) error {
	s.mu.Lock()
	defer s.mu.Unlock() // the compiler caches schemas and is not safe for concurrent use

	schema, err := s.compiler.Compile(location + "#" + pointer)
	if err != nil {
		return err
	}

	return schema.Validate(value)
}

// Operation returns the operation of the API description for a method and a path, and the template of the path. It
// returns nil if there is no such operation.
func Operation(method, path string) (*openapi.Operation, string) {
	if method == http.MethodHead {
		method = http.MethodGet
	}

	var (
		found *openapi.Operation
		at    string
	)

	for _, p := range described().doc.Paths {
		o := p.Value.Get(strings.ToLower(method))
		if o != nil && leads(p.Name, path) && (found == nil || strings.Count(p.Name, "{") < strings.Count(at, "{")) {
			found, at = o, p.Name
		}
	}

	return found, at
}

func leads(template, path string) bool {
	wanted, given := strings.Split(template, "/"), strings.Split(path, "/")
	if len(wanted) != len(given) {
		return false
	}

	for i, segment := range wanted {
		if segment != given[i] && (!strings.HasPrefix(segment, "{") || given[i] == "") {
			return false
		}
	}

	return true
}

// Measure fails the test if Measured returns an error for this request and response.
func Measure(tb testing.TB, r *http.Request, body string, a Answer) {
	tb.Helper()

	require.NoError(tb, Measured(r, body, a))
}

// Measured returns an error unless the API description allows the response. If the description forbids the request,
// the response must be an error. Measured is safe for concurrent use.
func Measured(r *http.Request, body string, a Answer) error {
	if !strings.HasPrefix(r.URL.Path, "/v1/") || r.Method == http.MethodOptions { // a browser's preflight
		return nil
	}

	where := r.Method + " " + r.URL.RequestURI() + "\n" + body + "\n" + a.Body
	o, path := Operation(r.Method, r.URL.EscapedPath())

	if o == nil {
		if a.Status < http.StatusBadRequest {
			return fmt.Errorf("status %d of an undescribed operation: %s", a.Status, where)
		}

		return nil
	}

	if err := matches(o, path, r.Method, a); err != nil {
		return fmt.Errorf("%w: %s", err, where)
	}

	if a.Status < http.StatusBadRequest {
		if err := Valid(o, path, r.Method, r.URL.RawQuery, r.Header.Get("Content-Type"), body); err != nil {
			return fmt.Errorf("accepted a request that the description forbids: %w: %s", err, where)
		}
	}

	return nil
}

func pointer(path, method string) string {
	if method == http.MethodHead {
		method = http.MethodGet
	}

	return "/paths/" + strings.ReplaceAll(path, "/", "~1") + "/" + strings.ToLower(method)
}

func matches(o *openapi.Operation, path, method string, a Answer) error {
	response := o.Responses.Get(strconv.Itoa(a.Status))
	if response == nil {
		return fmt.Errorf("status %d is not described", a.Status)
	}

	at := pointer(path, method) + "/responses/" + strconv.Itoa(a.Status)

	if name, shared := strings.CutPrefix(response.Ref, "#/components/responses/"); shared {
		at = "/components/responses/" + name
		response = described().doc.Components.Responses.Get(name)
	}

	for _, h := range response.Headers {
		switch h.Name {
		case "Idempotency-Replayed", "Retry-After", "Deprecation", "Sunset", "Link": // optional headers
		default:
			if len(a.Header.Values(h.Name)) != 1 {
				return fmt.Errorf("header %s appears %d times", h.Name, len(a.Header.Values(h.Name)))
			}
		}
	}

	if response.Content == nil || method == http.MethodHead {
		if a.Body != "" {
			return errors.New("the answer has a body that is not described")
		}

		return nil
	}

	value, err := jsonschema.UnmarshalJSON(strings.NewReader(a.Body))
	if err != nil {
		return err
	}

	return described().answers.check(at+"/content/application~1json/schema", value)
}

// Valid returns an error that says how a request breaks the description of its operation, or nil if the request is
// valid.
func Valid(o *openapi.Operation, path, method, rawQuery, contentType, body string) error {
	query, err := url.ParseQuery(rawQuery)
	if err != nil {
		return nil //nolint:nilerr // the description does not cover the syntax of queries
	}

	for i, p := range o.Parameters {
		if p.In != "query" {
			continue
		}

		given, there := query[p.Name]

		switch {
		case !there && p.Required:
			return fmt.Errorf("%s is required", p.Name)
		case !there:
			continue
		case len(given) > 1 || given[0] == "":
			return fmt.Errorf("%s appears twice or is empty", p.Name)
		}

		at := pointer(path, method) + "/parameters/" + strconv.Itoa(i) + "/schema"
		if err := described().requests.check(at, typed(p.Schema, given[0])); err != nil {
			return err
		}
	}

	media, _, _ := strings.Cut(contentType, ";")
	if o.RequestBody == nil || o.RequestBody.Content.Get("application/json") == nil || body != "" && media != "application/json" {
		return nil
	}

	if body == "" {
		body = "{}"
	}

	value, err := jsonschema.UnmarshalJSON(strings.NewReader(norm.NFC.String(body)))
	if err != nil {
		return err
	}

	return described().requests.check(pointer(path, method)+"/requestBody/content/application~1json/schema", value)
}

// typed converts a query value to the type of its schema. A value that does not fit stays text.
func typed(s *openapi.Schema, text string) any {
	switch kind := described().resolve(s); {
	case len(kind.Type) == 0:
		return text
	case kind.Type[0] == "array":
		var items []any
		for part := range strings.SplitSeq(text, ",") {
			items = append(items, typed(kind.Items, part))
		}

		return items
	case kind.Type[0] == "integer", kind.Type[0] == "number":
		if _, err := strconv.ParseFloat(text, 64); err == nil {
			return json.Number(text)
		}
	case kind.Type[0] == "boolean" && (text == "true" || text == "false"):
		return text == "true"
	}

	return text
}

func (d *description) resolve(s *openapi.Schema) *openapi.Schema {
	if name, isRef := strings.CutPrefix(s.Ref, "#/components/schemas/"); isRef {
		return d.doc.Components.Schemas.Get(name)
	}

	return s
}

// ValidAnswer returns an error that says how a response body breaks the description of its operation, or nil if the
// body is valid.
func ValidAnswer(path, method, body string) error {
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(body))
	if err != nil {
		return err
	}

	return described().answers.check(pointer(path, method)+"/responses/200/content/application~1json/schema", value)
}
