package upload

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// FuzzTusHeaders uses arbitrary text as the headers of a piece: an accepted piece lies within the upload.
func FuzzTusHeaders(f *testing.F) {
	for _, s := range []struct {
		offset, length, kind string
		declared, known      int64
	}{
		{"0", "", tusPiece, 10, -1},
		{"5", "10", tusPiece, 5, -1},
		{"5", "10", tusPiece, 6, 10},
		{"-1", "+1", tusPiece, -1, 10},
		{"9223372036854775807", "9223372036854775807", tusPiece, 1, -1},
		{"0x10", "1e3", tusPiece, 0, 0},
		{"0", "0", "text/plain", 0, 0},
	} {
		f.Add(s.offset, s.length, s.kind, s.declared, s.known)
	}

	f.Fuzz(func(t *testing.T, offset, length, kind string, declared, known int64) {
		s := &Server{UploadMax: 1 << 20}
		src := &ent.Source{Status: values.SourceStatusUploading}

		if known >= 0 {
			known %= s.UploadMax + 1
			src.UploadLength = &known
		}

		r := httptest.NewRequest(http.MethodPatch, "/uploads/src_1", nil)
		r.ContentLength = declared
		r.Header["Content-Type"], r.Header[tusOffset], r.Header[tusLength] = []string{kind}, []string{offset}, []string{length}

		p, err := s.readPiece(r, src)
		if err != nil {
			require.Zero(t, p)

			return
		}

		require.GreaterOrEqual(t, p.offset, int64(0))
		require.GreaterOrEqual(t, p.room, int64(0))
		require.LessOrEqual(t, declared, p.room)

		if p.room > 0 {
			require.LessOrEqual(t, p.offset+p.room, s.UploadMax)
		}

		if p.length != nil {
			require.LessOrEqual(t, *p.length, s.UploadMax)
			require.True(t, known < 0 || *p.length == known)
		}
	})
}
