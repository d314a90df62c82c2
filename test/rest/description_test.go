package rest_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/rest"
	"github.com/reelgraph/reelgraph/rest/operations"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// Every operation has a section in operations/, and every section belongs to an operation.
func TestEveryOperationIsDescribed(t *testing.T) {
	t.Parallel()

	table, err := os.ReadFile("testdata/operations.tsv")
	require.NoError(t, err)

	_, all := operations.Read()
	sections := maps.Clone(all)
	tags := map[string]bool{}

	for _, tag := range rest.Describe("https://reel.example").Tags {
		require.NotEmpty(t, tag.Description, tag.Name)
		tags[tag.Name] = true
	}

	for line := range strings.Lines(string(table)) {
		id, _, _ := strings.Cut(line, "\t")
		if id == "operationId" {
			continue
		}

		require.Contains(t, sections, id)
		require.Contains(t, tags, sections[id].Tag, id)
		require.NotEmpty(t, sections[id].Summary, id)
		delete(sections, id)
	}

	require.Empty(t, sections)
}

// Every route is an operation of the description, with an example that the operation accepts.
func TestEveryRowIsInTheDescription(t *testing.T) {
	t.Parallel()

	rows := rowsByOperation()

	for _, path := range rest.Describe("https://reel.example").Paths {
		for _, method := range path.Value {
			o := method.Value
			verb := strings.ToUpper(method.Name)
			require.Equal(t, rows[o.OperationID], verb+"\t"+path.Name)
			delete(rows, o.OperationID)

			if o.RequestBody == nil {
				continue
			}

			media := o.RequestBody.Content.Get("application/json")
			if media == nil {
				continue
			}

			example, err := json.Marshal(media.Example)
			require.NoError(t, err)
			require.NoError(t, api.Valid(o, path.Name, verb, "", "application/json", string(example)), o.OperationID)
			require.Empty(t, faultsOf(o.OperationID, string(example)), "%s: put an example into operations/", o.OperationID)
		}
	}

	require.Empty(t, rows)
}

// Examples of answers match their schemas, which the tests make strict about unknown properties.
func TestExamplesOfAnswers(t *testing.T) {
	t.Parallel()

	for _, path := range rest.Describe("https://reel.example").Paths {
		for _, method := range path.Value {
			example, err := json.Marshal(method.Value.Responses.Get("200").Content.Get("application/json").Example)
			require.NoError(t, err)
			require.NoError(t, api.ValidAnswer(path.Name, method.Name, string(example)), "%s: rest/openapi/example.go", method.Value.OperationID)
		}
	}
}

// The schema check of these tests detects violations.
func TestSchemaCheckDetectsViolations(t *testing.T) {
	t.Parallel()

	o, path := api.Operation(http.MethodPatch, "/v1/videos/vid_1")
	require.Equal(t, "updateVideo", o.OperationID)
	require.Equal(t, "/v1/videos/{id}", path)

	for body, valid := range map[string]bool{
		`{"name":"A"}`: true, `{"name":"A","customThumbnailURL":null}`: true, `{"defaultPlaybackRate":0.5}`: true,
		`{}`: false, ``: false, `{"name":null}`: false, `{"name":"   "}`: false, `{"Name":"A"}`: false, `{"defaultPlaybackRate":0.4}`: false,
		`{"linkScope":"PUBLIC"}`: false, `{"dimensions":{"width":128}}`: false,
	} {
		err := api.Valid(o, path, http.MethodPatch, "", "application/json", body)
		require.Equal(t, valid, err == nil, "%s %v", body, err)
	}

	list, path := api.Operation(http.MethodGet, "/v1/videos")
	for query, valid := range map[string]bool{
		"": true, "limit=100&other=": true, "tagIds=a,b": true, "limit=0": false, "limit=x": false, "limit=": false, "limit=1&limit=2": false,
		"tagIds=a,": false,
	} {
		require.Equal(t, valid, api.Valid(list, path, http.MethodGet, query, "", "") == nil, query)
	}

	require.NoError(t, api.ValidAnswer("/v1/videos/{id}", "delete", `{"status":"ok"}`))
	require.Error(t, api.ValidAnswer("/v1/videos/{id}", "delete", `{"status":"ok","more":1}`))
	require.Error(t, api.ValidAnswer("/v1/videos/{id}", "delete", `{}`))
}

