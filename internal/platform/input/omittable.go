package input

import (
	"reflect"
	"strings"
	"unsafe"

	"github.com/99designs/gqlgen/graphql"
)

var omittablePackage = reflect.TypeFor[graphql.Omittable[int]]().PkgPath()

// isOmittable detects gqlgen's three-state wrapper around any type.
func isOmittable(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && t.PkgPath() == omittablePackage && strings.HasPrefix(t.Name(), "Omittable[")
}

// omittableValue and omittableSet reach the two fields of an addressable Omittable. gqlgen has no other way
// to fill one whose type is known only by reflection, except encoding the value as JSON again. A test pins
// the names and the order of the two fields.
func omittableValue(v reflect.Value) reflect.Value { return exposed(v.Field(0)) }

func omittableSet(v reflect.Value) reflect.Value { return exposed(v.Field(1)) }

func exposed(field reflect.Value) reflect.Value {
	return reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem() //nolint:gosec // see above
}
