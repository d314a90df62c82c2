package compress

import (
	"bytes"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
)

// packLevel is the Brotli level for content that is sent many times. The highest level takes twenty times as
// long for a few percent.
const packLevel = 9

// Pack compresses content that will be sent many times. It takes more time than Handler to make the result smaller.
func Pack(content []byte, coding Coding) []byte {
	var b bytes.Buffer

	switch coding {
	case Brotli:
		w := brotli.NewWriterLevel(&b, packLevel)
		_, _ = w.Write(content) // writing to a buffer never fails
		_ = w.Close()
	case Gzip:
		w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // the level is valid
		_, _ = w.Write(content)                               // writing to a buffer never fails
		_ = w.Close()
	case Identity:
		return content
	}

	return b.Bytes()
}
