package webhook

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	secretPrefix = "whsec_"
	secretBytes  = 32
)

// PreviousSigns is how long the secret before a rotation signs beside the new one.
const PreviousSigns = 24 * time.Hour

// ErrSecret is returned for a signing secret that is not `whsec_` and base64.
var ErrSecret = errors.New("webhook: a signing secret is whsec_ and at least 32 bytes in base64")

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
