package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"path/filepath"
	"slices"
	"sync"
)

// recorder is a proxy between a program and Postgres that records executed statements, so that a comparison can prove
// that both sides execute the same.
type recorder struct {
	dsn    string
	listen net.Listener
	socket string // of Postgres

	open sync.WaitGroup

	mu       sync.Mutex
	executed []statement
}

// statement is an executed statement with its arguments as text.
type statement struct {
	Text string   `json:"text"`
	Args []string `json:"args"`
}

// record starts a recorder with its socket in the given folder.
func record(ctx context.Context, dsn, folder string) (*recorder, error) {
	u, err := url.Parse(dsn)
	if err != nil {
		return nil, fmt.Errorf("read the address of postgres: %w", err)
	}

	query := u.Query()
	name := ".s.PGSQL." + query.Get("port")
	r := &recorder{socket: filepath.Join(query.Get("host"), name)}

	if r.listen, err = (&net.ListenConfig{}).Listen(ctx, "unix", filepath.Join(folder, name)); err != nil {
		return nil, fmt.Errorf("listen for a client of postgres: %w", err)
	}

	query.Set("host", folder)
	u.RawQuery = query.Encode()
	r.dsn = u.String()

	r.open.Go(r.accept)

	return r, nil
}

// close waits until the last client has disconnected.
func (r *recorder) close() {
	_ = r.listen.Close()
	r.open.Wait()
}

// take returns the statements executed since the last call, in order.
func (r *recorder) take() []statement {
	r.mu.Lock()
	defer r.mu.Unlock()

	taken := r.executed
	r.executed = nil

	return taken
}

func (r *recorder) accept() {
	for {
		client, err := r.listen.Accept()
		if err != nil {
			return
		}

		server, err := net.Dial("unix", r.socket) //nolint:noctx // closed with the client
		if err != nil {
			_ = client.Close()

			return
		}

		r.open.Go(func() {
			_, _ = io.Copy(client, server)
			_ = client.Close()
		})
		r.open.Go(func() {
			_ = r.forward(bufio.NewReader(client), server)
			_ = server.Close()
		})
	}
}

// forward passes on what a client sends and records it. See the message formats in the PostgreSQL documentation.
func (r *recorder) forward(client *bufio.Reader, server io.Writer) error {
	prepared := map[string]string{}

	for first := true; ; first = false {
		var kind byte

		head := make([]byte, 0, 5)

		if !first { // the first message has no type byte
			var err error
			if kind, err = client.ReadByte(); err != nil {
				return err //nolint:wrapcheck // end of the connection
			}

			head = append(head, kind)
		}

		var size [4]byte
		if _, err := io.ReadFull(client, size[:]); err != nil {
			return err //nolint:wrapcheck // end of the connection
		}

		length := binary.BigEndian.Uint32(size[:])
		if length < 4 || length > 1<<30 {
			return errors.New("not the Postgres protocol")
		}

		content := make([]byte, length-4)
		if _, err := io.ReadFull(client, content); err != nil {
			return err //nolint:wrapcheck // end of the connection
		}

		r.note(kind, content, prepared)

		if _, err := server.Write(slices.Concat(head, size[:], content)); err != nil {
			return err //nolint:wrapcheck // end of the connection
		}
	}
}

func (r *recorder) note(kind byte, content []byte, prepared map[string]string) {
	name, rest, _ := bytes.Cut(content, []byte{0})

	switch kind {
	case 'P': // Parse: the statement's name, its text
		query, _, _ := bytes.Cut(rest, []byte{0})
		prepared[string(name)] = string(query)
	case 'B': // Bind: the portal's name, the statement's, formats and arguments
		named, bound, _ := bytes.Cut(rest, []byte{0})
		r.add(statement{prepared[string(named)], arguments(bound)})
	case 'Q': // Query: a text without arguments
		r.add(statement{Text: string(name)})
	}
}

// arguments reads what follows the names in a Bind message.
func arguments(bound []byte) []string {
	number := func(size int) int {
		if len(bound) < size {
			bound = nil

			return 0
		}

		var n [4]byte

		copy(n[len(n)-size:], bound[:size])
		bound = bound[size:]

		return int(int32(binary.BigEndian.Uint32(n[:]))) // -1 means null
	}

	for range number(2) { // formats: lib/pq sends text for all, in one entry or none
		number(2)
	}

	args := make([]string, number(2))
	for i := range args {
		length := min(max(number(4), 0), len(bound))
		args[i], bound = string(bound[:length]), bound[length:]
	}

	return args
}

func (r *recorder) add(executed statement) {
	r.mu.Lock()
	defer r.mu.Unlock()

	r.executed = append(r.executed, executed)
}
