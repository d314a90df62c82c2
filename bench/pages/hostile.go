package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

const goalRefusal = 5 * time.Millisecond

// hostile measures how fast excessively expensive queries are refused.
func (b *bench) hostile(ctx context.Context) (err error) {
	if b.key == "" { // no other part has set it
		if b.key, err = b.seed(ctx, 1, 1, false); err != nil {
			return err
		}
	}

	fmt.Fprint(&b.report, "\nHostile queries, refused.\n", tableHead)

	for _, h := range []struct{ what, query string }{
		{"17 levels deep", "{ videos { nodes { " + strings.Repeat("timeline { clips { id } } clips { nodes { ", 8) + "id" +
			strings.Repeat(" } }", 8) + " } } }"},
		{"1,000 aliases", "{ " + aliases(1000, "videos { nodes { id } }") + " }"},
		{"fragments in a ring", "{ videos { nodes { ...a } } } fragment a on Video { ...b } fragment b on Video { ...a }"},
		{"fragments that double 25 times", "{ videos { nodes { ...f0 } } } " + doubling(25)},
		{"a literal of 1 MB", `{ searchVideos(query: "` + strings.Repeat("x", 1_000_000) + `") { nodes { snippet } } }`},
		{
			"a list of 100 × 100 × 100",
			"{ videos(first: 100) { nodes { clips(first: 100) { nodes { effects(first: 100) { nodes { __typename } } } } } } }",
		},
		{"200,000 brackets", "{ videos(first: " + strings.Repeat("[", 200_000) + ") { nodes { id } } }"},
	} {
		body, err := json.Marshal(map[string]string{"query": h.query})
		if err != nil {
			return fmt.Errorf("write a query: %w", err)
		}

		median, p95, err := b.repeated(ctx, times, func(int) asking {
			return asking{path: "/graphql", body: string(body), refused: true}
		})
		if err != nil {
			return fmt.Errorf("%s: %w", h.what, err)
		}

		b.row(h.what, median, p95, goalRefusal)
	}

	return nil
}

func aliases(n int, field string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "a%d: %s ", i, field)
	}

	return b.String()
}

// doubling returns fragments that each spread the next one twice.
func doubling(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "fragment f%d on Video { ...f%d ...f%d } ", i, i+1, i+1)
	}

	fmt.Fprintf(&b, "fragment f%d on Video { id }", n)

	return b.String()
}
