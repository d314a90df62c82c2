// Package openapi writes the description of an HTTP API in OpenAPI 3.1 from what the API itself runs on:
// the rows of its table, the shapes of package input for what is asked, and the Go types of the answers.
// It knows no operation by name.
package openapi

import (
	"bytes"
	"encoding/json"
	"fmt"

	"go.yaml.in/yaml/v3"
)

// Document is an OpenAPI 3.1 description. Its maps keep the order in which they were filled.
type Document struct {
	OpenAPI    string               `json:"openapi"`
	Info       Info                 `json:"info"`
	Servers    []Server             `json:"servers"`
	Security   []map[string][]any   `json:"security"`
	Tags       []Tag                `json:"tags"`
	Paths      Map[Map[*Operation]] `json:"paths"`
	Webhooks   Map[Map[*Operation]] `json:"webhooks"`
	Components Components           `json:"components"`
}

// Info says what the API is.
type Info struct {
	Title       string  `json:"title"`
	Version     string  `json:"version"`
	Summary     string  `json:"summary"`
	Description string  `json:"description"`
	License     License `json:"license"`
	Contact     Contact `json:"contact"`
}

// License is the licence of the API's description.
type License struct {
	Name       string `json:"name"`
	Identifier string `json:"identifier"`
}

// Contact is where questions go.
type Contact struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

// Server is where the API is.
type Server struct {
	URL         string `json:"url"`
	Description string `json:"description"`
}

// Tag is a chapter of the API.
type Tag struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

// Operation is one operation, or the delivery of one kind of event.
type Operation struct {
	OperationID string             `json:"operationId"`
	Tags        []string           `json:"tags"`
	Summary     string             `json:"summary"`
	Description string             `json:"description,omitempty"`
	Deprecated  bool               `json:"deprecated,omitempty"`
	Parameters  []Parameter        `json:"parameters,omitempty"`
	RequestBody *Body              `json:"requestBody,omitempty"`
	Responses   Map[*Response]     `json:"responses"`
	Security    []map[string][]any `json:"security,omitempty"`

	Access string `json:"-"` // who may call it: a word of the API's own
	Graph  Graph  `json:"-"`
}

// Graph is the GraphQL operation that does the same as an operation of REST, with variables to try it with. It is not
// part of the description: the reference shows it.
type Graph struct {
	Document  string
	Variables json.RawMessage // nil when the document has none
}

// Parameter is a part of a path, a query or the headers; Ref points to one that many operations share.
type Parameter struct {
	Ref         string  `json:"$ref,omitempty"`
	Name        string  `json:"name,omitempty"`
	In          string  `json:"in,omitempty"`
	Description string  `json:"description,omitempty"`
	Required    bool    `json:"required,omitempty"`
	Style       string  `json:"style,omitempty"`
	Explode     *bool   `json:"explode,omitempty"`
	Schema      *Schema `json:"schema,omitempty"`
	Example     any     `json:"example,omitempty"`
}

// Body is the body of a request.
type Body struct {
	Description string      `json:"description,omitempty"`
	Required    bool        `json:"required,omitempty"`
	Content     Map[*Media] `json:"content"`
}

// Media is a body of one content type.
type Media struct {
	Schema  *Schema `json:"schema"`
	Example any     `json:"example,omitempty"`
}

// Response is one way in which an operation answers; Ref points to one that many operations share.
type Response struct {
	Ref         string       `json:"$ref,omitempty"`
	Description string       `json:"description,omitempty"`
	Headers     Map[*Header] `json:"headers,omitempty"`
	Content     Map[*Media]  `json:"content,omitempty"`

	Codes []string `json:"-"` // those of the errors it answers with
}

// Header is a header of an answer.
type Header struct {
	Ref         string  `json:"$ref,omitempty"`
	Description string  `json:"description,omitempty"`
	Schema      *Schema `json:"schema,omitempty"`
	Example     any     `json:"example,omitempty"`
}

// Components are what the rest refers to.
type Components struct {
	Schemas         Map[*Schema]   `json:"schemas"`
	Responses       Map[*Response] `json:"responses"`
	Parameters      Map[Parameter] `json:"parameters"`
	Headers         Map[*Header]   `json:"headers"`
	SecuritySchemes Map[Security]  `json:"securitySchemes"`
}

// Security is a way to say who asks.
type Security struct {
	Type         string `json:"type"`
	Scheme       string `json:"scheme"`
	BearerFormat string `json:"bearerFormat"`
	Description  string `json:"description"`
}

// Map is a JSON object whose members stay in order.
type Map[T any] []Member[T]

// Member is a member of a Map.
type Member[T any] struct {
	Name  string
	Value T
}

// Get returns the member of that name, or the zero value.
func (m Map[T]) Get(name string) T {
	for _, member := range m {
		if member.Name == name {
			return member.Value
		}
	}

	var none T

	return none
}

// With returns the map with a member added at its end.
func (m Map[T]) With(name string, value T) Map[T] { return append(m, Member[T]{name, value}) }

// MarshalJSON implements json.Marshaler.
func (m Map[T]) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer

	out.WriteByte('{')

	for i, member := range m {
		if i > 0 {
			out.WriteByte(',')
		}

		name, err := encode(member.Name)
		if err != nil {
			return nil, err
		}

		value, err := encode(member.Value)
		if err != nil {
			return nil, err
		}

		out.Write(name)
		out.WriteByte(':')
		out.Write(value)
	}

	out.WriteByte('}')

	return out.Bytes(), nil
}

// JSON is the document as it is served at /openapi.json, with a line for each member.
func (d *Document) JSON() ([]byte, error) {
	compact, err := encode(d)
	if err != nil {
		return nil, err
	}

	var out bytes.Buffer
	if err := json.Indent(&out, compact, "", "  "); err != nil {
		return nil, fmt.Errorf("indent the API description: %w", err)
	}

	out.WriteByte('\n')

	return out.Bytes(), nil
}

// YAML is the same document in the other notation.
func (d *Document) YAML() ([]byte, error) {
	text, err := encode(d)
	if err != nil {
		return nil, err
	}

	var node yaml.Node
	if err := yaml.Unmarshal(text, &node); err != nil { // JSON is YAML, and so read keeps its order
		return nil, fmt.Errorf("read the API description: %w", err)
	}

	relax(&node)

	var out bytes.Buffer

	enc := yaml.NewEncoder(&out)
	enc.SetIndent(2)

	if err := enc.Encode(&node); err != nil {
		return nil, fmt.Errorf("write the API description: %w", err)
	}

	return out.Bytes(), nil
}

// relax lets the encoder choose how to write what JSON wrote in braces and quotes. A text keeps being
// one: its tag says so.
func relax(n *yaml.Node) {
	n.Style = 0

	for _, child := range n.Content {
		relax(child)
	}
}

// encode writes JSON without the HTML escapes of encoding/json.
func encode(v any) ([]byte, error) {
	var out bytes.Buffer

	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)

	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("encode %T: %w", v, err)
	}

	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}
