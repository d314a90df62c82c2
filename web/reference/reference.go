package reference

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/reelgraph/reelgraph/rest/openapi"
)

//go:embed html
var templates embed.FS

// chapter is a tag with its operations, on its own page.
type chapter struct {
	openapi.Tag

	Address    string
	Operations []*operation
}

// operation is an operation on a page.
type operation struct {
	*openapi.Operation

	Method, Path string
	InPath       []field
	InQuery      []field
	Headers      []openapi.Parameter
	Body         []field
	BodyShape    string // for a body that is one of several
	Answer       []field
	Errors       []failure
	Document     string // the formatted GraphQL document
	Variables    string // formatted as well
	Curl         string
	Example      string // of the response
}

// failure is an error response of an operation.
type failure struct {
	Status      string
	Codes       []string
	Description string
}

// page is a page of the reference.
type page struct {
	Address, Title, Summary string
	Main                    template.HTML

	template string
	data     any
}

// access describes who may call an operation, by the words of rest/operations.
var access = map[string]string{
	"readers":   "Every role, including viewers. Each person sees only what they may read.",
	"members":   "Everyone except viewers.",
	"editors":   "Editors of the video: its creator, collaborators with the role editor, owners and admins. Never viewers.",
	"exporters": "Editors of the video, and its readers while its downloads are enabled.",
	"users":     "Editors of the video, and its readers while its raw downloads are enabled.",
	"managers":  "Its creator, and owners and admins of the workspace. Never viewers.",
	"creator":   "Only its creator. Never viewers.",
	"hidden":    "Only its creator. To everyone else it does not exist (404).",
}

// builder makes the pages of a document.
type builder struct {
	document  *openapi.Document
	baseURL   string
	templates *template.Template
	assets    map[string]string // addresses by name
	chapters  []chapter
}

func newBuilder(document *openapi.Document, baseURL string, assets map[string]string) (*builder, error) {
	b := &builder{document: document, baseURL: baseURL, assets: assets}

	parsed, err := template.New("").Funcs(template.FuncMap{
		"access": func(word string) string { return access[word] }, "asset": func(name string) string { return b.assets[name] },
		"coloured": coloured, "graphiql": graphiql, "inline": inline, "list": func(all ...any) []any { return all }, "lower": strings.ToLower,
		"pretty": pretty, "prose": prose, "section": func(name string) string { return strings.ToUpper(name[:1]) + name[1:] },
	}).ParseFS(templates, "html/*.html")
	if err != nil {
		return nil, fmt.Errorf("read the pages of the reference: %w", err)
	}

	b.templates = parsed

	b.chapters, err = b.readChapters()
	if err != nil {
		return nil, err
	}

	return b, nil
}

// pages returns all pages of the reference, without the layout around them.
func (b *builder) pages() ([]page, error) {
	all := []page{
		{
			Address: "/docs", Title: "Overview", Summary: "The REST API and the graph of Reelgraph, side by side.", template: "overview",
			data: map[string]any{"BaseURL": b.baseURL, "Chapters": b.chapters, "Introduction": b.document.Info.Description},
		},
		{Address: "/docs/errors", Title: "Errors", Summary: "What each error code means and what to do about it.", template: "errors"},
		{Address: "/docs/versioning", Title: "Versions", Summary: "What may change, and how a deprecation is announced.", template: "versioning"},
	}

	for _, c := range b.chapters {
		all = append(all, page{Address: c.Address, Title: c.Name, Summary: c.Description, template: "chapter", data: c})
	}

	all = append(all,
		page{
			Address: "/docs/events", Title: "Events", Summary: "What is delivered to webhook endpoints.", template: "events", data: b.events(),
		},
		page{
			Address: "/docs/shapes", Title: "Shapes", Summary: "Every object of requests and responses.", template: "shapes", data: b.shapes(),
		})

	for i := range all {
		main, err := b.execute(all[i].template, all[i].data)
		if err != nil {
			return nil, err
		}

		all[i].Main = template.HTML(main) //nolint:gosec // html/template wrote it
	}

	return all, nil
}

// whole returns a page with the layout around it.
func (b *builder) whole(p page) (string, error) {
	return b.execute("layout", map[string]any{"Page": p, "Chapters": b.chapters})
}

func (b *builder) execute(name string, data any) (string, error) {
	var out bytes.Buffer
	if err := b.templates.ExecuteTemplate(&out, name+".html", data); err != nil {
		return "", fmt.Errorf("write the page %s of the reference: %w", name, err)
	}

	return out.String(), nil
}

