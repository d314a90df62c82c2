package signedurl_test

import (
	"bytes"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/platform/signedurl"
)

// Addresses made in the same hour of the clock are equal, those of other hours are not, and each is accepted for as long
// as was asked for, and at most an hour more.
func TestSteady(t *testing.T) {
	t.Parallel()

	signer, err := blob.NewSigner(bytes.Repeat([]byte("s"), 32), nil)
	require.NoError(t, err)

	book := signedurl.Book{BaseURL: "https://reel.example", Signer: signer}

	rapid.Check(t, func(t *rapid.T) {
		hour := rapid.Int64Range(400_000, 600_000).Draw(t, "hour") // 2015 to 2038
		within := rapid.Int64Range(0, 3_599_999)
		lasts := time.Duration(rapid.Int64Range(1, 100).Draw(t, "minutes")) * time.Minute
		at := func(hour, ms int64) time.Time { return time.UnixMilli(hour*3_600_000 + ms) }
		address := func(now time.Time) string {
			return book.Still("vid_1", "7", "small", "jpg", signedurl.Steady(now, lasts))
		}

		first, second := at(hour, within.Draw(t, "first")), at(hour, within.Draw(t, "second"))
		require.Equal(t, address(first), address(second))
		require.NotEqual(t, address(first), address(at(hour+1, within.Draw(t, "later"))))

		u, err := url.Parse(address(first))
		require.NoError(t, err)
		require.NoError(t, book.Check(signedurl.Still, u, first))
		require.NoError(t, book.Check(signedurl.Still, u, first.Add(lasts)))
		require.ErrorIs(t, book.Check(signedurl.Still, u, first.Add(lasts+time.Hour)), blob.ErrExpired)
	})
}
