package exhaustive_test

import (
	"math"
	"strings"

	"github.com/reelgraph/reelgraph/rest/openapi"
)

// The values that the field walk sends: the smallest of each shape, and those at and beside each bound.

type bound struct {
	value   any
	allowed bool
}

func (w *fieldWalk) bounds(s *openapi.Schema) []bound {
	var all []bound

	for _, v := range s.Enum {
		if v != nil {
			all = append(all, bound{v, true}, bound{v.(string) + "?", false})
		}
	}

	step := 1.0
	if len(s.Type) > 0 && s.Type[0] == "number" {
		step = 1.0 / 1024
	}

	near := func(limit float64) float64 { // large doubles have no smaller steps
		return math.Max(step, math.Abs(limit)/(1<<52))
	}

	if low := s.Minimum; low != nil {
		all = append(all, bound{*low - near(*low), false}, bound{*low, true}, bound{*low + near(*low), true})
	}

	if low := s.ExclusiveMinimum; low != nil {
		all = append(all, bound{*low - near(*low), false}, bound{*low, false}, bound{*low + near(*low), true})
	}

	if high := s.Maximum; high != nil {
		all = append(all, bound{*high - near(*high), true}, bound{*high, true}, bound{*high + near(*high), false})
	}

	if high := s.ExclusiveMaximum; high != nil {
		all = append(all, bound{*high - near(*high), true}, bound{*high, false}, bound{*high + near(*high), false})
	}

	return append(all, w.lengths(s)...)
}

func (w *fieldWalk) lengths(s *openapi.Schema) []bound {
	var all []bound

	text := func(n int) string { return sized(s, n) }

	if low := s.MinLength; low != nil {
		all = append(all, bound{text(*low - 1), false}, bound{text(*low), true}, bound{text(*low + 1), s.MaxLength == nil || *s.MaxLength > *low})
	}

	if high := s.MaxLength; high != nil {
		all = append(all, bound{text(*high - 1), s.MinLength == nil || *s.MinLength < *high}, bound{text(*high), true}, bound{text(*high + 1), false})
	}

	if s.Pattern == `\S` {
		all = append(all, bound{" \t", false})
	} else if s.Pattern != "" {
		all = append(all, bound{"no such thing", false})
	}

	items := func(n int) []any {
		list := make([]any, max(0, n))
		for i := range list {
			list[i] = w.minimal(s.Items)
		}

		return list
	}

	if low := s.MinItems; low != nil {
		all = append(all, bound{items(*low - 1), false}, bound{items(*low), true}, bound{items(*low + 1), s.MaxItems == nil || *s.MaxItems > *low})
	}

	if high := s.MaxItems; high != nil {
		all = append(all, bound{items(*high - 1), s.MinItems == nil || *s.MinItems < *high}, bound{items(*high), true}, bound{items(*high + 1), false})
	}

	return all
}

// sized returns a text of n characters that matches the schema's pattern if possible.
func sized(s *openapi.Schema, n int) string {
	start := ""
	if strings.Contains(s.Pattern, "[Hh]") {
		start = "https://a.example/"
	}

	if len(start) > n {
		start = ""
	}

	return start + strings.Repeat("a", max(0, n-len(start)))
}

// minimal returns a valid value with only the required properties.
func (w *fieldWalk) minimal(schema *openapi.Schema) any {
	s := w.resolve(schema)

	switch {
	case s.Const != nil:
		return s.Const
	case s.OneOf != nil:
		return w.minimal(s.OneOf[0])
	case s.Enum != nil:
		return s.Enum[0]
	case len(s.Type) == 0:
		return map[string]any{}
	}

	switch s.Type[0] {
	case "object":
		o := map[string]any{}

		for _, p := range s.Properties {
			for _, name := range s.Required {
				if name == p.Name {
					o[name] = w.minimal(p.Value)
				}
			}
		}

		if len(o) == 0 && s.MinProperties != nil {
			o[s.Properties[0].Name] = w.minimal(s.Properties[0].Value)
		}

		return o
	case "array":
		return w.list(s, w.minimal(s.Items))
	case "boolean":
		return true
	case "string":
		return minimalText(s)
	default:
		return minimalNumber(s)
	}
}

func minimalText(s *openapi.Schema) string {
	switch {
	case strings.Contains(s.Pattern, "#"):
		return "#123456"
	case s.Format == "email":
		return "a@example.com"
	case s.MinLength != nil:
		return sized(s, max(*s.MinLength, len("https://a.example/")*strings.Count(s.Pattern, "[Hh]")))
	case s.Pattern != "":
		return sized(s, len("https://a.example/"))
	default:
		return "a"
	}
}

func minimalNumber(s *openapi.Schema) float64 {
	switch {
	case s.Minimum != nil && *s.Minimum > 0:
		return *s.Minimum
	case s.ExclusiveMinimum != nil && *s.ExclusiveMinimum >= 0 && (s.Maximum == nil || *s.Maximum >= *s.ExclusiveMinimum+1):
		return *s.ExclusiveMinimum + 1
	default:
		return 0
	}
}
