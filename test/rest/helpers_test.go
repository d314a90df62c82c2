package rest_test

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"

	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/input"
	"github.com/reelgraph/reelgraph/rest"
	"github.com/reelgraph/reelgraph/rest/operations"
	"github.com/reelgraph/reelgraph/rest/router"
)

// rowsByOperation returns the method and path of every operation, separated by a tab.
func rowsByOperation() map[string]string {
	rows := map[string]string{}
	for _, r := range rest.Routes() {
		rows[r.Operation] = r.Method + "\t" + r.Path
	}

	return rows
}

// graphOf returns the GraphQL document that does what an operation does, and variables to try it with.
func graphOf(operation string) (document string, variables map[string]any) {
	_, sections := operations.Read()
	graph := sections[operation].Graph

	if graph.Variables != nil {
		if err := json.Unmarshal(graph.Variables, &variables); err != nil {
			panic(err)
		}
	}

	return graph.Document, variables
}

// faultsOf decodes a body as the operation does, and returns what is wrong with it.
func faultsOf(operation, body string) []fault.Field {
	for _, r := range rest.Routes() {
		if r.Operation == operation && r.Origins.Shape != nil {
			var faults input.Report

			input.DecodeBody([]byte(body), reflect.New(r.Origins.Shape.Type).Elem(), r.Origins.Shape, &faults)

			return faults.Fields()
		}
	}

	return nil
}

type elsewhere struct {
	At string `json:"at"`
}

// Location implements shape.Located.
func (e elsewhere) Location() string { return e.At }

func moved(context.Context, string, input.NoBody) (elsewhere, error) {
	return elsewhere{At: "https://reel.example/elsewhere"}, nil
}

func broken(context.Context, string, input.NoBody) (elsewhere, error) { panic("the secret cause") }

// newElsewhere serves two rows with the product's router: /v1/moved redirects, and /v1/broken panics.
func newElsewhere(errors router.Errors) http.Handler {
	return router.New([]router.Route[string]{router.Get("/v1/moved", moved), router.Get("/v1/broken", broken)}, "", nil, errors)
}
