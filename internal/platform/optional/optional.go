// Package optional compares, sets and reads values that may be missing.
package optional

import (
	"slices"

	"github.com/99designs/gqlgen/graphql"
)

// Same reports whether both are missing, or equal.
func Same[T comparable](a, b *T) bool { return a == b || a != nil && b != nil && *a == *b }

// Own is a clip's own value, else the video's.
func Own[T any](clips *T, videos T) T {
	if clips != nil {
		return *clips
	}

	return videos
}

// Put sets a value that is given.
func Put[T any](to, given *T) {
	if given != nil {
		*to = *given
	}
}

// Deref is a value that may be missing: then the zero one.
func Deref[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}

	return v
}

// Unique are names and those of more that are not among them yet, each once; there are few.
func Unique(names, more []string) []string {
	for _, one := range more {
		if !slices.Contains(names, one) {
			names = append(names, one)
		}
	}

	return names
}

// Give lays a given value over what is there.
func Give[T any](to *T, in graphql.Omittable[*T]) {
	if value := in.Value(); value != nil {
		*to = *value
	}
}

// Distinct are the values in order, each once.
func Distinct[T ~string](values []T) []T {
	return slices.Compact(slices.Sorted(slices.Values(values)))
}
