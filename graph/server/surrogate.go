package server

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/reelgraph/reelgraph/internal/platform/fault"
)

// wholePairs refuses texts, of JSON or of a document, that spell half of a surrogate pair: it stands for no character,
// and those who read them put another in its place.
func wholePairs(texts ...[]byte) error {
	for _, text := range texts {
		for {
			at := bytes.IndexByte(text, '\\')
			if at < 0 {
				break
			}

			length, whole := escapeAt(text[at:])
			if !whole {
				return fault.BadRequest("The request must not contain half a surrogate pair.")
			}

			text = text[at+length:]
		}
	}

	return nil
}

// escapeAt is how long an escape is, a pair counting as one; not whole is half of one. What is no escape is left to
// who reads it.
func escapeAt(text []byte) (length int, whole bool) {
	const unit, pair = len(`\uffff`), 2 * len(`\uffff`)

	first, is := codeUnit(text)
	if !is || !utf16.IsSurrogate(first) {
		return min(len(text), 2), true //nolint:mnd // the backslash, and what it makes special
	}

	if second, is := codeUnit(text[unit:]); is && utf16.DecodeRune(first, second) != utf8.RuneError {
		return pair, true
	}

	return unit, false
}

func codeUnit(text []byte) (rune, bool) {
	if len(text) < len(`\uffff`) || !bytes.HasPrefix(text, []byte(`\u`)) {
		return 0, false
	}

	n, err := strconv.ParseUint(string(text[2:6]), 16, 32)

	return rune(n), err == nil
}
