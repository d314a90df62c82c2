package limits

import (
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// level is what one level of an answer would be, the fragments spread into it included.
type level struct {
	fields  int // all fields from here on, fragments written out
	aliases int // fields under another name, or once more
	spreads int // fragments
	depth   int // levels from here on, this one included
	// schema is the depth of what is asked about the schema itself.
	schema int
}

// ruler measures a document. Each fragment is measured once, whoever spreads it.
type ruler struct {
	fragments map[string]*ast.FragmentDefinition
	measured  map[string]level
	open      map[string]bool // being measured: whoever spreads one of these closes a ring
	weight    int
	fault     *gqlerror.Error
}

// measure returns the number of nodes of a document, or which limit it breaks.
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
		return level{} // validation says so
	case r.open[name]:
		r.refusef(at, "The fragment %s spreads itself.", name)

		return level{}
	}

	r.open[name] = true
	l := r.set(f.SelectionSet)
	delete(r.open, name)

	r.measured[name] = l

	return l
}

// under puts a field's own level below this one.
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

// beside adds a fragment's level to this one.
func (l *level) beside(other level) {
	l.fields += other.fields
	l.aliases += other.aliases
	l.spreads += other.spreads + 1
	l.depth = max(l.depth, other.depth)
	l.schema = max(l.schema, other.schema)
}

// hold refuses a level beyond the limits as soon as it is, so that no number grows large.
func (r *ruler) hold(l level, at *ast.Position) {
	switch {
	case l.fields > MaxComplexity:
		r.refusef(at, "The document stands for more than %d fields.", MaxComplexity)
	case l.aliases > MaxAliases:
		r.refusef(at, "More than %d aliased or repeated fields are on one level.", MaxAliases)
	case l.spreads > maxSpreads:
		r.refusef(at, "More than %d fragments are on one level.", maxSpreads)
	}
}

// deep refuses an operation that reaches too far down.
func (r *ruler) deep(l level, at *ast.Position) {
	switch {
	case l.depth > MaxDepth:
		r.refusef(at, "The operation is nested deeper than %d levels.", MaxDepth)
	case l.schema > maxIntrospectionDepth:
		r.refusef(at, "What the operation asks about the schema is nested deeper than %d levels.", maxIntrospectionDepth)
	}
}
