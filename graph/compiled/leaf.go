package compiled

import (
	"bytes"
	"errors"
	"math"
	"reflect"
	"strconv"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/reelgraph/reelgraph/graph/model"
)

// leaf compiles the writer for a scalar.
type leaf func(t *ast.Type, goType reflect.Type) (writer, error)

// leaves returns the writers of the schema's scalars. Each writes the same text as the gqlgen marshaler of the
// scalar.
func leaves() map[string]leaf {
	text := of(reflect.String, func(a *answer, v reflect.Value) error {
		a.data = appendText(a.data, v.String())

		return nil
	})
	whole := of(reflect.Int, writeInteger)

	return map[string]leaf{
		"ID": text, "String": text, "Color": text,
		"Int":      whole,
		"SafeInt":  of(reflect.Int64, writeInteger),
		"Float":    of(reflect.Float64, writeFloat),
		"Boolean":  of(reflect.Bool, writeBoolean),
		"URL":      address,
		"DateTime": moment,
	}
}

func of(kind reflect.Kind, write writer) leaf {
	return func(_ *ast.Type, goType reflect.Type) (writer, error) {
		if goType.Kind() != kind {
			return nil, notPlain("a scalar is %s", goType)
		}

		return write, nil
	}
}

func writeInteger(a *answer, v reflect.Value) error {
	a.data = strconv.AppendInt(a.data, v.Int(), 10)

	return nil
}

func writeFloat(a *answer, v reflect.Value) error {
	f := v.Float()
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return errors.New("the number cannot be written as JSON")
	}

	a.data = strconv.AppendFloat(a.data, f, 'g', -1, 64)

	return nil
}

func writeBoolean(a *answer, v reflect.Value) error {
	a.data = strconv.AppendBool(a.data, v.Bool())

	return nil
}

// address writes a URL. An empty one is written as null.
func address(t *ast.Type, goType reflect.Type) (writer, error) {
	return of(reflect.String, func(a *answer, v reflect.Value) error {
		if v.Len() == 0 {
			return a.null(t)
		}

		a.data = appendText(a.data, v.String())

		return nil
	})(t, goType)
}

func moment(_ *ast.Type, goType reflect.Type) (writer, error) {
	if goType != reflect.TypeFor[time.Time]() {
		return nil, notPlain("a DateTime is %s", goType)
	}

	return func(a *answer, v reflect.Value) error {
		var at time.Time
		if v.CanAddr() {
			at = *v.Addr().Interface().(*time.Time) //nolint:forcetypeassert // compiled for it; no copy of the value
		} else {
			at = v.Interface().(time.Time) //nolint:forcetypeassert // compiled for it
		}

		a.data = append(a.data, '"')
		a.data = model.AppendTime(a.data, at)
		a.data = append(a.data, '"')

		return nil
	}, nil
}

// enumNames maps the Go values of an enum to the names in the graph. For our own enums, the Go values are wire values
// in the order of the schema. For enums that gqlgen generated, the Go values are the names.
func enumNames(of *ast.Definition, goType reflect.Type) (map[string]string, error) {
	if goType.Kind() != reflect.String {
		return nil, notPlain("enum %s is %s", of.Name, goType)
	}

	names := make(map[string]string, len(of.EnumValues))

	switch zero := reflect.Zero(goType).Interface().(type) {
	case interface{ Values() []string }:
		values := zero.Values()
		if len(values) != len(of.EnumValues) {
			return nil, notPlain("enum %s is %s", of.Name, goType)
		}

		for i, wire := range values {
			names[wire] = of.EnumValues[i].Name
		}
	case interface{ IsValid() bool }:
		for _, v := range of.EnumValues {
			names[v.Name] = v.Name
		}
	default:
		return nil, notPlain("enum %s is %s", of.Name, goType)
	}

	return names, nil
}

func enum(of *ast.Definition, goType reflect.Type) (writer, error) {
	names, err := enumNames(of, goType)
	if err != nil {
		return nil, err
	}

	return func(a *answer, v reflect.Value) error {
		name, known := names[v.String()]
		if !known {
			return errNull
		}

		a.data = append(append(append(a.data, '"'), name...), '"')

		return nil
	}, nil
}

// appendText writes a string with the same escapes as gqlgen.
func appendText(to []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' {
			var b bytes.Buffer

			graphql.MarshalString(s).MarshalGQL(&b)

			return append(to, b.Bytes()...)
		}
	}

	return append(append(append(to, '"'), s...), '"')
}
