package reference

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/reelgraph/reelgraph/rest/openapi"
)

const refSchema = "#/components/schemas/"

// maxNesting is how deep nested fields are shown in place. Deeper ones link to their shape.
const maxNesting = 2

// field is a parameter, or a property of a body or a response, as displayed.
type field struct {
	Name, Kind, Unit, Limits, Description string
	Shape                                 string // the name of its schema, which the page of shapes shows
	Required                              bool
	Values                                []string // the allowed values
	Fields                                []field
}

// fieldsOf returns the properties of a schema.
func fieldsOf(document *openapi.Document, schema *openapi.Schema, nesting int, within []string) []field {
	of, name := resolve(document, schema)
	if of == nil || name != "" && slices.Contains(within, name) {
		return nil
	}

	all := make([]field, 0, len(of.Properties))
	for _, p := range of.Properties {
		f := newField(document, p.Name, p.Value, nesting, append(slices.Clone(within), name))
		f.Required = slices.Contains(of.Required, p.Name)
		all = append(all, f)
	}

	return all
}

func newField(document *openapi.Document, name string, schema *openapi.Schema, nesting int, within []string) field {
	f := field{Name: name, Kind: kind(document, schema), Unit: unit(name, schema), Limits: limits(schema), Description: schema.Description}

	of, shape := resolve(document, schema)
	if of == nil {
		return f
	}

	for _, value := range of.Enum {
		if value != nil {
			f.Values = append(f.Values, fmt.Sprint(value))
		}
	}

	if f.Description == "" && of != schema {
		f.Description = of.Description
	}

	if of.OneOf != nil || of.Properties != nil {
		f.Shape = shape
	}

	if strings.Contains(plain(f.Description), plain(f.Limits)) {
		f.Limits = ""
	}

	if nesting < maxNesting && of.OneOf == nil {
		f.Fields = fieldsOf(document, of, nesting+1, within)
	}

	return f
}

// resolve returns the schema of a value or of its items, and the schema's name if it has one.
func resolve(document *openapi.Document, s *openapi.Schema) (*openapi.Schema, string) {
	switch {
	case s == nil:
		return nil, ""
	case s.Ref != "":
		name := strings.TrimPrefix(s.Ref, refSchema)

		return document.Components.Schemas.Get(name), name
	case s.Items != nil:
		return resolve(document, s.Items)
	case s.AnyOf != nil:
		return resolve(document, s.AnyOf[0])
	default:
		return s, ""
	}
}

// kind returns the type of a value in words.
func kind(document *openapi.Document, s *openapi.Schema) string {
	switch {
	case s.Ref != "":
		return kind(document, document.Components.Schemas.Get(strings.TrimPrefix(s.Ref, refSchema)))
	case s.AnyOf != nil:
		return kind(document, s.AnyOf[0]) + " or null"
	case s.OneOf != nil:
		return "one of several objects"
	case s.Items != nil:
		return "list of " + plural(kind(document, s.Items))
	case len(s.Type) == 0:
		return "any JSON value"
	case s.Format == "date-time":
		return "time"
	case s.Format == "uri":
		return strings.Replace(strings.Join(s.Type, " or "), "string", "address", 1)
	default:
		return strings.Join(s.Type, " or ")
	}
}

func plural(kind string) string {
	switch {
	case strings.Contains(kind, " "):
		return kind
	case strings.HasSuffix(kind, "s"):
		return kind + "es"
	default:
		return kind + "s"
	}
}

// units holds the units by the end of a name.
var units = []struct{ suffix, unit string }{
	{"Ms", "milliseconds"},
	{"Seconds", "seconds"},
	{"Pct", "percent"},
	{"PercentViewed", "percent"},
	{"progress", "percent"},
	{"bytes", "bytes"},
}

func unit(name string, s *openapi.Schema) string {
	number := slices.ContainsFunc(s.Type, func(t string) bool { return t == "integer" || t == "number" })

	for _, u := range units {
		if number && strings.HasSuffix(name, u.suffix) {
			return u.unit
		}
	}

	return ""
}

// safe is the largest exact integer. Every integer has it as its bound, so it is not shown. 32-bit integers have
// another bound.
const (
	safe  = 1<<53 - 1
	small = 1<<31 - 1
)

// said reports whether a bound should be shown.
func said(n *float64) bool {
	return n != nil && *n != safe && *n != -safe && *n != small && *n != -small-1
}

// plain returns a text without characters that do not matter for comparison.
func plain(text string) string {
	return strings.ToLower(strings.NewReplacer(",", "", ".", "", "`", "").Replace(text))
}

// limits returns the bounds of a value in words.
func limits(s *openapi.Schema) string {
	var all []string

	number := func(words string, n *float64) {
		if said(n) {
			all = append(all, words+" "+grouped(*n))
		}
	}

	if said(s.Minimum) && said(s.Maximum) {
		all = append(all, grouped(*s.Minimum)+" to "+grouped(*s.Maximum))
	} else {
		number("at least", s.Minimum)
		number("at most", s.Maximum)
	}

	number("more than", s.ExclusiveMinimum)
	number("less than", s.ExclusiveMaximum)

	count := func(low, high *int, noun string) {
		switch {
		case low != nil && high != nil && *low == *high:
			all = append(all, fmt.Sprintf("exactly %d %s", *low, noun))
		case low != nil && high != nil:
			all = append(all, fmt.Sprintf("%s to %s %s", grouped(float64(*low)), grouped(float64(*high)), noun))
		case high != nil:
			all = append(all, fmt.Sprintf("at most %s %s", grouped(float64(*high)), noun))
		case low != nil && *low > 1:
			all = append(all, fmt.Sprintf("at least %d %s", *low, noun))
		}
	}

	count(s.MinLength, s.MaxLength, "characters")
	count(s.MinItems, s.MaxItems, "items")

	if s.Default != nil {
		all = append(all, fmt.Sprintf("default %v", s.Default))
	}

	return strings.Join(all, ", ")
}

// grouped formats a number with commas between thousands.
func grouped(n float64) string {
	text := strconv.FormatFloat(n, 'f', -1, 64)
	whole, fraction, hasFraction := strings.Cut(text, ".")

	for at := len(whole) - 3; at > 0 && whole[at-1] != '-'; at -= 3 {
		whole = whole[:at] + "," + whole[at:]
	}

	if hasFraction {
		return whole + "." + fraction
	}

	return whole
}
