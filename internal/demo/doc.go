// Package demo draws the recordings that `reelgraph demo` fills a workspace with: screens that look like screens, and a
// presenter who speaks. Everything is drawn by its own code from the fonts of the Go project, so nothing is licensed. Begin
// with Film; its pictures are functions of the frame, so that the same film comes out each time.
package demo
