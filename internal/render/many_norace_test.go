//go:build !race

package render_test

// manyTimelines is how many random timelines are planned.
const manyTimelines = 100_000
