package account

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// nameInMail is how many characters of a name stand in a mail.
const nameInMail = 60

// linking are the characters from which mail programs make links, and what stands in their place.
var linking = strings.NewReplacer( //nolint:gochecknoglobals // a table
	"://", " ", "/", " ", "\\", " ", "@", " at ", "<", " ", ">", " ", "[", " ", "]", " ", "#", " ", "%", " ", "&", " and ", "?", " ", "=", " ",
)

// NameInMail is what somebody chose as a name, as it may stand in a mail from this server: one line of plain text in which
// no mail program finds a link, at most 60 characters long. otherwise stands for a name of which nothing is left.
func NameInMail(name, otherwise string) string {
	// Letters that only look different (fullwidth forms, such as ．) become those that they stand for.
	name = norm.NFKC.String(name)
	name = strings.Map(func(c rune) rune {
		switch {
		case c == '。' || c == '｡' || c == '․' || c == '﹒':
			return '.' // resolvers and mail programs take them for dots
		case unicode.IsSpace(c) || unicode.IsControl(c):
			return ' '
		case unicode.Is(unicode.Cf, c) || c == utf8.RuneError:
			return -1 // such as what turns the direction of the text
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

// separate puts a space behind each dot and colon that something follows at once: evil.example is a link, evil. example is none.
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
