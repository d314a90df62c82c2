package values

import (
	"net/netip"
	"strconv"
	"strings"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"
)

// EmbedHost is a host whose pages may embed a video. It is written in the form that browsers use to compare hosts.
type EmbedHost struct {
	Name string
	Port string // empty for every port
	// Below means that only subdomains may embed, not the host itself.
	Below bool
}

// The maximum lengths of a host name and of one of its labels, RFC 1035.
const (
	maxHost  = 253
	maxLabel = 63
)

// Host parses an entry of allowedEmbedDomains. An entry is a domain such as example.com, which includes its
// subdomains, or *.example.com, which is only the subdomains. With a port it is valid for that port only. An entry may
// also be an address such as https://example.com/page; Host takes the host from it, which must not have an asterisk.
// If the entry is invalid, the result broken names the rule that the entry violates.
func Host(entry string) (host EmbedHost, broken string) {
	const notDomain = "must be a domain such as example.com"

	entry = strings.TrimSpace(entry)
	if strings.ContainsFunc(entry, func(c rune) bool { return c <= ' ' || c == 0x7f || strings.ContainsRune(`'"<>;,\`, c) }) {
		return EmbedHost{}, notDomain
	}

	scheme, rest, isAddress := strings.Cut(entry, "://")
	if !isAddress {
		rest = entry
	} else if !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https") {
		return EmbedHost{}, notDomain
	}

	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		rest = rest[:end]
	}

	if name, port, found := strings.Cut(rest, ":"); found {
		n, err := strconv.ParseUint(port, 10, 16)
		if err != nil || n == 0 {
			return EmbedHost{}, notDomain
		}

		rest, host.Port = name, strconv.FormatUint(n, 10)
	}

	host.Name, host.Below = strings.CutPrefix(rest, "*.")
	if host.Below && isAddress {
		return EmbedHost{}, notDomain + "; an asterisk is allowed only before a plain domain, as in *.example.com"
	}

	if spelled, err := idna.Lookup.ToASCII(host.Name); err == nil {
		host.Name = spelled
	}

	host.Name = strings.ToLower(host.Name)

	switch {
	case !isHost(host.Name):
		return EmbedHost{}, notDomain
	case isNumber(host.Name):
		if _, err := netip.ParseAddr(host.Name); err != nil || host.Below {
			return EmbedHost{}, notDomain
		}
	case isPublicSuffix(host.Name):
		return EmbedHost{}, notDomain + ": " + host.Name + " is a public suffix shared by many sites"
	}

	return host, ""
}

// isHost reports whether a name is one in letters, digits, hyphens and dots.
func isHost(name string) bool {
	if len(name) > maxHost {
		return false
	}

	for label := range strings.SplitSeq(name, ".") {
		if label == "" || len(label) > maxLabel || label[0] == '-' || label[len(label)-1] == '-' ||
			strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
			return false
		}
	}

	return true
}

// isNumber reports whether browsers read a host as an IPv4 number: its last label begins with a digit and is a number.
func isNumber(name string) bool {
	last := name[strings.LastIndexByte(name, '.')+1:]
	_, err := strconv.ParseUint(last, 0, 64)

	return err == nil || strings.Trim(last, "0123456789") == "" || last == "0x"
}

// isPublicSuffix reports whether anyone can register names directly below a domain, such as co.uk or github.io. A name
// without a dot that is not on the list, such as localhost, is a host of a private network.
func isPublicSuffix(name string) bool {
	suffix, icann := publicsuffix.PublicSuffix(name)

	return suffix == name && (icann || strings.Contains(suffix, "."))
}
