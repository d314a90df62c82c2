// Package speech transcribes speech with the provider that the operator chose. It returns only words that the provider
// recognized; it never invents any.
package speech

import (
	"context"
	"time"
)

// Word is a word with its time.
type Word struct {
	Text       string  `json:"text"`
	StartMs    int64   `json:"startMs"`
	EndMs      int64   `json:"endMs"`
	Confidence float64 `json:"confidence"` // 0 to 1; 0 when the provider gives none
}

// Speech is the result of a transcription. If it has no words, nobody spoke.
type Speech struct {
	Language string `json:"language"` // a language tag; empty when the provider gives none
	Words    []Word `json:"words"`
}

// Provider transcribes sounds. It is safe for concurrent use.
type Provider interface {
	// Longest returns the longest sound that Transcribe accepts.
	Longest() time.Duration
	// Transcribe returns the words of a sound, with times within it. With an empty language, the provider detects the
	// language. It returns an *Error for a failure of the provider.
	Transcribe(ctx context.Context, sound Sound, language string) (Speech, error)
}

// Error describes why a sound could not be transcribed.
type Error struct {
	Message string // a sentence for the owner of the sound
	Passing bool   // whether a later retry may succeed
	Cause   error  // for the log; nil when the message says everything
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

// Heard is the transcription of the beginning of a sound, up to UntilMs. The zero value means that nothing has been
// transcribed yet. The provider then detects the language.
type Heard struct {
	Speech

	UntilMs int64 `json:"untilMs"`
}

// Listen transcribes a sound of any length. It splits the sound at quiet places into pieces that are short enough for
// the provider. Once it knows the language, it passes the language to the provider with each later piece. The
// argument "known" is an earlier result, which Listen continues. After each piece except the last, Listen calls
// giveWay. If giveWay returns true, Listen stops and returns what it has transcribed so far.
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

// All transcribes a whole sound. It is like Listen, but it cannot be stopped early.
func All(ctx context.Context, p Provider, sound Sound, language string) (Speech, error) {
	heard, err := Listen(ctx, p, sound, Heard{Speech: Speech{Language: language}}, func(context.Context) bool { return false })

	return heard.Speech, err
}
