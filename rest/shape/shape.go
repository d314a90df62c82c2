package shape

import (
	"context"
	"strings"
	"time"
)

// Datetime is a moment as the contract prints it.
type Datetime string

// DatetimeOf prints UTC with exactly three decimals.
func DatetimeOf(t time.Time) Datetime { return Datetime(t.UTC().Format("2006-01-02T15:04:05.000Z")) }

// Each shapes the items of a list; the result is never nil, because an empty list is [] and not null.
func Each[T, S any](items []T, shape func(T) S) []S {
	shapes := make([]S, len(items))
	for i, item := range items {
		shapes[i] = shape(item)
	}

	return shapes
}

// Ok is the answer of deletes and removals.
type Ok struct {
	Status string `json:"status"`
}

func Done() Ok { return Ok{Status: "ok"} }

// Reviser is implemented by answers with an ETag: the video's revision, or a playlist's updatedAt in
// milliseconds.
type Reviser interface{ Revision() int64 }

// Located is implemented by answers that may be an address to go to: signed media.
type Located interface{ Location() string }

// Nothing is the input of an operation that takes none.
type Nothing struct{}

// Shapes makes the items of a list whose shape asks the graph.
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

// Signed is implemented by answers with an ETag that hold signed addresses, whose signatures are new with each answer.
type Signed interface {
	// Unsigned returns the same answer without signatures. The original stays as it is.
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
