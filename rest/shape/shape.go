package shape

import (
	"context"
	"strings"
	"time"
)

// Datetime is a time in the datetime format of the API contract.
type Datetime string

// DatetimeOf formats a time in UTC with exactly three decimals.
func DatetimeOf(t time.Time) Datetime { return Datetime(t.UTC().Format("2006-01-02T15:04:05.000Z")) }

// Each converts the items of a list. The result is never nil, because an empty list must be [] and not null.
func Each[T, S any](items []T, shape func(T) S) []S {
	shapes := make([]S, len(items))
	for i, item := range items {
		shapes[i] = shape(item)
	}

	return shapes
}

// Ok is the response to a request that deletes or removes something.
type Ok struct {
	Status string `json:"status"`
}

// Done returns the response to a request that has deleted or removed something.
func Done() Ok { return Ok{Status: "ok"} }

// Reviser is implemented by responses that have an ETag. Revision returns the revision of a video, or the updatedAt
// of a playlist in milliseconds.
type Reviser interface{ Revision() int64 }

// Located is implemented by responses that may be a redirect to signed media.
type Located interface{ Location() string }

// Nothing is the input of an operation without input.
type Nothing struct{}

// Shapes converts the items of a list with a function that calls resolvers.
func Shapes[T, S any](ctx context.Context, g Graph, items []T, shape func(context.Context, Graph, T) (S, error)) ([]S, error) {
	all := make([]S, len(items))

	for i, item := range items {
		var err error
		if all[i], err = shape(ctx, g, item); err != nil {
			return nil, err
		}
	}

	return all, nil
}

// Signed is implemented by responses that have an ETag and contain signed addresses. The ETag must not depend on the
// signatures, which are new in each response.
type Signed interface {
	// Unsigned returns the same response without signatures. It does not modify the original.
	Unsigned() any
}

// unsignedAddress returns an address without its query, which holds the signature; nil stays nil.
func unsignedAddress(address *string) *string {
	if address == nil {
		return nil
	}

	bare, _, _ := strings.Cut(*address, "?")

	return &bare
}