// chaptersOf returns the tags with operations, in the order of the description.
func chaptersOf(document *openapi.Document) []chapter {
	all := make([]chapter, len(document.Tags))

	for i, tag := range document.Tags {
		all[i] = chapter{Tag: tag, Address: "/docs/" + strings.ToLower(strings.ReplaceAll(tag.Name, " ", "-"))}
	}

	for _, path := range document.Paths {
		for _, method := range path.Value {
			o := &operation{Operation: method.Value, Method: strings.ToUpper(method.Name), Path: path.Name}

			for i := range all {
				if slices.Contains(o.Tags, all[i].Name) {
					all[i].Operations = append(all[i].Operations, o)
				}
			}
		}
	}

	return slices.DeleteFunc(all, func(c chapter) bool { return len(c.Operations) == 0 })
}

func (b *builder) readChapters() ([]chapter, error) {
	all := chaptersOf(b.document)

	for _, c := range all {
		for _, o := range c.Operations {
			if err := b.complete(o); err != nil {
				return nil, fmt.Errorf("operation %s: %w", o.OperationID, err)
			}
		}
	}

	return all, nil
}

// complete fills in what is displayed for an operation.
func (b *builder) complete(o *operation) error {
	b.parameters(o)

	if o.RequestBody != nil {
		schema := o.RequestBody.Content[0].Value.Schema
		o.Body = fieldsOf(b.document, schema, 0, nil)

		if of, name := resolve(b.document, schema); of != nil && of.OneOf != nil {
			o.BodyShape = name
		}
	}

	for _, r := range o.Responses {
		if name, shared := strings.CutPrefix(r.Value.Ref, "#/components/responses/"); shared {
			refusal := b.document.Components.Responses.Get(name)
			o.Errors = append(o.Errors, failure{Status: r.Name, Codes: refusal.Codes, Description: refusal.Description})
		}
	}

	answer := o.Responses.Get("200").Content.Get(jsonType)
	o.Answer = fieldsOf(b.document, answer.Schema, 0, nil)

	var err error
	if o.Example, err = pretty(answer.Example); err != nil {
		return err
	}

	if o.Document, err = document(o.Graph.Document); err != nil {
		return err
	}

	if o.Variables, err = variables(o.Graph); err != nil {
		return err
	}

	o.Curl, err = curl(b.baseURL, o)

	return err
}

func (b *builder) parameters(o *operation) {
	for i := range o.Parameters {
		p := &o.Parameters[i]

		name, shared := strings.CutPrefix(p.Ref, "#/components/parameters/")
		if shared {
			o.Headers = append(o.Headers, b.document.Components.Parameters.Get(name))

			continue
		}

		f := newField(b.document, p.Name, p.Schema, maxNesting, nil)

		f.Required, f.Description = p.Required, p.Description
		if strings.Contains(plain(f.Description), plain(f.Limits)) {
			f.Limits = ""
		}

		if p.In == "path" {
			o.InPath = append(o.InPath, f)
		} else {
			o.InQuery = append(o.InQuery, f)
		}
	}
}

// mutation returns the first field of the operation's document, which is its name in the graph.
func (o *operation) mutation() string {
	_, below, _ := strings.Cut(o.Document, "{")
	name := strings.TrimSpace(below)

	if alias, field, ok := strings.Cut(name, ": "); ok && !strings.ContainsAny(alias, "({ \n") {
		name = field
	}

	if end := strings.IndexAny(name, "({ \n"); end > 0 {
		name = name[:end]
	}

	return name
}

// event is a kind of event.
type event struct {
	Name, Example string
	Fields        []field
}

func (b *builder) events() []event {
	var all []event

	for _, w := range b.document.Webhooks {
		media := w.Value.Get("post").RequestBody.Content[0].Value

		example, err := pretty(media.Example)
		if err != nil {
			panic(err) // it was made from JSON
		}

		all = append(all, event{Name: w.Name, Example: example, Fields: fieldsOf(b.document, media.Schema, 0, nil)})
	}

	return all
}

// shape is a named schema.
type shape struct {
	Name, Description string
	Asked             bool // used in requests
	Fields            []field
	Values            []string
	By                string // the property that tells which of Of applies
	Of                []struct{ Value, Shape string }
}

func (b *builder) shapes() []shape {
	var all []shape

	for _, s := range b.document.Components.Schemas {
		one := shape{
			Name: s.Name, Description: s.Value.Description, Asked: s.Value.AdditionalProperties == false,
			Fields: fieldsOf(b.document, s.Value, maxNesting, nil),
		}

		for _, value := range s.Value.Enum {
			one.Values = append(one.Values, fmt.Sprint(value))
		}

		if d := s.Value.Discriminator; d != nil {
			one.By = d.PropertyName

			for _, m := range d.Mapping {
				one.Of = append(one.Of, struct{ Value, Shape string }{m.Name, strings.TrimPrefix(m.Value, refSchema)})
			}
		}

		all = append(all, one)
	}

	return all
}

// operations returns one line for each operation.
func operations(document *openapi.Document) string {
	var out strings.Builder

	for _, c := range chaptersOf(document) {
		for _, o := range c.Operations {
			fmt.Fprintf(&out, "- %s: %s %s (%s)\n", o.OperationID, o.Method, o.Path, o.Summary)
		}
	}

	return out.String()
}
