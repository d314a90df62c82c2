// Package operations contains the descriptions of the operations of /v1. There is a Markdown file for each tag, with
// a section for each operation. A section may stand in the file of another tag, if a line in it names its own. Read
// parses the files. The OpenAPI document and the reference at /docs show the descriptions.
package operations

import (
	"embed"
	"encoding/json"
	"io/fs"
	"strings"
	"sync"

	"github.com/reelgraph/reelgraph/rest/openapi"
)

// Section describes an operation.
type Section struct {
	Tag         string
	Summary     string
	Access      string // who may call it, in the words of the contract
	Description string
	Example     json.RawMessage // a valid request body, if the schema alone does not yield one
	Graph       openapi.Graph   // the GraphQL document that does the same, with example variables
}

//go:embed *.md
var texts embed.FS

// Read returns the tags, sorted by file name, and a map from the id of each operation to its section. It panics if a
// file cannot be parsed, because the files are part of the program.
var Read = sync.OnceValues(func() ([]openapi.Tag, map[string]Section) {
	files, err := fs.Glob(texts, "*.md")
	if err != nil {
		panic(err)
	}

	tags, sections := make([]openapi.Tag, len(files)), map[string]Section{}

	for i, file := range files {
		content, err := texts.ReadFile(file)
		if err != nil {
			panic(err)
		}

		parts := strings.Split(string(content), "\n## ")
		name, text, _ := strings.Cut(strings.TrimPrefix(parts[0], "# "), "\n")
		tags[i] = openapi.Tag{Name: name, Description: strings.TrimSpace(text)}

		for _, part := range parts[1:] {
			id, text, _ := strings.Cut(part, "\n")
			if _, twice := sections[id]; twice {
				panic("rest/operations: two sections describe " + id)
			}

			sections[id] = sectionOf(name, text)
		}
	}

	return tags, sections
})

// sectionOf parses the text below the heading of an operation: a line with the summary, a line with who may call it, a
// line with the tag if it is not that of the file, the description, and fenced blocks with the example, the GraphQL
// document and its variables.
func sectionOf(tag, text string) Section {
	summary, text, _ := strings.Cut(text, "\n")
	access, text, _ := strings.Cut(text, "\n")

	if other, below, _ := strings.Cut(text, "\n"); strings.HasPrefix(other, "Tag: ") {
		tag, text = strings.TrimPrefix(other, "Tag: "), below
	}

	s := Section{
		Tag: tag, Summary: summary, Access: strings.TrimPrefix(access, "Access: "),
		Graph: openapi.Graph{Document: fenced(text, "graphql")},
	}

	if example := fenced(text, "json"); example != "" {
		s.Example = json.RawMessage(example)
	}

	if variables := fenced(text, "json variables"); variables != "" {
		s.Graph.Variables = json.RawMessage(variables)
	}

	text, _, _ = strings.Cut(text, "```")
	s.Description = strings.TrimSpace(text)

	return s
}

// fenced returns the content of the first fenced block of that kind, or an empty string.
func fenced(text, kind string) string {
	_, text, _ = strings.Cut(text, "```"+kind+"\n")
	text, _, _ = strings.Cut(text, "\n```")

	return text
}
