package main

import (
	"crypto/tls"
	"net"
	"net/http"

	"github.com/reelgraph/reelgraph/internal/platform/certs"
	"github.com/reelgraph/reelgraph/internal/platform/keyring"
)

// secured is how a server encrypts its connections: the configuration, nil for none, and what else has to run for it.
type secured struct {
	tls   *tls.Config
	parts []part
}

// secure returns how the settings want the connections encrypted. plain may be nil.
func (n *node) secure(plain net.Listener) (secured, error) {
	switch c := n.config; {
	case c.Domain != "":
		box, err := keyring.NewBox("certificates", n.secrets...)
		if err != nil {
			return secured{}, err
		}

		m := certs.NewManager(certs.Options{
			Domain: c.Domain, BaseURL: c.BaseURL.String(), Directory: c.ACMEURL, Roots: c.ACMERoot, Store: n.store, Box: box, Log: n.log,
		})

		return secured{tls: m.TLS(), parts: append(redirecting(plain, m.Redirect()), part{"the certificate", m.Run})}, nil
	case c.TLSCert != "":
		files, err := certs.ReadFiles(c.TLSCert, c.TLSKey)
		if err != nil {
			return secured{}, err
		}

		return secured{tls: files.TLS(), parts: redirecting(plain, certs.Redirect(c.BaseURL.String()))}, nil
	default:
		return secured{}, nil
	}
}

// redirecting returns the part that serves requests without encryption; none without a socket.
func redirecting(plain net.Listener, handler http.Handler) []part {
	if plain == nil {
		return nil
	}

	return []part{{"the redirect to HTTPS", serving(plain, nil, handler, nil)}}
}
