package story

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/reelgraph/reelgraph/internal/demo"
)

// fields is a request body.
type fields = map[string]any

// title is a request body with only a name.
type title struct {
	Name string `json:"name"`
}

// Guide creates the demo through the API.
type Guide struct {
	address string // of the API
	key     string
	ffmpeg  string
	speaks  bool // recordings have speech
	client  *http.Client
}

// NewGuide returns a Guide that calls the API at address and authenticates with key.
func NewGuide(ctx context.Context, address, key, ffmpeg string) *Guide {
	return &Guide{address: address, key: key, ffmpeg: ffmpeg, speaks: Speaks(ctx, ffmpeg), client: &http.Client{}}
}

// ask sends a request and decodes the response into out, unless out is nil.
func (g *Guide) ask(ctx context.Context, method, path string, in, out any) error {
	var body []byte

	if in != nil {
		var err error
		if body, err = json.Marshal(in); err != nil {
			return err
		}
	}

	r, err := http.NewRequestWithContext(ctx, method, "http://"+g.address+path, bytes.NewReader(body))
	if err != nil {
		return err
	}

	r.Header.Set("Authorization", "Bearer "+g.key)
	r.Header.Set("Content-Type", "application/json")

	return g.send(r, out)
}

func (g *Guide) send(r *http.Request, out any) error {
	answer, err := g.client.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close() //nolint:errcheck // already read

	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}

	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s %s: %s %s", r.Method, r.URL.Path, answer.Status, text)
	}

	if out == nil {
		return nil
	}

	return json.Unmarshal(text, out)
}

// graph sends a GraphQL request and returns the errors of its response.
func (g *Guide) graph(ctx context.Context, document string, variables map[string]any, out any) error {
	var answer struct {
		Data   json.RawMessage
		Errors []struct{ Message string }
	}

	if err := g.ask(ctx, http.MethodPost, "/graphql", fields{"query": document, "variables": variables}, &answer); err != nil {
		return err
	}

	if len(answer.Errors) > 0 {
		return fmt.Errorf("GraphQL: %s", answer.Errors[0].Message)
	}

	return json.Unmarshal(answer.Data, out)
}

// record makes a recording, uploads it with the given fields, and returns its source.
func (g *Guide) record(ctx context.Context, name string, source fields, film demo.Film) (string, error) {
	content, err := encodeFilm(ctx, g.ffmpeg, film)
	if err != nil {
		return "", fmt.Errorf("make %s: %w", name, err)
	}

	var made struct{ SourceID, UploadURL string }

	source["name"] = name
	if err := g.ask(ctx, http.MethodPost, "/v1/sources", source, &made); err != nil {
		return "", err
	}

	to, err := url.Parse(made.UploadURL)
	if err != nil {
		return "", err
	}

	// Keep only the path: the address names the running server, and this process serves the same path at its own.
	_, path, _ := strings.Cut(to.Path, "/uploads/")

	return made.SourceID, g.put(ctx, "/uploads/"+path+"?"+to.RawQuery, "video/mp4", content)
}
