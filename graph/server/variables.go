package server

import (
	"encoding/json"
	"errors"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/core"

	"github.com/reelgraph/reelgraph/graph/nulls"
)

// variables coerces the values of a request.
func (s *Server) variables(settled *nulls.Document, op *ast.OperationDefinition, given map[string]any) (map[string]any, error) {
	exact, err := conformer{s.schema.Schema()}.conform(op, given)
	if err == nil {
		given, err = validator.VariableValues(s.schema.Schema(), op, exact)
	}

	if err == nil {
		read, missing := settled.Variables(given)
		if missing == nil {
			return read, nil
		}

		err = missing
	}

	var at *gqlerror.Error
	if !errors.As(err, &at) {
		return nil, faulty("variables: " + err.Error() + ".")
	}

	path := at.Path
	if len(path) > 0 && path[0] == ast.PathName("variable") {
		path = path[1:]
	}

	wrong := &gqlerror.Error{Message: "variables." + path.String() + " " + at.Message}
	if !strings.HasSuffix(wrong.Message, "?") {
		wrong.Message += "."
	}

	for _, v := range op.VariableDefinitions {
		if len(path) > 0 && path[0] == ast.PathName(v.Variable) && v.Position != nil {
			wrong.Locations = []gqlerror.Location{{Line: v.Position.Line, Column: v.Position.Column}}
		}
	}

	return nil, writtenError{gqlerror.List{wrong}}
}

// conformer checks that values have the types of their variables.
type conformer struct{ schema *ast.Schema }

// conform checks that the values of a request have the types of their variables. The library alone would accept
// numbers as strings, strings as numbers, and enum values in any case, which nothing after it can handle. What the
// library refuses itself is not checked here.
func (c conformer) conform(op *ast.OperationDefinition, given map[string]any) (map[string]any, error) {
	exact := make(map[string]any, len(given))

	for _, v := range op.VariableDefinitions {
		value, is := given[v.Variable]
		if !is {
			continue
		}

		var err error
		if exact[v.Variable], err = c.conformed(v.Type, value, ast.Path{ast.PathName(v.Variable)}); err != nil {
			return nil, err
		}
	}

	return exact, nil
}

// conformed returns the value as its type, or a *gqlerror.Error with its path.
func (c conformer) conformed(t *ast.Type, value any, at ast.Path) (any, error) {
	if value == nil {
		return nil, nil //nolint:nilnil // null is a value
	}

	if t.Elem != nil {
		return c.conformedList(t.Elem, value, at)
	}

	def := c.schema.Types[t.NamedType]

	switch {
	case def == nil:
		return value, nil
	case def.Kind == ast.Enum:
		name, is := value.(string)

		switch {
		case !is:
			return nil, mismatch(at, "must be one of "+strings.Join(namesOf(def.EnumValues), ", "))
		case def.EnumValues.ForName(name) == nil:
			return nil, mismatch(at, name+" is not a valid "+def.Name)
		}

		return value, nil
	case def.Kind == ast.InputObject:
		return c.conformedObject(def, value, at)
	default:
		return conformedScalar(def.Name, value, at)
	}
}

// conformedList also accepts a single value for a list, as GraphQL does.
func (c conformer) conformedList(elem *ast.Type, value any, at ast.Path) (any, error) {
	list, is := value.([]any)
	if !is {
		return c.conformed(elem, value, at)
	}

	exact := make([]any, len(list))

	for i, one := range list {
		var err error
		if exact[i], err = c.conformed(elem, one, append(slices.Clip(at), ast.PathIndex(i))); err != nil {
			return nil, err
		}
	}

	return exact, nil
}

func (c conformer) conformedObject(def *ast.Definition, value any, at ast.Path) (any, error) {
	object, is := value.(map[string]any)
	if !is {
		return nil, mismatch(at, "must be an object")
	}

	exact := maps.Clone(object)
	delete(exact, "__typename") // some clients send back what they received

	for _, name := range slices.Sorted(maps.Keys(exact)) {
		if def.Fields.ForName(name) == nil {
			return nil, unknown(name, def, at)
		}
	}

	for _, field := range def.Fields {
		if one, given := exact[field.Name]; given && one == nil && nulls.Dropped(field) {
			delete(exact, field.Name)
		}
	}

	if err := oneOf(def, exact, at); err != nil {
		return nil, err
	}

	for _, field := range def.Fields {
		one, given := exact[field.Name]
		if !given {
			continue
		}

		var err error
		if exact[field.Name], err = c.conformed(field.Type, one, append(slices.Clip(at), ast.PathName(field.Name))); err != nil {
			return nil, err
		}
	}

	return exact, nil
}

// oneOf refuses a @oneOf input unless exactly one field is given and has a value.
func oneOf(def *ast.Definition, given map[string]any, at ast.Path) error {
	if def.Directives.ForName("oneOf") == nil {
		return nil
	}

	for _, value := range given {
		if value != nil && len(given) == 1 {
			return nil
		}
	}

	names := make([]string, len(def.Fields))
	for i, f := range def.Fields {
		names[i] = f.Name
	}

	return mismatch(at, "must have exactly one of "+strings.Join(names, ", ")+", and a value for it")
}

// conformedScalar checks GraphQL's own scalars. Others are checked when they are unmarshaled.
func conformedScalar(name string, value any, at ast.Path) (any, error) {
	_, isText := value.(string)
	number, isNumber := value.(json.Number)

	switch name {
	case "Boolean":
		if _, is := value.(bool); !is {
			return nil, mismatch(at, "must be true or false")
		}
	case "String":
		if !isText {
			return nil, mismatch(at, "must be a string")
		}
	case "ID":
		if _, err := number.Int64(); !isText && err != nil {
			return nil, mismatch(at, "must be a string")
		}
	case "Float":
		if !isNumber {
			return nil, mismatch(at, "must be a number")
		}
	case "Int":
		whole, is := integer(number)
		if !isNumber || !is {
			return nil, mismatch(at, "must be an integer of 32 bits")
		}

		return whole, nil
	}

	return value, nil
}

// integer accepts a number with a zero fraction or an exponent if its value is whole.
func integer(n json.Number) (json.Number, bool) {
	f, err := n.Float64()
	if err != nil || f != math.Trunc(f) || math.Abs(f) > math.MaxInt32 {
		return "", false
	}

	return json.Number(strconv.FormatInt(int64(f), 10)), true
}

// unknown returns the error for a field that an input does not have, with suggestions. A name that is much too long
// is not compared with the others, because that is slow.
func unknown(name string, def *ast.Definition, at ast.Path) error {
	const longest = 64

	if len(name) > longest {
		return mismatch(at, "has a field with a very long name, which "+def.Name+" does not have")
	}

	names := make([]string, len(def.Fields))
	for i, field := range def.Fields {
		names[i] = field.Name
	}

	said := "is not a field of " + def.Name
	if near := core.SuggestionList(name, names); len(near) > 0 {
		said += ". Did you mean " + core.OrList(near...) + "?"
	}

	return mismatch(append(slices.Clip(at), ast.PathName(name)), said)
}

func mismatch(at ast.Path, rule string) error { return &gqlerror.Error{Path: at, Message: rule} }

func namesOf(values ast.EnumValueList) []string {
	names := make([]string, len(values))
	for i, v := range values {
		names[i] = v.Name
	}

	return names
}
