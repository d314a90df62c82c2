package main

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/test/testkit/authority"
)

// free returns a port of this machine that nothing uses.
func free(t *testing.T) (address string, port int) {
	t.Helper()

	socket, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, socket.Close())

	address = socket.Addr().String()
	_, digits, err := net.SplitHostPort(address)
	require.NoError(t, err)

	port, err = strconv.Atoi(digits)
	require.NoError(t, err)

	return address, port
}

// TestServeHTTPS: with a domain alone, the server obtains its certificate, serves HTTPS and tells browsers to stay with it.
func TestServeHTTPS(t *testing.T) {
	t.Parallel()

	const domain = "video.example.test"

	secure, securePort := free(t)
	plain, plainPort := free(t)
	a := authority.New(t, authority.Options{HTTP: plainPort, TLS: securePort})

	s := newHost(t)
	s.env["REELGRAPH_DOMAIN"], s.env["REELGRAPH_ADDR"], s.env["REELGRAPH_HTTP_ADDR"] = domain, secure, plain
	s.env["REELGRAPH_ACME_URL"], s.env["REELGRAPH_ACME_ROOT"] = a.URL, a.Root
	s.env["REELGRAPH_BASE_URL"] = "https://" + domain + ":" + strconv.Itoa(securePort)

	client := &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{RootCAs: a.Trusted},
			DialContext: func(ctx context.Context, network, to string) (net.Conn, error) {
				_, port, err := net.SplitHostPort(to)
				if err != nil {
					return nil, err
				}

				return new(net.Dialer).DialContext(ctx, network, net.JoinHostPort("127.0.0.1", port))
			},
		},
	}

	stdout := &safeBuffer{}
	p := app{stdout: stdout, stderr: t.Output(), getenv: func(name string) string { return s.env[name] }}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)

	go func() { ended <- p.run(ctx, []string{"reelgraph", "serve"}) }()

	t.Cleanup(func() {
		cancel()
		require.NoError(t, <-ended)
	})

	require.Eventually(t, func() bool {
		_, err := command(t, s.env, "ready")

		return err == nil
	}, time.Minute, 50*time.Millisecond)

	answer, err := client.Get(s.env["REELGRAPH_BASE_URL"] + "/healthz")
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	require.Equal(t, 2, answer.ProtoMajor)
	require.Equal(t, "max-age=31536000", answer.Header.Get("Strict-Transport-Security"))
	require.Contains(t, stdout.String(), s.env["REELGRAPH_BASE_URL"]+"/welcome#")

	out, err := command(t, s.env, "address")
	require.NoError(t, err)
	require.Equal(t, s.env["REELGRAPH_BASE_URL"]+"\n", out)

	answer, err = client.Get("http://" + domain + ":" + strconv.Itoa(plainPort) + "/docs?a=b")
	require.NoError(t, err)

	_, err = io.Copy(io.Discard, answer.Body)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	require.Equal(t, http.StatusPermanentRedirect, answer.StatusCode)
	require.Equal(t, s.env["REELGRAPH_BASE_URL"]+"/docs?a=b", answer.Header.Get("Location"))
	require.EqualValues(t, 1, a.Orders())
}
