package reference

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/reelgraph/reelgraph/rest/openapi"
)

// found is an entry of the search index: a title, its kind, its address, and other words that match it.
type found struct {
	Title string `json:"title"`
	Kind  string `json:"kind"`
	URL   string `json:"url"`
	Words string `json:"words"`
}

var (
	heading = regexp.MustCompile(`<h2 id="([^"]+)">(.*?)</h2>`)
	tagged  = regexp.MustCompile(`<[^>]*>`)
)

// index returns the search index of the reference as JSON.
func index(document *openapi.Document, chapters []chapter, pages []page) ([]byte, error) {
	var all []found

	for _, c := range chapters {
		all = append(all, found{c.Name, "Chapter", c.Address, c.Description})

		for _, o := range c.Operations {
			words := strings.Join([]string{o.OperationID, o.mutation(), o.Description}, " ")
			all = append(all, found{o.Summary, o.Method + " " + o.Path, c.Address + "#" + o.OperationID, words})
		}
	}

	for _, e := range document.Webhooks {
		all = append(all, found{e.Name, "Event", "/docs/events#" + e.Name, "webhook"})
	}

	for _, s := range document.Components.Schemas {
		var names []string
		for _, p := range s.Value.Properties {
			names = append(names, p.Name)
		}

		all = append(all, found{s.Name, "Shape", "/docs/shapes#" + s.Name, strings.Join(names, " ")})
	}

	for _, p := range pages {
		for _, h := range heading.FindAllStringSubmatch(string(p.Main), -1) {
			all = append(all, found{tagged.ReplaceAllString(h[2], ""), p.Title, p.Address + "#" + h[1], ""})
		}
	}

	text, err := json.Marshal(all)
	if err != nil {
		return nil, fmt.Errorf("write the search index: %w", err)
	}

	return text, nil
}
