package server

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/reelgraph/reelgraph/internal/platform/fault"
)

// wholePairs refuses JSON or documents with an escaped half of a surrogate pair. It is not a character, and parsers
// replace it by another one.
func wholePairs(texts ...[]byte) error {
	for _, text := range texts {
		for {
			at := bytes.IndexByte(text, '\\')
			if at < 0 {
				break
			}

			length, whole := escapeAt(text[at:])
			if !whole {
				return fault.BadRequest("The request must not contain half of a surrogate pair.")
			}

			text = text[at+length:]
		}
	}

	return nil
}

// escapeAt returns the length of an escape; a surrogate pair counts as one. whole is false for half a pair. Invalid
// escapes are left to the parser.
func escapeAt(text []byte) (length int, whole bool) {
	const unit, pair = len(`\uffff`), 2 * len(`\uffff`)

	first, is := codeUnit(text)
	if !is || !utf16.IsSurrogate(first) {
		return min(len(text), 2), true //nolint:mnd // the backslash and the character after it
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
