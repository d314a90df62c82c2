package account

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// nameInMail is the maximum length of a name in a mail, in characters.
const nameInMail = 60

// linking maps the characters from which mail programs make links to their replacements.
var linking = strings.NewReplacer( //nolint:gochecknoglobals // a table
	"://", " ", "/", " ", "\\", " ", "@", " at ", "<", " ", ">", " ", "[", " ", "]", " ", "#", " ", "%", " ", "&", " and ", "?", " ", "=", " ",
)

// NameInMail returns a person's name in a form that is safe in an email: one line of plain text, at most 60
// characters long, in which mail programs find no link. If nothing of the name remains, NameInMail returns the
// argument "otherwise".
func NameInMail(name, otherwise string) string {
	// Replace look-alike letters, such as the fullwidth ．, with the letters that they stand for.
	name = norm.NFKC.String(name)
	name = strings.Map(func(c rune) rune {
		switch {
		case c == '。' || c == '｡' || c == '․' || c == '﹒':
			return '.' // resolvers and mail programs treat them as dots
		case unicode.IsSpace(c) || unicode.IsControl(c):
			return ' '
		case unicode.Is(unicode.Cf, c) || c == utf8.RuneError:
			return -1 // such as characters that change the text direction
		default:
			return c
		}
	}, name)
	name = separate(linking.Replace(name))
	name = strings.Join(strings.Fields(name), " ")

	if utf8.RuneCountInString(name) > nameInMail {
		name = strings.TrimSpace(string([]rune(name)[:nameInMail-1])) + "…"
	}

	return cmp.Or(name, otherwise)
}

// separate puts a space after each dot and colon that is followed by text: evil.example is a link, evil. example is
// not.
func separate(name string) string {
	var b strings.Builder

	for i, c := range name {
		b.WriteRune(c)

		next, _ := utf8.DecodeRuneInString(name[i+utf8.RuneLen(c):])
		if (c == '.' || c == ':') && next != utf8.RuneError && next != ' ' {
			b.WriteByte(' ')
		}
	}

	return b.String()
}
