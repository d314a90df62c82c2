// Package bidi resolves the direction of text by Unicode's bidirectional algorithm (UAX #9).
//
// It exists because the bidirectional packages of golang.org/x/text and of go-text only return runs of one direction.
// Reordering a line needs the embedding level of each character: two neighbouring runs of one direction can have
// different levels, as the digits in "a١ע" have.
//
// The time it takes is linear in the length of the text.
package bidi
