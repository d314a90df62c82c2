package ent

import (
	"slices"

	"github.com/reelgraph/reelgraph/ent/export"
)

// briefExport lists all columns of exports except the plan.
var briefExport = slices.DeleteFunc(slices.Clone(export.Columns), func(c string) bool { return c == export.FieldPlan })

// Brief makes the query read exports without their plans. A plan contains every word of the video and may be
// megabytes long.
func (eq *ExportQuery) Brief() *ExportQuery {
	eq.Select(briefExport...)

	return eq
}

// Brief makes the update return the export without its plan.
func (euo *ExportUpdateOne) Brief() *ExportUpdateOne {
	return euo.Select(briefExport[0], briefExport[1:]...)
}
