package ffmpeg

import (
	"bufio"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

// progress reads the reports that FFmpeg writes with -progress. A nil progress reads nothing.
type progress struct {
	pipe    *os.File
	onFrame func(int64)
	advance chan struct{}
	done    chan struct{}
}

// openProgress returns the reader and the end that the program inherits. The caller closes that end once the program
// started.
func openProgress(onFrame func(int64)) (*progress, *os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}

	return &progress{pipe: r, onFrame: onFrame, advance: make(chan struct{}, 1), done: make(chan struct{})}, w, nil
}

// advanced receives when there was progress since it last received.
func (p *progress) advanced() <-chan struct{} {
	if p == nil {
		return nil
	}

	return p.advance
}

func (p *progress) read() {
	if p == nil {
		return
	}
	go func() {
		defer close(p.done)

		p.scan()
	}()
}

// scan ends with the pipe. A block of lines has frame, total_size and out_time_us. Any of them rising is progress,
// because a run without video has no frames.
func (p *progress) scan() {
	last := map[string]int64{}

	for lines := bufio.NewScanner(p.pipe); lines.Scan(); {
		key, value, _ := strings.Cut(lines.Text(), "=")
		if key != "frame" && key != "total_size" && key != "out_time_us" {
			continue
		}

		n, err := strconv.ParseInt(strings.TrimSpace(value), 10, 64)
		if err != nil || n <= last[key] {
			continue
		}

		last[key] = n

		select {
		case p.advance <- struct{}{}:
		default:
		}

		if key == "frame" && p.onFrame != nil {
			p.onFrame(n)
		}
	}
}

// wait returns when all reports were read, or after one second: a process that left the group could hold the pipe open.
func (p *progress) wait() {
	if p == nil {
		return
	}

	_ = p.pipe.SetReadDeadline(time.Now().Add(time.Second))
	<-p.done
	p.close()
}

func (p *progress) close() {
	if p != nil {
		_ = p.pipe.Close()
	}
}

// ring keeps the last bytes written to it.
type ring struct {
	mu   sync.Mutex
	size int
	buf  []byte
}

func newRing(size int) *ring { return &ring{size: size} }

// Write keeps the last bytes and never fails.
func (r *ring) Write(b []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()

	r.buf = append(r.buf, b[max(0, len(b)-r.size):]...)
	if over := len(r.buf) - r.size; over > 0 {
		r.buf = append(r.buf[:0], r.buf[over:]...)
	}

	return len(b), nil
}

// String returns the last bytes without a broken character at the start.
func (r *ring) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()

	return strings.ToValidUTF8(string(r.buf), "")
}
