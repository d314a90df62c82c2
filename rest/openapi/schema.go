package openapi

import (
	"encoding/json"
	"fmt"
	"iter"
	"path"
	"reflect"
	"slices"
	"strings"
	"unicode"
)

// Schema is a JSON Schema (draft 2020-12) with the keywords that the API uses.
type Schema struct {
	Ref                  string         `json:"$ref,omitempty"`
	Type                 Types          `json:"type,omitempty"`
	Format               string         `json:"format,omitempty"`
	Description          string         `json:"description,omitempty"`
	Const                any            `json:"const,omitempty"`
	Enum                 []any          `json:"enum,omitempty"`
	Default              any            `json:"default,omitempty"`
	Pattern              string         `json:"pattern,omitempty"`
	MinLength            *int           `json:"minLength,omitempty"`
	MaxLength            *int           `json:"maxLength,omitempty"`
	Minimum              *float64       `json:"minimum,omitempty"`
	ExclusiveMinimum     *float64       `json:"exclusiveMinimum,omitempty"`
	Maximum              *float64       `json:"maximum,omitempty"`
	ExclusiveMaximum     *float64       `json:"exclusiveMaximum,omitempty"`
	MinItems             *int           `json:"minItems,omitempty"`
	MaxItems             *int           `json:"maxItems,omitempty"`
	MinProperties        *int           `json:"minProperties,omitempty"`
	Items                *Schema        `json:"items,omitempty"`
	Properties           Map[*Schema]   `json:"properties,omitempty"`
	Required             []string       `json:"required,omitempty"`
	AdditionalProperties any            `json:"additionalProperties,omitempty"`
	AnyOf                []*Schema      `json:"anyOf,omitempty"`
	OneOf                []*Schema      `json:"oneOf,omitempty"`
	Discriminator        *Discriminator `json:"discriminator,omitempty"`
}

// below iterates over the subschemas.
func (s *Schema) below() iter.Seq[*Schema] {
	return func(yield func(*Schema) bool) {
		all := slices.Concat(s.AnyOf, s.OneOf)
		if s.Items != nil {
			all = append(all, s.Items)
		}

		if more, ok := s.AdditionalProperties.(*Schema); ok {
			all = append(all, more)
		}

		for _, p := range s.Properties {
			all = append(all, p.Value)
		}

		for _, below := range all {
			if !yield(below) {
				return
			}
		}
	}
}

// Discriminator names the property whose value determines which of several schemas applies.
type Discriminator struct {
	PropertyName string      `json:"propertyName"`
	Mapping      Map[string] `json:"mapping"`
}

// Types holds the JSON types that a value may have. If there is only one, it is encoded as a string instead of an
// array.
type Types []string

// MarshalJSON implements json.Marshaler.
func (t Types) MarshalJSON() ([]byte, error) {
	if len(t) == 1 {
		return encode(t[0])
	}

	return encode([]string(t))
}

// Nullable is for response types that are encoded either as null or as a value of another type. The method Nullable
// returns this other type.
type Nullable interface{ Nullable() reflect.Type }

type enum interface{ Values() []string }

// The formats of numbers, so that generated clients choose a large enough type: integers go up to 2^53-1, which
// includes milliseconds since 1970.
const (
	formatInteger = "int64"
	formatNumber  = "double"
)

const refSchema = "#/components/schemas/"

// schemas makes the schemas of Go types. Each named type is made once.
type schemas struct {
	all      Map[*Schema]
	names    map[named]string
	known    map[reflect.Type]*Schema
	describe func(typeName, property string) string
}

// named is a type in a response or in a request. In a request it has rules.
type named struct {
	t     reflect.Type
	asked bool
}

// name returns a free name for a type and reports whether its schema is still to be made.
func (s *schemas) name(n named) (string, bool) {
	if known, ok := s.names[n]; ok {
		return known, false
	}

	plain := strings.TrimSuffix(exported(n.t.Name()), "In")
	if answer, cut := strings.CutSuffix(plain, "Out"); cut {
		plain = answer + "Answer"
	}

	candidates := []string{plain, exported(path.Base(n.t.PkgPath())) + plain}
	if n.asked {
		candidates = []string{plain, plain + "Input", candidates[1]}
	}

	for _, name := range candidates {
		if s.all.Get(name) == nil {
			s.names[n] = name
			s.all = s.all.With(name, &Schema{}) // reserves the name, also for recursive types

			return name, true
		}
	}

	panic(fmt.Sprintf("openapi: no free name for %s", n.t))
}

func (s *schemas) reference(n named, build func(name string) *Schema) *Schema {
	name, isNew := s.name(n)
	if isNew {
		*s.all.Get(name) = *build(name)
	}

	return &Schema{Ref: refSchema + name}
}

