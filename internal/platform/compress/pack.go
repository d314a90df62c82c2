package compress

import (
	"bytes"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
)

// packLevel is the level of Brotli for what is sent many times. The highest takes twenty times as long for a few percent.
const packLevel = 9

// Pack compresses content that is kept and sent many times, as small as it gets in reasonable time.
func Pack(content []byte, coding Coding) []byte {
	var b bytes.Buffer

	switch coding {
	case Brotli:
		w := brotli.NewWriterLevel(&b, packLevel)
		_, _ = w.Write(content) // a buffer takes everything
		_ = w.Close()
	case Gzip:
		w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // a level there is
		_, _ = w.Write(content)                               // as above
		_ = w.Close()
	case Identity:
		return content
	}

	return b.Bytes()
}
