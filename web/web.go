// Package web holds what everything in a browser shares: the design tokens of tokens.css, and the font Inter. What is
// served stands in its folders: reference (/docs), graphiql, and player (the pages of videos).
package web

import (
	_ "embed"

	"github.com/reelgraph/reelgraph/web/static"
)

var (
	//go:embed tokens.css
	tokens []byte
	//go:embed inter.woff2
	inter []byte
)

// Tokens is the style sheet of the design tokens, to be served below a prefix that ends in a slash.
func Tokens(prefix string) static.File { return static.At(prefix, "tokens.css", tokens) }

// Inter is the font of the Latin letters, in every weight, to be served below a prefix that ends in a slash.
func Inter(prefix string) static.File { return static.At(prefix, "inter.woff2", inter) }
