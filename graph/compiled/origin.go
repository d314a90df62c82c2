package compiled

import (
	"context"
	"reflect"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/reelgraph/reelgraph/graph/selection"
)

// origin returns the value of a field. The value comes from a resolver, from a method of the object, or from a struct
// field of the object, tried in the same order as in gqlgen.
type origin func(a *answer, of reflect.Value) (reflect.Value, error)

// renamed lists the fields that have another name in Go. It must agree with gqlgen.yml.
var renamed = map[string]string{
	"Clip.order": "Position", "WebhookMessage.timestamp": "OccurredAt",
	"Preferences.layoutIntroTransition": "LayoutIntro", "Preferences.layoutOutroTransition": "LayoutOutro",
}

func (s *scope) origin(of string, resolver reflect.Value, goType reflect.Type, f graphql.CollectedField) (origin, reflect.Type, error) {
	if resolver.IsValid() {
		if m, found := method(resolver.Type(), f.Name); found {
			withObject := goType != reflect.TypeFor[struct{}]()

			return s.call(resolver.Method(m.Index), withObject, f)
		}
	}

	if m, found := method(reflect.PointerTo(goType), f.Name); found {
		return s.method(m, f)
	}

	name := f.Name
	if other, has := renamed[of+"."+name]; has {
		name = other
	}

	if field, found := goType.FieldByNameFunc(func(n string) bool { return strings.EqualFold(n, name) }); found && field.IsExported() {
		return func(_ *answer, of reflect.Value) (reflect.Value, error) { return of.FieldByIndex(field.Index), nil }, field.Type, nil
	}

	return nil, nil, notPlain("%s has no %s", goType, f.Name)
}

// method returns the exported method with that name, ignoring case, because Go writes initialisms in capitals.
func method(of reflect.Type, name string) (reflect.Method, bool) {
	for m := range of.Methods() {
		if strings.EqualFold(m.Name, name) {
			return m, true
		}
	}

	return reflect.Method{}, false
}

// resolverOf returns the resolver of a type, if it has one.
func (c *Compiler) resolverOf(name string) reflect.Value {
	get := c.resolvers.MethodByName(name)
	if !get.IsValid() || get.Type().NumIn() != 0 || get.Type().NumOut() != 1 || get.Type().Out(0).Kind() != reflect.Interface {
		return reflect.Value{}
	}

	return get.Call(nil)[0] // use the generated interface, because the implementation may have other methods
}

var (
	contextType = reflect.TypeFor[context.Context]()
	errorType   = reflect.TypeFor[error]()
)

// call compiles the call of a resolver. The resolver finds the fields that are selected within the field in its
// context.
func (s *scope) call(fn reflect.Value, withObject bool, f graphql.CollectedField) (origin, reflect.Type, error) {
	t := fn.Type()
	first := 1

	if withObject {
		first = 2
	}

	if t.NumIn() != first+len(f.Definition.Arguments) || t.In(0) != contextType || t.NumOut() != 2 || t.Out(1) != errorType {
		return nil, nil, notPlain("resolver %s", t)
	}

	args, err := s.arguments(f, func(i int) reflect.Type { return t.In(first + i) })
	if err != nil {
		return nil, nil, err
	}

	wanted := s.wanted(f)

	return func(a *answer, of reflect.Value) (reflect.Value, error) {
		in := make([]reflect.Value, first, first+len(f.Definition.Arguments))

		ctx := a.ctx
		if wanted != nil {
			ctx = selection.With(ctx, wanted(a.variables))
		}

		in[0] = reflect.ValueOf(&ctx).Elem() // of exactly the parameter's type, so that Call need not convert it

		if withObject {
			in[1] = of.Addr()
		}

		given, err := args(a.variables)
		if err != nil {
			return reflect.Value{}, err
		}

		out := fn.Call(append(in, given...))
		if err, failed := reflect.TypeAssert[error](out[1]); failed {
			return reflect.Value{}, err
		}

		return out[0], nil
	}, t.Out(0), nil
}

// method compiles the call of a method of the object itself, which takes a context or no arguments.
func (s *scope) method(m reflect.Method, f graphql.CollectedField) (origin, reflect.Type, error) {
	t := m.Type
	fallible := t.NumOut() == 2 && t.Out(1) == errorType
	withContext := t.NumIn() == 2 && t.In(1) == contextType

	if len(f.Definition.Arguments) > 0 || !fallible && t.NumOut() != 1 || !withContext && t.NumIn() != 1 {
		return nil, nil, notPlain("method %s", t)
	}

	return func(a *answer, of reflect.Value) (reflect.Value, error) {
		in := []reflect.Value{of.Addr()}
		if withContext {
			in = append(in, reflect.ValueOf(&a.ctx).Elem())
		}

		out := m.Func.Call(in)

		if fallible {
			if err, failed := reflect.TypeAssert[error](out[1]); failed {
				return reflect.Value{}, err
			}
		}

		return out[0], nil
	}, t.Out(0), nil
}

// wanted returns the fields that are selected within a field. They are computed for each request only if the
// selection contains variables. It returns nil if no fields are selected.
func (s *scope) wanted(f graphql.CollectedField) func(variables map[string]any) selection.Tree {
	if len(f.Selections) == 0 {
		return nil
	}

	if !variable(f.Selections) {
		tree := s.tree(f.Selections, nil)

		return func(map[string]any) selection.Tree { return tree }
	}

	return func(variables map[string]any) selection.Tree { return s.tree(f.Selections, variables) }
}

// tree converts a selection set into a selection.Tree.
func (s *scope) tree(set ast.SelectionSet, variables map[string]any) selection.Tree {
	var nodes []selection.Node

	for _, f := range graphql.CollectFields(s.operation, set, nil) {
		n := selection.Node{Name: f.Name, Tree: s.tree(f.Selections, variables)}
		if f.Definition != nil && len(f.Definition.Arguments) > 0 {
			n.Args = f.ArgumentMap(variables)
		}

		nodes = append(nodes, n)
	}

	return selection.Nodes(nodes...)
}

// variable reports whether a selection set has a variable in any argument.
func variable(set ast.SelectionSet) bool {
	for _, one := range set {
		switch one := one.(type) {
		case *ast.Field:
			for _, arg := range one.Arguments {
				if isVariable(arg.Value) {
					return true
				}
			}

			if variable(one.SelectionSet) {
				return true
			}
		case *ast.InlineFragment:
			if variable(one.SelectionSet) {
				return true
			}
		case *ast.FragmentSpread:
			if variable(one.Definition.SelectionSet) {
				return true
			}
		}
	}

	return false
}

func isVariable(v *ast.Value) bool {
	if v.Kind == ast.Variable {
		return true
	}

	for _, child := range v.Children {
		if isVariable(child.Value) {
			return true
		}
	}

	return false
}
