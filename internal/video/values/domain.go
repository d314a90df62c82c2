// Package values holds the nouns of the contract that are values and not rows: its enums, in their
// wire spelling, and the objects that live inside a row. Database, graph and REST all use these.
package values

// values spells enum constants as strings, for ent and for input checks.
func values[T ~string](all ...T) []string {
	out := make([]string, len(all))
	for i, v := range all {
		out[i] = string(v)
	}

	return out
}
