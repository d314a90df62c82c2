// Package measure is the shared code of the benches: load, medians of rounds that run in turn, facts about the machine,
// and the results page. Start with InTurn and Publish.
package measure

import (
	"context"
	"fmt"
	"slices"
)

// Median returns the median of the values.
func Median(of []float64) float64 {
	sorted := slices.Sorted(slices.Values(of))
	n := len(sorted)

	if n%2 == 0 {
		return (sorted[n/2-1] + sorted[n/2]) / 2
	}

	return sorted[n/2]
}

// Spread returns the interquartile range divided by the median. It ignores the outer quarters of the values, which a
// busy machine distorts.
func Spread(of []float64) float64 {
	sorted := slices.Sorted(slices.Values(of))
	cut := len(sorted) / 4

	return (sorted[len(sorted)-1-cut] - sorted[cut]) / Median(of)
}

// Ratios returns of[i] / by[i] for each round i. A busy machine slows down both values of a round, so it hardly
// changes their ratio.
func Ratios(of, by []float64) []float64 {
	ratios := make([]float64, len(of))
	for i := range of {
		ratios[i] = of[i] / by[i]
	}

	return ratios
}

// Rounds are the minimum and maximum number of rounds.
type Rounds struct{ Least, Most int }

// InTurn runs rounds. In each round it calls once for every name. After at least r.Least rounds it stops as soon as
// steady returns true for the values measured so far. It stops after r.Most rounds in any case. If ctx ends after at
// least r.Least complete rounds, InTurn returns the values of the complete rounds.
func InTurn[T any](ctx context.Context, r Rounds, names []string, once func(ctx context.Context, name string) (T, error),
	steady func(measured map[string][]T) bool,
) (map[string][]T, error) {
	measured := map[string][]T{}

	for round := range r.Most {
		if round >= r.Least && steady(measured) {
			break
		}

		// Every other round runs backwards, so that no cell always follows the same one.
		order := slices.Clone(names)
		if round%2 == 1 {
			slices.Reverse(order)
		}

		for _, name := range order {
			value, err := once(ctx, name)

			switch {
			case err != nil && ctx.Err() != nil && round >= r.Least:
				return whole(measured, round), nil
			case err != nil:
				return nil, fmt.Errorf("%s: %w", name, err)
			}

			measured[name] = append(measured[name], value)
		}
	}

	return measured, nil
}

// whole removes values of an incomplete round.
func whole[T any](measured map[string][]T, rounds int) map[string][]T {
	for name, values := range measured {
		measured[name] = values[:rounds]
	}

	return measured
}
