package queue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/lib/pq"
	"github.com/riverqueue/river/riverdriver"
)

const (
	listenerBuffer = 64
	commandTimeout = 5 * time.Second
)

var errNotConnected = errors.New("queue: the listener is not connected")

// listener is River's view of one lib/pq connection that listens. River's notifier owns it:
// it connects, closes after any error, and connects anew.
type listener struct {
	db     *sql.DB
	dsn    string
	schema string

	mu      sync.Mutex // one operation at a time; a wait is one too
	conn    *pq.ListenerConn
	notices <-chan *pq.Notification
	pending []*pq.Notification // arrived while the answer of a command was awaited
}

// Connect implements riverdriver.Listener. Once the context has ended it says so, whatever else is wrong: River
// takes any other error as a reason to try again, and its pause between two tries ends with the context too.
func (l *listener) Connect(ctx context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()

	if err := ctx.Err(); err != nil {
		return err
	}
	if l.schema == "" {
		if err := l.db.QueryRowContext(ctx, "SELECT current_schema()").Scan(&l.schema); err != nil {
			return fmt.Errorf("find the schema of the queue: %w", err)
		}
	}
	notices := make(chan *pq.Notification, listenerBuffer)
	conn, err := pq.NewListenerConn(l.dsn, notices)
	if err != nil {
		return fmt.Errorf("connect the listener of the queue: %w", err)
	}
	l.conn, l.notices, l.pending = conn, notices, nil
	return nil
}

// Close implements riverdriver.Listener. It returns once the connection's goroutine is gone.
func (l *listener) Close(context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()

	if l.conn == nil {
		return nil
	}
	_ = l.conn.Close() // fails only when the connection was lost before, which closed it
	for l.notices != nil {
		if _, open := <-l.notices; !open {
			l.notices = nil
		}
	}
	l.conn = nil
	return nil
}

// Listen implements riverdriver.Listener.
func (l *listener) Listen(ctx context.Context, topic string) error {
	return l.exec(ctx, "LISTEN "+pq.QuoteIdentifier(l.Schema()+"."+topic))
}

// Unlisten implements riverdriver.Listener.
func (l *listener) Unlisten(ctx context.Context, topic string) error {
	return l.exec(ctx, "UNLISTEN "+pq.QuoteIdentifier(l.Schema()+"."+topic))
}

// Ping implements riverdriver.Listener.
func (l *listener) Ping(ctx context.Context) error { return l.exec(ctx, "") }

// Schema implements riverdriver.Listener.
func (l *listener) Schema() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.schema
}

// SetAfterConnectExec implements riverdriver.Listener; River calls it in its own tests only.
func (*listener) SetAfterConnectExec(string) {}

// WaitForNotification implements riverdriver.Listener.
func (l *listener) WaitForNotification(ctx context.Context) (*riverdriver.Notification, error) {
	l.mu.Lock()
	defer l.mu.Unlock()

	if len(l.pending) > 0 {
		first := l.pending[0]
		l.pending = l.pending[1:]
		return l.notification(first), nil
	}
	select {
	case notice, open := <-l.notices:
		if !open {
			return nil, l.lost()
		}
		return l.notification(notice), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// exec runs a command and keeps taking notifications until it is answered: they come over
// the same connection, and a full channel would hold the answer back for ever. A command that
// has begun is not canceled, because that would end the connection, and River cancels merely
// to be let in between; one that is not answered in time does end it.
func (l *listener) exec(ctx context.Context, command string) error {
	l.mu.Lock()
	defer l.mu.Unlock()

	if err := ctx.Err(); err != nil {
		return err
	}
	if l.conn == nil {
		return errNotConnected
	}
	answered := make(chan error, 1)
	go func(conn *pq.ListenerConn) {
		_, err := conn.ExecSimpleQuery(command)
		answered <- err
	}(l.conn)

	timer := time.NewTimer(commandTimeout)
	defer timer.Stop()
	for {
		select {
		case err := <-answered:
			return err
		case notice, open := <-l.notices:
			if !open {
				l.notices = nil
				continue
			}
			l.pending = append(l.pending, notice)
		case <-timer.C:
			_ = l.conn.Close() // the only way to end a command that is not answered
		}
	}
}

func (l *listener) lost() error {
	l.notices = nil
	if l.conn == nil {
		return errNotConnected
	}
	return fmt.Errorf("the listener of the queue lost its connection: %w", l.conn.Err())
}

func (l *listener) notification(notice *pq.Notification) *riverdriver.Notification {
	return &riverdriver.Notification{
		Payload: notice.Extra,
		Topic:   strings.TrimPrefix(notice.Channel, l.schema+"."),
	}
}
