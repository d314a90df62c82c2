package model

import (
	"fmt"
	"regexp"

	"github.com/99designs/gqlgen/graphql"

	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/video/words"
)

// Transcript is the spoken text of a video. Its timestamps are in the playback time of the video.
type Transcript struct {
	Status    values.TranscriptStatus `json:"status"`
	Language  string                  `json:"language"` // empty until it is known
	Sentences []*Sentence             `json:"sentences"`
	Text      string                  `json:"text"`

	// Words holds the words of the captions; empty until the transcript is ready.
	Words []words.Word `json:"-"`
}

// Captions returns the words as a subtitle file. It returns an empty string until the transcript is ready.
func (t *Transcript) Captions(format SubtitleFormat) string {
	switch {
	case t.Status != values.TranscriptStatusReady:
		return ""
	case format == SubtitleFormatSrt:
		return string(words.SRT(t.Words))
	default:
		return string(words.VTT(t.Words))
	}
}

// Word is a word of a clip as returned to clients.
type Word struct {
	Index       int    `json:"index"`
	Text        string `json:"text"`
	StartTimeMs *int64 `json:"startTimeMs,omitempty"` // nil for a cut word, except in recording time
	EndTimeMs   *int64 `json:"endTimeMs,omitempty"`
	Hidden      bool   `json:"hidden"`
	Cut         bool   `json:"cut"`
}

// Silence is a range of playback time in which nobody speaks.
type Silence struct {
	StartTimeMs int64 `json:"startTimeMs"`
	DurationMs  int64 `json:"durationMs"`
}

// SilenceFilter selects silences.
type SilenceFilter struct {
	MinDurationMs int64 `json:"minDurationMs" query:"minDurationMs" check:"min=100" default:"300"`
}

// CutClipByTranscriptInput holds ranges of words to cut.
type CutClipByTranscriptInput struct {
	WordRanges []*WordRangeInput `json:"wordRanges" check:"required,items=1..10000"`
}

// WordRangeInput is a range of words, given by their stable indices. Both ends are included.
type WordRangeInput struct {
	FromWordIndex int `json:"fromWordIndex" check:"required,min=0"`
	ToWordIndex   int `json:"toWordIndex" check:"required,min=0"`
}

// Check implements input.Checker.
func (r *WordRangeInput) Check() []fault.Field {
	if r.ToWordIndex < r.FromWordIndex {
		return []fault.Field{{Path: "toWordIndex", Rule: "must be at least fromWordIndex", Of: []string{"fromWordIndex", "toWordIndex"}}}
	}

	return nil
}

// RemoveSilencesInput sets the minimum length of a silence that is shortened.
type RemoveSilencesInput struct {
	Mode values.SilenceMode `json:"mode" default:"natural"`
}

// PutTranscriptInput holds a subtitle file. The times in the file are recording times.
type PutTranscriptInput struct {
	Format   SubtitleFormat             `json:"format" check:"required"`
	Text     string                     `json:"text" check:"required"`
	Language graphql.Omittable[*string] `json:"language" check:"chars=1..35"`
}

// CorrectWordsInput holds corrections of words in captions.
type CorrectWordsInput struct {
	Words []*CorrectWordInput `json:"words" check:"required,items=1..100"`
}

// Check implements input.Checker: no word may be corrected twice.
func (in *CorrectWordsInput) Check() []fault.Field {
	var faults []fault.Field

	seen := map[int]bool{}

	for i, w := range in.Words {
		if seen[w.Index] {
			faults = append(faults, fault.Field{Path: fmt.Sprintf("words[%d].index", i), Rule: "must not be given twice"})
		}

		seen[w.Index] = true
	}

	return faults
}

// CorrectWordInput is the correction of one word.
type CorrectWordInput struct {
	Index  int                        `json:"index" check:"required,min=0"`
	Text   graphql.Omittable[*string] `json:"text" check:"chars=1..1000,notblank"`
	Hidden graphql.Omittable[*bool]   `json:"hidden"`
}

// Check implements input.Checker.
func (w *CorrectWordInput) Check() []fault.Field {
	if !w.Text.IsSet() && !w.Hidden.IsSet() {
		return []fault.Field{{Path: "text", Rule: "or hidden is required"}}
	}

	return nil
}

var language = regexp.MustCompile(`^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$`)

// IsLanguage reports whether a text has the form of a language tag.
func IsLanguage(tag string) bool { return language.MatchString(tag) }

// Check implements input.Checker.
func (in *PutTranscriptInput) Check() []fault.Field {
	if tag := in.Language.Value(); tag != nil && !IsLanguage(*tag) {
		return []fault.Field{{Path: "language", Rule: "must be a language tag such as en or pt-BR", Of: []string{"language"}}}
	}

	return nil
}
