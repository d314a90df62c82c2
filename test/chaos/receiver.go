package chaos

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/reelgraph/reelgraph/internal/webhook"
)

// A receiver accepts every event and records it.
type receiver struct {
	server *http.Server
	secret string

	mu    sync.Mutex
	heard map[string]int // by the message's id
	wrong []string
}

// listen registers a receiver for every type of event.
func listen(ctx context.Context, w *world) (*receiver, error) {
	socket, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}

	r := &receiver{heard: map[string]int{}}
	r.server = &http.Server{Handler: r, ReadHeaderTimeout: time.Minute}

	go func() { _ = r.server.Serve(socket) }()

	answer, err := w.ask(ctx, http.MethodPost, "/v1/webhooks/endpoints",
		fmt.Sprintf(`{"url":"http://%s/","filterTypes":["playlist.created","playlist.video_added"]}`, socket.Addr()))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("register: %w", err), r.close())
	}

	var made struct {
		Secret string `json:"secret"`
	}
	if err := json.Unmarshal([]byte(answer), &made); err != nil {
		return nil, errors.Join(fmt.Errorf("register: %w", err), r.close())
	}

	r.mu.Lock()
	defer r.mu.Unlock()

	r.secret = made.Secret

	return r, nil
}

// ask sends a request and returns its body. Any status but 200 is an error.
func (w *world) ask(ctx context.Context, method, path, body string) (string, error) {
	r, err := http.NewRequestWithContext(ctx, method, w.base+path, bytes.NewReader([]byte(body)))
	if err != nil {
		return "", fmt.Errorf("make a request: %w", err)
	}

	r.Header.Set("Authorization", "Bearer "+w.key)
	r.Header.Set("Content-Type", "application/json")

	resp, err := w.client.Do(r)
	if err != nil {
		return "", fmt.Errorf("ask: %w", err)
	}

	text, err := answerOf(resp)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s returned %d: %.300s", path, resp.StatusCode, text)
	}

	return text, err
}

// ServeHTTP implements http.Handler.
func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		http.Error(w, "unreadable", http.StatusBadRequest)

		return
	}

	r.mu.Lock()
	defer r.mu.Unlock()

	id := req.Header.Get("Webhook-Id")

	if err := webhook.Verify(req.Header, body, r.secret, time.Now()); err != nil {
		r.wrong = append(r.wrong, fmt.Sprintf("%s: %v", id, err))

		http.Error(w, "signature", http.StatusUnauthorized)

		return
	}

	r.heard[id]++
}

func (r *receiver) close() error { return r.server.Close() }

// messages returns how often each message was received, and what was wrong with the others.
func (r *receiver) messages() (heard map[string]int, wrong []string) {
	r.mu.Lock()
	defer r.mu.Unlock()

	return maps.Clone(r.heard), r.wrong
}
