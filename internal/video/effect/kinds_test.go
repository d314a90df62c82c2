package effect_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/video/effect"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Every kind has a row, a field in the GraphQL inputs, and a result.
func TestEveryKindHasARow(t *testing.T) {
	t.Parallel()

	var names, inputs []string

	for _, k := range effect.All() {
		names, inputs = append(names, string(k.Name)), append(inputs, k.Input)

		require.NotEmpty(t, k.Noun, k.Name)
		require.NotEmpty(t, k.Path, k.Name)
		require.NotEmpty(t, k.ID, k.Name)
		require.NotNil(t, k.Show, k.Name)
		require.Equal(t, k.Exclusive, k.LeastMs > 0, k.Name)

		found, is := effect.Of(k.Name)
		require.True(t, is)
		require.Equal(t, k.Input, found.Input)
	}

	require.Equal(t, values.EffectKind("").Values(), names, "kinds has a row for each of values.EffectKind, in its order")
	require.Equal(t, inputs, fieldsOf(effect.AddEffectInput{}))
	require.Equal(t, inputs, fieldsOf(effect.UpdateEffectInput{}))
}

// fieldsOf returns the JSON names of a struct's fields.
func fieldsOf(in any) []string {
	var names []string
	for f := range reflect.TypeOf(in).Fields() {
		names = append(names, f.Tag.Get("json"))
	}

	return names
}

// A given field of an input is found by its kind, with its times.
func TestEveryKindIsGiven(t *testing.T) {
	t.Parallel()

	for i, k := range effect.All() {
		var (
			add    effect.AddEffectInput
			update effect.UpdateEffectInput
		)

		require.NotEmpty(t, add.Check())
		require.NotEmpty(t, update.Check())

		fill := func(in any) { f := reflect.ValueOf(in).Elem().Field(i); f.Set(reflect.New(f.Type().Elem())) }
		fill(&add)
		fill(&update)

		require.Empty(t, add.Check())
		require.Empty(t, update.Check())
		require.Equal(t, k.Name, add.Kind())
		require.Equal(t, k.Name, update.Kind())
	}
}

// An effect of each kind is returned, counted and listed.
func TestEveryKindIsReturned(t *testing.T) {
	t.Parallel()

	media := func() *effect.ClipMedia { return &effect.ClipMedia{} }
	stored := effect.Stored{Media: media, Params: values.EffectParams{}}

	for params, i := reflect.ValueOf(&stored.Params).Elem(), 0; i < params.NumField(); i++ {
		params.Field(i).Set(reflect.New(params.Field(i).Type().Elem()))
	}

	for _, k := range effect.All() {
		shown := k.Show(effect.Placed{ID: "fx_1", Kind: k.Name}, stored)
		require.Equal(t, "fx_1", effect.PlacedOf(shown).ID, k.Name)

		require.Equal(t, sum(effect.CountsOf(nil, 0))+1, sum(effect.CountsOf(map[values.EffectKind]int{k.Name: 1}, 0)), k.Name)
		require.Equal(t, entries(effect.Sorted(&effect.Layout{}, nil))+1, entries(effect.Sorted(&effect.Layout{}, []effect.Effect{shown})), k.Name)
	}

	require.Equal(t, listsOf(effect.TimelineCounts{}), listsOf(effect.TimelineEffects{})+",cuts")
}

func sum(counts *effect.TimelineCounts) (n int64) {
	for i, all := 0, reflect.ValueOf(counts).Elem(); i < all.NumField(); i++ {
		n += all.Field(i).Int()
	}

	return n
}

func entries(lists *effect.TimelineEffects) (n int) {
	for i, all := 0, reflect.ValueOf(lists).Elem(); i < all.NumField(); i++ {
		n += all.Field(i).Len()
	}

	return n
}

func listsOf(v any) string { return strings.Join(fieldsOf(v), ",") }
