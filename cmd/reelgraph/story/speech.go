package story

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/reelgraph/reelgraph/internal/demo"
)

// subtitles returns the spoken lines as a WebVTT file. It omits lines that no voice spoke.
func subtitles(lines []demo.Line, speech demo.Speech) string {
	at := func(ms int) string { return fmt.Sprintf("00:%02d.%03d", ms/1000, ms%1000) }

	var text strings.Builder

	text.WriteString("WEBVTT\n")

	for i, ends := range speech.EndsMs {
		fmt.Fprintf(&text, "\n%s --> %s\n%s\n", at(lines[i].AtMs), at(ends), lines[i].Text)
	}

	return text.String()
}

// transcribe uploads the transcript of a clip: speech recognition would hear other words in a synthetic voice.
func (g *Guide) transcribe(ctx context.Context, clip string, lines []demo.Line, speech demo.Speech) error {
	if len(speech.EndsMs) == 0 {
		return nil
	}

	return g.put(ctx, clip+"/transcript?language=en", "text/vtt", []byte(subtitles(lines, speech)))
}

// put uploads bytes to an address of the API.
func (g *Guide) put(ctx context.Context, path, contentType string, content []byte) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPut, "http://"+g.address+path, bytes.NewReader(content))
	if err != nil {
		return err
	}

	r.Header.Set("Authorization", "Bearer "+g.key)
	r.Header.Set("Content-Type", contentType)

	return g.send(r, nil)
}
