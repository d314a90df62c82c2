package words

import (
	"fmt"
	"html"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// divide splits the text of a cue at its timestamps and returns its number of words, at most the given one. It ignores
// timestamps that do not increase within the cue.
func (c *Cue) divide(text string, most int) (words int, err error) {
	at := c.StartMs

	var plain strings.Builder

	end := func(untilMs int64) error {
		said, err := c.wordsOf(plain.String(), most-words)
		if err != nil {
			return err
		}

		if len(said) > 0 {
			c.Stretches = append(c.Stretches, Stretch{StartMs: at, EndMs: untilMs, Words: said})
			words += len(said)
		}

		plain.Reset()

		return nil
	}

	ruby := false // inside a ruby annotation

	for text != "" {
		open := strings.IndexAny(text, "<{")
		if open < 0 {
			open = len(text)
		}

		if !ruby {
			plain.WriteString(text[:open])
		}

		tag, n := markup(text[open:])
		if n == 0 {
			n = min(1, len(text)-open)

			if !ruby {
				plain.WriteString(text[open : open+n])
			}
		}

		text = text[open+n:]

		switch nameOf(tag) {
		case "rt":
			ruby = true
		case "/rt", "/ruby":
			ruby = false
		}

		if untilMs, stamp := stampOf(tag); stamp {
			if untilMs > at && untilMs < c.EndMs {
				if err := end(untilMs); err != nil {
					return 0, err
				}

				at = untilMs
			} else {
				plain.WriteByte(' ')
			}
		}
	}

	return words, end(c.EndMs)
}

// markup returns the tag, such as <i>, or the style, such as {\an8}, at the start of a text, without its brackets, and its
// length; 0 is none.
func markup(text string) (inside string, n int) {
	if len(text) < 2 {
		return "", 0
	}

	brackets := "<>"

	switch next := text[1]; {
	case text[0] == '{' && next == '\\':
		brackets = "{}"
	case text[0] == '<' && (next == '/' || next == '>' || next == '.' || isLetter(next) || isDigit(next)):
	default:
		return "", 0
	}

	end := strings.IndexAny(text[1:], brackets)
	if end < 0 || text[1+end] != brackets[1] {
		return "", 0
	}

	inside = text[1 : 1+end]

	if inside != "" && isDigit(inside[0]) { // "1 <2 and 3> 2" is text
		if _, stamp := stampOf(inside); !stamp {
			return "", 0
		}
	}

	return inside, end + 2
}

// nameOf returns the name of a tag, without classes and annotation.
func nameOf(tag string) string {
	if end := strings.IndexAny(tag, ". \t\f\n"); end >= 0 {
		return tag[:end]
	}

	return tag
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// stampOf returns the time of a timestamp tag.
func stampOf(tag string) (ms int64, ok bool) {
	if tag == "" || !isDigit(tag[0]) {
		return 0, false
	}

	ms, rest, ok := vttTime(tag)

	return ms, ok && rest == ""
}

// marks removes references to characters that set the text direction and belong to no word.
var marks = strings.NewReplacer("&lrm;", "", "&rlm;", "")

// wordsOf returns the words of a text without markup.
func (c *Cue) wordsOf(text string, most int) (words []string, err error) {
	if strings.IndexByte(text, '&') >= 0 {
		text = references(marks.Replace(text))
	}

	for w := range strings.FieldsSeq(text) {
		if len(words) == most {
			return nil, &FaultError{c.Line, fmt.Sprintf("a transcript may have at most %d words; this cue exceeds that", MaxWords)}
		}

		if w = norm.NFC.String(w); utf8.RuneCountInString(w) > MaxLetters {
			return nil, &FaultError{c.Line, fmt.Sprintf("a word may have at most %d characters; this cue has one with %d",
				MaxLetters, utf8.RuneCountInString(w))}
		}

		words = append(words, w)
	}

	return words, nil
}

// references replaces character references, such as &amp; or &#39;. Without a semicolon they are text.
func references(text string) string {
	var b strings.Builder

	for {
		begin := strings.IndexByte(text, '&')
		if begin < 0 {
			break
		}

		length := strings.IndexAny(text[begin+1:], "&; \t\n")
		b.WriteString(text[:begin])

		if length < 0 || text[begin+1+length] != ';' || length > longestReference {
			b.WriteByte('&')

			text = text[begin+1:]

			continue
		}

		b.WriteString(html.UnescapeString(text[begin : begin+length+2]))

		text = text[begin+length+2:]
	}

	b.WriteString(text)

	return b.String()
}

// longestReference is the length of &CounterClockwiseContourIntegral;, without & and semicolon.
const longestReference = 31
