package webhook_test

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/platform/outbound"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/webhook"
)

// loopback returns a client that may reach receivers of the test.
func loopback(t *testing.T) *http.Client {
	t.Helper()

	client := outbound.NewClient(outbound.NewTargets(netip.MustParsePrefix("127.0.0.0/8")))
	t.Cleanup(client.CloseIdleConnections)

	return client
}

func request(url string) webhook.Request {
	return webhook.Request{
		At: time.Now(), Body: []byte(`{"type":"video.created"}`), ID: "msg_1", Secrets: []string{webhook.NewSecret()}, URL: url,
	}
}

func receiver(t *testing.T, handler http.HandlerFunc) string {
	t.Helper()

	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)

	return server.URL
}

func send(t *testing.T, client *http.Client, request webhook.Request) webhook.Outcome {
	t.Helper()

	outcome, err := webhook.Send(t.Context(), client, request)
	require.NoError(t, err)

	return outcome
}

func TestSendDelivers(t *testing.T) {
	t.Parallel()

	type received struct {
		body   []byte
		header http.Header
		method string
	}

	got := make(chan received, 1)
	url := receiver(t, func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			w.WriteHeader(http.StatusInternalServerError)
		}

		got <- received{body, r.Header, r.Method}

		_, _ = io.WriteString(w, "thanks")
	})
	req := request(url + "/hook")
	outcome := send(t, loopback(t), req)

	require.True(t, outcome.Succeeded())
	require.Equal(t, 200, outcome.Status)
	require.Equal(t, "thanks", outcome.Body)
	require.Positive(t, outcome.Duration)

	message := <-got
	require.Equal(t, http.MethodPost, message.method)
	require.Equal(t, req.Body, message.body)
	require.Equal(t, "application/json", message.header.Get("Content-Type"))
	require.Equal(t, "Reelgraph-Webhooks/1", message.header.Get("User-Agent"))

	verifier, err := standardwebhooks.NewWebhook(req.Secrets[0])
	require.NoError(t, err)
	require.NoError(t, verifier.Verify(message.body, message.header))
	require.NoError(t, verifier.Verify(message.body, renamed(message.header, "hook-")))
}

func TestSendClassifiesAnswers(t *testing.T) {
	t.Parallel()

	client := loopback(t)

	for status, fault := range map[int]values.AttemptError{
		200: webhook.FaultNone,
		202: webhook.FaultNone,
		204: webhook.FaultNone,
		301: values.AttemptErrorRedirect,
		304: values.AttemptErrorRedirect,
		308: values.AttemptErrorRedirect,
		400: values.AttemptErrorStatus,
		410: values.AttemptErrorStatus,
		500: values.AttemptErrorStatus,
		503: values.AttemptErrorStatus,
	} {
		var hits atomic.Int64

		url := receiver(t, func(w http.ResponseWriter, _ *http.Request) {
			hits.Add(1)
			w.Header().Set("Location", "/elsewhere")
			w.WriteHeader(status)
		})
		outcome := send(t, client, request(url))
		require.Equal(t, fault, outcome.Fault, status)
		require.Equal(t, status, outcome.Status)
		require.EqualValues(t, 1, hits.Load(), status)
	}
}

func TestSendClassifiesFailures(t *testing.T) {
	t.Parallel()

	plain := receiver(t, func(http.ResponseWriter, *http.Request) {})
	broken := receiver(t, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	selfSigned := httptest.NewUnstartedServer(http.NotFoundHandler())
	selfSigned.Config.ErrorLog = nil
	selfSigned.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
	selfSigned.StartTLS()
	t.Cleanup(selfSigned.Close)

	free, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, free.Close())

	client := loopback(t)
	for url, fault := range map[string]values.AttemptError{
		"http://" + free.Addr().String(): values.AttemptErrorConnect,
		broken:                           values.AttemptErrorConnect,
		"http://no..such.invalid/":       values.AttemptErrorDNS,
		selfSigned.URL:                   values.AttemptErrorTLS,
		strings.Replace(plain, "http", "https", 1): values.AttemptErrorTLS,
		"http://10.0.0.1/":                         values.AttemptErrorBlocked,
		"http://[::1]:8080/":                       values.AttemptErrorBlocked,
		"http://127.0.0.1:22/":                     values.AttemptErrorBlocked,
	} {
		outcome := send(t, client, request(strings.TrimSuffix(url, "/")+"/T0KEN"))
		require.Equal(t, fault, outcome.Fault, "%s: %v", url, outcome.Cause)
		require.Error(t, outcome.Cause)
		require.NotContains(t, outcome.Cause.Error(), "T0KEN", "it is logged")
		require.Zero(t, outcome.Status)
	}
}

