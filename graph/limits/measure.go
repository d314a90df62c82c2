package limits

import (
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// level holds the measures of one level of a response, including the fragments that are used on it.
type level struct {
	fields  int // all fields from here down, fragments expanded
	aliases int // aliased or repeated fields
	spreads int // fragments
	depth   int // levels from here down, including this one
	// schema is the depth of introspection fields.
	schema int
}

// ruler measures a document. Each fragment is measured once, however often it is used.
type ruler struct {
	fragments map[string]*ast.FragmentDefinition
	measured  map[string]level
	open      map[string]bool // fragments being measured; spreading one of these again is a cycle
	weight    int
	fault     *gqlerror.Error
}

// measure returns the number of nodes of a document, or an error for the first limit that it exceeds.
func measure(doc *ast.QueryDocument) (int, *gqlerror.Error) {
	r := &ruler{
		fragments: make(map[string]*ast.FragmentDefinition, len(doc.Fragments)),
		measured:  make(map[string]level, len(doc.Fragments)),
		open:      map[string]bool{},
	}

	for _, f := range doc.Fragments {
		if _, twice := r.fragments[f.Name]; !twice {
			r.fragments[f.Name] = f
		}
	}

	for _, o := range doc.Operations {
		r.deep(r.set(o.SelectionSet), o.Position)
	}

	for _, f := range doc.Fragments {
		if l := r.fragment(f.Name, f.Position); l.depth > maxIntrospectionDepth {
			r.refusef(f.Position, "The fragment %s is nested deeper than %d levels.", f.Name, MaxDepth)
		}
	}

	return r.weight, r.fault
}

func (r *ruler) refusef(at *ast.Position, format string, args ...any) {
	if r.fault != nil {
		return
	}

	r.fault = gqlerror.Errorf(format, args...)
	if at != nil {
		r.fault.Locations = []gqlerror.Location{{Line: at.Line, Column: at.Column}}
	}
}

func (r *ruler) set(selections ast.SelectionSet) level {
	var (
		here  level
		names map[string]bool
	)

	for _, selection := range selections {
		if r.fault != nil {
			return here
		}

		r.weight++

		switch s := selection.(type) {
		case *ast.Field:
			if s.Alias != s.Name || names[s.Name] {
				here.aliases++
			}

			if names == nil {
				names = make(map[string]bool, len(selections))
			}

			names[s.Name] = true

			here.under(s.Name, r.set(s.SelectionSet))
			r.hold(here, s.Position)
		case *ast.InlineFragment:
			here.beside(r.set(s.SelectionSet))
			r.hold(here, s.Position)
		case *ast.FragmentSpread:
			here.beside(r.fragment(s.Name, s.Position))
			r.hold(here, s.Position)
		}
	}

	return here
}

func (r *ruler) fragment(name string, at *ast.Position) level {
	if l, done := r.measured[name]; done {
		return l
	}

	f, known := r.fragments[name]

	switch {
	case !known:
		return level{} // validation reports it
	case r.open[name]:
		r.refusef(at, "The fragment %s includes itself.", name)

		return level{}
	}

	r.open[name] = true
	l := r.set(f.SelectionSet)
	delete(r.open, name)

	r.measured[name] = l

	return l
}

// under adds the level below a field.
func (l *level) under(field string, below level) {
	l.fields += below.fields + 1

	if field == "__schema" || field == "__type" {
		l.schema = max(l.schema, below.depth+1)
		l.depth = max(l.depth, 1)

		return
	}

	l.depth = max(l.depth, below.depth+1)
	if below.schema > 0 {
		l.schema = max(l.schema, below.schema+1)
	}
}

// beside adds the level of a fragment.
func (l *level) beside(other level) {
	l.fields += other.fields
	l.aliases += other.aliases
	l.spreads += other.spreads + 1
	l.depth = max(l.depth, other.depth)
	l.schema = max(l.schema, other.schema)
}

// hold adds an error as soon as a level exceeds a limit, so that no number overflows.
func (r *ruler) hold(l level, at *ast.Position) {
	switch {
	case l.fields > MaxComplexity:
		r.refusef(at, "The document asks for more than %d fields.", MaxComplexity)
	case l.aliases > MaxAliases:
		r.refusef(at, "A level of the document has more than %d aliased or repeated fields.", MaxAliases)
	case l.spreads > maxSpreads:
		r.refusef(at, "A level of the document has more than %d fragments.", maxSpreads)
	}
}

// deep refuses an operation that is nested too deeply.
func (r *ruler) deep(l level, at *ast.Position) {
	switch {
	case l.depth > MaxDepth:
		r.refusef(at, "The operation is nested deeper than %d levels.", MaxDepth)
	case l.schema > maxIntrospectionDepth:
		r.refusef(at, "The introspection is nested deeper than %d levels.", maxIntrospectionDepth)
	}
}
