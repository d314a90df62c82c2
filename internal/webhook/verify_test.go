package webhook_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/webhook"
)

func TestVerify(t *testing.T) {
	t.Parallel()

	now := time.Unix(1_700_000_000, 0)
	secret, predecessor := webhook.NewSecret(), webhook.NewSecret()
	body := []byte(`{"type":"export.ready"}`)

	header, err := webhook.Sign("msg_1", now, body, secret, predecessor)
	require.NoError(t, err)

	require.NoError(t, webhook.Verify(header, body, secret, now))
	require.NoError(t, webhook.Verify(header, body, predecessor, now), "either signature will do")
	require.NoError(t, webhook.Verify(header, body, secret, now.Add(5*time.Minute)))

	require.ErrorIs(t, webhook.Verify(header, body, webhook.NewSecret(), now), webhook.ErrForged)
	require.ErrorIs(t, webhook.Verify(header, append(body, ' '), secret, now), webhook.ErrForged)
	require.ErrorIs(t, webhook.Verify(header, body, secret, now.Add(6*time.Minute)), webhook.ErrForged)
	require.ErrorIs(t, webhook.Verify(header, body, secret, now.Add(-6*time.Minute)), webhook.ErrForged)
	require.ErrorIs(t, webhook.Verify(header, body, "whsec_short", now), webhook.ErrSecret)

	header.Set("Hook-Id", "msg_2")
	require.ErrorIs(t, webhook.Verify(header, body, secret, now), webhook.ErrForged)

	header.Del("Hook-Timestamp")
	require.ErrorIs(t, webhook.Verify(header, body, secret, now), webhook.ErrForged)
}
