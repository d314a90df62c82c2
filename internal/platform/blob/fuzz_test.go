package blob_test

import (
	"bytes"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/platform/blob"
)

// FuzzAddress uses arbitrary text as a signed address: only the signed one is accepted, and only with the exact
// token.
func FuzzAddress(f *testing.F) {
	signer, err := blob.NewSigner(bytes.Repeat([]byte("s"), 32), bytes.Repeat([]byte("p"), 32))
	require.NoError(f, err)

	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	good := signer.Address("upload", "/uploads/src_1", now.Add(time.Hour))
	token := good[strings.Index(good, "token=")+len("token="):]

	for _, seed := range []string{"", good, good + "&token=1", good + "A", "/uploads/src_2?token=" + token, "/uploads/src_1?token=99999999999." + token[11:]} {
		f.Add(seed)
	}

	f.Fuzz(func(t *testing.T, address string) {
		u, err := url.Parse(address)
		if err != nil {
			return
		}

		if signer.VerifyAddress("upload", u, now) == nil {
			require.Equal(t, "/uploads/src_1", u.Path)
			require.Equal(t, []string{token}, u.Query()["token"])
		}

		require.ErrorIs(t, signer.VerifyAddress("download", u, now), blob.ErrBadSignature)
	})
}
