// Package demo draws the recordings with which `reelgraph demo` fills a workspace: screens, and a presenter who speaks.
// It draws everything with its own code and the fonts of the Go project, so no license applies. Start with Film. A
// picture depends only on its frame, so each run produces the same film.
package demo
