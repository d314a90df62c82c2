package outbound

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"
)

const maxURLLength = 2048

// ErrURL means that events cannot be sent to a URL. All errors of CheckURL except BlockedError wrap it. The rest of
// the error text names the broken rule. Callers show the text after the name of the field.
var ErrURL = errors.New("is not an address that events can be sent to")

// BlockedError means that requests to an address or port are not allowed, and contains the reason. The client of
// NewClient returns it instead of connecting. CheckURL returns it for a URL that contains such an address.
type BlockedError struct {
	Target string // the address with its port, as it would have been dialled
	Reason string // a reason from the list of refused ranges, or "port"
}

// Error implements error.
func (e *BlockedError) Error() string {
	return fmt.Sprintf("address %s is not allowed (%s)", e.Target, e.Reason)
}

// refusedRange is one range that is never dialled.
type refusedRange struct {
	prefix netip.Prefix
	reason string
}

// refusedRanges is searched in order, so narrow ranges with a specific reason come before wide ones. It
// follows IANA's special-purpose registries and adds the addresses at which cloud providers serve
// credentials.
func refusedRanges() []refusedRange {
	row := func(prefix, reason string) refusedRange {
		return refusedRange{netip.MustParsePrefix(prefix), reason}
	}

	return []refusedRange{
		row("168.63.129.16/32", "metadata"),
		row("169.254.169.254/32", "metadata"),
		row("100.100.100.200/32", "metadata"),
		row("192.0.0.192/32", "metadata"),
		row("fd00:ec2::254/128", "metadata"),
		row("fd20:ce::254/128", "metadata"),

		row("0.0.0.0/8", "this network"),
		row("10.0.0.0/8", "private"),
		row("100.64.0.0/10", "carrier-grade NAT"),
		row("127.0.0.0/8", "loopback"),
		row("169.254.0.0/16", "link-local"),
		row("172.16.0.0/12", "private"),
		row("192.0.0.0/24", "protocol assignments"),
		row("192.0.2.0/24", "documentation"),
		row("192.88.99.0/24", "6to4 relay"),
		row("192.168.0.0/16", "private"),
		row("198.18.0.0/15", "benchmarking"),
		row("198.51.100.0/24", "documentation"),
		row("203.0.113.0/24", "documentation"),
		row("224.0.0.0/4", "multicast"),
		row("240.0.0.0/4", "reserved"),

		row("::/128", "unspecified"),
		row("::1/128", "loopback"),
		row("::/96", "IPv4-compatible"),
		row("::ffff:0:0/96", "IPv4-mapped"),
		row("::ffff:0:0:0/96", "IPv4-translated"),
		row("64:ff9b::/96", "NAT64"),
		row("64:ff9b:1::/48", "NAT64"),
		row("100::/64", "discard"),
		row("2001::/32", "Teredo"),
		row("2001::/23", "protocol assignments"),
		row("2001:db8::/32", "documentation"),
		row("2002::/16", "6to4"),
		row("3fff::/20", "documentation"),
		row("fc00::/7", "unique local"),
		row("fe80::/10", "link-local"),
		row("fec0::/10", "site-local"),
		row("ff00::/8", "multicast"),
		// The rest outside 2000::/3 is unallocated.
		row("::/3", "reserved"),
		row("4000::/2", "reserved"),
		row("8000::/1", "reserved"),
	}
}

// Targets defines which network addresses the server may send requests to when a user has chosen the address, as for
// webhook deliveries and thumbnail downloads.
type Targets struct {
	allowed []netip.Prefix
	refused []refusedRange
}

// NewTargets returns rules that allow public addresses and the given ranges. Ranges are meant for development and
// private networks.
func NewTargets(allowed ...netip.Prefix) *Targets {
	return &Targets{allowed: allowed, refused: refusedRanges()}
}

