package webhook_test

import (
	"encoding/base64"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/webhook"
)

func TestNewSecret(t *testing.T) {
	t.Parallel()

	secret := webhook.NewSecret()
	encoded, ok := strings.CutPrefix(secret, "whsec_")
	require.True(t, ok)

	key, err := base64.StdEncoding.DecodeString(encoded)
	require.NoError(t, err)
	require.Len(t, key, 32)
	require.NotEqual(t, secret, webhook.NewSecret())
}

// renamed returns the headers of one family under the names of Standard Webhooks.
func renamed(header http.Header, family string) http.Header {
	out := make(http.Header)
	for _, name := range []string{"id", "timestamp", "signature"} {
		out.Set("webhook-"+name, header.Get(family+name))
	}

	return out
}

func TestSignVerifiesWithTheStandardLibrary(t *testing.T) {
	t.Parallel()

	current, previous := webhook.NewSecret(), webhook.NewSecret()
	body := []byte(`{"type":"video.created","name":"é & <b>"}`)
	header, err := webhook.Sign("msg_1", time.Now(), body, current, previous)
	require.NoError(t, err)
	require.Len(t, header, 6)
	require.Len(t, strings.Fields(header.Get("hook-signature")), 2)

	for _, family := range []string{"hook-", "webhook-"} {
		for _, secret := range []string{current, previous} {
			verifier, err := standardwebhooks.NewWebhook(secret)
			require.NoError(t, err)
			require.NoError(t, verifier.Verify(body, renamed(header, family)))
			require.Error(t, verifier.Verify(append(body, ' '), renamed(header, family)))
		}

		stranger, err := standardwebhooks.NewWebhook(webhook.NewSecret())
		require.NoError(t, err)
		require.Error(t, stranger.Verify(body, renamed(header, family)))
	}
}

func TestSignKnownVector(t *testing.T) {
	t.Parallel()

	// Computed with openssl, so that neither our code nor the verifier's checks itself.
	secret := "whsec_" + base64.StdEncoding.EncodeToString([]byte("0123456789abcdef0123456789abcdef"))
	header, err := webhook.Sign("msg_p5jXN8AQM9LWM0D4loKWxJek", time.Unix(1614265330, 999_000_000), []byte(`{"test": 2432232314}`), secret)
	require.NoError(t, err)
	require.Equal(t, "1614265330", header.Get("hook-timestamp"))
	require.Equal(t, "msg_p5jXN8AQM9LWM0D4loKWxJek", header.Get("hook-id"))
	require.Equal(t, "v1,hK4CWvngkaAwjY1pABLuUbOIkEJjW9tAapq1no4ojG0=", header.Get("hook-signature"))
}

func TestSignRefusesMalformedSecrets(t *testing.T) {
	t.Parallel()

	short := "whsec_" + base64.StdEncoding.EncodeToString(make([]byte, 16))
	for _, secret := range []string{"", "whsec_", "whsec_!", short, strings.TrimPrefix(webhook.NewSecret(), "whsec_")} {
		_, err := webhook.Sign("msg_1", time.Now(), nil, secret)
		require.ErrorIs(t, err, webhook.ErrSecret, secret)
	}

	_, err := webhook.Sign("msg_1", time.Now(), nil)
	require.ErrorIs(t, err, webhook.ErrSecret)
}

func TestEarlier(t *testing.T) {
	t.Parallel()

	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	secret := func(name string, hours int) values.EarlierSecret {
		return values.EarlierSecret{Sealed: []byte(name), ExpiresAt: now.Add(time.Duration(hours) * time.Hour)}
	}
	latest := secret("latest", 3)
	over := secret("over", 0)

	for _, c := range []struct {
		kept   []values.EarlierSecret
		latest *values.EarlierSecret
		want   []values.EarlierSecret
	}{
		{nil, nil, nil},
		{nil, &latest, []values.EarlierSecret{latest}},
		{nil, &over, nil},
		{[]values.EarlierSecret{latest, secret("a", 2)}, &latest, []values.EarlierSecret{latest, secret("a", 2)}},
		{[]values.EarlierSecret{secret("a", 2), secret("b", 0), secret("c", -1)}, &latest, []values.EarlierSecret{latest, secret("a", 2)}},
	} {
		kept := slices.Clone(c.kept)
		require.ElementsMatch(t, c.want, webhook.Earlier(c.kept, c.latest, now))
		require.Equal(t, kept, c.kept, "the kept list is unchanged")
	}
}
