package limits

import (
	"unicode/utf8"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/lexer"
)

// scan counts the tokens of a document before it is parsed. It leaves syntax errors to the parser, which has better
// messages for them.
func scan(text string) *gqlerror.Error {
	if len(text) > MaxText {
		return gqlerror.Errorf("The document is longer than %d bytes. Pass long values as variables.", MaxText)
	}

	// The parser would accept invalid bytes and replace each by three others.
	if !utf8.ValidString(text) {
		return gqlerror.Errorf("The document is not valid UTF-8.")
	}

	tokens := lexer.New(&ast.Source{Input: text})

	for n := 0; ; n++ {
		token, err := tokens.ReadToken()
		if err != nil || token.Kind == lexer.EOF {
			return nil //nolint:nilerr // the parser reports it
		}

		switch {
		case n == MaxTokens:
			return at(token.Pos, "The document has more than %d tokens.", MaxTokens)
		case token.Kind == lexer.Name && len(token.Value) > maxName:
			return at(token.Pos, "The document has a name of more than %d characters.", maxName)
		}
	}
}

func at(p ast.Position, format string, args ...any) *gqlerror.Error {
	fault := gqlerror.Errorf(format, args...)
	fault.Locations = []gqlerror.Location{{Line: p.Line, Column: p.Column}}

	return fault
}
