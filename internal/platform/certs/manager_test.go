package certs

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/platform/keyring"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/authority"
)

func TestMain(m *testing.M) { testkit.Main(m) }

const domain = "video.example.test"

// site is what listens at a domain. Its nodes answer there one after another.
type site struct {
	*testing.T

	secure, plain net.Listener
}

func newSite(t *testing.T) *site {
	t.Helper()

	return &site{T: t, secure: listen(t), plain: listen(t)}
}

func listen(t *testing.T) net.Listener {
	t.Helper()

	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)

	return l
}

func port(l net.Listener) int { return l.Addr().(*net.TCPAddr).Port }

func (s *site) authority(lifetime time.Duration) *authority.Authority {
	return authority.New(s.T, authority.Options{HTTP: port(s.plain), TLS: port(s.secure), Lifetime: lifetime})
}

// options returns the options of a node that asks the authority.
func (s *site) options(a *authority.Authority, db *store.Store, secret string) Options {
	s.Helper()

	content, err := os.ReadFile(a.Root)
	require.NoError(s, err)

	roots := x509.NewCertPool()
	require.True(s, roots.AppendCertsFromPEM(content))

	box, err := keyring.NewBox("certificates", []byte(secret))
	require.NoError(s, err)

	return Options{
		Domain: domain, BaseURL: "https://" + domain, Directory: a.URL, Roots: roots, Store: db, Box: box,
		Log: slog.New(slog.DiscardHandler),
	}
}

// serve lets a manager answer at the site until stop is called, without asking for its certificate.
func (s *site) serve(m *Manager) {
	secure := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "here") }))
	plain := httptest.NewUnstartedServer(m.Redirect())

	_, _ = secure.Listener.Close(), plain.Listener.Close()
	secure.Listener, plain.Listener = s.secure, s.plain
	secure.TLS, secure.EnableHTTP2 = m.TLS(), true
	secure.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug)

	secure.StartTLS()
	plain.Start()
	s.Cleanup(secure.Close)
	s.Cleanup(plain.Close)
}

// run runs a manager until the test ends or stop is called.
func (s *site) run(m *Manager) (stop func()) {
	ctx, cancel := context.WithCancel(s.Context())
	ended := make(chan error, 1)

	go func() { ended <- m.Run(ctx) }()

	stop = sync.OnceFunc(func() {
		cancel()
		require.NoError(s, <-ended)
	})
	s.Cleanup(stop)

	return stop
}

// handshake connects as a browser would, and returns the certificate of the server.
func (s *site) handshake(a *authority.Authority) (*x509.Certificate, error) {
	c, err := tls.Dial("tcp", s.secure.Addr().String(), &tls.Config{ServerName: domain, RootCAs: a.Trusted, NextProtos: []string{"h2"}})
	if err != nil {
		return nil, err
	}
	defer c.Close()

	return c.ConnectionState().PeerCertificates[0], nil
}

func (s *site) certificate(a *authority.Authority) (cert *x509.Certificate) {
	s.Helper()

	require.Eventually(s, func() (done bool) {
		var err error

		cert, err = s.handshake(a)

		return err == nil
	}, time.Minute, 20*time.Millisecond)

	return cert
}

// say sends a request without encryption.
func (s *site) say(method string) (status int, location, body string) {
	s.Helper()

	r, err := http.NewRequestWithContext(s.Context(), method, "http://"+s.plain.Addr().String()+"/videos?x=1", http.NoBody)
	require.NoError(s, err)

	answer, err := http.DefaultTransport.RoundTrip(r)
	require.NoError(s, err)

	content, err := io.ReadAll(answer.Body)
	require.NoError(s, errors.Join(err, answer.Body.Close()))

	return answer.StatusCode, answer.Header.Get("Location"), string(content)
}

