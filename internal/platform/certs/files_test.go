package certs

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// write writes a new certificate with a serial number and its key, as of a time.
func write(t *testing.T, dir string, serial int64, at time.Time) (cert, key string) {
	t.Helper()

	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)

	template := &x509.Certificate{SerialNumber: big.NewInt(serial), NotAfter: time.Now().Add(time.Hour), DNSNames: []string{"reel.local"}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	require.NoError(t, err)

	secret, err := x509.MarshalPKCS8PrivateKey(private)
	require.NoError(t, err)

	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for path, block := range map[string]*pem.Block{
		cert: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "PRIVATE KEY", Bytes: secret},
	} {
		require.NoError(t, os.WriteFile(path, pem.EncodeToMemory(block), 0o600))
		require.NoError(t, os.Chtimes(path, at, at))
	}

	return cert, key
}

func TestFilesAreReadAgain(t *testing.T) {
	t.Parallel()

	dir, now := t.TempDir(), time.Now()
	cert, key := write(t, dir, 1, now.Add(-time.Hour))

	files, err := ReadFiles(cert, key)
	require.NoError(t, err)

	serial := func(at time.Time) int64 { return files.get(at).Leaf.SerialNumber.Int64() }
	require.EqualValues(t, 1, serial(now))

	write(t, dir, 2, now)
	require.EqualValues(t, 1, serial(now.Add(recheck/2)), "looked at too often")
	require.EqualValues(t, 2, serial(now.Add(2*recheck)))

	require.NoError(t, os.WriteFile(cert, []byte("half a certi"), 0o600))
	require.EqualValues(t, 2, serial(now.Add(4*recheck)), "a broken file replaced it")

	write(t, dir, 3, now.Add(time.Minute))
	require.EqualValues(t, 3, serial(now.Add(6*recheck)))

	_, err = ReadFiles(key, cert)
	require.ErrorContains(t, err, "read the certificate")
	_, err = ReadFiles(filepath.Join(dir, "none.pem"), key)
	require.ErrorIs(t, err, os.ErrNotExist)
}
