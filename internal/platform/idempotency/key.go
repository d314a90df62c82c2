// Package idempotency makes a repeated request harmless: the answer of the first is stored in the
// transaction of its effect and replayed, so that there is either both or neither.
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

// Request is what makes a repeat the same request.
type Request struct {
	Key         string
	Method      string
	Path        string
	RawQuery    string
	ContentType string
	Body        []byte
}

// FromHTTP returns the Request of a request that carries an Idempotency-Key, nil for one without, and
// fault.BadRequest when the header is malformed. The body has been read already.
func FromHTTP(r *http.Request, body []byte) (*Request, error) {
	values := r.Header.Values(Header)
	if len(values) == 0 {
		return nil, nil //nolint:nilnil // no key is no fault
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

// FromMessage returns the Request of a mutation that came as a message, with the key that stands in it, as
// if it had been sent to a path. named is what the key is called there, for the fault.BadRequest.
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

// parseKey reads the bare form and the string of a structured field; both name the same key.
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

// identity is what a Request is stored and locked under.
type identity struct {
	viewer      auth.Viewer
	scope       []byte // user, workspace, method, path and key
	fingerprint []byte // query, content type and body
}

func (r *Request) identity(v auth.Viewer) identity {
	return identity{
		viewer:      v,
		scope:       digest(v.UserID, v.WorkspaceID, r.Method, r.Path, r.Key),
		fingerprint: digest(r.RawQuery, r.ContentType, string(r.Body)),
	}
}

// lock is the number of the advisory lock: of two scopes that share one, the later waits its turn.
func (i identity) lock() int64 {
	return int64(binary.BigEndian.Uint64(i.scope))
}

// digest hashes the parts with their lengths, so that no two lists of parts read alike.
func digest(parts ...string) []byte {
	h := sha256.New()

	for _, p := range parts {
		_, _ = h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(p))))
		_, _ = h.Write([]byte(p))
	}

	return h.Sum(nil)
}
