// Package openapi generates the OpenAPI 3.1 description of an HTTP API. It uses the same definitions as the running
// API: the rows of its table, the request types with the rules of package input, and the Go types of the responses.
// It contains no code for specific operations.
package openapi

import (
	"bytes"
	"encoding/json"
	"fmt"

	"go.yaml.in/yaml/v3"
)

// Document is an OpenAPI 3.1 description. Its maps keep their order.
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

// Info is the OpenAPI object with the title, version and license of the API.
type Info struct {
	Title       string  `json:"title"`
	Version     string  `json:"version"`
	Summary     string  `json:"summary"`
	Description string  `json:"description"`
	License     License `json:"license"`
	Contact     Contact `json:"contact"`
}

// License is the license of the API's description.
type License struct {
	Name       string `json:"name"`
	Identifier string `json:"identifier"`
}

// Contact is the contact for questions.
type Contact struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

// Server is the address of the API.
type Server struct {
	URL         string `json:"url"`
	Description string `json:"description"`
}

// Tag is a group of operations.
type Tag struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

// Operation is one operation of the API, or the webhook delivery of one kind of event.
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

	Access string `json:"-"` // who may call it, as a word from rest/operations
	Graph  Graph  `json:"-"`
}

// Graph is the GraphQL operation that does the same as a REST operation, with example variables. It is not part of
// the OpenAPI description. The reference pages show it.
type Graph struct {
	Document  string
	Variables json.RawMessage // nil if the document has no variables
}

// Parameter is a path, query or header parameter. Ref is set instead of the other fields to refer to a shared
// parameter.
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

// Media describes a body of one content type.
type Media struct {
	Schema  *Schema `json:"schema"`
	Example any     `json:"example,omitempty"`
}

// Response is one possible response of an operation. Ref is set instead of the other fields to refer to a shared
// response.
type Response struct {
	Ref         string       `json:"$ref,omitempty"`
	Description string       `json:"description,omitempty"`
	Headers     Map[*Header] `json:"headers,omitempty"`
	Content     Map[*Media]  `json:"content,omitempty"`

	Codes []string `json:"-"` // the error codes of this response
}

// Header is a header of a response.
type Header struct {
	Ref         string  `json:"$ref,omitempty"`
	Description string  `json:"description,omitempty"`
	Schema      *Schema `json:"schema,omitempty"`
	Example     any     `json:"example,omitempty"`
}

// Components holds the parts of the description that several operations refer to.
type Components struct {
	Schemas         Map[*Schema]   `json:"schemas"`
	Responses       Map[*Response] `json:"responses"`
	Parameters      Map[Parameter] `json:"parameters"`
	Headers         Map[*Header]   `json:"headers"`
	SecuritySchemes Map[Security]  `json:"securitySchemes"`
}

// Security is a method of authentication.
type Security struct {
	Type         string `json:"type"`
	Scheme       string `json:"scheme"`
	BearerFormat string `json:"bearerFormat"`
	Description  string `json:"description"`
}

// Map is a JSON object that keeps the order of its members.
type Map[T any] []Member[T]

// Member is a member of a Map.
type Member[T any] struct {
	Name  string
	Value T
}

// Get returns the member with that name, or the zero value.
func (m Map[T]) Get(name string) T {
	for _, member := range m {
		if member.Name == name {
			return member.Value
		}
	}

	var none T

	return none
}

// With returns a copy of the map with one more member at the end.
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

// JSON returns the document in the form in which it is served at /openapi.json, with one member on each line.
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

// YAML returns the document as YAML.
func (d *Document) YAML() ([]byte, error) {
	text, err := encode(d)
	if err != nil {
		return nil, err
	}

	var node yaml.Node
	if err := yaml.Unmarshal(text, &node); err != nil { // JSON is valid YAML, and decoding into a node keeps the order
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

// relax lets the encoder choose the style of what JSON wrote with braces and quotes. Strings stay strings because of
// their tags.
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
