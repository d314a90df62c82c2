package compiled

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync/atomic"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// Compiler compiles the operations of one schema. It is safe for concurrent use.
type Compiler struct {
	schema    *ast.Schema
	resolvers reflect.Value
	query     reflect.Value
	leaves    map[string]leaf
}

// New returns a Compiler. resolvers is the generated ResolverRoot. It has a method for each GraphQL type that has
// resolvers.
func New(schema *ast.Schema, resolvers any) *Compiler {
	root := reflect.ValueOf(resolvers)

	return &Compiler{
		schema: schema, resolvers: root, leaves: leaves(),
		query: root.MethodByName("Query").Call(nil)[0],
	}
}

// Plan is a compiled operation. It is safe for concurrent use.
type Plan struct {
	root writer
	size atomic.Int64 // of the last response, as a hint for the next buffer
}

// errNotPlain means that gqlgen must execute the operation. Clients never see it.
var errNotPlain = errors.New("the operation cannot be compiled")

func notPlain(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{errNotPlain}, args...)...)
}

// Compile returns the Plan for op, an operation of the valid document doc. If op cannot be compiled, the error says
// why.
func (c *Compiler) Compile(doc *ast.QueryDocument, op *ast.OperationDefinition) (*Plan, error) {
	if op.Operation != ast.Query || len(op.Directives) > 0 {
		return nil, notPlain("%s", op.Operation)
	}

	if err := plain(op.SelectionSet); err != nil {
		return nil, err
	}

	s := &scope{Compiler: c, operation: &graphql.OperationContext{Doc: doc, Operation: op}}

	root, err := s.fields(c.schema.Query, c.query, reflect.TypeFor[struct{}](), op.SelectionSet)
	if err != nil {
		return nil, err
	}

	return &Plan{root: root}, nil
}

const (
	leastRoom = 1 << 10
	mostRoom  = 64 << 10 // largest buffer to allocate in advance
)

// Answer returns the data of the response. If it returns an error, the caller must let gqlgen execute the operation.
func (p *Plan) Answer(ctx context.Context, variables map[string]any) (data []byte, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("panic: %v", cause)
		}
	}()

	a := &answer{ctx: ctx, variables: variables, data: make([]byte, 0, max(leastRoom, min(p.size.Load(), mostRoom)))}
	err = p.root(a, reflect.Value{})
	p.size.Store(int64(len(a.data)))

	return a.data, err
}

// answer is one response being written.
type answer struct {
	ctx       context.Context //nolint:containedctx // as long as the one call of Answer
	variables map[string]any
	data      []byte
}

// writer appends a value to the response.
type writer func(a *answer, v reflect.Value) error

// scope is an operation being compiled.
type scope struct {
	*Compiler

	operation *graphql.OperationContext
}

// selected returns the fields that a selection set selects on a type, with fragments flattened and equal keys merged.
func (s *scope) selected(of *ast.Definition, set ast.SelectionSet) []graphql.CollectedField {
	return graphql.CollectFields(s.operation, set, append([]string{of.Name}, of.Interfaces...))
}

// plain returns an error if a selection set contains, at any depth, directives that decide at run time which fields
// exist. Such fields cannot be compiled, because a list resolver gets the whole selection within it at once.
func plain(set ast.SelectionSet) error {
	for _, one := range set {
		var (
			directives ast.DirectiveList
			below      ast.SelectionSet
		)

		switch one := one.(type) {
		case *ast.Field:
			directives, below = one.Directives, one.SelectionSet
		case *ast.InlineFragment:
			directives, below = one.Directives, one.SelectionSet
		case *ast.FragmentSpread:
			directives, below = one.Directives, one.Definition.SelectionSet
		}

		if len(directives) > 0 {
			return notPlain("@%s", directives[0].Name)
		}

		if err := plain(below); err != nil {
			return err
		}
	}

	return nil
}