// A certificate is obtained once, for all nodes, and kept encrypted; a restart asks for no other.
func TestCertificateIsObtainedOnce(t *testing.T) {
	t.Parallel()

	s, db := newSite(t), testkit.Open(t)
	a := s.authority(0)
	first, second := NewManager(s.options(a, db, "a secret")), NewManager(s.options(a, db, "a secret"))

	s.serve(first)

	status, _, body := s.say(http.MethodGet)
	require.Equal(t, http.StatusServiceUnavailable, status)
	require.Contains(t, body, "obtaining its certificate")

	_, err := s.handshake(a)
	require.Error(t, err, "without a certificate")
	require.Zero(t, a.Orders(), "a handshake asks for a certificate")

	// The second node does not answer at the domain. If it is the one that asks, the first answers the authority for it.
	stopSecond := s.run(second)
	stopFirst := s.run(first)
	cert := s.certificate(a)
	require.Equal(t, []string{domain}, cert.DNSNames)
	require.Eventually(t, second.ready.Load, time.Minute, 20*time.Millisecond)
	require.EqualValues(t, 1, a.Orders())

	status, location, _ := s.say(http.MethodGet)
	require.Equal(t, http.StatusPermanentRedirect, status)
	require.Equal(t, "https://"+domain+"/videos?x=1", location)

	status, _, body = s.say(http.MethodPost)
	require.Equal(t, http.StatusForbidden, status)
	require.Contains(t, body, "only over HTTPS")

	stopFirst()
	stopSecond()

	again := NewManager(s.options(a, db, "a secret"))
	expires, err := again.obtain(t.Context())
	require.NoError(t, err)
	require.Equal(t, cert.NotAfter, expires)
	require.EqualValues(t, 1, a.Orders(), "a restart asks for another certificate")

	rows, err := db.DB.QueryContext(t.Context(), "SELECT name, sealed FROM certificates")
	require.NoError(t, err)

	defer rows.Close()

	var names []string

	for rows.Next() {
		var (
			name   string
			sealed []byte
		)

		require.NoError(t, rows.Scan(&name, &sealed))
		require.NotContains(t, string(sealed), "PRIVATE KEY")
		require.NotContains(t, string(sealed), "CERTIFICATE")

		names = append(names, name)
	}

	require.NoError(t, rows.Err())
	require.Contains(t, names, domain)

	lost := NewManager(s.options(a, db, "another secret"))
	_, err = lost.acme.Cache.Get(t.Context(), domain)
	require.ErrorContains(t, err, "cache miss", "with another secret")
}

// A certificate is renewed before it expires, without a handshake that fails.
func TestCertificateIsRenewed(t *testing.T) {
	t.Parallel()

	s := newSite(t)
	a := s.authority(24 * time.Second) // renewed when a third is left
	m := NewManager(s.options(a, testkit.Open(t), "a secret"))

	s.serve(m)
	s.run(m)

	first := s.certificate(a)

	require.Eventually(t, func() bool {
		now, err := s.handshake(a)

		return !errors.Is(err, nil) || now.SerialNumber.Cmp(first.SerialNumber) != 0
	}, time.Minute, 20*time.Millisecond)

	second, err := s.handshake(a)
	require.NoError(t, err)
	require.True(t, time.Now().Before(first.NotAfter), "renewed only after it had expired")
	require.True(t, second.NotAfter.After(first.NotAfter))
}

// A domain that does not lead here is explained, in the log and to browsers.
func TestWhyThereIsNoCertificate(t *testing.T) {
	t.Parallel()

	s := newSite(t)
	elsewhere := listen(t)
	nowhere := port(elsewhere)
	require.NoError(t, elsewhere.Close())

	a := authority.New(t, authority.Options{HTTP: nowhere, TLS: nowhere})

	var log strings.Builder

	o := s.options(a, testkit.Open(t), "a secret")
	o.Log = slog.New(slog.NewTextHandler(&log, nil))
	m := NewManager(o)
	m.lookup = func(_ context.Context, _, host string) ([]net.IP, error) {
		require.Equal(t, domain, host)

		return []net.IP{net.IPv4(192, 0, 2, 7)}, nil
	}

	s.serve(m)
	stop := s.run(m)

	require.Eventually(t, func() bool { return m.reason.Load() != nil }, time.Minute, 20*time.Millisecond)
	stop()

	status, _, body := s.say(http.MethodGet)
	require.Equal(t, http.StatusServiceUnavailable, status)

	for _, text := range []string{log.String(), body} {
		require.Contains(t, text, "could not reach this server at "+domain)
		require.Contains(t, text, "192.0.2.7")
		require.Contains(t, text, "ports 80 and 443")
	}

	m.lookup = func(context.Context, string, string) ([]net.IP, error) { return nil, &net.DNSError{IsNotFound: true} }
	require.Contains(t, m.explain(t.Context(), errors.New("no")), domain+" has no address in DNS")

	o.Directory = "https://127.0.0.1:" + strconv.Itoa(nowhere)
	_, err := NewManager(o).obtain(t.Context())
	require.Contains(t, m.explain(t.Context(), err), "authority cannot be reached")
}
