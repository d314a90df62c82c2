package speech

import (
	"maps"
	"strings"
	"sync"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// Tag converts a language that a provider returned to a language tag. The provider may return a tag such as en, or an
// English name such as english. Tag returns an empty string for an unknown name.
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

// Base removes region and script from a language tag, because providers do not support them.
func Base(tag string) string {
	base, _, _ := strings.Cut(strings.ToLower(tag), "-")

	return base
}

// languageNames maps English language names in lower case to tags.
var languageNames = sync.OnceValue(func() map[string]string { //nolint:gochecknoglobals // made once, on first use
	names := map[string]string{}

	for _, tag := range display.Values.Tags() {
		if base, _ := tag.Base(); base.String() == tag.String() {
			names[strings.ToLower(display.English.Languages().Name(tag))] = tag.String()
		}
	}

	// Names that speech models use instead.
	maps.Copy(names, map[string]string{
		"bengali": "bn", "burmese": "my", "castilian": "es", "flemish": "nl", "haitian": "ht", "letzeburgesch": "lb", "mandarin": "zh",
		"moldavian": "ro", "moldovan": "ro", "myanmar": "my",
		"norwegian": "no", "nynorsk": "nn", "panjabi": "pa", "pushto": "ps", "sinhalese": "si", "tagalog": "tl", "valencian": "ca",
	})

	return names
})
