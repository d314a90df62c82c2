// Package static holds files that come with the binary and are sent as they are: under an address that
// names their content, so that browsers keep them for good, and packed when they are first asked for.
package static

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"mime"
	"net/http"
	"path"
	"strings"
	"sync"
)

// File is content of one type that never changes under its address.
type File struct {
	// Address is empty for a File of New, which has no place of its own.
	Address string

	kind, etag string
	content    []byte
	packed     func() []byte
}

// New makes a file of a content type.
func New(content []byte, kind string) File {
	sum := sha256.Sum256(content)

	return File{
		kind: kind, etag: `"` + hex.EncodeToString(sum[:8]) + `"`, content: content,
		packed: sync.OnceValue(func() []byte { return pack(content) }),
	}
}

// At makes a file below a prefix that ends in a slash; its content is a part of its address.
func At(prefix, name string, content []byte) File {
	kind := mime.TypeByExtension(path.Ext(name))
	if kind == "" {
		kind = "text/plain; charset=utf-8"
	}

	f := New(content, kind)
	f.Address = prefix + strings.Trim(f.etag, `"`) + "/" + path.Base(name)

	return f
}

// PackedSize is how many bytes travel when the file is sent packed.
func (f File) PackedSize() int { return len(f.packed()) }

// pack compresses a file when it is first asked for: much of what is there never is.
func pack(content []byte) []byte {
	var b bytes.Buffer

	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // a level there is
	_, _ = w.Write(content)                               // a buffer takes everything
	_ = w.Close()

	return b.Bytes()
}

// Serve sends the file, packed to whoever takes it so, or says that it has not changed.
func (f File) Serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", f.kind)
	h.Set("ETag", f.etag)
	h.Set("Vary", "Accept-Encoding")
	h.Set("X-Content-Type-Options", "nosniff")

	if strings.Contains(r.Header.Get("If-None-Match"), f.etag) {
		w.WriteHeader(http.StatusNotModified)

		return
	}

	content := f.content

	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		content = f.packed()
		h.Set("Content-Encoding", "gzip")
	}

	if r.Method == http.MethodHead {
		return
	}

	_, _ = w.Write(content) // whoever no longer reads needs no answer
}

// Forever says that a file may be kept for good, as one that has an address may.
func Forever(h http.Header) { h.Set("Cache-Control", "public, max-age=31536000, immutable") }
