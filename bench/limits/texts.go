package main

import (
	"context"
	"encoding/json"
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
