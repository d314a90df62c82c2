// Package measure is what the comparisons of bench have in common: a load, medians of rounds that run
// in turn, the machine, and the page of results.
package measure

import (
	"context"
	"fmt"
	"slices"
)

// Median is the middle of the values.
func Median(of []float64) float64 {
	sorted := slices.Sorted(slices.Values(of))
	n := len(sorted)

	if n%2 == 0 {
		return (sorted[n/2-1] + sorted[n/2]) / 2
	}

	return sorted[n/2]
}

// Spread is how far apart the middle half of the values lies, as a part of their median: the quarters
// at both ends, which a busy machine makes, do not count.
func Spread(of []float64) float64 {
	sorted := slices.Sorted(slices.Values(of))
	cut := len(sorted) / 4

	return (sorted[len(sorted)-1-cut] - sorted[cut]) / Median(of)
}

// Ratios divides round by round: what slows the machine down for a while slows both.
func Ratios(of, by []float64) []float64 {
	ratios := make([]float64, len(of))
	for i := range of {
		ratios[i] = of[i] / by[i]
	}

	return ratios
}

// Rounds say how often everything is measured.
type Rounds struct{ Least, Most int }

// InTurn measures in turn: once each for a round, then the next round. It goes on until steady says so
// of what was measured, but for no more rounds than Most. Interrupted, it gives the whole rounds, unless they are fewer than
// Least.
func InTurn[T any](ctx context.Context, r Rounds, names []string, once func(ctx context.Context, name string) (T, error),
	steady func(measured map[string][]T) bool,
) (map[string][]T, error) {
	measured := map[string][]T{}

	for round := range r.Most {
		if round >= r.Least && steady(measured) {
			break
		}

		// Every other round goes backwards, so that nobody always follows the same one.
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

// whole leaves out what was measured in a round that did not end.
func whole[T any](measured map[string][]T, rounds int) map[string][]T {
	for name, values := range measured {
		measured[name] = values[:rounds]
	}

	return measured
}
