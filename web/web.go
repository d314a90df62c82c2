// Package web holds what all browser pages share: the design tokens in tokens.css and the font Inter. Its folders
// serve the reference (/docs), GraphiQL, and the player of video pages.
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

// Tokens returns the style sheet of the design tokens, to be served below a prefix that ends in a slash.
func Tokens(prefix string) static.File { return static.At(prefix, "tokens.css", tokens) }

// Inter returns the font for Latin letters in all weights, to be served below a prefix that ends in a slash.
func Inter(prefix string) static.File { return static.At(prefix, "inter.woff2", inter) }
