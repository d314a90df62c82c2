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

// Process is a server that a bench has started.
type Process struct {
	Addr string
	Cmd  *exec.Cmd

	name  string
	said  *tail
	ended chan struct{}
	err   error // once it has ended
}

// Start runs a server and waits until it answers ready with 200. Who else wants to read its standard error has set it.
func Start(ctx context.Context, name, addr string, cmd *exec.Cmd, ready *http.Request) (*Process, error) {
	p := &Process{name: name, Addr: addr, Cmd: cmd, said: &tail{}, ended: make(chan struct{})}
	cmd.Stdout = p.said

	if cmd.Stderr == nil {
		cmd.Stderr = p.said
	} else {
		cmd.Stderr = io.MultiWriter(p.said, cmd.Stderr)
	}

	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // a signal for the bench is not one for it

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
		if resp, err := http.DefaultClient.Do(ready.Clone(ctx)); err == nil { //nolint:gosec // our own server
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

// tail keeps the end of what a process says.
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

// FreeAddr is an address of this machine on which nobody listens at the moment.
func FreeAddr(ctx context.Context) (string, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("find a free port: %w", err)
	}

	return l.Addr().String(), l.Close()
}

// Ask makes a request of the server at addr; with a body it is a POST of JSON.
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

// Answer is the body of a 200 that does not hold what is wrong.
func Answer(r *http.Request, wrong string) (body []byte, err error) {
	resp, err := http.DefaultClient.Do(r) //nolint:gosec // our own server
	if err != nil {
		return nil, fmt.Errorf("ask: %w", err)
	}
	defer func() { err = errors.Join(err, resp.Body.Close()) }()

	if body, err = io.ReadAll(resp.Body); err != nil {
		return nil, fmt.Errorf("read an answer: %w", err)
	}

	if resp.StatusCode != http.StatusOK || bytes.Contains(body, []byte(wrong)) {
		return nil, fmt.Errorf("%s answers %d: %.1000s", r.URL, resp.StatusCode, body)
	}

	return body, nil
}
