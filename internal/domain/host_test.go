package domain_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/domain"
)

func TestHost(t *testing.T) {
	t.Parallel()

	for written, want := range map[string]string{
		"example.com": "example.com", "https://Example.com:8443/path": "example.com", "*.example.com": "example.com",
		"127.0.0.1": "127.0.0.1", "localhost": "localhost", "münchen.example": "xn--mnchen-3ya.example", "a-b.c": "a-b.c",
	} {
		host, is := domain.Host(written)
		require.True(t, is, written)
		require.Equal(t, want, host)
	}

	host, is := domain.Host(" a.b ")
	require.True(t, is)
	require.Equal(t, "a.b", host)

	for _, written := range []string{"", ".", "-", "..", "a..b", "-x-.b", "a.", "not a domain!!", "a_b.c", "*", "https://", "a;b", "'self'"} {
		_, is := domain.Host(written)
		require.False(t, is, written)
	}
}
