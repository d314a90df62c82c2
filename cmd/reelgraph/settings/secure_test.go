package settings

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSettingsOfHTTPS(t *testing.T) {
	t.Parallel()

	file := filepath.Join(t.TempDir(), "file.pem")
	require.NoError(t, os.WriteFile(file, []byte("no certificate"), 0o600))

	c, err := load(map[string]string{"REELGRAPH_DOMAIN": "Video.Example.com"})
	require.NoError(t, err)
	require.Equal(t, []string{"video.example.com", ":443", ":80", "https://video.example.com"},
		[]string{c.Domain, c.Addr, c.HTTPAddr, c.BaseURL.String()})
	require.True(t, c.TLS())

	c, err = load(map[string]string{"REELGRAPH_DOMAIN": "video.example.com", "REELGRAPH_ADDR": "127.0.0.1:8443"})
	require.NoError(t, err)
	require.Equal(t, []string{"127.0.0.1:8443", "", "https://video.example.com"}, []string{c.Addr, c.HTTPAddr, c.BaseURL.String()})

	c, err = load(map[string]string{
		"REELGRAPH_DOMAIN": "video.example.com", "REELGRAPH_BASE_URL": "https://video.example.com:8443", "REELGRAPH_HTTP_ADDR": ":8080",
	})
	require.NoError(t, err)
	require.Equal(t, []string{":443", ":8080", "https://video.example.com:8443"}, []string{c.Addr, c.HTTPAddr, c.BaseURL.String()})

	c, err = load(map[string]string{"REELGRAPH_TLS_CERT": file, "REELGRAPH_TLS_KEY": file})
	require.NoError(t, err)
	require.Equal(t, []string{"127.0.0.1:8080", "", "https://127.0.0.1:8080"}, []string{c.Addr, c.HTTPAddr, c.BaseURL.String()})
	require.True(t, c.TLS())

	for says, env := range map[string]map[string]string{
		"REELGRAPH_TLS_KEY belong together":    {"REELGRAPH_TLS_CERT": file},
		"REELGRAPH_TLS_CERT, not both":         {"REELGRAPH_DOMAIN": "a.example", "REELGRAPH_TLS_CERT": file, "REELGRAPH_TLS_KEY": file},
		"need REELGRAPH_DOMAIN":                {"REELGRAPH_ACME_URL": "https://acme.example/dir"},
		"needs REELGRAPH_DOMAIN or":            {"REELGRAPH_HTTP_ADDR": ":80"},
		"begin it with https://a.example":      {"REELGRAPH_DOMAIN": "a.example", "REELGRAPH_BASE_URL": "https://b.example"},
		"contradicts REELGRAPH_TLS_CERT":       {"REELGRAPH_TLS_CERT": file, "REELGRAPH_TLS_KEY": file, "REELGRAPH_BASE_URL": "http://a.example"},
		"contradicts REELGRAPH_DOMAIN":         {"REELGRAPH_DOMAIN": "a.example", "REELGRAPH_BASE_URL": "http://a.example"},
		"must be a PEM file of certificates":   {"REELGRAPH_DOMAIN": "a.example", "REELGRAPH_ACME_ROOT": file},
		"that leads to this server":            {"REELGRAPH_DOMAIN": "https://a.example"},
		"such as video.example.com":            {"REELGRAPH_DOMAIN": "localhost"},
		"REELGRAPH_DOMAIN=\"192.0.2.1\"":       {"REELGRAPH_DOMAIN": "192.0.2.1"},
		"REELGRAPH_ACME_URL=\"http://a.test\"": {"REELGRAPH_DOMAIN": "a.example", "REELGRAPH_ACME_URL": "http://a.test"},
	} {
		_, err := load(env)
		require.ErrorContains(t, err, says)
	}
}