// answered returns the schema of a type in a response.
func (s *schemas) answered(t reflect.Type) *Schema {
	if known, ok := s.known[t]; ok {
		return new(*known)
	}

	if n, ok := reflect.TypeAssert[Nullable](reflect.Zero(t)); ok {
		return orNull(s.answered(n.Nullable()))
	}

	switch e, isEnum := reflect.TypeAssert[enum](reflect.Zero(t)); {
	case isEnum && t.Kind() == reflect.String:
		return s.enum(t, e.Values())
	case t == reflect.TypeFor[json.RawMessage](), t.Kind() == reflect.Interface:
		return &Schema{}
	}

	switch t.Kind() {
	case reflect.Pointer:
		return s.answered(t.Elem())
	case reflect.String:
		return &Schema{Type: Types{"string"}}
	case reflect.Bool:
		return &Schema{Type: Types{"boolean"}}
	case reflect.Float32, reflect.Float64:
		return &Schema{Type: Types{"number"}, Format: formatNumber}
	case reflect.Slice, reflect.Array:
		return &Schema{Type: Types{"array"}, Items: s.answered(t.Elem())}
	case reflect.Map:
		return &Schema{Type: Types{"object"}, AdditionalProperties: s.answered(t.Elem())}
	case reflect.Struct:
		if t.Name() == "" {
			return s.object("", t)
		}

		return s.reference(named{t: t}, func(name string) *Schema { return s.object(name, t) })
	default:
		if t.Kind() >= reflect.Int && t.Kind() <= reflect.Uint64 {
			return &Schema{Type: Types{"integer"}, Format: formatInteger}
		}

		panic(fmt.Sprintf("openapi: type %s is not supported in responses", t))
	}
}

// inline replaces the references in a response schema by their content.
func (s *schemas) inline(schema *Schema) *Schema {
	if name, isRef := strings.CutPrefix(schema.Ref, refSchema); isRef {
		return s.inline(s.all.Get(name))
	}

	whole := *schema

	whole.AnyOf = nil
	for _, one := range schema.AnyOf {
		whole.AnyOf = append(whole.AnyOf, s.inline(one))
	}

	if schema.Items != nil {
		whole.Items = s.inline(schema.Items)
	}

	whole.Properties = nil
	for _, p := range schema.Properties {
		whole.Properties = whole.Properties.With(p.Name, s.inline(p.Value))
	}

	return &whole
}

func (s *schemas) enum(t reflect.Type, values []string) *Schema {
	return s.reference(named{t: t}, func(name string) *Schema {
		return &Schema{Type: Types{"string"}, Enum: texts(values), Description: s.describe(name, "")}
	})
}

func (s *schemas) object(name string, t reflect.Type) *Schema {
	o := &Schema{Type: Types{"object"}, Description: s.describe(name, "")}
	s.members(o, name, t, true)

	return o
}

// members adds the properties of a struct, including those of embedded structs.
func (s *schemas) members(o *Schema, owner string, t reflect.Type, always bool) {
	for f := range t.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")

		switch {
		case f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct:
			s.members(o, owner, f.Type, always)

			continue
		case f.Anonymous && name == "" && f.Type.Kind() == reflect.Pointer:
			s.members(o, owner, f.Type.Elem(), false)

			continue
		case !f.IsExported() || name == "-":
			continue
		case name == "":
			name = f.Name
		}

		if o.Properties.Get(name) != nil { // an outer field hides an embedded one
			continue
		}

		optional := strings.Contains(options, "omitempty") || strings.Contains(options, "omitzero")
		p := s.answered(f.Type)

		p.Description = s.describe(owner, name)

		if slices.Equal(p.Type, Types{"string"}) && isAddress(name) {
			p.Format = "uri"
		}

		o.Properties = o.Properties.With(name, p)

		if always && !optional {
			o.Required = append(o.Required, name)
		}
	}
}

func isAddress(name string) bool {
	return name == "url" || strings.HasSuffix(name, "Url") || strings.HasSuffix(name, "URL") || strings.HasSuffix(name, "Page")
}

// orNull returns a schema that also allows null.
func orNull(p *Schema) *Schema {
	switch {
	case p.Ref != "":
		return &Schema{AnyOf: []*Schema{p, {Type: Types{"null"}}}}
	case len(p.Type) == 0:
		return p
	default:
		p.Type = append(p.Type, "null")
		if p.Enum != nil {
			p.Enum = append(p.Enum, nil)
		}

		return p
	}
}

func texts(values []string) []any {
	all := make([]any, len(values))
	for i, v := range values {
		all[i] = v
	}

	return all
}

func exported(name string) string {
	letters := []rune(name)
	if len(letters) > 0 {
		letters[0] = unicode.ToUpper(letters[0])
	}

	return string(letters)
}
