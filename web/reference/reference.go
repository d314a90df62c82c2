package reference

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/reelgraph/reelgraph/rest/openapi"
)

//go:embed reference.html
var referencePage string

// chapter is a tag with its operations.
type chapter struct {
	openapi.Tag

	Anchor     string
	Operations []operation
}

// operation is an operation at its place.
type operation struct {
	*openapi.Operation

	Method, Path string
	Fields       []openapi.Parameter // of path and query
	Headers      []openapi.Parameter
}

// reference is the page of the whole API.
func reference(document *openapi.Document) (string, error) {
	page, err := template.New("reference").Funcs(template.FuncMap{
		"anchor": anchor, "kind": kind, "limits": limits, "pretty": pretty, "prose": prose, "shape": shape,
		"failure": func(status string) bool { return status[0] == '4' || status[0] == '5' },
		"has":     slices.Contains[[]string],
	}).Parse(referencePage)
	if err != nil {
		return "", fmt.Errorf("read the page of the reference: %w", err)
	}

	var out bytes.Buffer
	if err := page.Execute(&out, map[string]any{"Document": document, "Chapters": chapters(document)}); err != nil {
		return "", fmt.Errorf("write the page of the reference: %w", err)
	}

	return out.String(), nil
}

func chapters(document *openapi.Document) []chapter {
	all := make([]chapter, len(document.Tags))

	for i, tag := range document.Tags {
		all[i] = chapter{Tag: tag, Anchor: anchor(tag.Name)}
	}

	for _, path := range document.Paths {
		for _, method := range path.Value {
			o := operation{Operation: method.Value, Method: strings.ToUpper(method.Name), Path: path.Name}

			for _, p := range o.Parameters {
				if name, shared := strings.CutPrefix(p.Ref, "#/components/parameters/"); shared {
					o.Headers = append(o.Headers, document.Components.Parameters.Get(name))
				} else {
					o.Fields = append(o.Fields, p)
				}
			}

			for i := range all {
				if slices.Contains(o.Tags, all[i].Name) {
					all[i].Operations = append(all[i].Operations, o)
				}
			}
		}
	}

	return slices.DeleteFunc(all, func(c chapter) bool { return len(c.Operations) == 0 })
}

// operations is a line for each operation.
func operations(document *openapi.Document) string {
	var out strings.Builder

	for _, c := range chapters(document) {
		for _, o := range c.Operations {
			fmt.Fprintf(&out, "- %s: %s %s (%s)\n", o.OperationID, o.Method, o.Path, o.Summary)
		}
	}

	return out.String()
}

func anchor(name string) string { return strings.ToLower(strings.ReplaceAll(name, " ", "-")) }

const refSchema = "#/components/schemas/"

// shape is the name of the schema that a value has, or that its items have.
func shape(s *openapi.Schema) string {
	switch {
	case s == nil:
		return ""
	case s.Ref != "":
		return strings.TrimPrefix(s.Ref, refSchema)
	case s.Items != nil:
		return shape(s.Items)
	case s.AnyOf != nil:
		return shape(s.AnyOf[0])
	default:
		return ""
	}
}

// kind says the type of a value beside its shape.
func kind(s *openapi.Schema) string {
	switch {
	case s.Ref != "":
		return ""
	case s.AnyOf != nil:
		return "or null"
	case s.OneOf != nil:
		return "one of several"
	case s.Const != nil:
		return fmt.Sprintf("%q", s.Const)
	case s.Items != nil && shape(s) == "":
		return strings.TrimSpace("list of " + kind(s.Items))
	case s.Items != nil:
		return "list of"
	case len(s.Type) == 0:
		return "anything"
	case s.Format != "":
		return strings.Join(s.Type, " or ") + " (" + s.Format + ")"
	default:
		return strings.Join(s.Type, " or ")
	}
}

// safe is the largest integer that needs no mention: every integer has it as its bound.
const safe = 1<<53 - 1

// limits says the bounds of a value.
func limits(s *openapi.Schema) string {
	var all []string

	number := func(words string, n *float64) {
		if n != nil && *n != safe && *n != -safe {
			all = append(all, words+" "+strconv.FormatFloat(*n, 'f', -1, 64))
		}
	}

	number("at least", s.Minimum)
	number("more than", s.ExclusiveMinimum)
	number("at most", s.Maximum)
	number("less than", s.ExclusiveMaximum)

	count := func(low, high *int, noun string) {
		switch {
		case low != nil && high != nil:
			all = append(all, fmt.Sprintf("%d to %d %s", *low, *high, noun))
		case high != nil:
			all = append(all, fmt.Sprintf("at most %d %s", *high, noun))
		case low != nil && *low > 0:
			if *low == 1 {
				noun = strings.TrimSuffix(noun, "s")
			}

			all = append(all, fmt.Sprintf("at least %d %s", *low, noun))
		}
	}

	count(s.MinLength, s.MaxLength, "characters")
	count(s.MinItems, s.MaxItems, "items")

	if s.Enum != nil {
		var values []string
		for _, v := range s.Enum {
			values = append(values, fmt.Sprint(v))
		}

		all = append(all, "one of "+strings.Join(values, ", "))
	}

	if s.Default != nil {
		all = append(all, fmt.Sprintf("%v when absent", s.Default))
	}

	return strings.Join(all, "; ")
}

func pretty(example any) (string, error) {
	if text, isText := example.(string); isText {
		return text, nil
	}

	var out bytes.Buffer

	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")

	if err := enc.Encode(example); err != nil {
		return "", fmt.Errorf("write an example: %w", err)
	}

	return strings.TrimSuffix(out.String(), "\n"), nil
}

var code = regexp.MustCompile("`([^`]+)`")

// prose is a text with what stands between backticks as code.
func prose(text string) template.HTML {
	return template.HTML(code.ReplaceAllString(template.HTMLEscapeString(text), "<code>$1</code>")) //nolint:gosec // escaped
}
