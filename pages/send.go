package pages

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"strings"
	"sync"
)

// worthPacking is how large an answer is that is sent packed.
const worthPacking = 1 << 10

var packers = sync.Pool{New: func() any {
	w, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // a level there is

	return w
}}

// send answers, packed to whoever takes it so. Headers are set before.
func send(w http.ResponseWriter, r *http.Request, status int, kind string, body []byte) {
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Add("Vary", "Accept-Encoding")

	if len(body) >= worthPacking && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")

		body = packed(body)
	}

	w.WriteHeader(status)

	if r.Method != http.MethodHead {
		_, _ = w.Write(body) //nolint:gosec // HTML is from templates, which escape; nothing else is taken for it
	}
}

func packed(body []byte) []byte {
	var b bytes.Buffer

	w, _ := packers.Get().(*gzip.Writer)
	defer packers.Put(w)

	w.Reset(&b)
	_, _ = w.Write(body) // a buffer takes everything
	_ = w.Close()

	return b.Bytes()
}
