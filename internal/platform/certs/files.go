package certs

import (
	"crypto/tls"
	"fmt"
	"os"
	"sync"
	"time"
)

// recheck is how long a certificate read from files is used before they are looked at again.
const recheck = 30 * time.Second

// Files is a certificate in the operator's files. When they are replaced, new connections get the new certificate.
type Files struct {
	cert, key string

	mu      sync.Mutex
	current *tls.Certificate
	written time.Time // when the files were last changed
	looked  time.Time
}

// ReadFiles reads a certificate and its private key in PEM form.
func ReadFiles(cert, key string) (*Files, error) {
	f := &Files{cert: cert, key: key}

	if err := f.read(); err != nil {
		return nil, err
	}

	return f, nil
}

// TLS returns the configuration of a server with the certificate.
func (f *Files) TLS() *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
		return f.get(time.Now()), nil
	}}
}

// get returns the certificate. Files that cannot be read, for example because only one of them was replaced yet, leave the
// last one in use.
func (f *Files) get(now time.Time) *tls.Certificate {
	f.mu.Lock()
	defer f.mu.Unlock()

	if now.Sub(f.looked) >= recheck {
		f.looked = now

		if written, err := f.lastWritten(); err == nil && !written.Equal(f.written) {
			_ = f.read()
		}
	}

	return f.current
}

func (f *Files) read() error {
	written, err := f.lastWritten()
	if err != nil {
		return err
	}

	pair, err := tls.LoadX509KeyPair(f.cert, f.key)
	if err != nil {
		return fmt.Errorf("read the certificate: %w", err)
	}

	f.current, f.written, f.looked = &pair, written, time.Now()

	return nil
}

// lastWritten returns when the younger of the files was written.
func (f *Files) lastWritten() (last time.Time, err error) {
	for _, path := range []string{f.cert, f.key} {
		info, err := os.Stat(path)
		if err != nil {
			return last, fmt.Errorf("read the certificate: %w", err)
		}

		if info.ModTime().After(last) {
			last = info.ModTime()
		}
	}

	return last, nil
}
