package idempotency

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzKey uses arbitrary text as an Idempotency-Key: an accepted key is printable and bounded, and is the same key
// when quoted.
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
