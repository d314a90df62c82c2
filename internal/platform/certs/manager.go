package certs

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/acme"
	"golang.org/x/crypto/acme/autocert"

	"github.com/reelgraph/reelgraph/internal/platform/keyring"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

// Options configure a Manager. All but Directory and Roots are required.
type Options struct {
	Domain    string
	BaseURL   string         // where requests without encryption are sent
	Directory string         // the authority's directory; empty: Let's Encrypt
	Roots     *x509.CertPool // the authorities that the directory's own certificate may come from; nil: those of the system
	Store     *store.Store
	Box       keyring.Box
	Log       *slog.Logger
}

// Manager obtains the certificate of one domain from an ACME authority and renews it. The nodes of a server share their
// certificate, and one of them at a time asks for it.
type Manager struct {
	Options

	acme   *autocert.Manager
	lookup func(ctx context.Context, network, host string) ([]net.IP, error)
	waits  []time.Duration // between failed attempts; the last one repeats

	ready  atomic.Bool
	reason atomic.Pointer[string] // why there is no certificate yet
}

// NewManager returns a Manager. Run makes it work.
func NewManager(o Options) *Manager {
	client := &acme.Client{DirectoryURL: o.Directory, UserAgent: "reelgraph"}
	if o.Directory == "" {
		client.DirectoryURL = autocert.DefaultACMEDirectory
	}

	if o.Roots != nil {
		client.HTTPClient = &http.Client{Timeout: time.Minute, Transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment, TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: o.Roots},
		}}
	}

	return &Manager{
		Options: o,
		acme: &autocert.Manager{
			Prompt: autocert.AcceptTOS, HostPolicy: autocert.HostWhitelist(o.Domain), Client: client,
			Cache: store.Certificates{Store: o.Store, Box: o.Box},
		},
		lookup: net.DefaultResolver.LookupIP,
		// Let's Encrypt allows five failed checks an hour, and an attempt may make two.
		waits: []time.Duration{5 * time.Minute, 30 * time.Minute, time.Hour},
	}
}

// TLS returns the configuration of a server with the certificate. A handshake never asks the authority for one.
func (m *Manager) TLS() *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1", acme.ALPNProto}, GetCertificate: m.get,
	}
}

var errNoCertificate = errors.New("there is no certificate yet")

func (m *Manager) get(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	if slices.Equal(hello.SupportedProtos, []string{acme.ALPNProto}) { // the authority checks the domain
		return m.acme.GetCertificate(hello) //nolint:wrapcheck // ends the handshake
	}

	if !m.ready.Load() {
		return nil, errNoCertificate
	}

	return m.certificate()
}

// certificate returns the certificate, which it obtains from the authority if no node has it. It asks for the same kind of key
// whatever a client supports, so that no client can make the server obtain a second one.
func (m *Manager) certificate() (*tls.Certificate, error) {
	return m.acme.GetCertificate(&tls.ClientHelloInfo{ //nolint:wrapcheck // callers explain it
		ServerName: m.Domain, CipherSuites: []uint16{tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256},
		SignatureSchemes: []tls.SignatureScheme{tls.ECDSAWithP256AndSHA256}, SupportedCurves: []tls.CurveID{tls.CurveP256},
	})
}

// asked is certificate, but does not wait for the authority when the process stops.
func (m *Manager) asked(ctx context.Context) (*tls.Certificate, error) {
	type answer struct {
		cert *tls.Certificate
		err  error
	}

	got := make(chan answer, 1)

	go func() {
		cert, err := m.certificate()
		got <- answer{cert, err}
	}()

	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case a := <-got:
		return a.cert, a.err
	}
}

// How often the age of the certificate is checked, and the part of its life in which a warning is due: it is renewed when a
// third is left.
const (
	checkEvery = 6 * time.Hour
	warnAt     = 6
)

