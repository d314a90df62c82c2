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
	// EarlierSigns is how long a secret signs after its own rotation.
	EarlierSigns = 24 * time.Hour

	// MostEarlier is how many earlier secrets sign beside the current one. While that many do, a secret cannot
	// be rotated.
	MostEarlier = 5
)

// Earlier are the secrets that were rotated away and still sign, the latest first. kept are those of an endpoint;
// latest is what the version before kept of them, in a column of its own: one of them, or one more.
func Earlier(kept []values.EarlierSecret, latest *values.EarlierSecret, now time.Time) []values.EarlierSecret {
	all := slices.Clone(kept)

	if latest != nil && !slices.ContainsFunc(all, func(s values.EarlierSecret) bool {
		return bytes.Equal(s.Sealed, latest.Sealed)
	}) {
		all = slices.Insert(all, 0, *latest)
	}

	return slices.DeleteFunc(all, func(s values.EarlierSecret) bool { return !now.Before(s.ExpiresAt) })
}

// ErrSecret is returned for a signing secret that is not `whsec_` and base64.
var ErrSecret = errors.New("webhook: a signing secret must be whsec_ followed by at least 32 bytes in base64")

// NewSecret makes an endpoint's signing secret: `whsec_` and 32 random bytes in base64.
func NewSecret() string {
	var key [secretBytes]byte
	_, _ = rand.Read(key[:]) // never fails: the runtime stops the program first
	return secretPrefix + base64.StdEncoding.EncodeToString(key[:])
}

// Sign answers the headers of one attempt, signed with each of the secrets, the current one
// first. Every value goes out under `hook-*` and, for stock Standard Webhooks verifiers,
// under `webhook-*`. At is the time of this attempt, so a retry is signed anew.
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

// CheckSecret returns ErrSecret for what nothing can be signed with.
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
