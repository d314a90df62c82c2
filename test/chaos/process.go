package chaos

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// A process is one running server of the product.
type process struct {
	addr  string
	cmd   *exec.Cmd
	ended chan struct{}
	took  time.Duration // from start to ready

	mu   sync.Mutex
	said bytes.Buffer
}

// settings are the settings of every process. Speech and the catalog are off, to start faster.
func (o Options) settings(addr string) []string {
	return []string{
		"DATABASE_URL=" + o.DSN, "REELGRAPH_ADDR=" + addr, "REELGRAPH_DATA=" + filepath.Join(o.Folder, "data"),
		"REELGRAPH_RATE_LIMIT=1000000", "REELGRAPH_WEBHOOK_ALLOW=127.0.0.0/8",
		"REELGRAPH_WORKERS=media=1,webhook=64", "REELGRAPH_STOP_DELAY=0s",
	}
}

// serve starts a server at addr and does not wait until it is ready.
func (o Options) serve(addr string, more ...string) (*process, error) {
	p := &process{addr: addr, cmd: o.Command("serve", append(o.settings(addr), more...)...), ended: make(chan struct{})}
	p.cmd.Stdout, p.cmd.Stderr = p, p
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}

	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the product: %w", err)
	}

	go func() {
		_ = p.cmd.Wait()
		close(p.ended)
	}()

	return p, nil
}

// ready starts a server and waits until it accepts requests.
func (o Options) ready(ctx context.Context, addr string, more ...string) (*process, error) {
	began := time.Now()

	p, err := o.serve(addr, more...)
	if err != nil {
		return nil, err
	}

	if err := p.await(ctx); err != nil {
		p.kill()

		return nil, err
	}

	p.took = time.Since(began)

	return p, nil
}

// startTimeout is how long a start may take on a busy machine.
const startTimeout = time.Minute

func (p *process) await(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()

	for {
		if p.isReady(ctx) {
			return nil
		}

		select {
		case <-p.ended:
			return fmt.Errorf("the product exited before it was ready: %s", p.text())
		case <-ctx.Done():
			return errors.Join(fmt.Errorf("the product is not ready: %s", p.text()), ctx.Err())
		case <-time.After(5 * time.Millisecond):
		}
	}
}

func (p *process) isReady(ctx context.Context) bool {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+p.addr+"/readyz", nil)
	if err != nil {
		return false
	}

	r.Close = true

	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return false
	}

	_ = resp.Body.Close()

	return resp.StatusCode == http.StatusOK
}

// kill ends the process like a power failure.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	<-p.ended
}

// Write implements io.Writer. It keeps the product's output for error messages.
func (p *process) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()

	return p.said.Write(b)
}

func (p *process) text() string {
	p.mu.Lock()
	defer p.mu.Unlock()

	said := strings.TrimSpace(p.said.String())

	return said[max(0, len(said)-2000):]
}
