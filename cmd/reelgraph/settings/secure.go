package settings

import (
	"cmp"
	"crypto/x509"
	"errors"
	"fmt"
	"net/url"
	"os"
	"regexp"
	"strings"
)

// https is the scheme of encrypted addresses.
const https = "https"

// TLS reports whether the server itself encrypts its connections.
func (c Config) TLS() bool { return c.Domain != "" || c.TLSCert != "" }

// secured checks the settings of HTTPS together and adds the addresses that follow from them. free means that REELGRAPH_ADDR
// is not set.
func secured(c Config, free bool) (Config, error) {
	switch {
	case (c.TLSCert == "") != (c.TLSKey == ""):
		return c, errors.New("REELGRAPH_TLS_CERT and REELGRAPH_TLS_KEY belong together: set both or neither")
	case c.Domain != "" && c.TLSCert != "":
		return c, errors.New("set REELGRAPH_DOMAIN or REELGRAPH_TLS_CERT, not both: each provides the certificate")
	case c.Domain == "" && (c.ACMEURL != "" || c.ACMERoot != nil):
		return c, errors.New("REELGRAPH_ACME_URL and REELGRAPH_ACME_ROOT need REELGRAPH_DOMAIN")
	case !c.TLS() && c.HTTPAddr != "":
		return c, errors.New("REELGRAPH_HTTP_ADDR sends requests to HTTPS, and needs REELGRAPH_DOMAIN or REELGRAPH_TLS_CERT")
	}

	if c.Domain != "" && free {
		c.Addr = ":443"
		c.HTTPAddr = cmp.Or(c.HTTPAddr, ":80")
	}

	switch {
	case c.Domain != "":
		c.BaseURL = cmp.Or(c.BaseURL, &url.URL{Scheme: https, Host: c.Domain})
		if c.BaseURL.Scheme != https || !strings.EqualFold(c.BaseURL.Hostname(), c.Domain) {
			return c, fmt.Errorf("REELGRAPH_BASE_URL=%q contradicts REELGRAPH_DOMAIN: leave it out, or begin it with https://%s",
				c.BaseURL, c.Domain)
		}
	case c.TLS():
		if c.BaseURL != nil && c.BaseURL.Scheme != https {
			return c, fmt.Errorf("REELGRAPH_BASE_URL=%q contradicts REELGRAPH_TLS_CERT: begin it with https://", c.BaseURL)
		}

		c.BaseURL = cmp.Or(c.BaseURL, &url.URL{Scheme: https, Host: Reachable(c.Addr)})
	default:
		c.BaseURL = cmp.Or(c.BaseURL, &url.URL{Scheme: "http", Host: Reachable(c.Addr)})
	}

	return c, nil
}

func domain(to *string) func(string) error {
	shape := regexp.MustCompile(`^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$`)

	return func(v string) error {
		v = strings.ToLower(v)
		if len(v) > 253 || !shape.MatchString(v) {
			return errValue
		}

		*to = v

		return nil
	}
}

func directory(to *string) func(string) error {
	return func(v string) error {
		u, err := url.Parse(v)
		if err != nil || u.Scheme != https || u.Host == "" || u.User != nil {
			return errValue
		}

		*to = v

		return nil
	}
}

func roots(to **x509.CertPool) func(string) error {
	return func(v string) error {
		content, err := os.ReadFile(v)
		if err != nil {
			return err
		}

		pool := x509.NewCertPool()
		if !pool.AppendCertsFromPEM(content) {
			return errValue
		}

		*to = pool

		return nil
	}
}
