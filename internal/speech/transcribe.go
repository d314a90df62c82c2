// Package speech turns speech into words, by whichever provider the operator chose. What it returns
// was said, as far as the provider can tell: nothing is ever made up in its place.
package speech

import (
	"context"
	"time"
)

// Word is a word and when it is heard.
type Word struct {
	Text       string  `json:"text"`
	StartMs    int64   `json:"startMs"`
	EndMs      int64   `json:"endMs"`
	Confidence float64 `json:"confidence"` // 0 to 1; 0 when the provider does not say
}

// Speech is what was said. Without words nobody spoke.
type Speech struct {
	Language string `json:"language"` // a language tag; empty when the provider does not say
	Words    []Word `json:"words"`
}

// Provider turns a sound into words. It may be used by several goroutines at once.
type Provider interface {
	// Longest is the longest sound that Transcribe takes.
	Longest() time.Duration
	// Transcribe returns the words of a sound, in its own time. An empty language has the provider find
	// out. A fault that the provider is to blame for is an *Error.
	Transcribe(ctx context.Context, sound Sound, language string) (Speech, error)
}

// Error says why a sound has no words.
type Error struct {
	Message string // a sentence for whoever owns the sound
	Passing bool   // whether trying again later may help
	Cause   error  // for the log; nil when the message says it all
}

// Error returns the message and its cause.
func (e *Error) Error() string {
	if e.Cause == nil {
		return e.Message
	}

	return e.Message + " (" + e.Cause.Error() + ")"
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Heard is what is known of a sound up to some time. Its zero value is nothing yet, in a language to be found out.
type Heard struct {
	Speech

	UntilMs int64 `json:"untilMs"`
}

// Listen turns a sound of any length into words: in pieces that the provider takes, divided where it is quietest. What
// language the first words are in is told to the provider with the rest. It goes on from what is known, and ends before
// the end of the sound only when giveWay, which is asked after each piece, says so.
func Listen(ctx context.Context, p Provider, sound Sound, known Heard, giveWay func(context.Context) bool) (Heard, error) {
	pieces, err := divide(sound.from(known.UntilMs), p.Longest())
	if err != nil {
		return Heard{}, err
	}

	for i, piece := range pieces {
		said, err := p.Transcribe(ctx, piece, known.Language)
		if err != nil {
			return Heard{}, err
		}

		words := clean(said.Words, piece.LengthMs())
		if known.Language == "" && len(words) > 0 {
			known.Language = Tag(said.Language)
		}

		for _, w := range words {
			w.StartMs += piece.beginMs - sound.beginMs
			w.EndMs += piece.beginMs - sound.beginMs
			known.Words = append(known.Words, w)
		}

		known.UntilMs = piece.beginMs - sound.beginMs + piece.LengthMs()

		if last := i == len(pieces)-1; !last && giveWay(ctx) {
			break
		}
	}

	return known, nil
}

// All is Listen from the beginning to the end.
func All(ctx context.Context, p Provider, sound Sound, language string) (Speech, error) {
	heard, err := Listen(ctx, p, sound, Heard{Speech: Speech{Language: language}}, func(context.Context) bool { return false })

	return heard.Speech, err
}
