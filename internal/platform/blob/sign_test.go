package blob_test

import (
	"bytes"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/reelgraph/reelgraph/internal/platform/blob"
)

var (
	secretA = bytes.Repeat([]byte{1}, 32)
	secretB = bytes.Repeat([]byte{2}, 32)
	secretC = bytes.Repeat([]byte{3}, 32)
	noon    = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
)

func signer(t *testing.T, current, previous []byte) *blob.Signer {
	t.Helper()

	s, err := blob.NewSigner(current, previous)
	require.NoError(t, err)

	return s
}

func TestSigner(t *testing.T) {
	t.Parallel()

	s := signer(t, secretA, nil)
	token := s.Sign("upload", "src_1", noon)
	require.Regexp(t, `^[0-9]+\.[A-Za-z0-9_-]{43}$`, token)
	require.NoError(t, s.Verify("upload", "src_1", token, noon.Add(-time.Second)))

	require.ErrorIs(t, s.Verify("upload", "src_1", token, noon), blob.ErrExpired)
	require.ErrorIs(t, s.Verify("upload", "src_1", token, noon.Add(time.Hour)), blob.ErrExpired)

	for name, err := range map[string]error{
		"another purpose":  s.Verify("download", "src_1", token, noon.Add(-time.Hour)),
		"another subject":  s.Verify("upload", "src_2", token, noon.Add(-time.Hour)),
		"moved boundary":   s.Verify("uploads", "rc_1", token, noon.Add(-time.Hour)),
		"empty":            s.Verify("upload", "src_1", "", noon.Add(-time.Hour)),
		"no signature":     s.Verify("upload", "src_1", "99999999999", noon.Add(-time.Hour)),
		"empty signature":  s.Verify("upload", "src_1", "99999999999.", noon.Add(-time.Hour)),
		"later expiry":     s.Verify("upload", "src_1", "9"+token, noon.Add(-time.Hour)),
		"another spelling": s.Verify("upload", "src_1", "+"+token, noon.Add(-time.Hour)),
		"a tail":           s.Verify("upload", "src_1", token+"A", noon.Add(-time.Hour)),
		"another server":   signer(t, secretB, nil).Verify("upload", "src_1", token, noon.Add(-time.Hour)),
		"forged, expired":  s.Verify("upload", "src_2", token, noon.Add(time.Hour)),
	} {
		require.ErrorIs(t, err, blob.ErrBadSignature, name)
	}
}

func TestSignerRotates(t *testing.T) {
	t.Parallel()

	token := signer(t, secretA, nil).Sign("upload", "src_1", noon)
	require.NoError(t, signer(t, secretB, secretA).Verify("upload", "src_1", token, noon.Add(-time.Hour)))
	require.ErrorIs(t, signer(t, secretB, secretA).Verify("upload", "src_1", token, noon), blob.ErrExpired)
	require.ErrorIs(t, signer(t, secretC, secretB).Verify("upload", "src_1", token, noon.Add(-time.Hour)), blob.ErrBadSignature)

	fresh := signer(t, secretB, secretA).Sign("upload", "src_1", noon)
	require.NoError(t, signer(t, secretB, nil).Verify("upload", "src_1", fresh, noon.Add(-time.Hour)), "signed with the current one")

	for _, secrets := range [][2][]byte{{nil, nil}, {secretA[:31], nil}, {secretA, secretB[:5]}} {
		_, err := blob.NewSigner(secrets[0], secrets[1])
		require.ErrorContains(t, err, "at least 32 bytes")
	}
}

func TestSignerAddress(t *testing.T) {
	t.Parallel()

	s := signer(t, secretA, nil)
	address := s.Address("upload", "/uploads/src 1", noon)
	require.True(t, strings.HasPrefix(address, "/uploads/src%201?token="))
	u, err := url.Parse("http://127.0.0.1:8080" + address)
	require.NoError(t, err)
	require.NoError(t, s.VerifyAddress("upload", u, noon.Add(-time.Hour)))
	require.ErrorIs(t, s.VerifyAddress("upload", u, noon), blob.ErrExpired)
	require.ErrorIs(t, s.VerifyAddress("export", u, noon.Add(-time.Hour)), blob.ErrBadSignature)

	other := *u
	other.Path = "/uploads/src 2"
	require.ErrorIs(t, s.VerifyAddress("upload", &other, noon.Add(-time.Hour)), blob.ErrBadSignature)

	twice := *u
	twice.RawQuery += "&" + u.RawQuery
	require.ErrorIs(t, s.VerifyAddress("upload", &twice, noon.Add(-time.Hour)), blob.ErrBadSignature)

	bare := *u
	bare.RawQuery = ""
	require.ErrorIs(t, s.VerifyAddress("upload", &bare, noon.Add(-time.Hour)), blob.ErrBadSignature)
}

// TestSignerAcceptsOneTokenOnly changes each character of a token.
func TestSignerAcceptsOneTokenOnly(t *testing.T) {
	t.Parallel()

	s := signer(t, secretA, secretB)
	rapid.Check(t, func(rt *rapid.T) {
		purpose, subject := rapid.String().Draw(rt, "purpose"), rapid.String().Draw(rt, "subject")

		token := s.Sign(purpose, subject, noon)
		if err := s.Verify(purpose, subject, token, noon.Add(-time.Hour)); err != nil {
			rt.Fatal(err)
		}

		at := rapid.IntRange(0, len(token)-1).Draw(rt, "at")

		char := rapid.SampledFrom([]byte("0123456789.-_ABCXYZabcxyz= ")).Draw(rt, "char")
		if token[at] == char {
			return
		}

		forged := token[:at] + string(char) + token[at+1:]
		if err := s.Verify(purpose, subject, forged, noon.Add(-time.Hour)); err == nil {
			rt.Fatalf("%q passes for %q", forged, token)
		}
	})
}
