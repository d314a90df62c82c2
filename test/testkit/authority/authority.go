// Package authority runs a certificate authority on this machine, which speaks ACME as Let's Encrypt does.
package authority

import (
	"crypto/x509"
	"encoding/pem"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/letsencrypt/pebble/v2/ca"
	"github.com/letsencrypt/pebble/v2/db"
	"github.com/letsencrypt/pebble/v2/va"
	"github.com/letsencrypt/pebble/v2/wfe"
	"github.com/miekg/dns"
	"github.com/stretchr/testify/require"
)

// Options say where the authority checks domains.
type Options struct {
	// HTTP and TLS are the ports, on this machine, of the server that the domains lead to.
	HTTP, TLS int
	// Lifetime is how long certificates are valid; 90 days if it is zero.
	Lifetime time.Duration
}

// Authority is a running authority.
type Authority struct {
	URL     string         // its directory
	Root    string         // PEM file of the certificate of the directory's own server
	Trusted *x509.CertPool // what clients trust to verify the certificates that it issues

	orders atomic.Int64
}

// New starts an authority. For it, every domain leads to this machine.
func New(t *testing.T, o Options) *Authority {
	t.Helper()

	// Otherwise each check of a domain begins with a pause of up to 15 seconds.
	require.NoError(t, os.Setenv("PEBBLE_VA_NOSLEEP", "1")) //nolint:usetesting // the same for all tests, also parallel ones

	quiet := log.New(io.Discard, "", 0)
	rows := db.NewMemoryStore()
	issuer := ca.New(quiet, rows, "", 0, 1, map[string]ca.Profile{
		"default": {Description: "default", ValidityPeriod: uint64(o.Lifetime.Seconds())},
	})
	checks := va.New(quiet, o.HTTP, o.TLS, false, names(t), rows)
	front := wfe.New(quiet, rows, checks, issuer, false, false, 1, 1)

	a := &Authority{Trusted: x509.NewCertPool(), Root: filepath.Join(t.TempDir(), "authority.pem")}
	handler := front.Handler()
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/order-plz" {
			w = counting{w, &a.orders}
		}

		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)

	a.URL = server.URL + wfe.DirectoryPath
	a.Trusted.AddCert(issuer.GetRootCert(0).Cert)
	require.NoError(t, os.WriteFile(a.Root, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}), 0o600))

	return a
}

// counting counts what was accepted. The authority refuses some requests on purpose, so that clients repeat them.
type counting struct {
	http.ResponseWriter

	accepted *atomic.Int64
}

// WriteHeader implements http.ResponseWriter.
func (c counting) WriteHeader(status int) {
	if status == http.StatusCreated {
		c.accepted.Add(1)
	}

	c.ResponseWriter.WriteHeader(status)
}

// Orders returns how many certificates were asked for.
func (a *Authority) Orders() int64 { return a.orders.Load() }

// names starts a name server for which every name leads to this machine, and returns its address.
func names(t *testing.T) (address string) {
	t.Helper()

	socket, err := new(net.ListenConfig).ListenPacket(t.Context(), "udp", "127.0.0.1:0")
	require.NoError(t, err)

	server := &dns.Server{PacketConn: socket, Handler: dns.HandlerFunc(func(w dns.ResponseWriter, asked *dns.Msg) {
		answer := new(dns.Msg).SetReply(asked)

		for _, q := range asked.Question {
			if q.Qtype == dns.TypeA {
				answer.Answer = append(answer.Answer, &dns.A{
					Hdr: dns.RR_Header{Name: q.Name, Rrtype: dns.TypeA, Class: dns.ClassINET}, A: net.IPv4(127, 0, 0, 1),
				})
			}
		}

		_ = w.WriteMsg(answer)
	})}
	ended := make(chan error, 1)

	go func() { ended <- server.ActivateAndServe() }()

	t.Cleanup(func() {
		_ = server.Shutdown()

		require.NoError(t, <-ended)
	})

	return socket.LocalAddr().String()
}