// CheckAddress returns a *BlockedError if connections to the address or its port are not allowed. The port rule also
// applies to allowed ranges.
func (t *Targets) CheckAddress(target netip.AddrPort) error {
	if port := target.Port(); port != 80 && port != 443 && port < 1024 {
		return &BlockedError{Target: target.String(), Reason: "port"}
	}

	addr := target.Addr().WithZone("") // a prefix never contains an address with a zone
	for _, prefix := range t.allowed {
		if prefix.Contains(addr) {
			return nil
		}
	}

	for _, row := range t.refused {
		if row.prefix.Contains(addr) {
			return &BlockedError{Target: target.String(), Reason: row.reason}
		}
	}

	return nil
}

// CheckURL returns an error unless a user may register the URL. A URL must use http or https, have at most 2048
// characters, no user and password, an allowed port, and either a host name or an allowed IP address in its usual
// spelling. CheckURL does not resolve names; the client checks the resolved address when it connects. The error wraps
// ErrURL or is a *BlockedError.
func (t *Targets) CheckURL(raw string) error {
	if utf8.RuneCountInString(raw) > maxURLLength {
		return fmt.Errorf("%w: it is longer than %d characters", ErrURL, maxURLLength)
	}

	u, err := url.Parse(raw)
	if err != nil {
		return fmt.Errorf("%w: it is not a URL", ErrURL)
	}

	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return fmt.Errorf("%w: the scheme must be http or https", ErrURL)
	case u.User != nil:
		return fmt.Errorf("%w: user and password are not allowed", ErrURL)
	case u.Opaque != "" || u.Hostname() == "":
		return fmt.Errorf("%w: the host is missing", ErrURL)
	}

	port, err := portOf(u)
	if err != nil {
		return err
	}

	if addr, err := netip.ParseAddr(u.Hostname()); err == nil {
		if addr.Zone() != "" {
			return fmt.Errorf("%w: an IP address must not have a zone", ErrURL)
		}

		return t.CheckAddress(netip.AddrPortFrom(addr, port))
	}

	if err := checkHostName(u.Hostname()); err != nil {
		return err
	}

	if port != 80 && port != 443 && port < 1024 {
		return &BlockedError{Target: u.Host, Reason: "port"}
	}

	return nil
}

func portOf(u *url.URL) (uint16, error) {
	switch {
	case u.Port() == "" && strings.HasSuffix(u.Host, ":"):
		return 0, fmt.Errorf("%w: the port is empty", ErrURL)
	case u.Port() == "" && u.Scheme == "https":
		return 443, nil
	case u.Port() == "":
		return 80, nil
	}

	port, err := strconv.ParseUint(u.Port(), 10, 16)
	if err != nil || port == 0 {
		return 0, fmt.Errorf("%w: the port must be 1 to 65535", ErrURL)
	}

	return uint16(port), nil
}

// checkHostName refuses invalid host names, and names whose last label is a number: the C resolver reads
// 2130706433, 0x7f.1 and 0177.0.0.1 as addresses.
func checkHostName(host string) error {
	name := strings.TrimSuffix(host, ".")
	if name == "" || len(name) > 253 {
		return fmt.Errorf("%w: the host name is empty or too long", ErrURL)
	}

	var last string

	for label := range strings.SplitSeq(name, ".") {
		if label == "" || len(label) > 63 || strings.Trim(label, hostCharacters) != "" {
			return fmt.Errorf("%w: %q is not a host name (write international names in their xn-- form)", ErrURL, host)
		}

		last = label
	}

	if isNumber(last) {
		return fmt.Errorf("%w: %q is not the usual spelling of an IP address", ErrURL, host)
	}

	return nil
}

const hostCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"

func isNumber(label string) bool {
	lower := strings.ToLower(label)
	if hex, ok := strings.CutPrefix(lower, "0x"); ok {
		return strings.Trim(hex, "0123456789abcdef") == ""
	}

	return strings.Trim(lower, "0123456789") == ""
}
