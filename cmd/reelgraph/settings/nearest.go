package settings

import (
	"strings"

	"github.com/agnivade/levenshtein"
)

// Nearest returns the name that a word most resembles; empty when it resembles none.
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
