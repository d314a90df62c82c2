package idempotency

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzKey reads anything as an Idempotency-Key: what it takes is printable, bounded, and the same key when
// it is quoted.
func FuzzKey(f *testing.F) {
	for _, seed := range []string{"", "a", `"a"`, `"a\"b\\"`, `"a`, `""`, " x ", "é", strings.Repeat("k", 256), `"\`} {
		f.Add(seed)
	}

	f.Fuzz(func(t *testing.T, value string) {
		r := httptest.NewRequest(http.MethodPost, "/", nil)
		r.Header[Header] = []string{value}

		got, err := FromHTTP(r, nil)
		if err != nil {
			require.Nil(t, got)

			return
		}

		require.Regexp(t, `^[ -~]{1,255}$`, got.Key)

		r.Header[Header] = []string{`"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(got.Key) + `"`}
		again, err := FromHTTP(r, nil)
		require.NoError(t, err)
		require.Equal(t, got.Key, again.Key)
	})
}
