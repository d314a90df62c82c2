package openapi

import (
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/reelgraph/reelgraph/internal/platform/input"
)

// API is the input of Describe.
type API struct {
	Info   Info
	Server Server
	Tags   []Tag
	Rows   []Row
	Events []Event
	// Failures holds the errors that every operation may return, by status.
	Failures []Failure
	// Known holds the schemas of types that cannot be derived from the Go type.
	Known map[reflect.Type]*Schema
	// Describe returns the description of a type or, with a property, of that property; it may be empty.
	Describe func(typeName, property string) string
	// DescribeQuery returns the description of a query parameter of an operation; it may be empty.
	DescribeQuery func(operation, parameter string) string
}

// Row describes one operation of the API: one row of the table of operations.
type Row struct {
	ID, Method, Path          string
	Tag, Summary, Description string
	Query                     *input.Shape
	Body                      *input.Shape
	Needed                    bool     // whether an empty body is refused
	Raw                       []string // the content types of a body other than JSON
	Example                   json.RawMessage
	Answer                    reflect.Type
	Tagged                    bool // whether responses have an ETag
	Located                   bool // whether the response may be a redirect
	Conditional               bool // whether If-Match is supported
	Deprecated                bool
	Access                    string
	Graph                     Graph
}

// Event is a kind of event that webhooks deliver.
type Event struct {
	Kind   string
	Data   reflect.Type // without its timestamp
	Sample json.RawMessage
}

// Failure is an HTTP status with the error codes that it is used for.
type Failure struct {
	Status int
	Codes  []string
	When   string
	Error  any  // an example
	Later  bool // whether Retry-After is set
}

// writer builds a Document.
type writer struct {
	API

	schemas *schemas
	doc     *Document
}

// Describe returns the OpenAPI description of an API.
func Describe(api API) *Document {
	describe := api.Describe
	if describe == nil {
		describe = func(string, string) string { return "" }
	}

	if api.DescribeQuery == nil {
		api.DescribeQuery = func(string, string) string { return "" }
	}

	w := &writer{
		API:     api,
		schemas: &schemas{names: map[named]string{}, known: api.Known, describe: describe},
		doc: &Document{
			OpenAPI: "3.1.1", Info: api.Info, Servers: []Server{api.Server},
			Security: []map[string][]any{{securityName: {}}}, Tags: api.Tags,
		},
	}

	w.schemas.all = w.schemas.all.With("Error", errorSchema(api.Failures))

	for i := range api.Rows {
		w.row(&api.Rows[i])
	}

	for _, e := range api.Events {
		w.event(e)
	}

	w.doc.Components = Components{
		Schemas: w.schemas.all, Responses: failures(api.Failures), Parameters: sharedParameters(),
		Headers: sharedHeaders(), SecuritySchemes: securitySchemes(),
	}
	w.examples()
	w.prune()

	return w.doc
}

// prune removes shared headers and schemas that are not referenced.
func (w *writer) prune() {
	used := map[string]bool{}

	w.pruneSchemas()

	note := func(r *Response) {
		for _, h := range r.Headers {
			used[h.Value.Ref] = true
		}
	}

	for _, r := range w.doc.Components.Responses {
		note(r.Value)
	}

	for _, path := range w.doc.Paths {
		for _, method := range path.Value {
			for _, r := range method.Value.Responses {
				note(r.Value)
			}
		}
	}

	w.doc.Components.Headers = slices.DeleteFunc(w.doc.Components.Headers, func(h Member[*Header]) bool {
		return !used[refHeader+h.Name]
	})
}

// pruneSchemas removes schemas that nothing refers to, because they were written in place.
func (w *writer) pruneSchemas() {
	reached := map[string]bool{}

	var reach func(s *Schema)

	reach = func(s *Schema) {
		if name, isRef := strings.CutPrefix(s.Ref, refSchema); isRef && !reached[name] {
			reached[name] = true
			reach(w.schemas.all.Get(name))
		}

		for below := range s.below() {
			reach(below)
		}
	}

	content := func(all Map[*Media]) {
		for _, m := range all {
			reach(m.Value.Schema)
		}
	}

	for _, r := range w.doc.Components.Responses {
		content(r.Value.Content)
	}

	for _, path := range w.doc.Paths {
		for _, method := range path.Value {
			for _, p := range method.Value.Parameters {
				if p.Schema != nil {
					reach(p.Schema)
				}
			}

			if method.Value.RequestBody != nil {
				content(method.Value.RequestBody.Content)
			}

			for _, r := range method.Value.Responses {
				content(r.Value.Content)
			}
		}
	}

	w.doc.Components.Schemas = slices.DeleteFunc(w.doc.Components.Schemas, func(s Member[*Schema]) bool { return !reached[s.Name] })
}

// row adds an operation to its path. Other operations may have the same path.
func (w *writer) row(r *Row) {
	o := &Operation{
		OperationID: r.ID, Tags: []string{r.Tag}, Summary: r.Summary, Description: r.Description, Deprecated: r.Deprecated,
		Parameters: append(pathParameters(r.Path), w.query(r)...), RequestBody: w.body(r), Responses: w.responses(r),
		Access: r.Access, Graph: r.Graph,
	}

	if r.Tagged {
		o.Parameters = append(o.Parameters, Parameter{Ref: refParameter + "IfNoneMatch"})
	}

	if r.Conditional {
		o.Parameters = append(o.Parameters, Parameter{Ref: refParameter + "IfMatch"})
	}

	if r.Method != http.MethodGet {
		o.Parameters = append(o.Parameters, Parameter{Ref: refParameter + "IdempotencyKey"})
	}

	o.Parameters = append(o.Parameters, Parameter{Ref: refParameter + "RequestId"})

	for i := range w.doc.Paths {
		if at := &w.doc.Paths[i]; at.Name == r.Path {
			at.Value = at.Value.With(strings.ToLower(r.Method), o)

			return
		}
	}

	w.doc.Paths = w.doc.Paths.With(r.Path, Map[*Operation]{{strings.ToLower(r.Method), o}})
}

