package limits

import (
	"errors"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/core"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"github.com/reelgraph/reelgraph/graph/nulls"
)

// Schema reads documents against one schema. It is safe for concurrent use.
type Schema struct {
	schema *ast.Schema
	rules  []core.Rule
	sizes  map[string]int // of the lists an introspection answers with
}

// New prepares a schema. The schema is read and never written.
func New(schema *ast.Schema) *Schema {
	s := &Schema{schema: schema, sizes: introspectionSizes(schema)}
	all := rules.NewDefaultRules().GetInner()
	delete(all, rules.OverlappingFieldsCanBeMergedRule.Name) // merge.go

	for _, name := range sortedKeys(all) {
		s.rules = append(s.rules, core.Rule{Name: name, RuleFunc: all[name]})
	}

	return s
}

// Document is a document that is valid and within the limits of writing.
type Document struct {
	*ast.QueryDocument

	// Nulls is what null means in it.
	Nulls *nulls.Document
	// Weight is the number of fields and fragments it is written with: what keeping it costs.
	Weight int
	work   int // of measuring and merging, for tests
}

// Read scans, parses, measures and validates a document, in this order: what is hostile is refused
// before anything that takes longer for it looks at it. The errors are for the caller, with locations.
func (s *Schema) Read(text string) (*Document, gqlerror.List) {
	if fault := scan(text); fault != nil {
		return nil, gqlerror.List{fault}
	}

	doc, err := parser.ParseQuery(&ast.Source{Input: text})
	if err != nil {
		return nil, gqlerror.List{asSyntaxError(err)}
	}

	if len(doc.Operations) == 0 {
		return nil, gqlerror.List{gqlerror.Errorf("The document holds no operation.")}
	}

	weight, fault := measure(doc)
	if fault != nil {
		return nil, gqlerror.List{fault}
	}

	settled, errs := nulls.Settle(s.schema, doc)
	if len(errs) > 0 {
		return nil, errs[:min(len(errs), maxErrors)]
	}

	if errs := s.validate(doc); len(errs) > 0 {
		return nil, errs
	}

	visits, fault := s.unmergeable(doc)
	if fault != nil {
		return nil, gqlerror.List{fault}
	}

	settled.Validated()

	return &Document{QueryDocument: doc, Nulls: settled, Weight: weight, work: weight + visits}, nil
}

func asSyntaxError(err error) *gqlerror.Error {
	var fault *gqlerror.Error
	if !errors.As(err, &fault) {
		return gqlerror.Errorf("The document cannot be read: %s.", err)
	}

	return fault
}

// enough ends a validation that has found maxErrors.
type enough struct{}

// validate is validator.ValidateWithRules, but stops looking once there is enough to report: each
// fault costs a search for the name that was meant.
func (s *Schema) validate(doc *ast.QueryDocument) (errs gqlerror.List) {
	defer func() {
		if cause := recover(); cause != nil && cause != any(enough{}) {
			panic(cause)
		}
	}()

	events := &validator.Events{}

	for _, rule := range s.rules {
		rule.RuleFunc(events, func(options ...core.ErrorOption) {
			fault := &gqlerror.Error{Rule: rule.Name}
			for _, option := range options {
				option(fault)
			}

			if errs = append(errs, fault); len(errs) == maxErrors {
				panic(enough{})
			}
		})
	}

	validator.Walk(s.schema, doc, events)

	return errs
}
