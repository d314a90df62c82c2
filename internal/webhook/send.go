package webhook

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/reelgraph/reelgraph/internal/platform/outbound"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

const (
	// Timeout bounds one attempt, from resolving the name to reading the last byte.
	Timeout = 30 * time.Second

	maxResponseBody = 16 << 10
	maxRetryAfter   = 24 * time.Hour
	userAgent       = "Reelgraph-Webhooks/1"
)

// FaultNone is the value of Outcome.Fault for a successful attempt.
const FaultNone values.AttemptError = ""

// Request describes one attempt. Secrets holds the secrets that are valid now, the current one first. At is the time
// that is included in the signature.
type Request struct {
	At      time.Time
	Body    []byte
	ID      string
	Secrets []string
	URL     string
}

// Outcome is the result of one attempt. Status is 0 if no response came. Body is the start of the response, converted
// to text that any database accepts. RetryAfter is how long a response with status 429 or 503 asked the sender to
// wait, at most a day. Cause is only for the log, because it may contain addresses.
type Outcome struct {
	Body       string
	Cause      error
	Duration   time.Duration
	Fault      values.AttemptError
	RetryAfter time.Duration
	Status     int
}

// Succeeded reports whether the receiver accepted the message.
func (o Outcome) Succeeded() bool { return o.Fault == FaultNone }

// Send makes one attempt and returns its outcome. It never takes longer than Timeout. It returns an error if the
// request could not be created or the caller's context ended. Do not store such an attempt, because it says nothing
// about the receiver.
func Send(ctx context.Context, client *http.Client, request Request) (Outcome, error) {
	start := time.Now()

	var tls handshake

	limited, cancel := context.WithTimeout(tls.trace(ctx, request.URL), Timeout)
	defer cancel()

	req, err := newRequest(limited, request)
	if err != nil {
		return Outcome{}, err
	}

	var outcome Outcome

	answer, err := client.Do(req)
	if err == nil {
		outcome = read(limited, answer, request.At)
	} else {
		outcome = Outcome{Cause: withoutURL(err), Fault: tls.classify(limited, err)}
	}

	if ctx.Err() != nil {
		return Outcome{}, fmt.Errorf("send %s: %w", request.ID, context.Cause(ctx))
	}

	outcome.Duration = time.Since(start)

	return outcome, nil
}

// withoutURL removes the URL from an error. With some receivers the path is a secret.
func withoutURL(err error) error {
	if of, is := errors.AsType[*url.Error](err); is {
		return of.Err
	}

	return err
}

func newRequest(ctx context.Context, request Request) (*http.Request, error) {
	header, err := Sign(request.ID, request.At, request.Body, request.Secrets...)
	if err != nil {
		return nil, err
	}

	req, err := http.NewRequestWithContext(ctx, http.MethodPost, request.URL, bytes.NewReader(request.Body))
	if err != nil {
		return nil, fmt.Errorf("send %s: %w", request.ID, err)
	}

	header.Set("Content-Type", "application/json")
	header.Set("User-Agent", userAgent)
	req.Header = header

	return req, nil
}

func read(ctx context.Context, answer *http.Response, sentAt time.Time) Outcome {
	defer answer.Body.Close() //nolint:errcheck // the answer has been read as far as it matters

	outcome := Outcome{Fault: faultOf(answer.StatusCode), Status: answer.StatusCode}
	if answer.StatusCode == http.StatusTooManyRequests || answer.StatusCode == http.StatusServiceUnavailable {
		outcome.RetryAfter = retryAfter(answer.Header.Get("Retry-After"), sentAt)
	}

	body, err := io.ReadAll(io.LimitReader(answer.Body, maxResponseBody))

	outcome.Body = storable(body)
	if err != nil && ctx.Err() != nil {
		outcome.Cause, outcome.Fault = err, values.AttemptErrorTimeout
	}

	return outcome
}

func faultOf(status int) values.AttemptError {
	switch {
	case status >= 200 && status < 300:
		return FaultNone
	case status >= 300 && status < 400:
		return values.AttemptErrorRedirect
	default:
		return values.AttemptErrorStatus
	}
}

// handshake remembers whether TLS failed: its errors share no type, and net/http replaces some of them.
type handshake struct{ failed atomic.Bool }

func (h *handshake) trace(ctx context.Context, url string) context.Context {
	if strings.HasPrefix(url, "http:") {
		return ctx // no TLS connection exists
	}

	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		TLSHandshakeDone: func(_ tls.ConnectionState, err error) { h.failed.Store(err != nil) },
	})
}

func (h *handshake) classify(ctx context.Context, err error) values.AttemptError {
	var (
		blocked   *outbound.BlockedError
		resolving *net.DNSError
	)
	switch {
	case errors.As(err, &blocked):
		return values.AttemptErrorBlocked
	case ctx.Err() != nil:
		return values.AttemptErrorTimeout
	case h.failed.Load():
		return values.AttemptErrorTLS
	case errors.As(err, &resolving):
		return values.AttemptErrorDNS
	default:
		return values.AttemptErrorConnect
	}
}

// retryAfter parses both forms of the header, seconds and a date. It returns 0 when the value is unusable.
func retryAfter(value string, now time.Time) time.Duration {
	value = strings.TrimSpace(value)
	if value != "" && strings.Trim(value, "0123456789") == "" {
		seconds, err := strconv.ParseInt(value, 10, 32)
		if err != nil {
			return maxRetryAfter
		}

		return min(time.Duration(seconds)*time.Second, maxRetryAfter)
	}

	at, err := http.ParseTime(value)
	if err != nil {
		return 0
	}

	return max(0, min(at.Sub(now), maxRetryAfter))
}

// storable turns the received bytes into text: valid UTF-8 without NUL, which Postgres rejects, and no longer than the
// bytes that were read.
func storable(body []byte) string {
	text := strings.ReplaceAll(strings.ToValidUTF8(string(body), "\uFFFD"), "\x00", "\uFFFD")
	for len(text) > maxResponseBody {
		_, size := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-size]
	}

	return text
}
