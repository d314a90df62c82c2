//go:build race

package render_test

// manyTimelines is how many random timelines are planned under the race detector, which makes each ten
// times dearer and finds nothing in what is pure; `make test` plans the others without it.
const manyTimelines = 4_000
