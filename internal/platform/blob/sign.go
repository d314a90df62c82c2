package blob

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"net/url"
	"strconv"
	"strings"
	"time"
)

var (
	// ErrExpired means that a signature was valid but has expired.
	ErrExpired = errors.New("the address has expired")
	// ErrBadSignature means that this server did not make the token for this purpose and subject.
	ErrBadSignature = errors.New("the signature of the address is not valid")
)

// Signer creates and checks tokens. A token allows the client that has it to use one subject for one purpose until
// the token expires. A Signer is safe for use by many goroutines.
type Signer struct {
	current  []byte
	previous []byte // the previous key; nil when there is none
}

// minSecret is the minimum length of a secret, in bytes.
const minSecret = 32

// NewSigner returns a Signer that signs with the secret current. The Signer also accepts signatures that were made
// with the secret previous, which may be empty. Each secret must have at least 32 bytes. The signing keys are derived
// from the secrets, so the server may use the same secrets for other purposes.
func NewSigner(current, previous []byte) (*Signer, error) {
	if len(current) < minSecret || len(previous) != 0 && len(previous) < minSecret {
		return nil, errors.New("the signing secret is too short; at least 32 bytes are required")
	}

	s := &Signer{current: derive(current)}
	if len(previous) != 0 {
		s.previous = derive(previous)
	}

	return s, nil
}

func derive(secret []byte) []byte {
	h := hmac.New(sha256.New, secret)
	h.Write([]byte("reelgraph signed address v1"))

	return h.Sum(nil)
}

// tokenEncoding accepts only one encoding of each signature.
var tokenEncoding = base64.RawURLEncoding.Strict()

// Sign returns a token for a purpose, such as "upload", and a subject, such as a path. The token is valid until
// expires, without fractions of a second. It needs no escaping in a URL.
func (s *Signer) Sign(purpose, subject string, expires time.Time) string {
	unix := expires.Unix()

	return strconv.FormatInt(unix, 10) + "." + tokenEncoding.EncodeToString(seal(s.current, purpose, subject, unix))
}

// Verify checks a token for exactly this purpose and subject, against the current secret and the previous one, in
// constant time. It returns ErrBadSignature for a token that this server did not make for this purpose and subject,
// and ErrExpired for one that has expired.
func (s *Signer) Verify(purpose, subject, token string, now time.Time) error {
	until, signature, _ := strings.Cut(token, ".")

	unix, err := strconv.ParseInt(until, 10, 64)
	if err != nil || strconv.FormatInt(unix, 10) != until {
		return ErrBadSignature
	}

	got, err := tokenEncoding.DecodeString(signature)
	if err != nil {
		return ErrBadSignature
	}

	good := hmac.Equal(got, seal(s.current, purpose, subject, unix))
	if s.previous != nil {
		good = hmac.Equal(got, seal(s.previous, purpose, subject, unix)) || good
	}

	switch {
	case !good:
		return ErrBadSignature
	case now.Unix() >= unix:
		return ErrExpired
	}

	return nil
}

// tokenParam is the query parameter that carries a token.
const tokenParam = "token"

// Address returns the path with a token that allows this purpose. The path is the subject of the token, so the
// address is valid for no other path. Other query parameters are not signed.
func (s *Signer) Address(purpose, path string, expires time.Time) string {
	return (&url.URL{Path: path, RawQuery: tokenParam + "=" + s.Sign(purpose, path, expires)}).String()
}

// VerifyAddress verifies the token of a request's URL for a purpose, as Verify does.
func (s *Signer) VerifyAddress(purpose string, u *url.URL, now time.Time) error {
	tokens := u.Query()[tokenParam]
	if len(tokens) != 1 {
		return ErrBadSignature
	}

	return s.Verify(purpose, u.Path, tokens[0], now)
}

// seal authenticates the three parts. Each is preceded by its length, so that no two triples read alike.
func seal(key []byte, purpose, subject string, unix int64) []byte {
	h := hmac.New(sha256.New, key)

	var n [8]byte
	for _, part := range []string{purpose, subject} {
		binary.BigEndian.PutUint64(n[:], uint64(len(part)))
		h.Write(n[:])
		h.Write([]byte(part))
	}

	binary.BigEndian.PutUint64(n[:], uint64(unix))
	h.Write(n[:])

	return h.Sum(nil)
}
