package logging_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/account"
	"github.com/reelgraph/reelgraph/internal/analytics"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/platform/keyring"
	"github.com/reelgraph/reelgraph/internal/platform/logging"
	"github.com/reelgraph/reelgraph/internal/platform/middleware"
	"github.com/reelgraph/reelgraph/internal/webhook"
)

// secrets returns, for each kind of secret that the product creates, a text that might be logged and the part that
// must not be.
func secrets(t *testing.T) map[string][2]string {
	t.Helper()

	key, session, hook := auth.NewKey().Plain, account.NewToken(), webhook.NewSecret()

	headers, err := webhook.Sign("msg_1", time.Now(), []byte("{}"), hook)
	require.NoError(t, err)

	signer, err := blob.NewSigner(bytes.Repeat([]byte("s"), 32), nil)
	require.NoError(t, err)

	address := signer.Address("upload", "/uploads/src_1", time.Now().Add(time.Hour))
	_, token, _ := strings.Cut(address, "token=")

	box, err := keyring.NewBox("view tokens", keyring.NewSecret())
	require.NoError(t, err)

	view := analytics.Tokens{Box: box}.Open("vid_1", "", time.Now())
	hash := auth.HashPassword("correct horse")

	return map[string][2]string{
		"key":                {"the key " + key + " is unknown", key[len(auth.KeyPrefix):]},
		"header of a key":    {"Authorization: Bearer " + key, key[len(auth.KeyPrefix):]},
		"any bearer":         {`{"authorization":"Bearer abc.def-ghi"}`, "abc.def-ghi"},
		"basic":              {"authorization: basic dXNlcjpwYXNz", "dXNlcjpwYXNz"},
		"session":            {"Cookie: __Host-reelgraph_session=" + session, session[len("reel_st_"):]},
		"invitation":         {"https://reel.example/invite#reel_iv_" + session[len("reel_st_"):], session[len("reel_st_"):]},
		"welcome":            {"https://reel.example/welcome#reel_wl_" + session[len("reel_st_"):], session[len("reel_st_"):]},
		"password reset":     {"https://reel.example/reset#reel_rs_" + session[len("reel_st_"):], session[len("reel_st_"):]},
		"webhook secret":     {"seal " + hook, hook[len("whsec_"):]},
		"webhook signature":  {headers.Get("hook-signature"), headers.Get("hook-signature")[3:]},
		"signed address":     {"PUT https://reel.example" + address + ": broken pipe", token},
		"view token":         {"POST /playback/" + view, view},
		"database":           {`dial "postgres://reel:hunter2hunter2@db.internal:5432/reel"`, "hunter2hunter2"},
		"database, as words": {"host=db user=reel password=hunter2hunter2 sslmode=require", "hunter2hunter2"},
		"object store":       {"open s3://AKIAEXAMPLE:c2VjcmV0@bucket/prefix", "c2VjcmV0"},
		"presigned":          {"GET https://s3/x?X-Amz-Signature=0123456789abcdef&b=1", "0123456789abcdef"},
		"speech":             {"Post openai+https://sk-abcdef@api.example/v1: refused", "sk-abcdef"},
		"password hash":      {"compare " + hash, hash[len("$argon2id$"):]},
	}
}

func TestScrub(t *testing.T) {
	t.Parallel()

	for name, s := range secrets(t) {
		clean := logging.Scrub(s[0])
		require.NotContains(t, clean, s[1], name)
		require.Contains(t, clean, "[redacted]", name)
	}

	for _, text := range []string{
		"export exp_01JD0000000000000000000000 failed", "GET /v1/videos?cursor=abc", "https://example.com/hook",
		"the bearer of bad news", "basic rules", "reel_ and whsec_ are prefixes", "v1,",
	} {
		require.Equal(t, strings.ReplaceAll(text, "bearer of", "bearer [redacted]"), logging.Scrub(text))
	}
}

// No secret reaches the log, whichever part of an event holds it and in whichever form it is written.
func TestNoSecretIsLogged(t *testing.T) {
	t.Parallel()

	for _, form := range []logging.Form{logging.JSON, logging.Text} {
		for name, s := range secrets(t) {
			var out bytes.Buffer

			log := logging.New(&out, form)
			log.With("with", s[0]).Error(s[0], "text", s[0], "error", errors.New(s[0]), "any", struct{ Inner []string }{[]string{s[0]}},
				slog.Group("group", "deep", s[0]), "valuer", valuer(s[0]))

			require.NotContains(t, out.String(), s[1], "%s as %s", name, form)
			require.GreaterOrEqual(t, strings.Count(out.String(), "[redacted]"), 7, "%s as %s", name, form)
		}
	}
}

type valuer string

func (v valuer) LogValue() slog.Value { return slog.StringValue(string(v)) }

func TestEventsNameTheirRequest(t *testing.T) {
	t.Parallel()

	var out bytes.Buffer

	log := logging.New(&out, logging.JSON).With("node", 1)
	h := middleware.Identify(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		log.InfoContext(r.Context(), "by itself", "count", 3)
		log.InfoContext(r.Context(), "named", "requestId", "another")
		log.Info("nobody's")
		log.Debug("not written")
	}))
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.Header.Set(middleware.RequestIDHeader, "abc-1")
	h.ServeHTTP(httptest.NewRecorder(), r)

	var ids []any

	for line := range strings.Lines(out.String()) {
		var event map[string]any

		require.NoError(t, json.Unmarshal([]byte(line), &event))
		require.Equal(t, "INFO", event["level"])
		require.EqualValues(t, 1, event["node"])

		_, err := time.Parse(time.RFC3339Nano, event["time"].(string))
		require.NoError(t, err)

		ids = append(ids, event["requestId"])
	}

	require.Equal(t, []any{"abc-1", "another", nil}, ids)
}
