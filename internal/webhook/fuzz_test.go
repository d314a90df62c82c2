package webhook_test

import (
	"bytes"
	"encoding/base64"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/webhook"
)

// FuzzVerify uses arbitrary text as a delivery: only a signed one is accepted.
func FuzzVerify(f *testing.F) {
	secret := "whsec_" + base64.StdEncoding.EncodeToString(bytes.Repeat([]byte("k"), 32))
	now, body := time.Unix(1_700_000_000, 0), []byte(`{"type":"video.created"}`)
	good, err := webhook.Sign("msg_1", now, body, secret)
	require.NoError(f, err)

	signature := good.Get("hook-signature")

	for _, s := range []struct{ secret, id, at, signature, body string }{
		{secret, "msg_1", "1700000000", signature, string(body)},
		{secret, "msg_1", "1700000000", "v1,x v2,y " + signature, string(body)},
		{secret, "msg_1", "9223372036854775807", signature, string(body)},
		{"whsec_", "", "", "", ""},
		{"whsec_====", "a.b", "-1", "v1,", "\x00"},
	} {
		f.Add(s.secret, s.id, s.at, s.signature, []byte(s.body))
	}

	f.Fuzz(func(t *testing.T, given, id, at, signed string, content []byte) {
		h := http.Header{"Hook-Id": {id}, "Hook-Timestamp": {at}, "Hook-Signature": {signed}}

		if webhook.Verify(h, content, given, now) != nil {
			return
		}

		if given == secret {
			require.Equal(t, "msg_1", id)
			require.Equal(t, "1700000000", at)
			require.True(t, bytes.Equal(body, content))
		}

		_, _ = webhook.KindOf(content)
	})
}
