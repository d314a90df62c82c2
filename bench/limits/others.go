package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

const asJSON = "application/json"

// texts measures the longest texts.
func (b *bench) texts(ctx context.Context) error {
	video, clip, err := b.film(ctx, "texts")
	if err != nil {
		return err
	}

	at := "/v1/videos/" + video
	overlays := at + "/clips/" + clip + "/text-overlays"

	for what, text := range map[string]string{
		"letters": strings.Repeat("A", 5000), "words": strings.Repeat("a b ", 1250), "Chinese": strings.Repeat("画", 5000),
		"Arabic": strings.Repeat("مرحبا ", 833), "mixed": strings.Repeat("aא1 ", 1250),
	} {
		body, _ := json.Marshal(map[string]any{"text": text, "startTimeMs": 0, "durationMs": 5000})

		if _, err := b.ask(ctx, "a text of 5,000 characters: "+what, http.MethodPost, overlays, asJSON, string(body), `"textOverlay"`); err != nil {
			return err
		}
	}

	for _, one := range [][3]string{
		{"five texts of 5,000 characters: list", http.MethodGet, overlays}, {"five texts of 5,000 characters: timeline", http.MethodGet, at + "/timeline?include=all"},
	} {
		if _, err := b.ask(ctx, one[0], one[1], one[2], "", "", "画"); err != nil {
			return err
		}
	}

	description, _ := json.Marshal(map[string]string{"description": strings.Repeat("d", 5000)})

	_, err = b.ask(ctx, "a description of 5,000 characters", http.MethodPatch, at, asJSON, string(description), "dddd")

	return err
}

// batches measures the largest batch, and each read of what it makes.
func (b *bench) batches(ctx context.Context) error {
	video, clip, err := b.film(ctx, "batches")
	if err != nil {
		return err
	}

	at := "/v1/videos/" + video

	for _, kind := range []string{
		`"type":"add_zoom","zoomType":"manualZoom","scale":2,"focusPoint":{"xPct":10,"yPct":10}`,
		`"type":"add_blur","point":{"xPct":10,"yPct":20},"dimensions":{"widthPct":30,"heightPct":40}`,
		`"type":"add_text_overlay","text":"` + strings.Repeat("画", 1200) + `"`,
	} {
		var batch strings.Builder

		for i := range 200 {
			if i > 0 {
				batch.WriteByte(',')
			}

			fmt.Fprintf(&batch, `{"operationId":"o%d","clipId":%q,"startTimeMs":%d,"durationMs":900,%s}`, i, clip, i*1000, kind)
		}

		name := "200 operations: " + strings.Trim(kind[8:strings.Index(kind, ",")], `"`)
		if _, err := b.ask(ctx, name, http.MethodPost, at+"/edits", asJSON, `{"operations":[`+batch.String()+`]}`, `"results"`); err != nil {
			return err
		}
	}

	_, err = b.ask(ctx, "600 effects: timeline", http.MethodGet, at+"/timeline?include=all", "", "", `"zooms"`)

	return err
}

// documents measures the largest documents and bodies.
func (b *bench) documents(ctx context.Context) error {
	video, _, err := b.film(ctx, "documents")
	if err != nil {
		return err
	}

	// 1,000 fields of five tokens each, and no more complexity than one key may spend.
	var many strings.Builder
	for i := range 800 {
		fmt.Fprintf(&many, "n%d: name ", i)
	}

	padded := strings.Repeat(" ", 1<<20-20_000)

	for _, one := range [][2]string{
		{"a document of 2,400 tokens", `{ video(id: "` + video + `") { ` + many.String() + ` } }`},
		{"a document of 1 MiB, most of it white space", `{ video(id: "` + video + `") { ` + padded + ` id } }`},
	} {
		body, _ := json.Marshal(map[string]string{"query": one[1]})

		if _, err := b.ask(ctx, one[0], http.MethodPost, "/graphql", asJSON, string(body), `"data"`); err != nil {
			return err
		}
	}

	variables, _ := json.Marshal(map[string]any{
		"query":     `mutation ($d: String!) { updateVideo(id: "` + video + `", input: {description: $d}) { video { id } } }`,
		"variables": map[string]string{"d": strings.Repeat("x", 5000)}, "extensions": map[string]string{"pad": strings.Repeat("p", 1<<20-8000)},
	})

	_, err = b.ask(ctx, "a body of 1 MiB in the graph", http.MethodPost, "/graphql", asJSON, string(variables), `"data"`)

	return err
}