func TestClientChecksWhatTheNameResolvesTo(t *testing.T) {
	t.Parallel()

	var hits atomic.Int64

	url := receiver(t, func(http.ResponseWriter, *http.Request) { hits.Add(1) })
	_, port, err := net.SplitHostPort(strings.TrimPrefix(url, "http://"))
	require.NoError(t, err)

	targets := outbound.NewTargets()

	client := outbound.NewClient(targets)
	for _, host := range []string{"localhost", "127.0.0.1", "0.0.0.0", "[::ffff:127.0.0.1]", "[::]"} {
		outcome := send(t, client, request("http://"+net.JoinHostPort(strings.Trim(host, "[]"), port)))
		require.Equal(t, values.AttemptErrorBlocked, outcome.Fault, host)
	}

	require.Zero(t, hits.Load())

	require.NoError(t, targets.CheckURL("http://localhost:"+port), "a name is checked when it is dialed")
	require.Nil(t, client.Transport.(*http.Transport).Proxy, "proxies of the environment are not used")
}

func TestSendReadsOnlyTheStartOfTheAnswer(t *testing.T) {
	t.Parallel()

	url := receiver(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "\x00\xff"+strings.Repeat("x", 1<<20))
	})
	outcome := send(t, loopback(t), request(url))
	require.True(t, outcome.Succeeded())
	require.LessOrEqual(t, len(outcome.Body), 16<<10)
	require.Greater(t, len(outcome.Body), 16<<10-4)
	require.True(t, utf8.ValidString(outcome.Body))
	require.NotContains(t, outcome.Body, "\x00")
}

func TestSendRetryAfter(t *testing.T) {
	t.Parallel()

	client := loopback(t)
	at := time.Date(2026, time.May, 4, 12, 0, 0, 0, time.UTC)

	for _, row := range []struct {
		status int
		value  string
		want   time.Duration
	}{
		{429, "7", 7 * time.Second},
		{503, "86400", 24 * time.Hour},
		{503, "999999", 24 * time.Hour},
		{503, strings.Repeat("9", 30), 24 * time.Hour},
		{429, "Mon, 04 May 2026 12:10:00 GMT", 10 * time.Minute},
		{429, "Mon, 04 May 2026 11:00:00 GMT", 0},
		{429, "Fri, 04 May 2029 11:00:00 GMT", 24 * time.Hour},
		{429, "-5", 0},
		{429, "1.5", 0},
		{429, "soon", 0},
		{429, "", 0},
		{500, "7", 0},
		{301, "7", 0},
	} {
		url := receiver(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", row.value)
			w.WriteHeader(row.status)
		})
		req := request(url)
		req.At = at
		require.Equal(t, row.want, send(t, client, req).RetryAfter, "%d %q", row.status, row.value)
	}
}

// transport is a network that the test controls.
type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// dripping is a body that never ends.
type dripping <-chan struct{}

func (d dripping) Read([]byte) (int, error) {
	<-d

	return 0, context.Canceled
}
func (dripping) Close() error { return nil }

func TestSendEndsAfterThirtySeconds(t *testing.T) {
	t.Parallel()

	networks := map[string]transport{
		"no answer": func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()

			return nil, r.Context().Err()
		},
		"no end": func(r *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: http.StatusOK, Body: dripping(r.Context().Done())}, nil
		},
	}
	for name, network := range networks {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			synctest.Test(t, func(t *testing.T) {
				outcome := send(t, &http.Client{Transport: network}, request("https://example.com"))
				require.Equal(t, values.AttemptErrorTimeout, outcome.Fault)
				require.Equal(t, 30*time.Second, outcome.Duration)
			})
		})
	}
}

func TestSendReturnsErrorWhenCanceled(t *testing.T) {
	t.Parallel()

	ctx, cancel := context.WithCancelCause(t.Context())
	stopping := errors.New("stopping")
	url := receiver(t, func(http.ResponseWriter, *http.Request) { cancel(stopping) })
	client := &http.Client{Transport: transport(func(r *http.Request) (*http.Response, error) {
		cancel(stopping)
		<-r.Context().Done()

		return nil, r.Context().Err()
	})}
	_, err := webhook.Send(ctx, client, request(url))
	require.ErrorIs(t, err, stopping)

	req := request(url)
	req.Secrets = nil
	_, err = webhook.Send(t.Context(), client, req)
	require.ErrorIs(t, err, webhook.ErrSecret)
}

func TestSendDoesNotUnpack(t *testing.T) {
	t.Parallel()

	url := receiver(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Accepts", strconv.Quote(r.Header.Get("Accept-Encoding")))
		_, _ = io.WriteString(w, w.Header().Get("Accepts"))
	})
	require.Equal(t, `""`, send(t, loopback(t), request(url)).Body)
}
