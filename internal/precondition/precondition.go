// Package precondition carries the If-Match of a write from the transport to whoever loads the thing
// that is written. The entity tags of the contract begin with the revision, and only that is compared.
package precondition

import (
	"context"
	"slices"
	"strconv"
	"strings"
)

type key struct{}

// Match is a parsed If-Match. The zero value allows nothing.
type Match struct {
	any       bool
	revisions []int64
}

// With returns a context whose writes are bound to the If-Match header lines; none bind nothing.
func With(ctx context.Context, lines []string) context.Context {
	if len(lines) == 0 {
		return ctx
	}

	return context.WithValue(ctx, key{}, Parse(lines))
}

type baseKey struct{}

// Based returns a context whose writes are bound to the revision that the caller has seen, as a baseRevision names it; nil
// binds nothing. It holds beside an If-Match.
func Based(ctx context.Context, revision *int64) context.Context {
	if revision == nil {
		return ctx
	}

	return context.WithValue(ctx, baseKey{}, *revision)
}

// Holds reports whether the thing may be written at this revision: always, when the request named none.
// Where it does not hold, the answer is fault.EditConflict and nothing is changed.
func Holds(ctx context.Context, revision int64) bool {
	if base, given := ctx.Value(baseKey{}).(int64); given && base != revision {
		return false
	}

	m, given := ctx.Value(key{}).(Match)

	return !given || m.Allows(revision)
}

// Parse reads the lines of an If-Match header. A tag that is none of ours matches no revision.
func Parse(lines []string) Match {
	var m Match

	for _, line := range lines {
		for tag := range strings.SplitSeq(line, ",") {
			tag = strings.Trim(tag, " \t")

			if tag == "*" {
				m.any = true
			}

			tag = strings.Trim(strings.TrimPrefix(tag, "W/"), `"`)
			digits, _, _ := strings.Cut(tag, "-")

			if n, err := strconv.ParseInt(digits, 10, 64); err == nil {
				m.revisions = append(m.revisions, n)
			}
		}
	}

	return m
}

// Allows reports whether a revision is among those named.
func (m Match) Allows(revision int64) bool {
	return m.any || slices.Contains(m.revisions, revision)
}
