package measure

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Process is a server started by a bench.
type Process struct {
	Addr string
	Cmd  *exec.Cmd

	name  string
	said  *tail
	ended chan struct{}
	err   error // set once the process has ended
}

// Start runs a server and waits until it answers the request in ready with status 200. A caller that also wants to
// read the server's standard error sets cmd.Stderr before the call.
func Start(ctx context.Context, name, addr string, cmd *exec.Cmd, ready *http.Request) (*Process, error) {
	p := &Process{name: name, Addr: addr, Cmd: cmd, said: &tail{}, ended: make(chan struct{})}
	cmd.Stdout = p.said

	if cmd.Stderr == nil {
		cmd.Stderr = p.said
	} else {
		cmd.Stderr = io.MultiWriter(p.said, cmd.Stderr)
	}

	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // signals to the bench must not reach the server

	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}

	go func() {
		p.err = cmd.Wait()
		close(p.ended)
	}()

	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()

	for {
		if resp, err := http.DefaultClient.Do(ready.Clone(ctx)); err == nil { //nolint:gosec // a server of this bench
			_ = resp.Body.Close()

			if resp.StatusCode == http.StatusOK {
				return p, nil
			}
		}

		select {
		case <-p.ended:
			return nil, fmt.Errorf("%s ended (%w): %s", name, p.err, p.said)
		case <-ctx.Done():
			return nil, errors.Join(fmt.Errorf("%s is not ready: %w: %s", name, ctx.Err(), p.said), p.Stop())
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// Stop ends the server and waits for it.
func (p *Process) Stop() error {
	_ = p.Cmd.Process.Signal(syscall.SIGTERM)

	select {
	case <-p.ended:
		return nil
	case <-time.After(20 * time.Second):
		_ = p.Cmd.Process.Kill()
		<-p.ended

		return fmt.Errorf("%s did not end and was killed: %s", p.name, p.said)
	}
}

// tail keeps the last part of a process's output.
type tail struct {
	mu   sync.Mutex
	text []byte
}

const tailLength = 4 << 10

// Write implements io.Writer.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()

	t.text = append(t.text, p...)
	t.text = t.text[max(0, len(t.text)-tailLength):]

	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()

	return string(t.text)
}

// FreeAddr returns a local address that is currently free.
func FreeAddr(ctx context.Context) (string, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("find a free port: %w", err)
	}

	return l.Addr().String(), l.Close()
}

// Ask returns a request to the server at addr. With a body it is a POST of JSON.
func Ask(ctx context.Context, addr, path, key, body string) (*http.Request, error) {
	method := http.MethodGet
	if body != "" {
		method = http.MethodPost
	}

	r, err := http.NewRequestWithContext(ctx, method, "http://"+addr+path, strings.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("make a request: %w", err)
	}

	if body != "" {
		r.Header.Set("Content-Type", "application/json")
		r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(body)), nil }
	}

	if key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}

	return r, nil
}

// Answer sends the request and returns the response body. A status other than 200, or a body that contains wrong, is
// an error.
func Answer(r *http.Request, wrong string) (body []byte, err error) {
	resp, err := http.DefaultClient.Do(r) //nolint:gosec // a server of this bench
	if err != nil {
		return nil, fmt.Errorf("ask: %w", err)
	}
	defer func() { err = errors.Join(err, resp.Body.Close()) }()

	if body, err = io.ReadAll(resp.Body); err != nil {
		return nil, fmt.Errorf("read an answer: %w", err)
	}

	if resp.StatusCode != http.StatusOK || bytes.Contains(body, []byte(wrong)) {
		return nil, fmt.Errorf("%s returned %d: %.1000s", r.URL, resp.StatusCode, body)
	}

	return body, nil
}