func pathParameters(path string) []Parameter {
	var all []Parameter

	before := ""

	for segment := range strings.SplitSeq(path, "/") {
		name, isParameter := strings.CutPrefix(segment, "{")
		if isParameter {
			name = strings.TrimSuffix(name, "}")
			all = append(all, Parameter{
				Name: name, In: "path", Required: true, Description: "The id of the " + thing(before) + ".",
				Schema: &Schema{Type: Types{"string"}, MinLength: new(1)}, Example: exampleID(name, thing(before)),
			})
		} else {
			before = segment
		}
	}

	return all
}

// thing returns the singular of a path segment.
func thing(plural string) string {
	return strings.ReplaceAll(strings.TrimSuffix(plural, "s"), "-", " ")
}

func (w *writer) query(r *Row) []Parameter {
	if r.Query == nil {
		return nil
	}

	var all []Parameter

	for i := range r.Query.Properties {
		p := &r.Query.Properties[i]
		schema := w.schemas.property("", p)
		parameter := Parameter{
			Name: p.Name, In: "query", Required: p.Value.Rules.Required, Description: w.DescribeQuery(r.ID, p.Name), Schema: schema,
		}

		if p.Value.Kind == input.List {
			parameter.Style, parameter.Explode = "form", new(false)
		}

		if schema.MinLength == nil && len(schema.Type) == 1 && schema.Type[0] == "string" && schema.Enum == nil {
			schema.MinLength = new(1) // a parameter must not be empty
		}

		all = append(all, parameter)
	}

	return all
}

func (w *writer) body(r *Row) *Body {
	switch {
	case r.Method == http.MethodGet:
		return nil
	case r.Raw != nil:
		b := &Body{Required: true}
		for _, kind := range r.Raw {
			b.Content = b.Content.With(kind, &Media{Schema: &Schema{Type: Types{"string"}}, Example: rawExample(kind)})
		}

		return b
	case empty(r.Body):
		return nil
	default:
		return &Body{Required: r.Needed, Content: Map[*Media]{{"application/json", &Media{Schema: w.schemas.asked(r.Body)}}}}
	}
}

func (w *writer) responses(r *Row) Map[*Response] {
	ok := &Response{
		Description: "The requested data.", Headers: everyHeader(),
		Content: Map[*Media]{{"application/json", &Media{Schema: w.schemas.answered(r.Answer)}}},
	}

	if r.Method != http.MethodGet {
		ok.Description = "Done, or started if it takes long."
		ok.Headers = ok.Headers.With("Idempotency-Replayed", &Header{Ref: refHeader + "IdempotencyReplayed"})
	}

	if r.Deprecated {
		for _, name := range []string{"Deprecation", "Sunset", "Link"} {
			ok.Headers = ok.Headers.With(name, &Header{Ref: refHeader + name})
		}
	}

	all := Map[*Response]{{"200", ok}}

	if r.Located {
		all = all.With("302", &Response{
			Description: "The signed address of the file.",
			Headers:     everyHeader().With("Location", &Header{Ref: refHeader + "Location"}),
		})
	}

	if r.Tagged {
		ok.Headers = ok.Headers.With("ETag", &Header{Ref: refHeader + "ETag"})
		all = all.With("304", &Response{
			Description: "Not changed since the ETag that you sent.", Headers: everyHeader().With("ETag", &Header{Ref: refHeader + "ETag"}),
		})
	}

	for _, f := range w.Failures {
		if r.Method == http.MethodGet && (f.Status == http.StatusRequestEntityTooLarge || f.Status == http.StatusUnsupportedMediaType) {
			continue
		}

		all = all.With(strconv.Itoa(f.Status), &Response{Ref: refResponse + failureName(f.Status)})
	}

	return all
}

// event describes a delivery. The body has the kind, the time, and the data, which has the time too. Everything is
// written in place, because client generators leave out shared parts that no path refers to and then cannot find
// them.
func (w *writer) event(e Event) {
	moment := Schema{Type: Types{"string"}, Format: "date-time"}
	name := exported(e.Data.Name())

	data := w.schemas.inline(w.schemas.object("", e.Data))
	data.Properties = data.Properties.With("timestamp", new(moment))
	data.Required = append(data.Required, "timestamp")

	body := &Schema{
		Type: Types{"object"}, Description: w.schemas.describe(name, ""), Required: []string{"type", "timestamp", "data"},
		Properties: Map[*Schema]{
			{"type", &Schema{Type: Types{"string"}, Const: e.Kind}}, {"timestamp", new(moment)}, {"data", data},
		},
	}

	w.doc.Webhooks = w.doc.Webhooks.With(e.Kind, Map[*Operation]{{"post", &Operation{
		OperationID: "on" + strings.TrimSuffix(e.Data.Name(), "Event"), Tags: []string{"Webhooks"}, Summary: "Event " + e.Kind,
		Description: "Delivered to every enabled endpoint that lists the kind, signed with the endpoint's secret.",
		Parameters:  eventParameters(),
		RequestBody: &Body{Required: true, Content: Map[*Media]{{"application/json", &Media{Schema: body, Example: e.Sample}}}},
		Responses: Map[*Response]{
			{"2XX", &Response{Description: "The event has arrived."}},
			{"default", &Response{Description: "The event has not arrived. It will be sent again later."}},
		},
		Security: []map[string][]any{{}},
	}}})
}
