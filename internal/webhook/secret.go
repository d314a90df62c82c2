package webhook

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/reelgraph/reelgraph/internal/video/values"
)

const (
	secretPrefix = "whsec_"
	secretBytes  = 32
)

const (
	// EarlierSigns is how long a secret keeps signing after it was rotated.
	EarlierSigns = 24 * time.Hour

	// MostEarlier is how many earlier secrets may sign beside the current one. When that many do, a secret cannot be
	// rotated.
	MostEarlier = 5
)

// Earlier returns those replaced secrets of an endpoint that must still sign deliveries, the latest first. kept holds
// all replaced secrets of the endpoint. latest is the replaced secret that the previous server version stored in a
// column of its own, or nil. kept may also contain it.
func Earlier(kept []values.EarlierSecret, latest *values.EarlierSecret, now time.Time) []values.EarlierSecret {
	all := slices.Clone(kept)

	if latest != nil && !slices.ContainsFunc(all, func(s values.EarlierSecret) bool {
		return bytes.Equal(s.Sealed, latest.Sealed)
	}) {
		all = slices.Insert(all, 0, *latest)
	}

	return slices.DeleteFunc(all, func(s values.EarlierSecret) bool { return !now.Before(s.ExpiresAt) })
}

// ErrSecret is returned for a signing secret that is not `whsec_` followed by at least 32 bytes in base64.
var ErrSecret = errors.New("webhook: a signing secret must be whsec_ followed by at least 32 bytes in base64")

// NewSecret creates an endpoint's signing secret: `whsec_` and 32 random bytes in base64.
func NewSecret() string {
	var key [secretBytes]byte

	_, _ = rand.Read(key[:]) // cannot fail: the runtime stops the program instead

	return secretPrefix + base64.StdEncoding.EncodeToString(key[:])
}

// Sign returns the headers of one attempt, signed with each of the secrets, the current one first. Each header is set
// twice: as `hook-*`, and as `webhook-*` for verifiers that follow the Standard Webhooks specification. at is the
// time of this attempt, so every retry gets a new signature.
func Sign(id string, at time.Time, body []byte, secrets ...string) (http.Header, error) {
	if len(secrets) == 0 {
		return nil, fmt.Errorf("sign %s: %w", id, ErrSecret)
	}

	timestamp := strconv.FormatInt(at.Unix(), 10)

	signatures := make([]string, len(secrets))
	for i, secret := range secrets {
		key, err := signingKey(secret)
		if err != nil {
			return nil, fmt.Errorf("sign %s: %w", id, err)
		}

		signatures[i] = "v1," + signature(key, id, timestamp, body)
	}

	header := make(http.Header, 6)
	for _, family := range []string{"hook-", "webhook-"} {
		header.Set(family+"id", id)
		header.Set(family+"timestamp", timestamp)
		header.Set(family+"signature", strings.Join(signatures, " "))
	}

	return header, nil
}

func signature(key []byte, id, timestamp string, body []byte) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)

	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// CheckSecret returns ErrSecret if the secret is not valid for signing.
func CheckSecret(secret string) error {
	_, err := signingKey(secret)

	return err
}

func signingKey(secret string) ([]byte, error) {
	encoded, ok := strings.CutPrefix(secret, secretPrefix)
	if !ok {
		return nil, ErrSecret
	}

	key, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil || len(key) < secretBytes {
		return nil, ErrSecret
	}

	return key, nil
}
