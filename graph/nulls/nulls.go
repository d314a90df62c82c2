// Package nulls defines the meaning of null for every argument and input field of the graph. In a field with the
// directive @nullClears, null clears the value. In an argument or field with a default, null means the default.
// Everywhere else null is the same as leaving the field out. If a required value is null, the request is refused
// before execution, with an error that names the value. Resolvers never receive an unexpected null.
package nulls

import (
	"maps"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// Clears is the name of a directive of the schema. In an input field with this directive, null clears the value.
const Clears = "nullClears"

// Optional reports whether clients may leave a value out.
func Optional(t *ast.Type, fallback *ast.Value) bool { return !t.NonNull || fallback != nil }

// Dropped reports whether null in an input field is the same as leaving the field out.
func Dropped(field *ast.FieldDefinition) bool {
	return Optional(field.Type, field.DefaultValue) && field.Directives.ForName(Clears) == nil
}

// Relaxed returns the schema that clients see. In it, everything that has a default also accepts null. The types of
// the resolvers do not change, because resolvers never receive these nulls.
func Relaxed(schema *ast.Schema) *ast.Schema {
	out := *schema
	out.Types = make(map[string]*ast.Definition, len(schema.Types))

	for name, def := range schema.Types {
		d := *def
		d.Fields = slices.Clone(def.Fields)

		for i, field := range d.Fields {
			f := *field
			f.Type = relaxed(f.Type, f.DefaultValue)
			f.Arguments = slices.Clone(f.Arguments)

			for j, argument := range f.Arguments {
				a := *argument
				a.Type = relaxed(a.Type, a.DefaultValue)
				f.Arguments[j] = &a
			}

			d.Fields[i] = &f
		}

		out.Types[name] = &d
	}

	for _, root := range []**ast.Definition{&out.Query, &out.Mutation, &out.Subscription} {
		if *root != nil {
			*root = out.Types[(*root).Name]
		}
	}

	out.PossibleTypes, out.Implements = renewed(&out, schema.PossibleTypes), renewed(&out, schema.Implements)

	return &out
}

func relaxed(t *ast.Type, fallback *ast.Value) *ast.Type {
	if fallback == nil || !t.NonNull {
		return t
	}

	nullable := *t
	nullable.NonNull = false

	return &nullable
}

// renewed returns the lists with their types replaced by those of the schema.
func renewed(schema *ast.Schema, lists map[string][]*ast.Definition) map[string][]*ast.Definition {
	out := maps.Clone(lists)

	for name, list := range out {
		list = slices.Clone(list)
		for i, def := range list {
			list[i] = schema.Types[def.Name]
		}

		out[name] = list
	}

	return out
}

// Document records in which places the variables of one document may be null, and what null means there. It is
// read-only after the call of Validated.
type Document struct {
	required map[string]string // maps each variable that may be null where a value is required to what requires it
	clearing []*ast.Value      // variables used where null clears
	others   []*ast.Value      // variables used elsewhere
	clears   map[string]bool   // names of the variables used where null clears
}

// Settle removes nulls from a document that has not been validated yet. It keeps only the nulls that clear a value.
// It returns an error for each null where a value is required.
func Settle(schema *ast.Schema, doc *ast.QueryDocument) (*Document, gqlerror.List) {
	s := &settler{schema: schema, doc: &Document{required: map[string]string{}, clears: map[string]bool{}}}

	for _, op := range doc.Operations {
		s.directives(op.Directives)

		for _, v := range op.VariableDefinitions {
			if v.DefaultValue != nil {
				s.value(v.Type, v.DefaultValue)
			}
		}

		s.set(rootOf(schema, op.Operation), op.SelectionSet)
	}

	for _, f := range doc.Fragments {
		s.directives(f.Directives)
		s.set(schema.Types[f.TypeCondition], f.SelectionSet)
	}

	return s.doc, s.faults
}

func rootOf(schema *ast.Schema, operation ast.Operation) *ast.Definition {
	switch operation {
	case ast.Mutation:
		return schema.Mutation
	case ast.Subscription:
		return schema.Subscription
	default:
		return schema.Query
	}
}

// orNull returns the name of a variable in places where null clears. No document can use this name itself.
func orNull(name string) string { return name + " or null" }

// Validated prepares the variables of the document for Variables. Call it after the document has been validated.
func (d *Document) Validated() {
	for _, v := range d.clearing {
		d.clears[v.Raw] = true
		v.Raw, v.VariableDefinition = orNull(v.Raw), nil
	}

	for _, v := range d.others {
		v.VariableDefinition = nil // the default has been filled in already and must not replace a null
	}
}

// Variables returns the coerced variables of an operation. It removes all nulls except those that clear a value. If a
// variable is null where a value is required, the error names the variable.
func (d *Document) Variables(coerced map[string]any) (map[string]any, *gqlerror.Error) {
	out := make(map[string]any, len(coerced)+len(d.clears))

	for name, value := range coerced {
		if d.clears[name] {
			out[orNull(name)] = value
		}

		if value != nil {
			out[name] = value

			continue
		}

		if what, is := d.required[name]; is {
			return nil, gqlerror.ErrorPathf(ast.Path{ast.PathName(name)}, "must not be null: %s is required", what)
		}
	}

	return out, nil
}

// settler walks through a document.
type settler struct {
	schema *ast.Schema
	doc    *Document
	faults gqlerror.List
}

// set settles a selection set. Named fragments are settled separately.
func (s *settler) set(of *ast.Definition, selections ast.SelectionSet) {
	for _, selection := range selections {
		switch one := selection.(type) {
		case *ast.Field:
			s.directives(one.Directives)
			s.field(of, one)
		case *ast.InlineFragment:
			s.directives(one.Directives)

			on := of
			if one.TypeCondition != "" {
				on = s.schema.Types[one.TypeCondition]
			}

			s.set(on, one.SelectionSet)
		case *ast.FragmentSpread:
			s.directives(one.Directives)
		}
	}
}

// field settles a field. Unknown fields are left to validation.
func (s *settler) field(of *ast.Definition, f *ast.Field) {
	if of == nil {
		return
	}

	def := of.Fields.ForName(f.Name)
	if def == nil {
		return
	}

	f.Arguments = s.arguments(def.Arguments, f.Arguments, of.Name+"."+f.Name)
	s.set(s.schema.Types[def.Type.Name()], f.SelectionSet)
}

func (s *settler) directives(all ast.DirectiveList) {
	for _, d := range all {
		if def := s.schema.Directives[d.Name]; def != nil {
			d.Arguments = s.arguments(def.Arguments, d.Arguments, "@"+d.Name)
		}
	}
}

func (s *settler) arguments(defs ast.ArgumentDefinitionList, given ast.ArgumentList, of string) ast.ArgumentList {
	var kept ast.ArgumentList

	for _, arg := range given {
		def := defs.ForName(arg.Name)

		switch {
		case def == nil: // validation refuses it
		case arg.Value.Kind != ast.NullValue:
			s.given(def.Type, def.DefaultValue, arg.Value, of+"("+arg.Name+":)")
		case Optional(def.Type, def.DefaultValue):
			continue
		default:
			s.refuse(arg.Position, of+"("+arg.Name+":)")
		}

		kept = append(kept, arg)
	}

	return kept
}

// given settles a value that is not null, and records the variables in it.
func (s *settler) given(t *ast.Type, fallback *ast.Value, v *ast.Value, what string) {
	if v.Kind != ast.Variable {
		s.value(t, v)

		return
	}

	s.doc.others = append(s.doc.others, v)

	if !Optional(t, fallback) {
		s.doc.required[v.Raw] = what
	}
}

func (s *settler) value(t *ast.Type, v *ast.Value) {
	switch v.Kind {
	case ast.ListValue:
		for _, item := range v.Children {
			if t.Elem != nil {
				s.given(t.Elem, nil, item.Value, "an item of a list")
			}
		}
	case ast.ObjectValue:
		if def := s.schema.Types[t.Name()]; def != nil && def.Kind == ast.InputObject {
			s.object(def, v)
		}
	default:
	}
}

func (s *settler) object(def *ast.Definition, v *ast.Value) {
	var kept ast.ChildValueList

	for _, child := range v.Children {
		field := def.Fields.ForName(child.Name)
		what := def.Name + "." + child.Name

		switch {
		case field == nil: // validation refuses it
		case child.Value.Kind == ast.Variable && field.Directives.ForName(Clears) != nil:
			s.doc.clearing = append(s.doc.clearing, child.Value)
		case child.Value.Kind != ast.NullValue:
			s.given(field.Type, field.DefaultValue, child.Value, what)
		case Dropped(field):
			continue
		case !Optional(field.Type, field.DefaultValue):
			s.refuse(child.Position, what)
		}

		kept = append(kept, child)
	}

	v.Children = kept
}

func (s *settler) refuse(at *ast.Position, what string) {
	fault := gqlerror.Errorf("%s is required and must not be null.", what)
	if at != nil {
		fault.Locations = []gqlerror.Location{{Line: at.Line, Column: at.Column}}
	}

	s.faults = append(s.faults, fault)
}
