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

// tolerance is the largest difference between the timestamp of a delivery and the receiver's clock.
const tolerance = 5 * time.Minute

// ErrForged is returned for a delivery that was not signed with the secret, or was signed too long ago.
var ErrForged = errors.New("webhook: the signature is invalid")

// Verify checks a delivery. A receiver should call it before using the body. It checks the timestamp, and the
// signature in the hook-* headers, which covers the exact bytes of the body.
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

// KindOf returns the event type in the body of a delivery. Call Verify first.
func KindOf(body []byte) (values.EventType, error) {
	var event struct {
		Type values.EventType `json:"type"`
	}

	if err := json.Unmarshal(body, &event); err != nil {
		return "", fmt.Errorf("webhook: read the body: %w", err)
	}

	return event.Type, nil
}
