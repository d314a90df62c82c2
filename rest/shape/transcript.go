package shape

import (
	"context"
	"strconv"
	"unicode/utf8"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/video/words"
)

// WordsOut is the response with the words of a clip.
type WordsOut struct {
	Status   values.TranscriptStatus `json:"status"`
	Language string                  `json:"language"`
	Words    []*model.Word           `json:"words"`
}

// WordsOutOf returns the response with the words of a clip. The parameter set selects which words it contains.
func WordsOutOf(ctx context.Context, g Graph, c *model.Clip, set model.WordSet) (WordsOut, error) {
	heard, err := g.Clip().Transcript(ctx, c)
	if err != nil {
		return WordsOut{}, err
	}

	page, err := g.Clip().Words(ctx, c, set, Everything, nil)
	if err != nil {
		return WordsOut{}, err
	}

	return WordsOut{Status: heard.Status, Language: heard.Language, Words: page.Nodes}, nil
}

// PutTranscriptOut is the response to a request that replaces a transcript.
type PutTranscriptOut struct {
	WordsOut

	SkippedCount int                   `json:"skippedCount,omitempty"`
	Skipped      []*words.SkippedBlock `json:"skipped,omitempty"`
}

// CorrectWordsOut is the response with the corrected words.
type CorrectWordsOut struct {
	Words []*model.Word `json:"words"`
}

// SilencesOut is the response with the silences of a clip.
type SilencesOut struct {
	Silences []*model.Silence `json:"silences"`
}

// wordRoom is the approximate size of a word in JSON, without its text.
const wordRoom = 100

// appendJSON implements appender.
func (w WordsOut) appendJSON(to []byte) ([]byte, error) {
	head, err := Encode(struct {
		Status   values.TranscriptStatus `json:"status"`
		Language string                  `json:"language"`
	}{w.Status, w.Language})
	if err != nil {
		return nil, err
	}

	to = append(to, head[:len(head)-len("}")]...)

	if to, err = appendWords(append(to, `,"words":`...), w.Words); err != nil {
		return nil, err
	}

	return append(to, '}'), nil
}

// appendJSON implements appender.
func (p PutTranscriptOut) appendJSON(to []byte) ([]byte, error) {
	tail, err := Encode(struct {
		SkippedCount int                   `json:"skippedCount,omitempty"`
		Skipped      []*words.SkippedBlock `json:"skipped,omitempty"`
	}{p.SkippedCount, p.Skipped})
	if err != nil {
		return nil, err
	}

	if to, err = p.WordsOut.appendJSON(to); err != nil || string(tail) == "{}" {
		return to, err
	}

	to[len(to)-1] = ','

	return append(to, tail[len("{"):]...), nil
}

// appendWords appends words; nil is written as null, as by encode.
func appendWords(to []byte, words []*model.Word) ([]byte, error) {
	if words == nil {
		return append(to, "null"...), nil
	}

	size := 0
	for _, w := range words {
		size += wordRoom + len(w.Text)
	}

	to = append(make([]byte, 0, len(to)+size), to...)
	to = append(to, '[')

	for i, w := range words {
		if i > 0 {
			to = append(to, ',')
		}

		var err error

		to = strconv.AppendInt(append(to, `{"index":`...), int64(w.Index), 10)
		if to, err = appendText(append(to, `,"text":`...), w.Text); err != nil {
			return nil, err
		}

		if w.StartTimeMs != nil {
			to = strconv.AppendInt(append(to, `,"startTimeMs":`...), *w.StartTimeMs, 10)
		}

		if w.EndTimeMs != nil {
			to = strconv.AppendInt(append(to, `,"endTimeMs":`...), *w.EndTimeMs, 10)
		}

		to = strconv.AppendBool(append(to, `,"hidden":`...), w.Hidden)
		to = strconv.AppendBool(append(to, `,"cut":`...), w.Cut)
		to = append(to, '}')
	}

	return append(to, ']'), nil
}

func appendText(to []byte, text string) ([]byte, error) {
	if plain(text) {
		return append(append(append(to, '"'), text...), '"'), nil
	}

	written, err := Encode(text)

	return append(to, written...), err
}

// plain reports whether a text needs no escapes in JSON.
func plain(text string) bool {
	for _, r := range text {
		if r < ' ' || r == '"' || r == '\\' || r == '\u2028' || r == '\u2029' || r == utf8.RuneError {
			return false
		}
	}

	return true
}
