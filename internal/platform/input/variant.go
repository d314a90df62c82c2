package input

import (
	"fmt"
	"reflect"
	"strings"
)

// Variant is one of the types that a value may have. A property of the value contains the name of its type.
// Shape.Telling is the name of this property.
type Variant struct {
	Name  string
	Index []int // index of the pointer field that holds it
	Shape *Shape
}

// Labelled is for types whose faults should name the item that they concern. The pointer type implements it. Label
// returns this name, or an empty string to add nothing.
type Labelled interface{ Label() string }

// variant compiles the pointer field of one of the types.
func (c *compiler) variant(s *Shape, f reflect.StructField, name string, index []int) {
	if f.Type.Kind() != reflect.Pointer || f.Type.Elem().Kind() != reflect.Struct {
		panic(fmt.Sprintf("check: %s.%s must be a pointer to a struct", s.Type, f.Name))
	}

	s.Variants = append(s.Variants, Variant{Name: name, Index: index, Shape: c.shape(f.Type.Elem())})
}

// Variant returns the variant with the given name. If there is none, it returns the broken rule.
func (s *Shape) Variant(name string) (Variant, string) {
	names := make([]string, len(s.Variants))

	for i, v := range s.Variants {
		if v.Name == name {
			return v, ""
		}

		names[i] = v.Name
	}

	return Variant{}, "must be one of " + strings.Join(names, ", ")
}

// walkVariants checks the variants that are given.
func (s *Shape) walkVariants(rv reflect.Value, r *Report) {
	for _, v := range s.Variants {
		if given := rv.FieldByIndex(v.Index); !given.IsNil() {
			v.Shape.walk(given.Elem(), r)
		}
	}
}

// Label adds the label of the value to its faults in r. since is the number of faults that r had before the value was
// checked.
func (s *Shape) Label(rv reflect.Value, since int, r *Report) {
	if !s.labels || r.Count() == since {
		return
	}

	labelled := rv.Addr().Interface().(Labelled) //nolint:forcetypeassert // s.labels is set only for a Labelled type
	r.label(since, labelled.Label())
}
