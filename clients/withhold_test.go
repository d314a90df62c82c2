package clients_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"
)

// withholding is a proxy whose answers lack one field: the header of that name, and the JSON property of that name,
// also in events and websocket messages.
type withholding struct {
	field  string
	server string
	front  string
	proxy  httputil.ReverseProxy
}

// withhold starts a proxy and returns its address.
func withhold(t *testing.T, server, field string) string {
	t.Helper()

	target, err := url.Parse(server)
	require.NoError(t, err)

	w := &withholding{field: field, server: server}
	w.proxy = httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.Header.Set("Accept-Encoding", "identity")
		},
		ModifyResponse: w.modify,
		FlushInterval:  -1,
		ErrorLog:       slog.NewLogLogger(slog.DiscardHandler, 0), // failed clients disconnect
	}

	front := httptest.NewServer(w)
	t.Cleanup(front.Close)
	t.Cleanup(front.CloseClientConnections)

	w.front = front.URL

	return w.front
}

func (w *withholding) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Upgrade") == "" {
		w.proxy.ServeHTTP(rw, r)

		return
	}

	w.relay(rw, r)
}

func (w *withholding) modify(r *http.Response) error {
	r.Header.Del(w.field)

	if at := r.Header.Get("Location"); at != "" {
		r.Header.Set("Location", strings.ReplaceAll(at, w.server, w.front))
	}

	switch kind := r.Header.Get("Content-Type"); {
	case strings.HasPrefix(kind, "text/event-stream"):
		r.Body = w.events(r.Body)
	case strings.Contains(kind, "json"):
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return err
		}

		body = w.strip(body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		r.Header.Set("Content-Length", strconv.Itoa(len(body)))
		r.ContentLength = int64(len(body))
	}

	return nil
}

// events removes the field from a stream of events as they arrive.
func (w *withholding) events(stream io.ReadCloser) io.ReadCloser {
	r, out := io.Pipe()

	go func() {
		defer stream.Close()

		lines := bufio.NewScanner(stream)
		for lines.Scan() {
			line := lines.Bytes()
			if data, ok := bytes.CutPrefix(line, []byte("data: ")); ok {
				line = append([]byte("data: "), w.strip(data)...)
			}

			if _, err := out.Write(append(line, '\n')); err != nil {
				return
			}
		}

		out.CloseWithError(lines.Err())
	}()

	return r
}

// relay forwards the messages of a websocket in both directions.
func (w *withholding) relay(rw http.ResponseWriter, r *http.Request) {
	ctx := r.Context()
	protocols := strings.Split(r.Header.Get("Sec-Websocket-Protocol"), ", ")

	server, _, err := websocket.Dial(ctx, w.server+r.URL.RequestURI(), &websocket.DialOptions{ //nolint:bodyclose // the library closes it
		Subprotocols: protocols,
	})
	if err != nil {
		http.Error(rw, err.Error(), http.StatusBadGateway)

		return
	}
	defer server.CloseNow()

	client, err := websocket.Accept(rw, r, &websocket.AcceptOptions{Subprotocols: protocols})
	if err != nil {
		return
	}
	defer client.CloseNow()

	go func() {
		defer server.CloseNow()

		for {
			kind, message, err := client.Read(ctx)
			if err != nil || server.Write(ctx, kind, message) != nil {
				return
			}
		}
	}()

	for {
		kind, message, err := server.Read(ctx)
		if err != nil || client.Write(ctx, kind, w.strip(message)) != nil {
			return
		}
	}
}

// strip removes the field from a JSON text and points the server's addresses to the proxy. Other text is unchanged.
func (w *withholding) strip(text []byte) []byte {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()

	var value any
	if decoder.Decode(&value) != nil {
		return text
	}

	var out bytes.Buffer

	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)

	if err := encoder.Encode(without(value, w.field)); err != nil {
		return text
	}

	return bytes.ReplaceAll(bytes.TrimSpace(out.Bytes()), []byte(w.server), []byte(w.front))
}

// without returns a JSON value without any property of that name.
func without(value any, field string) any {
	switch v := value.(type) {
	case map[string]any:
		left := make(map[string]any, len(v))

		for name, inner := range v {
			if name != field {
				left[name] = without(inner, field)
			}
		}

		return left
	case []any:
		left := make([]any, len(v))
		for i, inner := range v {
			left[i] = without(inner, field)
		}

		return left
	default:
		return value
	}
}

// named returns the values of all properties of that name in a JSON value.
func named(value any, field string) (found []any) {
	switch v := value.(type) {
	case map[string]any:
		for name, inner := range v {
			if name == field {
				found = append(found, inner)
			} else {
				found = append(found, named(inner, field)...)
			}
		}
	case []any:
		for _, inner := range v {
			found = append(found, named(inner, field)...)
		}
	}

	return found
}
