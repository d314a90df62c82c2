package middleware

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/reelgraph/reelgraph/internal/platform/fault"
)

type key struct{}

// Match is a parsed If-Match. The zero value allows nothing.
type Match struct {
	any       bool
	revisions []int64
}

// With returns a context that limits writes to resources that match one of the If-Match header lines. If lines is
// empty, it does not limit writes. It returns bad_request if the lines are malformed.
func With(ctx context.Context, lines []string) (context.Context, error) {
	if len(lines) == 0 {
		return ctx, nil
	}

	m, ok := Parse(lines)
	if !ok {
		return ctx, fault.BadRequest(`If-Match must be * or entity tags in quotes, such as "7-0123456789abcdef", as ETag has them.`)
	}

	return context.WithValue(ctx, key{}, m), nil
}

type baseKey struct{}

// Based returns a context that limits writes to resources with the given revision: the baseRevision that the caller
// has read. If revision is nil, it does not limit writes. An If-Match header must match as well.
func Based(ctx context.Context, revision *int64) context.Context {
	if revision == nil {
		return ctx
	}

	return context.WithValue(ctx, baseKey{}, *revision)
}

// BasedOn is like Based for resources without a revision, which are compared by the time of their last edit.
func BasedOn(ctx context.Context, edited *time.Time) context.Context {
	if edited == nil {
		return ctx
	}

	return Based(ctx, new(edited.UnixMilli()))
}

// Holds reports whether the context allows writes to a resource with this revision. Without a required revision it
// returns true.
func Holds(ctx context.Context, revision int64) bool {
	if base, given := ctx.Value(baseKey{}).(int64); given && base != revision {
		return false
	}

	m, given := ctx.Value(key{}).(Match)

	return !given || m.Allows(revision)
}

// Parse parses the lines of an If-Match header (RFC 9110, 13.1.1): an asterisk, or entity tags. A tag that is not in
// our format matches no revision. ok is false if the header is malformed.
func Parse(lines []string) (m Match, ok bool) {
	rest := strings.TrimSpace(strings.Join(lines, ","))
	if rest == "*" {
		return Match{any: true}, true
	}

	tags := 0

	for rest != "" {
		if rest[0] == ',' { // empty list elements are ignored
			rest = strings.TrimLeft(rest[1:], " \t")

			continue
		}

		opaque, after, well := entityTag(rest)
		if rest = strings.TrimLeft(after, " \t"); !well || rest != "" && rest[0] != ',' {
			return Match{}, false
		}

		tags++

		digits, _, _ := strings.Cut(opaque, "-")
		if n, err := strconv.ParseInt(digits, 10, 64); err == nil {
			m.revisions = append(m.revisions, n)
		}
	}

	return m, tags > 0
}

// entityTag parses the tag at the start of a list. It returns the text between its quotes, and the rest.
func entityTag(list string) (opaque, rest string, ok bool) {
	list, ok = strings.CutPrefix(strings.TrimPrefix(list, "W/"), `"`)
	if !ok {
		return "", "", false
	}

	if opaque, rest, ok = strings.Cut(list, `"`); !ok {
		return "", "", false
	}

	// RFC 9110, 8.8.3: visible characters except the quote, and those beyond ASCII.
	strange := strings.IndexFunc(opaque, func(c rune) bool { return c <= ' ' || c == 0x7f }) >= 0

	return opaque, rest, !strange
}

// Allows reports whether the If-Match header allows a write to this revision.
func (m Match) Allows(revision int64) bool {
	return m.any || slices.Contains(m.revisions, revision)
}
