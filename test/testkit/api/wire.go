package api

import (
	"bufio"
	"context"
	"encoding/binary"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// Wire is a proxy in front of a database. It counts the statements that are sent to the database and can cause
// failures.
type Wire struct {
	DSN string

	target string
	fault  atomic.Int32 // a Fault
	gone   atomic.Bool
	sent   atomic.Int64
	all    sync.WaitGroup
}

// Count returns the number of statements executed so far, including BEGIN and COMMIT.
func (w *Wire) Count() int64 { return w.sent.Load() }

// Fault is the way in which a Wire fails at a COMMIT.
type Fault int32

// The faults. After Vanishes no connection works any more.
const (
	LosesCommit Fault = iota + 1 // before it reaches the database
	LosesAnswer                  // after the database has committed
	Vanishes                     // after the database has committed, permanently
)

// Break makes the next COMMIT fail in the given way.
func (w *Wire) Break(f Fault) { w.fault.Store(int32(f)) }

// NewWire starts a Wire in front of a database of testkit.Database. It stops at the end of the test.
func NewWire(tb testing.TB, dsn string) *Wire {
	tb.Helper()

	u, err := url.Parse(dsn)
	require.NoError(tb, err)

	const socket = ".s.PGSQL.5432"

	folder, err := os.MkdirTemp("", "wire") //nolint:usetesting // TempDir's names are too long for a socket
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, os.RemoveAll(folder)) })

	query := u.Query()
	w := &Wire{target: filepath.Join(query.Get("host"), socket)}
	query.Set("host", folder)
	u.RawQuery = query.Encode()
	w.DSN = u.String()

	l, err := new(net.ListenConfig).Listen(context.Background(), "unix", filepath.Join(folder, socket))
	require.NoError(tb, err)
	tb.Cleanup(func() {
		require.NoError(tb, l.Close())
		w.all.Wait()
	})

	w.all.Go(func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}

			w.all.Go(func() { w.carry(client) })
		}
	})

	return w
}

// carry forwards one connection until either end closes it.
func (w *Wire) carry(client net.Conn) {
	defer client.Close() //nolint:errcheck // the connection has ended

	if w.gone.Load() {
		return
	}

	server, err := new(net.Dialer).DialContext(context.Background(), "unix", w.target)
	if err != nil {
		return
	}

	w.all.Go(func() {
		defer client.Close() //nolint:errcheck // as above

		_, _ = io.Copy(client, server)
	})

	defer server.Close() //nolint:errcheck // as above

	from := bufio.NewReader(client)

	for first := true; ; first = false {
		// A message is a type byte (absent in the first message of a connection), a length and that many bytes.
		head := make([]byte, 5)
		if first {
			head = head[1:]
		}

		if _, err := io.ReadFull(from, head); err != nil {
			return
		}

		length := int64(binary.BigEndian.Uint32(head[len(head)-4:])) - 4

		if kind := head[0]; !first && (kind == 'E' || kind == 'Q' && !sets(from)) {
			w.sent.Add(1)
		}

		if !first && head[0] == 'Q' && w.broken(client, from) {
			return
		}

		if _, err := server.Write(head); err != nil {
			return
		}

		if _, err := io.CopyN(server, from, length); err != nil {
			return
		}
	}
}

// sets reports whether a query sets up a connection, which happens whenever the pool grows.
func sets(query *bufio.Reader) bool {
	const set = "SET "

	text, _ := query.Peek(len(set))

	return string(text) == set
}

// broken reports whether the connection ends before this query. The client then gets no answer.
func (w *Wire) broken(client io.Closer, query *bufio.Reader) bool {
	const commit = "COMMIT"

	if text, _ := query.Peek(len(commit)); string(text) != commit {
		return false
	}

	fault := Fault(w.fault.Swap(0))
	if fault == 0 {
		return false
	}

	w.gone.Store(fault == Vanishes) // set first, so that no client can reconnect before

	_ = client.Close()

	return fault == LosesCommit
}