// fields compiles the selected fields of an object. goType is its struct; resolver resolves the fields that the
// struct does not have.
func (s *scope) fields(of *ast.Definition, resolver reflect.Value, goType reflect.Type, set ast.SelectionSet) (writer, error) {
	selected := s.selected(of, set)

	type part struct {
		key   string
		write writer
	}

	parts := make([]part, len(selected))

	for i, f := range selected {
		parts[i].key = `,"` + f.Alias + `":`
		if i == 0 {
			parts[i].key = `{"` + f.Alias + `":`
		}

		var err error
		if parts[i].write, err = s.field(of, resolver, goType, f); err != nil {
			return nil, fmt.Errorf("%s.%s: %w", of.Name, f.Name, err)
		}
	}

	return func(a *answer, v reflect.Value) error {
		for i := range parts {
			a.data = append(a.data, parts[i].key...)

			if err := parts[i].write(a, v); err != nil {
				return err
			}
		}

		a.data = append(a.data, '}')

		return nil
	}, nil
}

// field compiles one field: where its value comes from and how it is written.
func (s *scope) field(of *ast.Definition, resolver reflect.Value, goType reflect.Type, f graphql.CollectedField) (writer, error) {
	if f.Name == "__typename" {
		name := `"` + of.Name + `"`

		return func(a *answer, _ reflect.Value) error {
			a.data = append(a.data, name...)

			return nil
		}, nil
	}

	if f.Definition == nil || f.Name[0] == '_' {
		return nil, notPlain("introspection")
	}

	from, valueType, err := s.origin(of.Name, resolver, goType, f)
	if err != nil {
		return nil, err
	}

	write, err := s.value(f.Definition.Type, valueType, f.Selections)
	if err != nil {
		return nil, err
	}

	return func(a *answer, v reflect.Value) error {
		value, err := from(a, v)
		if err != nil {
			return err
		}

		return write(a, value)
	}, nil
}

// value compiles the writer for a value of a type.
func (s *scope) value(t *ast.Type, goType reflect.Type, set ast.SelectionSet) (writer, error) {
	if t.Elem != nil {
		return s.list(t, goType, set)
	}

	of := s.schema.Types[t.NamedType]

	if goType.Kind() == reflect.Pointer {
		write, err := s.value(&ast.Type{NamedType: t.NamedType, NonNull: true}, goType.Elem(), set)
		if err != nil {
			return nil, err
		}

		return func(a *answer, v reflect.Value) error {
			if v.IsNil() {
				return a.null(t)
			}

			return write(a, v.Elem())
		}, nil
	}

	switch of.Kind {
	case ast.Scalar:
		compile, known := s.leaves[of.Name]
		if !known {
			return nil, notPlain("scalar %s", of.Name)
		}

		return compile(t, goType)
	case ast.Enum:
		return enum(of, goType)
	case ast.Object:
		if goType.Kind() != reflect.Struct {
			return nil, notPlain("%s is %s", of.Name, goType)
		}

		return s.fields(of, s.resolverOf(of.Name), goType, set)
	default:
		return nil, notPlain("%s", of.Kind)
	}
}

func (s *scope) list(t *ast.Type, goType reflect.Type, set ast.SelectionSet) (writer, error) {
	if goType.Kind() != reflect.Slice {
		return nil, notPlain("a list is %s", goType)
	}

	write, err := s.value(t.Elem, goType.Elem(), set)
	if err != nil {
		return nil, err
	}

	return func(a *answer, v reflect.Value) error {
		if v.IsNil() && !t.NonNull {
			return a.null(t)
		}

		a.data = append(a.data, '[')

		for i := range v.Len() {
			if i > 0 {
				a.data = append(a.data, ',')
			}

			if err := write(a, v.Index(i)); err != nil {
				return err
			}
		}

		a.data = append(a.data, ']')

		return nil
	}, nil
}

// errNull means that a value is null where the schema does not allow it.
var errNull = errors.New("null where the schema does not allow it")

func (a *answer) null(t *ast.Type) error {
	if t.NonNull {
		return errNull
	}

	a.data = append(a.data, "null"...)

	return nil
}
