// Package nulls says what null means, for every argument and every input field of the graph in one place. It clears where
// the schema says @nullClears; an argument or a field with a default takes it as that default; everywhere else it is as if
// nothing had been given, which is how clients send what they leave open. What has to be given is refused by its name
// before anything is executed. No resolver meets a null that it does not expect.
package nulls

import (
	"maps"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// Clears is the directive of input fields that null clears.
const Clears = "nullClears"

// Optional reports whether a value may be left out.
func Optional(t *ast.Type, fallback *ast.Value) bool { return !t.NonNull || fallback != nil }

// Dropped reports whether a null in a field of an input is as if it had not been given.
func Dropped(field *ast.FieldDefinition) bool {
	return Optional(field.Type, field.DefaultValue) && field.Directives.ForName(Clears) == nil
}

// Relaxed is the schema as clients see it: whatever has a default takes null too. Resolvers keep their types, for no null
// reaches them.
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

// renewed are lists of types with those of the schema in place of the ones it was made of.
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

// Document is what null means in one document, as far as that depends on its variables. It is read-only once settled.
type Document struct {
	required map[string]string // variables that may be null by their type, and what has to be given by them
	clearing []*ast.Value      // variables in places that null clears
	others   []*ast.Value      // variables in all other places
	clears   map[string]bool   // the names of those in places that null clears
}

// Settle takes the nulls out of a document that has not been validated yet, but for those that clear. It reports what has to
// be given and is null.
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

// orNull is the name under which a variable stands in places that null clears: no document can name one so.
func orNull(name string) string { return name + " or null" }

// Validated tells a document that it is valid, so that its variables may have other names: those of Variables.
func (d *Document) Validated() {
	for _, v := range d.clearing {
		d.clears[v.Raw] = true
		v.Raw, v.VariableDefinition = orNull(v.Raw), nil
	}

	for _, v := range d.others {
		v.VariableDefinition = nil // its default was filled in already, and does not stand for a null
	}
}

// Variables are the values of an operation's variables, coerced, as they are read in the document: a null is not there but
// where it clears. The fault names a variable that is null where something has to be given.
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
			return nil, gqlerror.ErrorPathf(ast.Path{ast.PathName(name)}, "must not be null: %s has to be given", what)
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

// set settles a selection set. Fragments that are spread are settled by themselves.
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

// field settles a field of a type. What the type does not have, validation refuses.
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

// given settles a value that is no null, and notes which variables it is made of.
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
	fault := gqlerror.Errorf("%s has to be given, and must not be null.", what)
	if at != nil {
		fault.Locations = []gqlerror.Location{{Line: at.Line, Column: at.Column}}
	}

	s.faults = append(s.faults, fault)
}
