package middleware

import (
	"context"
	"crypto/rand"
	"net/http"
)

// RequestIDHeader is the header that links a response to our log.
const RequestIDHeader = "X-Request-Id"

const maxRequestID = 128

type requestIDKey struct{}

// RequestID returns the id of the request that the context belongs to. It is empty outside a request.
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)

	return id
}

// Identify gives every request an id and returns the id in a header. It uses the id that the caller sent if that is
// well-formed.
func Identify(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := r.Header.Get(RequestIDHeader) //nolint:canonicalheader // as the contract spells it
		if !wellFormed(id) {
			id = rand.Text()
		}

		w.Header().Set(RequestIDHeader, id) //nolint:canonicalheader // as the contract spells it
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), requestIDKey{}, id)))
	})
}

func wellFormed(id string) bool {
	for _, c := range []byte(id) {
		if c != '.' && c != '_' && c != '-' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return false
		}
	}

	return id != "" && len(id) <= maxRequestID
}
