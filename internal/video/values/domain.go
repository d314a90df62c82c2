// Package values defines the enums of the API and the objects that are stored inside database rows. The
// database, GraphQL and REST all use these types.
package values

// values returns enum constants as strings, for ent and for input checks.
func values[T ~string](all ...T) []string {
	out := make([]string, len(all))
	for i, v := range all {
		out[i] = string(v)
	}

	return out
}
