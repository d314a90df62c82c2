// Package idempotency makes it safe to repeat a request. It stores the first response in the same transaction as the
// changes that the request made, so that either both exist or neither. A repeated request gets the stored response.
package idempotency

import (
	"crypto/sha256"
	"encoding/binary"
	"net/http"
	"strings"

	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
)

// The headers of a repeatable request and of its replayed answer.
const (
	Header         = "Idempotency-Key"
	ReplayedHeader = "Idempotency-Replayed"
)

const maxKey = 255

// Request holds the parts of a request. A request counts as a repeat of an earlier one only if all parts are equal.
type Request struct {
	Key         string
	Method      string
	Path        string
	RawQuery    string
	ContentType string
	Body        []byte
}

// FromHTTP returns the Request of an HTTP request with an Idempotency-Key. It returns nil if the header is missing,
// and fault.BadRequest if the header is malformed. body is the request's body, which the caller has already read.
func FromHTTP(r *http.Request, body []byte) (*Request, error) {
	values := r.Header.Values(Header)
	if len(values) == 0 {
		return nil, nil //nolint:nilnil // a request without a key is valid
	}

	key, ok := parseKey(values)
	if !ok {
		return nil, malformed(Header)
	}

	return &Request{
		Key: key, Method: r.Method, Path: r.URL.Path, RawQuery: r.URL.RawQuery,
		ContentType: r.Header.Get("Content-Type"), Body: body,
	}, nil
}

// FromMessage returns the Request of a mutation that arrived in a message, for example on a websocket. key is the
// idempotency key in the message. A POST of the same mutation to path gives an equal Request. If the key is
// malformed, FromMessage returns fault.BadRequest. Its text contains named, the name of the field that holds the key.
func FromMessage(key, named, path string, message []byte) (*Request, error) {
	plain, ok := parseKey([]string{key})
	if !ok {
		return nil, malformed(named)
	}

	return &Request{Key: plain, Method: http.MethodPost, Path: path, ContentType: "application/json", Body: message}, nil
}

func malformed(named string) error {
	return fault.BadRequest(named + " must be 1 to 255 printable ASCII characters, bare or as one quoted string.")
}

// parseKey accepts the bare form and the string form of a structured field. Both name the same key.
func parseKey(values []string) (string, bool) {
	if len(values) != 1 {
		return "", false
	}

	key := strings.Trim(values[0], " \t")

	if strings.HasPrefix(key, `"`) {
		var ok bool
		if key, ok = unquote(key); !ok {
			return "", false
		}
	}

	for _, c := range []byte(key) {
		if c < ' ' || c > '~' {
			return "", false
		}
	}

	return key, key != "" && len(key) <= maxKey
}

func unquote(s string) (string, bool) {
	var b strings.Builder

	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '"':
			return b.String(), i == len(s)-1
		case '\\':
			i++
			if i == len(s) || s[i] != '"' && s[i] != '\\' {
				return "", false
			}
		}

		b.WriteByte(s[i])
	}

	return "", false
}

// identity is the key under which a Request is stored and locked.
type identity struct {
	viewer      auth.Viewer
	scope       []byte // hash of user, workspace, method, path and key
	fingerprint []byte // hash of query, content type and body
}

func (r *Request) identity(v auth.Viewer) identity {
	return identity{
		viewer:      v,
		scope:       digest(v.UserID, v.WorkspaceID, r.Method, r.Path, r.Key),
		fingerprint: digest(r.RawQuery, r.ContentType, string(r.Body)),
	}
}

// lock returns the number of the advisory lock. Two scopes that share a number wait for each other.
func (i identity) lock() int64 {
	return int64(binary.BigEndian.Uint64(i.scope))
}

// digest hashes the parts with their lengths, so that no two lists of parts give the same hash.
func digest(parts ...string) []byte {
	h := sha256.New()

	for _, p := range parts {
		_, _ = h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(p))))
		_, _ = h.Write([]byte(p))
	}

	return h.Sum(nil)
}
