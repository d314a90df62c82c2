// Package web contains what all browser pages share: the design tokens in tokens.css and the font Inter. The packages
// in its folders serve the reference (/docs), GraphiQL, and the player of the video pages.
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

// Tokens returns the style sheet with the design tokens. It is served below prefix, which must end with a slash.
func Tokens(prefix string) static.File { return static.At(prefix, "tokens.css", tokens) }

// Inter returns the font file for Latin letters in all weights. It is served below prefix, which must end with a
// slash.
func Inter(prefix string) static.File { return static.At(prefix, "inter.woff2", inter) }
