package limits

import (
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// Work returns how many nodes were visited to measure the document and to merge its fields.
func (d *Document) Work() int { return d.work }

// MaxVisits limits the visits of merging.
const MaxVisits = maxVisits

// Unmergeable applies only the merging rule.
func (s *Schema) Unmergeable(doc *ast.QueryDocument) *gqlerror.Error {
	_, fault := s.unmergeable(doc)

	return fault
}
