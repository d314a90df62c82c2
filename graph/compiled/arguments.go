package compiled

import (
	"reflect"
	"strings"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/reelgraph/reelgraph/graph/model"
)

// arguments compiles the arguments of a resolver. Without variables they are the same for every request.
func (s *scope) arguments(f graphql.CollectedField, target func(i int) reflect.Type) (
	func(variables map[string]any) ([]reflect.Value, error), error,
) {
	coercions := make([]coercion, len(f.Definition.Arguments))

	for i, arg := range f.Definition.Arguments {
		of := *arg.Type
		of.NonNull = of.NonNull || arg.DefaultValue != nil // package nulls removes nulls earlier

		var err error
		if coercions[i], err = s.coercion(&of, target(i)); err != nil {
			return nil, err
		}
	}

	read := func(variables map[string]any) ([]reflect.Value, error) {
		given := f.ArgumentMap(variables)
		values := make([]reflect.Value, len(coercions))

		for i, arg := range f.Definition.Arguments {
			var err error
			if values[i], err = coercions[i](given[arg.Name]); err != nil {
				return nil, err
			}
		}

		return values, nil
	}

	for _, arg := range f.Arguments {
		if isVariable(arg.Value) {
			return read, nil
		}
	}

	constant, err := read(nil)

	return func(map[string]any) ([]reflect.Value, error) { return constant, err }, nil
}

// coercion converts a value of the document or of a variable into an argument.
type coercion func(given any) (reflect.Value, error)

func (s *scope) coercion(t *ast.Type, goType reflect.Type) (coercion, error) {
	switch {
	case t.Elem != nil:
		return s.listCoercion(t, goType)
	case goType.Kind() == reflect.Pointer && !t.NonNull:
		below, err := s.coercion(&ast.Type{NamedType: t.NamedType, NonNull: true}, goType.Elem())
		if err != nil {
			return nil, err
		}

		return func(given any) (reflect.Value, error) {
			if given == nil {
				return reflect.Zero(goType), nil
			}

			v, err := below(given)
			if err != nil {
				return v, err
			}

			p := reflect.New(goType.Elem())
			p.Elem().Set(v)

			return p, nil
		}, nil
	case !t.NonNull:
		return nil, notPlain("an argument is %s", goType)
	}

	switch {
	case t.NamedType == "ID" && goType == reflect.TypeFor[string]():
		return scalar(graphql.UnmarshalID), nil
	case t.NamedType == "String" && goType == reflect.TypeFor[string]():
		return scalar(graphql.UnmarshalString), nil
	case t.NamedType == "SafeInt" && goType == reflect.TypeFor[int64]():
		return scalar(model.UnmarshalSafeInt), nil
	case t.NamedType == "Int" && goType == reflect.TypeFor[int]():
		return scalar(graphql.UnmarshalInt), nil
	case t.NamedType == "Boolean" && goType == reflect.TypeFor[bool]():
		return scalar(graphql.UnmarshalBoolean), nil
	case t.NamedType == "DateTime" && goType == reflect.TypeFor[time.Time]():
		return scalar(model.UnmarshalDateTime), nil
	case s.schema.Types[t.NamedType].Kind == ast.InputObject:
		return s.objectCoercion(s.schema.Types[t.NamedType], goType)
	case s.schema.Types[t.NamedType].Kind == ast.Enum:
		return s.enumCoercion(s.schema.Types[t.NamedType], goType)
	default:
		return nil, notPlain("an argument is %s", t)
	}
}

// enumCoercion converts the graph's enum names into wire values.
func (s *scope) enumCoercion(of *ast.Definition, goType reflect.Type) (coercion, error) {
	names, err := enumNames(of, goType)
	if err != nil {
		return nil, err
	}

	values := make(map[string]reflect.Value, len(names))
	for wire, name := range names {
		values[name] = reflect.ValueOf(wire).Convert(goType)
	}

	return func(given any) (reflect.Value, error) {
		name, _ := given.(string)

		v, known := values[name]
		if !known {
			return v, errNull
		}

		return v, nil
	}, nil
}

// scalar leaves null values to gqlgen, which has the right error for them.
func scalar[T any](unmarshal func(any) (T, error)) coercion {
	return func(given any) (reflect.Value, error) {
		if given == nil {
			return reflect.Value{}, errNull
		}

		v, err := unmarshal(given)

		return reflect.ValueOf(v), err
	}
}

// objectCoercion converts an input object into a struct that has a field for each of its fields. The fields must be
// plain values or lists of these.
func (s *scope) objectCoercion(of *ast.Definition, goType reflect.Type) (coercion, error) {
	if goType.Kind() != reflect.Struct || of.Directives.ForName("oneOf") != nil {
		return nil, notPlain("input %s is %s", of.Name, goType)
	}

	type part struct {
		name     string
		field    []int
		coerce   coercion
		fallback any // the default, or nil
	}

	parts := make([]part, len(of.Fields))

	for i, f := range of.Fields {
		field, found := goType.FieldByNameFunc(func(n string) bool { return strings.EqualFold(n, f.Name) })
		if !found || s.schema.Types[f.Type.Name()].Kind == ast.InputObject {
			return nil, notPlain("input %s is %s", of.Name, goType)
		}

		given := *f.Type
		given.NonNull = given.NonNull || f.DefaultValue != nil // package nulls removes nulls earlier

		coerce, err := s.coercion(&given, field.Type)
		if err != nil {
			return nil, err
		}

		fallback, err := f.DefaultValue.Value(nil)
		if err != nil {
			return nil, notPlain("the default of %s: %v", f.Name, err)
		}

		parts[i] = part{f.Name, field.Index, coerce, fallback}
	}

	return func(given any) (reflect.Value, error) {
		object, is := given.(map[string]any)
		if !is {
			return reflect.Value{}, errNull
		}

		out := reflect.New(goType).Elem()

		for _, p := range parts {
			value, has := object[p.name]
			if !has {
				value = p.fallback
			}

			v, err := p.coerce(value)
			if err != nil {
				return v, err
			}

			out.FieldByIndex(p.field).Set(v)
		}

		return out, nil
	}, nil
}

func (s *scope) listCoercion(t *ast.Type, goType reflect.Type) (coercion, error) {
	if goType.Kind() != reflect.Slice {
		return nil, notPlain("a list is %s", goType)
	}

	item, err := s.coercion(t.Elem, goType.Elem())
	if err != nil {
		return nil, err
	}

	return func(given any) (reflect.Value, error) {
		if given == nil && !t.NonNull {
			return reflect.Zero(goType), nil
		}

		values := graphql.CoerceList(given)
		out := reflect.MakeSlice(goType, len(values), len(values))

		for i, one := range values {
			v, err := item(one)
			if err != nil {
				return v, err
			}

			out.Index(i).Set(v)
		}

		return out, nil
	}, nil
}
