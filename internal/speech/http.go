package speech

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"net/url"
	"time"
)

const (
	// httpLongest keeps a request below the 25 MB limit of services: ten minutes are 19 MB.
	httpLongest = 10 * time.Minute
	// httpTimeout is how long a server may take for one request: three times the length of the longest sound.
	httpTimeout = 30 * time.Minute
	dialTimeout = 10 * time.Second
	// maxAnswer is far more than the JSON of ten minutes of speech needs.
	maxAnswer = 16 << 20
)

// newClient returns a client for one server. It follows no redirects, which would send the sound elsewhere, and ignores
// proxies in the environment.
func newClient() *http.Client {
	return &http.Client{
		Timeout:       httpTimeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			DialContext:         (&net.Dialer{Timeout: dialTimeout}).DialContext,
			TLSHandshakeTimeout: dialTimeout,
			IdleConnTimeout:     time.Minute,
			MaxIdleConns:        2,
		},
	}
}

// field is a form field; fields keep their order.
type field struct{ name, value string }

// post sends a sound in a form and parses the response.
func post(ctx context.Context, client *http.Client, to *url.URL, key string, sound Sound, fields []field) (Speech, error) {
	body, size, kind, err := form(sound, fields)
	if err != nil {
		return Speech{}, err
	}

	r, err := http.NewRequestWithContext(ctx, http.MethodPost, to.String(), body)
	if err != nil {
		return Speech{}, fmt.Errorf("request transcription: %w", err)
	}

	r.ContentLength = size
	r.Header.Set("Content-Type", kind)

	if key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}

	resp, err := client.Do(r)
	if err != nil {
		if ctx.Err() != nil {
			return Speech{}, fmt.Errorf("request transcription: %w", err)
		}

		return Speech{}, &Error{Message: "The speech service cannot be reached.", Passing: true, Cause: reason(err)}
	}
	defer resp.Body.Close() //nolint:errcheck // it has been read

	return read(resp)
}

// reason removes the address from an error, since it may contain a secret.
func reason(err error) error {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		return wrapped.Err
	}

	return err
}

// form returns the request body, its size and its content type. It does not copy the sound.
func form(sound Sound, fields []field) (body io.Reader, size int64, kind string, err error) {
	var head bytes.Buffer

	w := multipart.NewWriter(&head)
	for _, f := range fields {
		if err := w.WriteField(f.name, f.value); err != nil {
			return nil, 0, "", fmt.Errorf("write request form: %w", err)
		}
	}

	if _, err := w.CreateFormFile("file", "sound.wav"); err != nil {
		return nil, 0, "", fmt.Errorf("write request form: %w", err)
	}

	tail := "\r\n--" + w.Boundary() + "--\r\n"
	file, length := sound.WAV()

	return io.MultiReader(&head, file, bytes.NewReader([]byte(tail))), int64(head.Len()) + length + int64(len(tail)),
		w.FormDataContentType(), nil
}

// read parses a response. Errors that a retry may fix, such as too many requests and server errors, are marked as
// passing.
func read(resp *http.Response) (Speech, error) {
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))

	switch {
	case resp.StatusCode == http.StatusNoContent || resp.StatusCode == http.StatusOK && err == nil && len(bytes.TrimSpace(text)) == 0:
		return Speech{}, nil // no speech was found
	case resp.StatusCode != http.StatusOK:
		return Speech{}, &Error{
			Message: fmt.Sprintf("The speech service answered with status %d.", resp.StatusCode),
			Passing: resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode == http.StatusRequestTimeout ||
				resp.StatusCode >= http.StatusInternalServerError,
			Cause: fmt.Errorf("the server answered %.300q", text),
		}
	case err != nil:
		return Speech{}, &Error{Message: "The answer of the speech service was cut off.", Passing: true, Cause: err}
	case len(text) > maxAnswer:
		return Speech{}, &Error{Message: "The answer of the speech service is too long."}
	}

	var said answer
	if err := json.Unmarshal(text, &said); err != nil {
		return Speech{}, &Error{Message: "The answer of the speech service cannot be read.", Cause: err}
	}

	if len(said.Error) > 0 && string(said.Error) != "null" {
		return Speech{}, &Error{Message: "The speech service could not read the sound.", Cause: fmt.Errorf("it answered %.300s", said.Error)}
	}

	return said.speech()
}
