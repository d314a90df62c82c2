// Package static serves files that are part of the binary. Their addresses contain a hash of their content, so that
// browsers may cache them forever. They are compressed on the first request.
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

// File is a file with a content type. The content at its address never changes.
type File struct {
	// Address is empty for a File made by New, which has no fixed path.
	Address string

	kind, etag   string
	content      []byte
	gzip, brotli func() []byte
}

// New returns a File with the given content. kind is the content type.
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

// At returns a file that is served below a prefix, which must end with a slash. The address contains a hash of the
// content.
func At(prefix, name string, content []byte) File {
	f := New(content, kindOf(name))
	f.Address = prefix + f.etag + "/" + path.Base(name)

	return f
}

// Packed returns a file whose address already contains a hash of its content, and that was compressed when it was built.
// A coding that is nil is made on the first request.
func Packed(address string, content, gzip, brotli []byte) File {
	f := New(content, kindOf(address))
	f.Address = address

	if gzip != nil {
		f.gzip = func() []byte { return gzip }
	}

	if brotli != nil {
		f.brotli = func() []byte { return brotli }
	}

	return f
}

// kindOf returns the content type of a file by its name.
func kindOf(name string) string {
	kind := mime.TypeByExtension(path.Ext(name))

	switch {
	case path.Ext(name) == ".woff2": // not every system knows this type
		return "font/woff2"
	case kind == "":
		return "text/plain; charset=utf-8"
	default:
		return kind
	}
}

// PackedSize returns the size of the file after gzip compression, in bytes.
func (f File) PackedSize() int { return len(f.gzip()) }

// Serve sends the file with a content encoding that the client accepts, or responds with 304 if the client already
// has it. Each encoding has its own entity tag, and If-None-Match may contain any of them.
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

	_, _ = w.Write(content) // nothing can be reported to a client that is gone
}

// tag returns the entity tag of the file in a coding.
func (f File) tag(coding compress.Coding) string {
	if coding == compress.Identity {
		return `"` + f.etag + `"`
	}

	return `"` + f.etag + "-" + string(coding) + `"`
}

// known reports whether If-None-Match names the file in any coding.
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

// Forever sets a header that allows clients to cache the response forever. Use it for addresses that contain a hash
// of the content.
func Forever(h http.Header) { h.Set("Cache-Control", "public, max-age=31536000, immutable") }
