// Package static holds files that come with the binary and are sent as they are: under an address that
// names their content, so that browsers keep them for good, and compressed when they are first asked for.
package static

import (
	"crypto/sha256"
	"encoding/hex"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"

	"github.com/reelgraph/reelgraph/internal/platform/compress"
)

// File is content of one type that never changes under its address.
type File struct {
	// Address is empty for a File of New, which has no place of its own.
	Address string

	kind, etag   string
	content      []byte
	gzip, brotli func() []byte
}

// New makes a file of a content type.
func New(content []byte, kind string) File {
	sum := sha256.Sum256(content)
	pack := func(coding compress.Coding) func() []byte {
		return sync.OnceValue(func() []byte { return compress.Pack(content, coding) })
	}

	return File{
		kind: kind, etag: hex.EncodeToString(sum[:8]), content: content,
		gzip: pack(compress.Gzip), brotli: pack(compress.Brotli),
	}
}

// At makes a file below a prefix that ends in a slash; its content is a part of its address.
func At(prefix, name string, content []byte) File {
	kind := mime.TypeByExtension(path.Ext(name))

	switch {
	case path.Ext(name) == ".woff2": // not every system knows it
		kind = "font/woff2"
	case kind == "":
		kind = "text/plain; charset=utf-8"
	}

	f := New(content, kind)
	f.Address = prefix + f.etag + "/" + path.Base(name)

	return f
}

// PackedSize is how many bytes travel when the file is sent with gzip.
func (f File) PackedSize() int { return len(f.gzip()) }

// Serve sends the file, compressed as the client accepts it, or says that it has not changed. Each coding has an entity
// tag of its own; any of them says that the client has the file.
func (f File) Serve(w http.ResponseWriter, r *http.Request) {
	coding := compress.Identity
	if len(f.content) >= compress.Least && compress.IsText(f.kind) {
		coding = compress.Negotiate(r.Header, compress.Brotli, compress.Gzip)
	}

	h := w.Header()
	h.Set("Content-Type", f.kind)
	h.Set("ETag", f.tag(coding))
	h.Add("Vary", "Accept-Encoding")
	h.Set("X-Content-Type-Options", "nosniff")

	if f.known(r.Header.Values("If-None-Match")) {
		w.WriteHeader(http.StatusNotModified)

		return
	}

	content := f.content

	switch coding {
	case compress.Brotli:
		content = f.brotli()
	case compress.Gzip:
		content = f.gzip()
	case compress.Identity:
	}

	if coding != compress.Identity {
		h.Set("Content-Encoding", string(coding))
	}

	h.Set("Content-Length", strconv.Itoa(len(content)))

	if r.Method == http.MethodHead {
		return
	}

	_, _ = w.Write(content) // whoever no longer reads needs no answer
}

// tag is the entity tag of the file in a coding.
func (f File) tag(coding compress.Coding) string {
	if coding == compress.Identity {
		return `"` + f.etag + `"`
	}

	return `"` + f.etag + "-" + string(coding) + `"`
}

// known reports whether If-None-Match names the file, in whichever coding.
func (f File) known(lines []string) bool {
	for _, line := range lines {
		for tag := range strings.SplitSeq(line, ",") {
			switch strings.TrimPrefix(strings.TrimSpace(tag), "W/") {
			case "*", f.tag(compress.Identity), f.tag(compress.Gzip), f.tag(compress.Brotli):
				return true
			}
		}
	}

	return false
}

// Forever says that a file may be kept for good, as one that has an address may.
func Forever(h http.Header) { h.Set("Cache-Control", "public, max-age=31536000, immutable") }
