package settings

import (
	"strings"

	"github.com/agnivade/levenshtein"
)

// Nearest returns the name that is most similar to word, or an empty string if no name is similar.
func Nearest(word string, names []string) string {
	best, least := "", 1+max(1, len(word)/3)

	for _, name := range names {
		if d := levenshtein.ComputeDistance(strings.ToLower(word), strings.ToLower(name)); d < least {
			best, least = name, d
		}
	}

	if best == "" && len(word) > 2 { // the prefix of exactly one name
		for _, name := range names {
			if strings.HasPrefix(name, word) {
				if best != "" {
					return ""
				}

				best = name
			}
		}
	}

	return best
}
