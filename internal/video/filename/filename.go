// Package filename makes names of files that every system can have of what users wrote.
package filename

import (
	"fmt"
	"path"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"golang.org/x/text/unicode/norm"
)

// MaxBytes is how long a name may be in UTF-8: what most file systems hold.
const MaxBytes = 255

// maxExtension is the longest that counts as an extension, its point included.
const maxExtension = 20

// reserved are the names that Windows keeps for devices, whatever follows their first point.
var reserved = regexp.MustCompile(`(?i)^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³]) *(\.|$)`)

// Split divides a name into what stands before its extension and the extension, which begins with a point or is empty.
func Split(name string) (base, ext string) {
	ext = path.Ext(name)
	if len(ext) > maxExtension || len(ext) < 2 || ext == name {
		return name, ""
	}

	return strings.TrimSuffix(name, ext), ext
}

// Safe returns a name without the characters that mean something to a file system, without control characters and marks
// of direction, which hide what a name ends with, and with no name that Windows reserves. It is otherwise when nothing is
// left. It may be longer than MaxBytes: see Fit.
func Safe(name, otherwise string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Bidi_Control, r), r == '\uFEFF':
			return -1
		case unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp), r == unicode.ReplacementChar, strings.ContainsRune(`/\:*?"<>|`, r):
			return '-'
		default:
			return r
		}
	}, strings.ToValidUTF8(name, "-"))

	name = trim(name)

	switch {
	case name == "":
		return otherwise
	case reserved.MatchString(name):
		return "_" + name
	default:
		return name
	}
}

// trim removes what Windows leaves out at the end of a name, and what hides it elsewhere at its beginning.
func trim(name string) string {
	return strings.TrimFunc(name, func(r rune) bool { return r == '.' || unicode.IsSpace(r) })
}

// Fit shortens what stands before a suffix, between letters, until both are at most MaxBytes.
func Fit(base, suffix string) string {
	room := MaxBytes - len(suffix)
	if len(base) <= room {
		return base + suffix
	}

	kept := 0

	for rest, state := base, -1; rest != ""; {
		var letter string

		letter, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if kept+len(letter) > room {
			break
		}

		kept += len(letter)
	}

	if kept == 0 { // one letter with more marks than anybody can see
		for kept = max(room, 0); kept > 0 && !utf8.RuneStart(base[kept]); {
			kept--
		}
	}

	return strings.TrimRight(base[:kept], ". ") + suffix
}

// Taken are the names that a folder has. Names that differ in case or in how accents are written are one: not all file
// systems tell them apart.
type Taken map[string]bool

// Unique takes a name that the folder does not have yet: with a number before its extension, if it must.
func (t Taken) Unique(base, ext string) string {
	name := Fit(base, ext)
	for n := 2; t[key(name)]; n++ {
		name = Fit(base, fmt.Sprintf(" (%d)%s", n, ext))
	}

	t[key(name)] = true

	return name
}

func key(name string) string { return strings.ToLower(norm.NFC.String(name)) }
