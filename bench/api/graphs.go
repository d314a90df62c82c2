package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/reelgraph/reelgraph/bench/measure"
)

// The documents of both graphs. They request the same data, and the bench compares the answers.
const (
	oneRow = `query($id: ID!) {
  video(id: $id) { id name description createdAt updatedAt durationMs views revision }
}`
	theirOneRow = `query($id: String!) {
  video: videoByRowId(rowId: $id) { rowId name description createdAt updatedAt durationMs views revision }
}`
	nestedList = `{
  videos(first: 20) {
    nodes {
      id name description createdAt updatedAt durationMs views revision
      exports(first: 20) { nodes { id status progress createdAt updatedAt } }
      tags(first: 20) { nodes { id name } }
    }
  }
}`
	theirNestedList = `query($id: String!) {
  videos: allVideos(first: 20, condition: {workspaceId: $id}, orderBy: [UPDATED_AT_DESC]) {
    nodes {
      rowId name description createdAt updatedAt durationMs views revision
      exports: exportsByVideoId(first: 20, orderBy: [CREATED_AT_DESC]) { nodes { rowId status progress createdAt updatedAt } }
      tags: videoTagsByVideoId(first: 20) { nodes { tagByTagId { rowId name } } }
    }
  }
}`
)

// wrong is a text that marks a bad answer: GraphQL errors come with status 200.
const wrong = `"errors"`

// document returns the body of a request. id is its only variable, if there is one.
func document(query, id string) string {
	body := map[string]any{"query": query}
	if id != "" {
		body["variables"] = map[string]any{"id": id}
	}

	return text(body)
}

// proveGraphs compares the answers of the graphs.
func (s *stage) proveGraphs(ctx context.Context, r servers) error {
	id := s.probe().Video
	own := []string{document(oneRow, id), document(nestedList, "")}
	theirs := []string{document(theirOneRow, id), document(theirNestedList, s.world.space)}

	for _, other := range []struct {
		name      string
		server    *measure.Process
		documents []string
	}{
		{"PostGraphile", r.theirs, theirs},
		{"PostGraphile with key and limiter", r.gated, theirs},
		{"graphql-jit", r.jit, own},
		{"the SQL handler", r.plain, own},
	} {
		for i := range own {
			if err := s.proveGraph(ctx, r.product.Addr, other.server.Addr, own[i], other.documents[i]); err != nil {
				return fmt.Errorf("%s answers differently: %w", other.name, err)
			}
		}
	}

	return nil
}

// proveGraph compares the answers of two graphs to their documents.
func (s *stage) proveGraph(ctx context.Context, product, other string, documents ...string) error {
	var bodies [2][]byte

	for i, addr := range []string{product, other} {
		r, err := measure.Ask(ctx, addr, "/graphql", s.world.keyOf(0), documents[i])
		if err != nil {
			return err
		}

		if bodies[i], err = measure.Answer(r, wrong); err != nil {
			return err
		}
	}

	return sameGraph(bodies[0], bodies[1], strings.NewReplacer("rowId", "id"))
}
