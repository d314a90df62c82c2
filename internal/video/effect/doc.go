// Package effect defines the kinds of effects: a table with one row for each kind, and the types of their fields. The check
// tags of the fields are their validation rules (see package input). GraphQL binds these types, and REST decodes request
// bodies into them. Start with All.
//
// Other packages have their own tables by kind: for editing (editing/effect), planning (video/plan), painting
// (engine/compositor) and routes (rest). Tests fail if a kind is missing in one of them.
package effect
