package rest

import (
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/platform/input"
	"github.com/reelgraph/reelgraph/internal/video/effect"
)

// TestEveryKindHasRoutesAndEdits: every kind of effect has four routes and three operations in a batch.
func TestEveryKindHasRoutesAndEdits(t *testing.T) {
	t.Parallel()

	var paths, variants []string

	for _, row := range effectRoutes() {
		paths = append(paths, row.Method+" "+row.Path)
	}

	for _, v := range input.ShapeOf(reflect.TypeFor[videoEdit]()).Variants {
		variants = append(variants, v.Name)

		one := reflect.New(v.Shape.Type).Interface()
		require.Implements(t, (*edit)(nil), one, v.Name)
	}

	for _, k := range effect.All() {
		all := ofClip + k.Path
		one := all + "/{" + k.ID + "}"

		require.Subset(t, paths, []string{"GET " + all, "POST " + all, "PATCH " + one, "DELETE " + one}, k.Name)

		for _, verb := range []string{"add_", "update_", "remove_"} {
			require.Contains(t, variants, verb+string(k.Name))
		}
	}

	require.Len(t, paths, 4*len(effect.All()))
	require.Len(t, slices.Compact(slices.Sorted(slices.Values(variants))), 3*len(effect.All()))
}
