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

// Schema parses and checks documents for one GraphQL schema. It is safe for concurrent use.
type Schema struct {
	schema *ast.Schema
	rules  []core.Rule
	sizes  map[string]int // average lengths of the lists in introspection responses
}

// New returns a Schema for documents of schema. It does not modify schema.
func New(schema *ast.Schema) *Schema {
	s := &Schema{schema: schema, sizes: introspectionSizes(schema)}
	all := rules.NewDefaultRules().GetInner()
	delete(all, rules.OverlappingFieldsCanBeMergedRule.Name) // replaced by merge.go

	for _, name := range sortedKeys(all) {
		s.rules = append(s.rules, core.Rule{Name: name, RuleFunc: all[name]})
	}

	return s
}

// Document is a valid GraphQL document. Its form is within the limits of this package.
type Document struct {
	*ast.QueryDocument

	// Nulls holds the meaning of nulls in the document.
	Nulls *nulls.Document
	// Weight is the number of fields and fragments in the document. It is used as a measure of the memory that the
	// stored document needs.
	Weight int
	work   int // steps of measuring and merging, for tests
}

// Read scans, parses, measures and validates a document, in this order, so that a hostile document is refused before
// a more expensive step. The errors can be shown to clients and contain locations.
func (s *Schema) Read(text string) (*Document, gqlerror.List) {
	if fault := scan(text); fault != nil {
		return nil, gqlerror.List{fault}
	}

	doc, err := parser.ParseQuery(&ast.Source{Input: text})
	if err != nil {
		return nil, gqlerror.List{asSyntaxError(err)}
	}

	if len(doc.Operations) == 0 {
		return nil, gqlerror.List{gqlerror.Errorf("The document has no operation.")}
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
		return gqlerror.Errorf("The document cannot be parsed: %s.", err)
	}

	return fault
}

// enough stops a validation that has found maxErrors.
type enough struct{}

// validate works like validator.ValidateWithRules, but stops after maxErrors: for each error it searches for the
// intended name, which is slow.
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
