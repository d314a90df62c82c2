package router

import (
	"net/http"
	"strconv"
)

func writeJSON(w http.ResponseWriter, status int, body []byte) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)

	_, _ = w.Write(body) // nothing can be reported to a client that is gone
}