// Every parameter has a description.
func TestEveryParameterIsDescribed(t *testing.T) {
	t.Parallel()

	document := rest.Describe("https://reel.example")

	for _, path := range document.Paths {
		for _, method := range path.Value {
			for _, p := range method.Value.Parameters {
				if p.Ref == "" {
					assert.NotEmpty(t, p.Description, "%s: say what %s is in description_queries.go", method.Value.OperationID, p.Name)
				}
			}
		}
	}
}

// The description speaks of REST, not of the graph: it does not call anything non-null, and it spells values as REST
// does.
func TestDescriptionsSpeakOfREST(t *testing.T) {
	t.Parallel()

	body, err := json.Marshal(rest.Describe("https://reel.example"))
	require.NoError(t, err)

	var document struct {
		Components struct {
			Schemas map[string]struct {
				Properties map[string]json.RawMessage
			}
		}
	}
	require.NoError(t, json.Unmarshal(body, &document))
	require.NotEmpty(t, document.Components.Schemas)

	graphs := regexp.MustCompile(`\b(FREE|STATUS|[A-Z]+_[A-Z_]+|PASSWORD|SOLID|GRADIENT|NONE|CENTER|STORY|PRIVATE|DEFAULT|PUBLIC|PERSONAL|WORKSPACE|RECORDED|NATURAL|FAST|FASTER|MEMBER)\b`)

	for name, schema := range document.Components.Schemas {
		for property, raw := range schema.Properties {
			var said struct{ Description string }
			require.NoError(t, json.Unmarshal(raw, &said))

			if !strings.Contains(string(raw), `"null"`) {
				assert.NotRegexp(t, `(?i)\bnull\b`, said.Description, "%s.%s", name, property)
			}

			assert.NotRegexp(t, graphs, said.Description, "%s.%s", name, property)
		}
	}
}

// The description has what client generators rely on, as docs/openapi.md promises.
func TestGeneratorsFindWhatTheyNeed(t *testing.T) {
	t.Parallel()

	document := rest.Describe("https://reel.example")

	body, err := json.Marshal(document)
	require.NoError(t, err)

	var whole map[string]any

	require.NoError(t, json.Unmarshal(body, &whole))

	numbers, constants := 0, 0
	referred := map[string]bool{}

	var walk func(at string, value any)

	walk = func(at string, value any) {
		switch v := value.(type) {
		case []any:
			for _, below := range v {
				walk(at, below)
			}
		case map[string]any:
			types, _ := v["type"].([]any)
			if one, ok := v["type"].(string); ok {
				types = []any{one}
			}

			for kind, format := range map[string]string{"integer": "int64", "number": "double"} {
				if slices.Contains(types, any(kind)) {
					numbers++

					assert.Equal(t, format, v["format"], at)
				}
			}

			if _, is := v["const"]; is {
				constants++

				assert.Equal(t, "string", v["type"], at)
			}

			if target, is := v["$ref"].(string); is {
				referred[target] = true
			}

			for name, below := range v {
				if name != "example" {
					walk(at+"/"+name, below)
				}
			}
		}
	}

	walk("", whole["components"])
	walk("", whole["paths"])

	inWebhooks := maps.Clone(referred)

	walk("", whole["webhooks"])
	require.Equal(t, inWebhooks, referred, "a component is referenced only by webhooks")
	require.Greater(t, numbers, 250)
	require.Greater(t, constants, 20)

	for _, kind := range []string{"schemas", "responses", "parameters", "headers"} {
		for name := range whole["components"].(map[string]any)[kind].(map[string]any) {
			require.Contains(t, referred, "#/components/"+kind+"/"+name, "nothing references it")
		}
	}

	// A body is required exactly where an empty one is refused.
	for _, path := range document.Paths {
		for _, method := range path.Value {
			if o := method.Value; o.RequestBody != nil && o.RequestBody.Content.Get("application/json") != nil {
				require.Equal(t, len(faultsOf(o.OperationID, "")) > 0, o.RequestBody.Required, o.OperationID)
			}
		}
	}

	for _, operation := range []string{"cutClip", "updateVideo", "setBackgroundMusic", "addZoom", "duplicateVideo", "startExport", "resendWebhookMessage"} {
		optional := slices.Contains([]string{"duplicateVideo", "startExport", "resendWebhookMessage"}, operation)
		require.Equal(t, optional, len(faultsOf(operation, "")) == 0, operation)
	}
}
