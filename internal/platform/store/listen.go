package store

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
	"time"

	"github.com/lib/pq"
)

// channel carries every topic: a process needs one LISTEN, however many subscribers it has.
const channel = "reelgraph"

// Topics receives the notifications of the database and distributes them within this process. It uses one connection.
type Topics struct {
	listener *pq.Listener

	mu   sync.Mutex
	subs map[string]map[chan struct{}]bool
}

// Listen starts to receive notifications. The caller closes the Topics. If the connection is lost, Topics
// later wakes every subscriber, because notifications may have been missed.
func Listen(dsn string) (*Topics, error) {
	t := &Topics{subs: map[string]map[chan struct{}]bool{}}
	t.listener = pq.NewListener(dsn, 100*time.Millisecond, time.Second, nil)

	if err := t.listener.Listen(channel); err != nil {
		_ = t.listener.Close()

		return nil, fmt.Errorf("listen: %w", err)
	}

	return t, nil
}

// Run distributes notifications until the context is canceled.
func (t *Topics) Run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case n, open := <-t.listener.Notify:
			switch {
			case !open:
				return
			case n == nil:
				t.wakeAll()
			default:
				t.wake(n.Extra)
			}
		}
	}
}

// Close ends the connection.
func (t *Topics) Close() error {
	if err := t.listener.Close(); err != nil {
		return fmt.Errorf("stop listening: %w", err)
	}

	return nil
}

// Subscribe returns a channel that receives a value when the topic may have changed. Several changes may send only
// one value, so the receiver reads the current state. The caller must call stop at the end.
func (t *Topics) Subscribe(topic string) (wake <-chan struct{}, stop func()) {
	ch := make(chan struct{}, 1)

	t.mu.Lock()
	defer t.mu.Unlock()

	if t.subs[topic] == nil {
		t.subs[topic] = map[chan struct{}]bool{}
	}

	t.subs[topic][ch] = true

	return ch, func() {
		t.mu.Lock()
		defer t.mu.Unlock()

		delete(t.subs[topic], ch)

		if len(t.subs[topic]) == 0 {
			delete(t.subs, topic)
		}
	}
}

func (t *Topics) wake(topic string) {
	t.mu.Lock()
	defer t.mu.Unlock()

	for ch := range t.subs[topic] {
		nudge(ch)
	}
}

func (t *Topics) wakeAll() {
	t.mu.Lock()
	defer t.mu.Unlock()

	for _, subs := range t.subs {
		for ch := range subs {
			nudge(ch)
		}
	}
}

func nudge(ch chan struct{}) {
	select {
	case ch <- struct{}{}:
	default: // already woken
	}
}

// Notify wakes the subscribers of the topics in every process when the transaction of the context is committed. It
// returns ErrNoTx outside a transaction.
func (s *Store) Notify(ctx context.Context, topics ...string) error {
	return s.WithTx(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "SELECT pg_notify($1, t) FROM unnest($2::text[]) AS t", channel, pq.Array(topics))
		if err != nil {
			return fmt.Errorf("notify %v: %w", topics, err)
		}

		return nil
	})
}

// Announce wakes the subscribers of the topics in every process immediately, outside any transaction. Use it for
// frequent changes, because transactions that notify are committed one after the other, even in different processes.
// If a process dies before it calls Announce, nobody is notified, so subscribers must also check from time to time.
func (s *Store) Announce(ctx context.Context, topics ...string) error {
	_, err := s.DB.ExecContext(ctx, "SELECT pg_notify($1, t) FROM unnest($2::text[]) AS t", channel, pq.Array(topics))
	if err != nil {
		return fmt.Errorf("announce %d topics: %w", len(topics), err)
	}

	return nil
}
