package reference

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"
	"github.com/vektah/gqlparser/v2/parser"

	"github.com/reelgraph/reelgraph/rest/openapi"
)

// curl returns the command that calls an operation with its example.
func curl(baseURL string, o *operation) (string, error) {
	var out strings.Builder

	out.WriteString("curl ")

	if o.Method != http.MethodGet {
		out.WriteString("-X " + o.Method + " ")
	}

	path := o.Path
	query := url.Values{}

	for _, p := range o.Parameters {
		switch {
		case p.In == "path":
			path = strings.ReplaceAll(path, "{"+p.Name+"}", fmt.Sprint(p.Example))
		case p.In == "query" && p.Required:
			query.Set(p.Name, fmt.Sprint(p.Example))
		}
	}

	address := baseURL + path
	if len(query) > 0 {
		address = fmt.Sprintf("%q", address+"?"+query.Encode())
	}

	if out.Len()+len(address) > wide {
		out.WriteString("\\\n  ")
	}

	out.WriteString(address + " \\\n  -H \"Authorization: Bearer $KEY\"")

	if o.RequestBody == nil {
		return out.String(), nil
	}

	media := o.RequestBody.Content[0]
	out.WriteString(" \\\n  -H \"Content-Type: " + media.Name + "\"")

	if media.Name != jsonType {
		return out.String() + " \\\n  --data-binary @captions.vtt", nil
	}

	body, err := pretty(media.Value.Example)
	if err != nil {
		return "", err
	}

	return out.String() + " \\\n  -d '" + strings.ReplaceAll(body, "\n", "\n  ") + "'", nil
}

// spaced matches the space that the printer of documents puts before the variables of an operation.
var spaced = regexp.MustCompile(`(?m)^((?:query|mutation|subscription) \w+) \(`)

// document returns a GraphQL document in the usual format, with one field on each line.
func document(text string) (string, error) {
	parsed, err := parser.ParseQuery(&ast.Source{Input: text})
	if err != nil {
		return "", fmt.Errorf("parse a document: %w", err)
	}

	var out bytes.Buffer

	formatter.NewFormatter(&out, formatter.WithIndent("  ")).FormatQueryDocument(parsed)

	lines := strings.Split(spaced.ReplaceAllString(strings.TrimSpace(out.String()), "$1("), "\n")
	for i, line := range lines {
		lines[i] = broken(line)
	}

	return strings.Join(lines, "\n"), nil
}

// wide is the longest line of a document.
const wide = 64

var arguments = regexp.MustCompile(`^( *)(.*?)\((.*)\)( \{)?$`)

// broken puts each argument on its own line if all of them on one line are too long.
func broken(line string) string {
	m := arguments.FindStringSubmatch(line)
	if len(line) <= wide || m == nil || strings.ContainsAny(m[3], "{\"") {
		return line
	}

	indent := "\n" + m[1] + "  "

	return m[1] + m[2] + "(" + indent + strings.ReplaceAll(m[3], ", ", indent) + "\n" + m[1] + ")" + m[4]
}

// variables returns the formatted variables of a document; empty if it has none.
func variables(graph openapi.Graph) (string, error) {
	if graph.Variables == nil {
		return "", nil
	}

	return pretty(graph.Variables)
}

// graphiql returns the address that opens a document with its variables.
func graphiql(document, variables string) template.URL {
	query := url.Values{"query": {document}}
	if variables != "" {
		query.Set("variables", variables)
	}

	return template.URL("/graphiql#" + query.Encode()) //nolint:gosec // escaped
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

// tokens matches what is colored in code, each in its own group: comments, property names, strings, variables,
// keywords, and numbers.
var tokens = map[string]*regexp.Regexp{
	"json": regexp.MustCompile(`()("(?:[^"\\]|\\.)*")(?:\s*:)|("(?:[^"\\]|\\.)*")|()\b(true|false|null)\b|(-?\b\d[\d.]*)`),
	"graphql": regexp.MustCompile(`(#.*)|(\w+)(?::)|("(?:[^"\\]|\\.)*")|(\$\w+)|` +
		`\b(query|mutation|subscription|fragment|on|true|false|null)\b|(\b\d[\d.]*)`),
	"curl": regexp.MustCompile(`(#.*)|()("(?:[^"\\]|\\.)*")|(\$\w+)|(\bcurl\b| -[A-Za-z-]+)|()`),
}

var classes = []string{"c", "p", "s", "v", "k", "n"}

// coloured returns code with its tokens in elements.
func coloured(language, code string) template.HTML {
	var out strings.Builder

	at := 0

	for _, m := range tokens[language].FindAllStringSubmatchIndex(code, -1) {
		for group, class := range classes {
			from, to := m[2*group+2], m[2*group+3]
			if from < at || from == to {
				continue
			}

			fmt.Fprintf(&out, `%s<i class=%s>%s</i>`, template.HTMLEscapeString(code[at:from]), class, template.HTMLEscapeString(code[from:to]))
			at = to
		}
	}

	out.WriteString(template.HTMLEscapeString(code[at:]))

	return template.HTML(out.String()) //nolint:gosec // escaped
}

var (
	quoted  = regexp.MustCompile("`([^`]+)`")
	between = regexp.MustCompile(`\n\s*\n`)
)

// inline returns a text with what is between backticks as code.
func inline(text string) template.HTML {
	return template.HTML(quoted.ReplaceAllString(template.HTMLEscapeString(text), "<code>$1</code>")) //nolint:gosec // escaped
}

// prose returns a text of several paragraphs.
func prose(text string) template.HTML {
	var out strings.Builder

	for _, paragraph := range between.Split(strings.TrimSpace(text), -1) {
		if paragraph != "" {
			out.WriteString("<p>" + string(inline(paragraph)) + "</p>")
		}
	}

	return template.HTML(out.String()) //nolint:gosec // escaped
}
