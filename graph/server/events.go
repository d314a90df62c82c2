package server

import (
	"context"
	"io"
	"net/http"
	"time"

	"github.com/99designs/gqlgen/graphql"
)

// serveEvents answers with server-sent events, one operation for each connection: "next" for each response,
// "complete" at the end, and comments to keep the connection alive.
func (s *Server) serveEvents(ctx context.Context, a *answer, op *operation) {
	h := a.w.Header()
	h.Set("Content-Type", "text/event-stream; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no") // proxies would buffer events
	a.w.WriteHeader(http.StatusOK)   // before execution, so that code which sets cookies can see that it is too late

	ctx, cancel := s.streaming(ctx)
	events := s.start(ctx, op, a.media.contentType())

	defer func() {
		cancel()

		for range events { // until the operation has ended
		}
	}()

	out := &eventWriter{w: a.w, control: http.NewResponseController(a.w), patience: s.o.Patience}
	defer out.control.SetWriteDeadline(time.Time{}) //nolint:errcheck // of the connection's next request

	alive := time.NewTicker(s.o.Heartbeat)
	defer alive.Stop()

	for ok := out.send(":\n\n"); ok; {
		select {
		case e, more := <-events:
			switch {
			case !more:
				out.send("event: complete\ndata:\n\n")

				return
			case e.refused != nil:
				e.body = s.encode(ctx, &graphql.Response{Errors: e.refused})
			}

			ok = out.send("event: next\ndata: " + string(e.body) + "\n\n")
		case <-alive.C:
			ok = out.send(":\n\n")
		case <-ctx.Done():
			return
		}
	}
}

// streaming returns the context of a stream. It also ends when the server drains.
func (s *Server) streaming(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(s.o.Draining, cancel)

	return ctx, func() {
		stop()
		cancel()
	}
}

// start executes an operation in a goroutine. The channel is closed when all of it has ended.
func (s *Server) start(ctx context.Context, op *operation, contentType string) <-chan event {
	events := make(chan event)

	go func() {
		defer close(events)

		s.each(ctx, op, contentType, func(e event) bool {
			select {
			case events <- e:
				return true
			case <-ctx.Done():
				return false
			}
		})
	}()

	return events
}

// eventWriter writes to a client that may have stopped reading.
type eventWriter struct {
	w        io.Writer
	control  *http.ResponseController
	patience time.Duration
}

// send reports whether the client still reads.
func (e *eventWriter) send(text string) bool {
	_ = e.control.SetWriteDeadline(time.Now().Add(e.patience)) // servers that cannot set deadlines cannot hang here

	if _, err := io.WriteString(e.w, text); err != nil {
		return false
	}

	return e.control.Flush() == nil
}
