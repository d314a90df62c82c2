// Package effect says what a kind of effect is: its row in the table of kinds, and the types of its fields, whose check tags
// are their rules (see package input). The graph binds these types, REST reads its bodies into them and describes them, and
// batches, editing and answers ask the table. Start with All.
//
// Whatever cannot be said in a row stands in a table by kind of its own, and a test fails for a kind that is missing there: how
// it is edited (editing/effect), how it is planned (video/plan) and painted (engine/compositor), and its routes (rest).
package effect
