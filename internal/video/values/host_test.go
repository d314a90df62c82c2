package values_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/video/values"
)

func TestHost(t *testing.T) {
	t.Parallel()

	for written, want := range map[string]values.EmbedHost{
		"example.com":                     {Name: "example.com"},
		"\ta.example ":                    {Name: "a.example"}, //nolint:gocritic // pasted text contains white space
		"https://Example.com:8443/path":   {Name: "example.com", Port: "8443"},
		"HTTP://example.com?a=b#c":        {Name: "example.com"},
		"example.com:08443":               {Name: "example.com", Port: "8443"},
		"*.example.com":                   {Name: "example.com", Below: true},
		"*.Example.co.uk:443":             {Name: "example.co.uk", Port: "443", Below: true},
		"example.co.uk":                   {Name: "example.co.uk"},
		"somebody.github.io":              {Name: "somebody.github.io"},
		"127.0.0.1":                       {Name: "127.0.0.1"},
		"127.0.0.1:8080":                  {Name: "127.0.0.1", Port: "8080"},
		"localhost":                       {Name: "localhost"},
		"intranet":                        {Name: "intranet"},
		"münchen.example":                 {Name: "xn--mnchen-3ya.example"},
		"XN--mnchen-3ya.example":          {Name: "xn--mnchen-3ya.example"},
		"ＥＸＡＭＰＬＥ.com":                     {Name: "example.com"},
		"a-b.c":                           {Name: "a-b.c"},
		"1password.com":                   {Name: "1password.com"},
		strings.Repeat("a", 63) + ".test": {Name: strings.Repeat("a", 63) + ".test"},
	} {
		host, broken := values.Host(written)
		require.Empty(t, broken, written)
		require.Equal(t, want, host, written)
	}

	const notDomain = "must be a domain such as example.com"

	for _, written := range []string{
		"", ".", "-", "..", "a..b", "-x-.b", "a.", "not a domain!!", "a_b.c", "*", "https://", "a;b", "'self'", "'none'", "*.", "*:*",
		"'self' http://evil.example", "http://evil.example 'self'", "example.com 'unsafe-inline'", "example.com; script-src *",
		"example.com,evil.example", "example.com\tevil.example", "example.com\nevil.example", "javascript://example.com", "data:text/html,x",
		"ftp://example.com", "blob:https://example.com", "https:example.com", "//example.com", "https:///example.com", "https://http://example.com",
		"https://good.example@evil.example", "user:secret@example.com", "https://example.com\\@evil.example", "https:\\\\example.com",
		"*.*.example.com", "a*.example.com", "*example.com", "www.*.com", "example.*", "%65xample.com", "example.com:", "example.com:0",
		"example.com:65536", "example.com:*", "example.com:80:90", "[::1]", "::1", "1.2.3", "127.1", "0x7f.0.0.1", "0x7f000001", "1.2.3.4.5",
		"256.256.256.256", "*.127.0.0.1", "example.0", strings.Repeat("a", 64) + ".test", strings.Repeat("a.", 127) + "test", "example.com\u200b.evil;",
	} {
		_, broken := values.Host(written)
		require.Equal(t, notDomain, broken, written)
	}

	for written, suffix := range map[string]string{
		"com": "com", "co.uk": "co.uk", "*.co.uk": "co.uk", "*.com": "com", "https://com/": "com", "github.io": "github.io", "CO.UK": "co.uk",
		"vercel.app": "vercel.app", "*.github.io:443": "github.io", "xn--55qx5d.cn": "xn--55qx5d.cn", "foo.ck": "foo.ck", "москва": "xn--80adxhks",
	} {
		_, broken := values.Host(written)
		require.Equal(t, notDomain+": "+suffix+" is a public suffix shared by many sites", broken, written)
	}

	for _, written := range []string{"https://*.com", "https://*.example.com", "http://*.co.uk/x"} {
		_, broken := values.Host(written)
		require.Equal(t, notDomain+"; an asterisk is allowed only before a plain domain, as in *.example.com", broken, written)
	}
}
