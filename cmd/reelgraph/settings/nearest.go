package settings

import (
	"strings"

	"github.com/agnivade/levenshtein"
)

// Nearest is the one of the names that a word was probably meant to be; empty when it resembles none.
func Nearest(word string, names []string) string {
	best, least := "", 1+max(1, len(word)/3)

	for _, name := range names {
		if d := levenshtein.ComputeDistance(strings.ToLower(word), strings.ToLower(name)); d < least {
			best, least = name, d
		}
	}

	if best == "" && len(word) > 2 { // the beginning of one alone
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
