// Package demo generates the recordings with which `reelgraph demo` fills a workspace: recordings of screens, and of
// a presenter who speaks. It draws everything with its own code and the fonts of the Go project, so no other license
// applies. Every picture depends only on its frame number, so each run produces the same films. Start with Film.
package demo
