// Package filename turns text from users into file names that are valid on every system.
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

// MaxBytes is the maximum length of a name in UTF-8 bytes. It is the limit of most file systems.
const MaxBytes = 255

// maxExtension is the most bytes of an extension, including its dot.
const maxExtension = 20

// reserved matches the device names of Windows, which are reserved with any extension.
var reserved = regexp.MustCompile(`(?i)^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³]) *(\.|$)`)

// Split splits a name into base and extension. The extension starts with a dot or is empty.
func Split(name string) (base, ext string) {
	ext = path.Ext(name)
	if len(ext) > maxExtension || len(ext) < 2 || ext == name {
		return name, ""
	}

	return strings.TrimSuffix(name, ext), ext
}

// Safe returns a file name that is valid on every file system. It removes special characters, control characters and
// direction marks from name, and changes names that Windows reserves. If nothing of name remains, Safe returns the
// second argument. The result may be longer than MaxBytes; use Fit to shorten it.
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

// trim removes dots and spaces at both ends: Windows drops them at the end, and a leading dot hides a file elsewhere.
func trim(name string) string {
	return strings.TrimFunc(name, func(r rune) bool { return r == '.' || unicode.IsSpace(r) })
}

// Fit shortens base until base and suffix together have at most MaxBytes. It does not split a letter.
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

	if kept == 0 { // one letter with hundreds of combining marks
		for kept = max(room, 0); kept > 0 && !utf8.RuneStart(base[kept]); {
			kept--
		}
	}

	return strings.TrimRight(base[:kept], ". ") + suffix
}

// Taken holds the names that a folder contains. Names that differ only in case, or in how accents are encoded, count
// as equal, because some file systems treat them as equal.
type Taken map[string]bool

// Unique adds a name to the folder and returns the name. If the folder already contains it, Unique first inserts a
// number before the extension.
func (t Taken) Unique(base, ext string) string {
	name := Fit(base, ext)
	for n := 2; t[key(name)]; n++ {
		name = Fit(base, fmt.Sprintf(" (%d)%s", n, ext))
	}

	t[key(name)] = true

	return name
}

func key(name string) string { return strings.ToLower(norm.NFC.String(name)) }
