// Package bidi resolves the direction of text by Unicode's bidirectional algorithm (UAX #9). Start with Levels.
//
// It exists because the bidirectional packages of golang.org/x/text and go-text only return runs of one direction.
// Reordering a line needs the embedding level of each character: neighboring runs of one direction can have different
// levels, like the digits in "a١ע".
//
// Its time is linear in the length of the text.
package bidi
