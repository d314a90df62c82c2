package rest

import (
	"cmp"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/reelgraph/reelgraph/graph/exec"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/webhook/event"
	"github.com/reelgraph/reelgraph/rest/openapi"
	"github.com/reelgraph/reelgraph/rest/operations"
	"github.com/reelgraph/reelgraph/rest/router"
	"github.com/reelgraph/reelgraph/rest/shape"
)

// Version is the version of the API. New versions only add to the API. A breaking change gets a new path prefix.
const Version = "1.0.0"

// Describe returns the OpenAPI description of /v1 for a server with the given address. It is generated from the table
// of operations and from the Go types. All other texts are in operations/, which has one file for each tag and one
// section for each operation.
func Describe(baseURL string) *openapi.Document {
	tags, texts := operations.Read()
	graph, own, common, queries := exec.NewExecutableSchema(exec.Config{}).Schema(), restWords(), commonWords(), queryWords()

	api := openapi.API{
		Info: openapi.Info{
			Title: "Reelgraph", Version: Version, Summary: "Record, edit, render and share video.",
			Description: introduction,
			License:     openapi.License{Name: "Apache 2.0", Identifier: "Apache-2.0"},
			Contact:     openapi.Contact{Name: "Reelgraph", URL: "https://github.com/reelgraph/reelgraph"},
		},
		Server: openapi.Server{URL: baseURL, Description: "This server"},
		Tags:   tags, Failures: failures(baseURL), Events: events(),
		Known: map[reflect.Type]*openapi.Schema{
			reflect.TypeFor[shape.Datetime]():  {Type: openapi.Types{"string"}, Format: "date-time"},
			reflect.TypeFor[event.Timestamp](): {Type: openapi.Types{"string"}, Format: "date-time"},
			reflect.TypeFor[time.Time]():       {Type: openapi.Types{"string"}, Format: "date-time"},
			reflect.TypeFor[values.Color]():    {Type: openapi.Types{"string"}, Pattern: "^#[0-9A-F]{8}$"},
		},
		// Most types and properties of REST take their description from the graph.
		Describe: func(typeName, property string) string {
			for _, name := range kin(typeName, property) {
				definition := graph.Types[name]

				switch {
				case own[name+"."+property] != "":
					return own[name+"."+property]
				case definition == nil:
				case property == "":
					return definition.Description
				case definition.Fields.ForName(property) != nil && definition.Fields.ForName(property).Description != "":
					return definition.Fields.ForName(property).Description
				}
			}

			if property == "" {
				return ""
			}

			return cmp.Or(common[typeName+"."+property], common["*."+property])
		},
		DescribeQuery: func(operation, parameter string) string {
			return cmp.Or(queries[operation+"."+parameter], queries[parameter])
		},
	}

	for _, rt := range Routes() {
		api.Rows = append(api.Rows, describe(&rt, texts[rt.Operation]))
	}

	return openapi.Describe(api)
}

// kin returns the graph types whose descriptions a REST type or its property may use, closest first.
func kin(typeName, property string) []string {
	all := []string{
		typeName, strings.TrimSuffix(typeName, "Detail"), strings.TrimSuffix(typeName, "ListItem"), strings.TrimSuffix(typeName, "Answer"),
	}

	if property == "" {
		return all
	}

	// A field means the same when an object is created and when it is updated, and in a batch of edits.
	if thing, ok := strings.CutPrefix(typeName, "Create"); ok {
		all = append(all, "Update"+thing)
	}

	if edit, ok := strings.CutPrefix(typeName, "VideoEdit"); ok {
		edit = strings.NewReplacer("Blur", "Mask", "Highlight", "Mask").Replace(edit)
		all = append(all, edit+"Input", strings.Replace(edit, "Update", "Add", 1)+"Input")
	}

	if thing, ok := strings.CutPrefix(typeName, "Update"); ok {
		all = append(all, "Add"+thing, "Create"+thing)
	}

	if typeName == "ClipSource" {
		all = append(all, "Source")
	}

	return all
}

