// Package optional compares, sets and reads optional values.
package optional

import (
	"slices"

	"github.com/99designs/gqlgen/graphql"
)

// Same reports whether both values are missing, or both are equal.
func Same[T comparable](a, b *T) bool { return a == b || a != nil && b != nil && *a == *b }

// Own returns clips, the value of a clip. If the clip has none, it returns videos, the value of its video.
func Own[T any](clips *T, videos T) T {
	if clips != nil {
		return *clips
	}

	return videos
}

// Put sets *to to the value of *given. It does nothing if given is nil.
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

// Unique returns names with those items of more appended that names does not contain yet. It is meant for short
// lists.
func Unique(names, more []string) []string {
	for _, one := range more {
		if !slices.Contains(names, one) {
			names = append(names, one)
		}
	}

	return names
}

// Give sets *to to the value of in. It does nothing if in is absent or null.
func Give[T any](to *T, in graphql.Omittable[*T]) {
	if value := in.Value(); value != nil {
		*to = *value
	}
}

// Distinct returns the values without duplicates, in ascending order.
func Distinct[T ~string](values []T) []T {
	return slices.Compact(slices.Sorted(slices.Values(values)))
}
