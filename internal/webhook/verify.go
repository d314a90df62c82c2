package webhook

import (
	"crypto/hmac"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/reelgraph/reelgraph/internal/video/values"
)

// tolerance is how far a delivery's clock may be from the receiver's.
const tolerance = 5 * time.Minute

// ErrForged is returned for a delivery that the holder of the secret did not sign, or signed long ago.
var ErrForged = errors.New("webhook: the signature is invalid")

// Verify checks a delivery as its receiver should, before it believes a word of it: the signature of
// the hook-* headers over the exact bytes of the body, and the time.
func Verify(header http.Header, body []byte, secret string, now time.Time) error {
	key, err := signingKey(secret)
	if err != nil {
		return err
	}

	id, timestamp := header.Get("Hook-Id"), header.Get("Hook-Timestamp")

	if timestamp == "" {
		return fmt.Errorf("%w: the hook-timestamp header is missing", ErrForged)
	}

	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil {
		return fmt.Errorf("%w: hook-timestamp is not a Unix time in seconds", ErrForged)
	}

	if age := now.Sub(time.Unix(seconds, 0)); age > tolerance || age < -tolerance {
		return fmt.Errorf("%w: it was signed %s ago", ErrForged, age.Round(time.Second))
	}

	wanted := []byte("v1," + signature(key, id, timestamp, body))

	for given := range strings.FieldsSeq(header.Get("Hook-Signature")) {
		if hmac.Equal([]byte(given), wanted) {
			return nil
		}
	}

	return ErrForged
}

// KindOf reads the type of a verified delivery.
func KindOf(body []byte) (values.EventType, error) {
	var event struct {
		Type values.EventType `json:"type"`
	}

	if err := json.Unmarshal(body, &event); err != nil {
		return "", fmt.Errorf("webhook: read the body: %w", err)
	}

	return event.Type, nil
}