// Run obtains the certificate and watches its age until the context ends. The server must answer meanwhile.
func (m *Manager) Run(ctx context.Context) error {
	for failed := 0; ; {
		wait := checkEvery

		switch expires, err := m.obtain(ctx); {
		case ctx.Err() != nil:
			return nil //nolint:nilerr // the process stops
		case err == nil:
			failed = 0

			m.watch(expires)
		default:
			wait = m.waits[min(failed, len(m.waits)-1)]
			failed++

			reason := m.explain(ctx, err)
			m.reason.Store(&reason)
			m.Log.Error("cannot get the certificate", "domain", m.Domain, "reason", reason, "error", err, "nextAttemptIn", wait.String())
		}

		timer := time.NewTimer(wait)

		select {
		case <-ctx.Done():
			timer.Stop()

			return nil
		case <-timer.C:
		}
	}
}

// obtain returns when the certificate expires.
func (m *Manager) obtain(ctx context.Context) (expires time.Time, err error) {
	take := func(ctx context.Context) error {
		cert, err := m.asked(ctx)
		if err == nil {
			expires = cert.Leaf.NotAfter
			if first := !m.ready.Swap(true); first {
				m.Log.Info("the certificate is there", "domain", m.Domain, "expires", expires)
			}
		}

		return err
	}

	if m.ready.Load() {
		err = take(ctx)
	} else {
		err = m.Store.InTurn(ctx, "certificate of "+m.Domain, take)
	}

	return expires, err
}

// watch warns of a certificate that should have been renewed.
func (m *Manager) watch(expires time.Time) {
	cert, err := m.certificate()
	if err != nil || cert.Leaf == nil {
		return
	}

	life := cert.Leaf.NotAfter.Sub(cert.Leaf.NotBefore)
	if left := time.Until(expires); left < life/warnAt {
		m.Log.Warn("the certificate could not be renewed", "domain", m.Domain, "expires", expires)
	}
}

// Redirect serves requests without encryption: it answers the checks of the authority and sends browsers to the encrypted
// address. Until the certificate is there, it tells why it is missing.
func (m *Manager) Redirect() http.Handler {
	redirect := Redirect(m.BaseURL)

	return m.acme.HTTPHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reason := m.reason.Load()

		switch {
		case m.ready.Load():
			redirect.ServeHTTP(w, r)
		case reason == nil:
			unavailable(w, "This server is obtaining its certificate. Try again in a minute.")
		default:
			unavailable(w, "This server has no certificate yet. "+*reason)
		}
	}))
}

func unavailable(w http.ResponseWriter, why string) {
	w.Header().Set("Retry-After", "60")
	http.Error(w, why, http.StatusServiceUnavailable)
}

// lookupTime limits the look at the domain's addresses.
const lookupTime = 5 * time.Second

// explain tells why there is no certificate, and what to do. Everybody may read it, so it leaves out what errors say of the
// network and the database behind.
func (m *Manager) explain(ctx context.Context, err error) string {
	var refused *acme.Error
	if errors.As(err, &refused) && refused.ProblemType != "" {
		return fmt.Sprintf("The certificate authority refused the request: %s", refused.Detail)
	}

	if _, unreachable := errors.AsType[net.Error](err); unreachable {
		return "The certificate authority cannot be reached. The log has the reason."
	}

	ctx, cancel := context.WithTimeout(ctx, lookupTime)
	defer cancel()

	return leads(ctx, m.Domain, m.lookup)
}

// leads tells where a domain leads.
func leads(ctx context.Context, domain string, lookup func(ctx context.Context, network, host string) ([]net.IP, error)) string {
	addresses, err := lookup(ctx, "ip", domain)
	if err != nil || len(addresses) == 0 {
		return fmt.Sprintf("%s has no address in DNS. Add an A or AAAA record with the public address of this server.", domain)
	}

	return fmt.Sprintf("The authority could not reach this server at %s. In DNS it leads to %s. If that is not the public address of this"+
		" server, correct the record; otherwise let connections from the internet to ports 80 and 443 through to it.",
		domain, list(addresses))
}

func list(addresses []net.IP) string {
	names := make([]string, len(addresses))
	for i, address := range addresses {
		names[i] = address.String()
	}

	return strings.Join(names, ", ")
}
