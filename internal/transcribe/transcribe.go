// Package transcribe turns speech into words, by whichever provider the operator chose. What it returns
// was said, as far as the provider can tell: nothing is ever made up in its place.
package transcribe

import (
	"context"
	"time"
)

// Word is a word and when it is heard.
type Word struct {
	Text           string
	StartMs, EndMs int64
	Confidence     float64 // 0 to 1; 0 when the provider does not say
}

// Speech is what was said. Without words nobody spoke.
type Speech struct {
	Language string // a language tag; empty when the provider does not say
	Words    []Word
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

// All turns a sound of any length into words: in pieces that the provider takes, divided where it is
// quietest. What language the first words are in is told to the provider with the rest.
func All(ctx context.Context, p Provider, sound Sound, language string) (Speech, error) {
	all := Speech{Language: language}

	pieces, err := divide(sound, p.Longest())
	if err != nil {
		return Speech{}, err
	}

	for _, piece := range pieces {
		said, err := p.Transcribe(ctx, piece, all.Language)
		if err != nil {
			return Speech{}, err
		}

		words := clean(said.Words, piece.LengthMs())
		if all.Language == "" && len(words) > 0 {
			all.Language = Tag(said.Language)
		}

		for _, w := range words {
			w.StartMs += piece.beginMs - sound.beginMs
			w.EndMs += piece.beginMs - sound.beginMs
			all.Words = append(all.Words, w)
		}
	}

	return all, nil
}
