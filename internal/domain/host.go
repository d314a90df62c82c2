package domain

import (
	"strings"

	"golang.org/x/net/idna"
)

// Host is the host of a domain as people write it, with or without a scheme, a port and a path, in the letters that
// browsers compare; false is none.
func Host(domain string) (string, bool) {
	_, rest, found := strings.Cut(domain, "://")
	if !found {
		rest = domain
	}

	rest, _, _ = strings.Cut(rest, "/")
	rest, _, _ = strings.Cut(rest, ":")
	rest = strings.TrimPrefix(strings.TrimSpace(rest), "*.")

	if spelled, err := idna.Lookup.ToASCII(rest); err == nil {
		rest = spelled
	}

	rest = strings.ToLower(rest)

	strange := strings.ContainsFunc(rest, func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '.' && c != '-'
	})

	for label := range strings.SplitSeq(rest, ".") {
		strange = strange || label == "" || label[0] == '-' || label[len(label)-1] == '-'
	}

	return rest, !strange
}
