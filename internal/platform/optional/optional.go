// Package optional compares, sets and reads optional values.
package optional

import (
	"slices"

	"github.com/99designs/gqlgen/graphql"
)

// Same reports whether both values are missing, or both are equal.
func Same[T comparable](a, b *T) bool { return a == b || a != nil && b != nil && *a == *b }

// Own returns the value of a clip, or the value of its video if the clip has none.
func Own[T any](clips *T, videos T) T {
	if clips != nil {
		return *clips
	}

	return videos
}

// Put copies given to to, unless given is nil.
func Put[T any](to, given *T) {
	if given != nil {
		*to = *given
	}
}

// Deref returns the value, or the zero value if it is missing.
func Deref[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}

	return v
}

// Unique appends to names the items of more that names does not contain yet. It is meant for short lists.
func Unique(names, more []string) []string {
	for _, one := range more {
		if !slices.Contains(names, one) {
			names = append(names, one)
		}
	}

	return names
}

// Give copies the value of in to to, unless in is absent or null.
func Give[T any](to *T, in graphql.Omittable[*T]) {
	if value := in.Value(); value != nil {
		*to = *value
	}
}

// Distinct returns the values without duplicates, in ascending order.
func Distinct[T ~string](values []T) []T {
	return slices.Compact(slices.Sorted(slices.Values(values)))
}
