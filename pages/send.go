package pages

import (
	"net/http"
	"strconv"
)

// send writes a response. Headers must be set before. Package compress compresses it.
func send(w http.ResponseWriter, r *http.Request, status int, kind string, body []byte) {
	h := w.Header()
	h.Set("Content-Length", strconv.Itoa(len(body)))
	h.Set("Content-Type", kind)
	h.Set("X-Content-Type-Options", "nosniff")

	w.WriteHeader(status)

	if r.Method != http.MethodHead {
		_, _ = w.Write(body) //nolint:gosec // HTML comes from templates, which escape; nosniff protects other types
	}
}
