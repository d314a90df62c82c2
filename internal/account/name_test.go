package account_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/account"
)

// A name in a mail is plain text: mail programs turn addresses, domains in any script and similar text into links.
func TestNameInMail(t *testing.T) {
	t.Parallel()

	for name, want := range map[string]string{
		"Acme":                         "Acme",
		"J. R. Smith & Sons, Inc.":     "J. R. Smith and Sons, Inc.",
		"http://evil.example/x?y=1":    "http evil. example x y 1",
		"go to evil.example":           "go to evil. example",
		"mail me@evil.example":         "mail me at evil. example",
		"javascript:alert":             "javascript: alert",
		"evil．example":                 "evil. example", // fullwidth
		"пример。рф":                    "пример. рф",    // IDNA treats it as a dot
		"http：／／evil｡example":          "http evil. example",
		"a\r\nBcc: b":                  "a Bcc: b",
		"abc\u202eelpmaxe.live":        "abcelpmaxe. live", // changes the text direction
		"ev\u200bil.ex\u00adample":     "evil. example",
		"<a href='x'>click</a>":        "a href 'x' click a",
		"  \t ":                        "Somebody",
		"://":                          "Somebody",
		"مكتب الرياض":                  "مكتب الرياض",
		strings.Repeat("é", 60):        strings.Repeat("é", 60),
		strings.Repeat("e\u0301", 61):  strings.Repeat("é", 59) + "…",
		strings.Repeat("a.", 60) + "b": strings.TrimSpace(strings.Repeat("a. ", 20)[:59]) + "…",
	} {
		got := account.NameInMail(name, "Somebody")
		require.Equal(t, want, got, "%q", name)
		require.LessOrEqual(t, utf8.RuneCountInString(got), 60)
	}
}
