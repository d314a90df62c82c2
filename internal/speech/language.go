package speech

import (
	"maps"
	"strings"
	"sync"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// Tag is the language tag of what a provider calls a language: a tag such as en, or an English name such
// as english. It is empty for what is neither.
func Tag(name string) string {
	name = strings.ToLower(strings.TrimSpace(name))
	if named, known := languageNames()[name]; known {
		return named
	}

	tag, err := language.Parse(name)
	if err != nil || tag == language.Und {
		return ""
	}

	return tag.String()
}

// Base is a language tag without its region and script, which providers do not know.
func Base(tag string) string {
	base, _, _ := strings.Cut(strings.ToLower(tag), "-")

	return base
}

// languageNames are the tags of languages by their English names, in small letters.
var languageNames = sync.OnceValue(func() map[string]string { //nolint:gochecknoglobals // made once, on first use
	names := map[string]string{}

	for _, tag := range display.Values.Tags() {
		if base, _ := tag.Base(); base.String() == tag.String() {
			names[strings.ToLower(display.English.Languages().Name(tag))] = tag.String()
		}
	}

	// What speech models call otherwise.
	maps.Copy(names, map[string]string{
		"bengali": "bn", "burmese": "my", "castilian": "es", "flemish": "nl", "haitian": "ht", "letzeburgesch": "lb", "mandarin": "zh",
		"moldavian": "ro", "moldovan": "ro", "myanmar": "my",
		"norwegian": "no", "nynorsk": "nn", "panjabi": "pa", "pushto": "ps", "sinhalese": "si", "tagalog": "tl", "valencian": "ca",
	})

	return names
})
