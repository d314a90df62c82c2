package measure

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Target is a server and what it is asked.
type Target struct {
	// Addr is its host:port.
	Addr string
	// Requests are whole HTTP/1.1 requests. Each connection goes through all of them again and again,
	// beginning at a place of its own.
	Requests [][]byte
	// Wrong is a text that no good answer holds, such as the errors of GraphQL, which come with 200.
	Wrong string
}

// Load is how a server is asked: over connections that stay open, each with one request at a time.
type Load struct {
	Connections int
	Duration    time.Duration
}

// Answers are the good answers to a Load.
type Answers struct {
	Count int
	Took  time.Duration
}

// Run puts a target under load. An answer other than 200, or one that holds what is Wrong, is an error:
// nothing counts but good answers.
func (l Load) Run(ctx context.Context, t Target) (Answers, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)

	clients := make([]*client, l.Connections)
	defer func() {
		for _, c := range clients {
			if c != nil {
				_ = c.conn.Close()
			}
		}
	}()

	for i := range clients {
		conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", t.Addr)
		if err != nil {
			return Answers{}, fmt.Errorf("reach the target: %w", err)
		}

		clients[i] = &client{conn: conn, reader: bufio.NewReaderSize(conn, 64<<10), next: i * len(t.Requests) / l.Connections}
	}

	began := time.Now()
	deadline := began.Add(l.Duration)

	var running sync.WaitGroup

	for _, c := range clients {
		running.Go(func() {
			if err := c.run(ctx, t, deadline); err != nil {
				cancel(err)
			}
		})
	}

	running.Wait()

	if err := context.Cause(ctx); err != nil {
		return Answers{}, err
	}

	a := Answers{Took: time.Since(began)}
	for _, c := range clients {
		a.Count += c.answers
	}

	return a, nil
}

// client is one connection.
type client struct {
	conn    net.Conn
	reader  *bufio.Reader
	body    []byte
	next    int
	answers int
}

func (c *client) run(ctx context.Context, t Target, deadline time.Time) error {
	if err := c.conn.SetDeadline(deadline.Add(10 * time.Second)); err != nil {
		return fmt.Errorf("set a deadline: %w", err)
	}

	for time.Now().Before(deadline) && ctx.Err() == nil {
		if _, err := c.conn.Write(t.Requests[c.next%len(t.Requests)]); err != nil {
			return fmt.Errorf("ask: %w", err)
		}

		c.next++

		status, err := c.read()
		if err != nil {
			return fmt.Errorf("read an answer: %w", err)
		}

		if status != 200 || t.Wrong != "" && bytes.Contains(c.body, []byte(t.Wrong)) {
			return fmt.Errorf("an answer is wrong: status %d: %.500s", status, c.body)
		}

		c.answers++
	}

	return nil
}

// read reads one answer and keeps its body. It knows no more of HTTP than servers need to be measured,
// so that they have the processor.
func (c *client) read() (status int, err error) {
	line, err := c.line()
	if err != nil {
		return 0, err
	}

	if len(line) < len("HTTP/1.1 200") {
		return 0, fmt.Errorf("no status line: %q", line)
	}

	if status, err = strconv.Atoi(string(line[9:12])); err != nil {
		return 0, fmt.Errorf("no status: %q", line)
	}

	length, chunked := -1, false

	for {
		if line, err = c.line(); err != nil {
			return 0, err
		}

		if len(line) == 0 {
			break
		}

		name, value, _ := bytes.Cut(line, []byte(":"))

		switch {
		case bytes.EqualFold(name, []byte("Content-Length")):
			if length, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
				return 0, fmt.Errorf("no length: %q", line)
			}
		case bytes.EqualFold(name, []byte("Transfer-Encoding")):
			chunked = bytes.Contains(value, []byte("chunked"))
		}
	}

	c.body = c.body[:0]

	switch {
	case chunked:
		return status, c.chunks()
	case length < 0:
		return 0, errors.New("an answer of unknown length")
	default:
		return status, c.append(length)
	}
}

func (c *client) chunks() error {
	for {
		line, err := c.line()
		if err != nil {
			return err
		}

		size, err := strconv.ParseInt(string(line), 16, 32)
		if err != nil {
			return fmt.Errorf("no size of a chunk: %q", line)
		}

		if err := c.append(int(size)); err != nil {
			return err
		}

		if _, err := c.line(); err != nil || size == 0 {
			return err
		}
	}
}

func (c *client) append(n int) error {
	at := len(c.body)
	c.body = slices.Grow(c.body, n)[:at+n]
	_, err := io.ReadFull(c.reader, c.body[at:])

	return err //nolint:wrapcheck // wrapped by run
}

func (c *client) line() ([]byte, error) {
	line, err := c.reader.ReadSlice('\n')
	if err != nil {
		return nil, err //nolint:wrapcheck // wrapped by run
	}

	return bytes.TrimRight(line, "\r\n"), nil
}

// Get is a GET request; headers are lines such as "Accept: text/html".
func Get(path string, headers ...string) []byte {
	return request("GET "+path, headers, "")
}

// Post is a POST request of JSON.
func Post(path, body string, headers ...string) []byte {
	return request("POST "+path, append(slices.Clip(headers),
		"Content-Type: application/json", "Content-Length: "+strconv.Itoa(len(body))), body)
}

func request(what string, headers []string, body string) []byte {
	lines := append([]string{what + " HTTP/1.1", "Host: 127.0.0.1", "Accept: application/json"}, headers...)

	return []byte(strings.Join(lines, "\r\n") + "\r\n\r\n" + body)
}
