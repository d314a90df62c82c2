package story

import (
	"context"
	"fmt"
	"strings"

	"github.com/reelgraph/reelgraph/graph/model"
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

// transcribe stores the transcript of a clip: speech recognition would hear other words in a synthetic voice.
func (g *Guide) transcribe(ctx context.Context, videoID, clipID string, lines []demo.Line, speech demo.Speech) error {
	if len(speech.EndsMs) == 0 {
		return nil
	}

	_, err := g.Transcripts.PutTranscript(ctx, videoID, clipID, model.PutTranscriptInput{
		Format: model.SubtitleFormatVtt, Text: subtitles(lines, speech), Language: set("en"),
	})

	return err
}
