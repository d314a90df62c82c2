package rest

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"

	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/idempotency"
	"github.com/reelgraph/reelgraph/internal/platform/input"
)

// Rows returns the method and path of every operation, with a tab between them.
func Rows() map[string]string {
	rows := map[string]string{}
	for _, r := range routes() {
		rows[r.operation] = r.method + "\t" + r.path
	}

	return rows
}

type elsewhere struct {
	At string `json:"at"`
}

func (e elsewhere) location() string { return e.At }

func moved(context.Context, string, input.NoBody) (elsewhere, error) {
	return elsewhere{At: "https://reel.example/elsewhere"}, nil
}

func broken(context.Context, string, input.NoBody) (elsewhere, error) { panic("the secret cause") }

// NewElsewhere serves two rows of signed media, in the product's runner: /v1/moved is elsewhere, and
// /v1/broken panics.
func NewElsewhere(keys *idempotency.Keys, errors Errors) http.Handler {
	return serve([]route[string]{get("/v1/moved", moved), get("/v1/broken", broken)}, "", keys, errors)
}

// Sections returns the tag and the summary of every section of operations/.
func Sections() map[string][2]string {
	_, sections := chapters()
	all := map[string][2]string{}

	for id, s := range sections {
		all[id] = [2]string{s.tag, s.summary}
	}

	return all
}

// Document returns the document of the graph that does what an operation does, with variables to try it with.
func Document(operation string) (document string, variables map[string]any) {
	_, sections := chapters()
	graph := sections[operation].graph

	if graph.Variables != nil {
		if err := json.Unmarshal(graph.Variables, &variables); err != nil {
			panic(err)
		}
	}

	return graph.Document, variables
}

// Access returns the word that says who may call an operation.
func Access(operation string) string {
	_, sections := chapters()

	return sections[operation].access
}

// Faults decodes a body as the operation would.
func Faults(operation, body string) []fault.Field {
	for _, r := range routes() {
		if r.operation == operation && r.Origins.Shape != nil {
			var faults input.Report

			input.DecodeBody([]byte(body), reflect.New(r.Origins.Shape.Type).Elem(), r.Origins.Shape, &faults)

			return faults.Fields()
		}
	}

	return nil
}
