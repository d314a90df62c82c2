package openapi

import (
	"strconv"
	"strings"

	"github.com/reelgraph/reelgraph/internal/platform/input"
)

// The rules of package input, as patterns that all regular expression dialects understand.
const (
	colorPattern    = "^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$"
	notBlankPattern = `\S`
	webPattern      = "^[Hh][Tt][Tt][Pp][Ss]?://"
)

// asked returns the schema of an object in a request: only its known properties, with their rules.
func (s *schemas) asked(shape *input.Shape) *Schema {
	return s.reference(named{shape.Type, true}, func(name string) *Schema {
		if shape.Variants != nil {
			return s.variants(name, shape)
		}

		return s.askedObject(name, shape)
	})
}

// variants returns the schemas of a union in a request. Each has a name, because several may share a Go type.
func (s *schemas) variants(owner string, shape *input.Shape) *Schema {
	choice := &Schema{Discriminator: &Discriminator{PropertyName: shape.Telling}, Description: s.describe(owner, "")}

	for i := range shape.Variants {
		v := &shape.Variants[i]
		name := owner + camel(v.Name)
		o := s.askedObject(name, v.Shape)
		*o.Properties.Get(shape.Telling) = Schema{Type: Types{"string"}, Const: v.Name}
		s.all = s.all.With(name, o)
		choice.OneOf = append(choice.OneOf, &Schema{Ref: refSchema + name})
		choice.Discriminator.Mapping = choice.Discriminator.Mapping.With(v.Name, refSchema+name)
	}

	return choice
}

// camel converts a name on the wire to a type name: add_blur becomes AddBlur.
func camel(name string) string {
	var out strings.Builder

	for word := range strings.FieldsFuncSeq(name, func(c rune) bool { return c == '_' || c == '-' || c == '.' }) {
		out.WriteString(exported(word))
	}

	return out.String()
}

func (s *schemas) askedObject(name string, shape *input.Shape) *Schema {
	o := &Schema{Type: Types{"object"}, Description: s.describe(name, ""), AdditionalProperties: false}
	if shape.Some {
		o.MinProperties = new(1)
	}

	for i := range shape.Properties {
		p := &shape.Properties[i]
		o.Properties = o.Properties.With(p.Name, s.property(name, p))

		if p.Value.Rules.Required {
			o.Required = append(o.Required, p.Name)
		}
	}

	return o
}

// property returns the schema of a property of a body or a query, with its default.
func (s *schemas) property(owner string, p *input.Property) *Schema {
	schema := s.value(p.Value)
	schema.Description = s.describe(owner, p.Name)

	if p.Default != nil {
		schema.Default = preset(p)
	}

	return schema
}

func preset(p *input.Property) any {
	switch p.Value.Kind {
	case input.Integer, input.Number:
		n, _ := strconv.ParseFloat(*p.Default, 64) // package input has parsed it before

		return n
	case input.Boolean:
		return *p.Default == "true"
	case input.List:
		return []string{*p.Default}
	case input.String, input.Enum, input.Text, input.Object:
	}

	return *p.Default
}

func (s *schemas) value(v *input.Value) *Schema {
	var schema *Schema

	switch v.Kind {
	case input.Object:
		schema = s.asked(v.Shape)
	case input.List:
		schema = &Schema{Type: Types{"array"}, Items: s.value(v.Item)}
		if r := v.Rules.Items; r != nil {
			schema.MinItems, schema.MaxItems = ends(r)
		}
	case input.Enum:
		schema = &Schema{Type: Types{"string"}, Enum: texts(v.Values)}
		if v.Rules.OneOf == nil {
			schema = s.enum(v.Type, v.Values)
		}
	case input.Boolean:
		schema = &Schema{Type: Types{"boolean"}}
	case input.Integer:
		schema = number("integer", formatInteger, v)
	case input.Number:
		schema = number("number", formatNumber, v)
	case input.Text:
		schema = &Schema{Type: Types{"string"}}
		if known, ok := s.known[v.Type]; ok {
			schema = new(*known)
		}
	case input.String:
		schema = text(&v.Rules)
	}

	if v.Rules.Nullable {
		schema = orNull(schema)
	}

	return schema
}

func text(r *input.Rules) *Schema {
	schema := &Schema{Type: Types{"string"}}
	if r.OneOf != nil {
		schema.Enum = texts(r.OneOf)
	}

	if r.Chars != nil {
		schema.MinLength, schema.MaxLength = ends(r.Chars)
	}

	switch {
	case r.NotBlank:
		schema.Pattern = notBlankPattern
	case r.URL:
		schema.Format, schema.Pattern = "uri", webPattern
	case r.Email:
		schema.Format = "email"
	case r.Color:
		schema.Pattern = colorPattern
	}

	return schema
}

// number returns a number schema with the bounds of the rules, or else those of integers that every JSON parser
// represents exactly.
func number(kind, format string, v *input.Value) *Schema {
	r := &v.Rules
	schema := &Schema{
		Type: Types{kind}, Format: format, Minimum: r.Min, Maximum: r.Max, ExclusiveMinimum: r.Above, ExclusiveMaximum: r.Below,
	}
	low, high := -float64(input.MaxSafeInteger), float64(input.MaxSafeInteger)

	if v.Kind == input.Integer && v.Type.Bits() == 32 {
		low, high = -1<<31, 1<<31-1
	}

	if r.Min == nil && r.Above == nil {
		schema.Minimum = &low
	}

	if r.Max == nil && r.Below == nil {
		schema.Maximum = &high
	}

	return schema
}

func ends(r *input.Range) (low, high *int) {
	if r.Min > 0 {
		low = &r.Min
	}

	if r.Max >= 0 {
		high = &r.Max
	}

	return low, high
}

// empty reports whether a body has no properties.
func empty(shape *input.Shape) bool { return shape == nil || len(shape.Properties) == 0 }
