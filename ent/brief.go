package ent

import (
	"slices"

	"github.com/reelgraph/reelgraph/ent/export"
)

// briefExport are the columns of exports but for the plan.
var briefExport = slices.DeleteFunc(slices.Clone(export.Columns), func(c string) bool { return c == export.FieldPlan })

// Brief has exports read without their plans, which hold every word of a video and may be megabytes each.
func (eq *ExportQuery) Brief() *ExportQuery {
	eq.Select(briefExport...)

	return eq
}

// Brief has the export that is answered read without its plan.
func (euo *ExportUpdateOne) Brief() *ExportUpdateOne {
	return euo.Select(briefExport[0], briefExport[1:]...)
}