const introduction = "Every request needs an API key and acts as the owner of the key, in its workspace. " +
	"Success is 200 with a JSON object. Errors have three properties; programs should use `error`. " +
	"Bodies are parsed strictly: an unknown or repeated property, wrong upper or lower case and a wrong type are refused, and the " +
	"message names every error. Accept unknown properties in responses: `/v1` may add some."

func describe(rt *router.Route[Graph], text operations.Section) openapi.Row {
	row := openapi.Row{
		ID: rt.Operation, Method: rt.Method, Path: rt.Path,
		Tag: text.Tag, Summary: text.Summary, Description: text.Description, Example: text.Example,
		Query: rt.Origins.Query, Body: rt.Origins.Shape, Answer: rt.Answer,
		Tagged: rt.Traits.Tagged, Located: rt.Answer.Implements(reflect.TypeFor[shape.Located]()), Deprecated: rt.Traits.Retired != nil,
		Access: text.Access, Graph: text.Graph,
		Conditional: rt.Method != http.MethodGet &&
			(strings.HasPrefix(rt.Path, "/v1/videos/{id}") || strings.HasPrefix(rt.Path, "/v1/playlists/{id}")),
	}

	if rt.Origins.Body != nil && rt.Origins.Shape == nil {
		row.Raw = rt.Traits.Bounds.Types
	}

	row.Needed = rt.Origins.NeedsBody()

	return row
}

// failures returns the error responses of the contract, sections 1.1 and 1.8.
func failures(baseURL string) []openapi.Failure {
	all := []openapi.Failure{
		{Status: http.StatusBadRequest, When: "The request breaks a rule. The message says which one and where."},
		{Status: http.StatusUnauthorized, When: "The key is missing, malformed, unknown, revoked or expired."},
		{Status: http.StatusForbidden, When: "You may read this, but not do this to it."},
		{Status: http.StatusNotFound, When: "It does not exist, or you may not read it."},
		{
			Status: http.StatusConflict, Later: true,
			When: "The current state does not allow it. With `edit_conflict`, somebody else has made an edit since.",
		},
		{Status: http.StatusRequestEntityTooLarge, When: "The body is too large."},
		{Status: http.StatusRequestURITooLong, When: "The address is longer than 8 KiB."},
		{Status: http.StatusUnsupportedMediaType, When: "The operation does not accept this content type."},
		{Status: http.StatusTooManyRequests, When: "You have used up the requests of this minute.", Later: true},
		{Status: http.StatusRequestHeaderFieldsTooLarge, When: "The headers are larger than 64 KiB."},
		{Status: http.StatusInternalServerError, When: "An error on the server. Its log has the cause under the X-Request-Id."},
		{Status: http.StatusNotImplemented, When: "This is not available for this object or on this server."},
		{Status: http.StatusServiceUnavailable, When: "Something that the server depends on is down. Nothing was executed.", Later: true},
	}

	for i := range all {
		f := &all[i]

		for code, status := range router.Statuses {
			if status == f.Status {
				f.Codes = append(f.Codes, string(code))
			}
		}

		slices.Sort(f.Codes)

		if f.Codes == nil { // statuses for which the contract has no code of its own
			f.Codes = []string{string(fault.BadRequestCode)}
		}

		code := fault.Code(f.Codes[0])
		f.Error = router.ErrorBody{Error: code, Message: f.When, DocsURL: fmt.Sprint(baseURL, "/docs/errors#", code)}
	}

	return all
}

// events returns the kinds of events that webhooks deliver.
func events() []openapi.Event {
	var all []openapi.Event

	for _, kind := range values.EventType("").Values() {
		sample := event.Sample(values.EventType(kind))

		body, err := event.Body(sample, time.Date(2026, time.January, 2, 3, 4, 5, 678e6, time.UTC))
		if err != nil {
			panic(fmt.Sprintf("rest: the sample of %s: %v", kind, err))
		}

		all = append(all, openapi.Event{Kind: kind, Data: reflect.TypeOf(sample), Sample: body})
	}

	return all
}
