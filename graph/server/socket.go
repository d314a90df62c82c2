package server

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/middleware"
)

// subprotocol is the only supported one: https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md
const subprotocol = "graphql-transport-ws"

// maxOperations is how many operations may run on one websocket at a time.
const maxOperations = 50

// The close codes of websockets.
const (
	closeBadMessage    websocket.StatusCode = 4400
	closeUnauthorized  websocket.StatusCode = 4401
	closeInitTimeout   websocket.StatusCode = 4408
	closeDuplicate     websocket.StatusCode = 4409
	closeInitialised   websocket.StatusCode = 4429
	closeTryAgainLater                      = websocket.StatusTryAgainLater
)

// opensSocket reports whether a request asks for a websocket.
func opensSocket(r *http.Request) bool {
	return r.Method == http.MethodGet && strings.EqualFold(r.Header.Get("Upgrade"), "websocket")
}

// serveSocket opens a websocket and serves its operations until it is closed. The caller is authenticated by the
// request, or by a key in the payload of connection_init, because browsers cannot send the header.
func (s *Server) serveSocket(w http.ResponseWriter, r *http.Request) {
	ctx := r.Context()
	a := &answer{server: s, w: w, media: mediaJSON}

	refusal := s.o.Gate.Refusal(ctx)
	header := r.Header.Get("Authorization")

	switch {
	case refusal != nil && (header != "" || !fault.Is(refusal, fault.UnauthorizedCode)):
		a.refuse(ctx, refusal)

		return
	case !s.welcomes(r):
		a.refuse(ctx, fault.Forbidden("This page's origin may not open websockets. Only the origins in REELGRAPH_BASE_URL, "+
			"REELGRAPH_ORIGINS and REELGRAPH_CORS_ORIGINS may."))

		return
	case !slices.Contains(strings.FieldsFunc(strings.Join(r.Header.Values("Sec-WebSocket-Protocol"), ","), isListSeparator), subprotocol):
		a.refuse(ctx, fault.BadRequest("The websocket must use the subprotocol "+subprotocol+"."))

		return
	}

	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{
		Subprotocols:       []string{subprotocol},
		InsecureSkipVerify: true, // welcomes has checked the origin
	})
	if err != nil {
		return // Accept has answered
	}

	conn.SetReadLimit(middleware.MaxBody)

	c := &socket{
		server: s, conn: conn, opened: r, known: refusal == nil, runs: map[string]*running{},
	}
	c.serve(ctx)
}

func isListSeparator(c rune) bool { return c == ',' || c == ' ' }

// welcomes reports whether a page may open a websocket. Programs send no Origin, which is allowed.
func (s *Server) welcomes(r *http.Request) bool {
	origin := r.Header.Get("Origin")

	return origin == "" || s.o.Opens != nil && s.o.Opens(origin, r)
}

// socket is one websocket. One goroutine reads messages; each operation has its own.
type socket struct {
	server *Server
	conn   *websocket.Conn
	opened *http.Request // with the key from connection_init, if there was one
	known  bool          // authenticated by that request

	operations sync.WaitGroup
	mu         sync.Mutex
	runs       map[string]*running
}

// running is an operation in progress.
type running struct{ cancel context.CancelFunc }

// message is one message of the protocol.
type message struct {
	ID      string          `json:"id,omitempty"`
	Type    string          `json:"type"`
	Payload json.RawMessage `json:"payload,omitempty"`
}

// closingError closes a websocket with a code and a reason.
type closingError struct {
	code   websocket.StatusCode
	reason string
}

// Error returns the reason for closing.
func (c closingError) Error() string { return c.reason }

// serve returns when all goroutines of the websocket have ended.
func (c *socket) serve(ctx context.Context) {
	ctx, cancel := c.server.streaming(ctx)

	var beat sync.WaitGroup

	err := c.introduce(ctx)
	if err == nil {
		beat.Go(func() { c.beat(ctx, cancel) })

		err = c.listen(ctx)
	}

	cancel()
	beat.Wait()

	if end, ok := errors.AsType[closingError](err); ok {
		_ = c.conn.Close(end.code, end.reason)
	}

	_ = c.conn.CloseNow() // stops pending writes
	c.operations.Wait()
}

// introduce waits for connection_init and passes its key through the gate.
func (c *socket) introduce(ctx context.Context) error {
	waiting, cancel := context.WithTimeout(ctx, c.server.o.Patience)
	defer cancel()

	type read struct {
		m   message
		err error
	}

	// Canceling a read closes the websocket without a reason, so the read continues in its own goroutine.
	first := make(chan read, 1)

	go func() {
		m, err := c.read(ctx)
		first <- read{m, err}
	}()

	var got read

	select {
	case got = <-first:
	case <-waiting.Done():
		_ = c.conn.Close(closeInitTimeout, "Connection initialisation timeout")

		<-first

		return waiting.Err()
	}

	switch {
	case got.err != nil:
		return got.err
	case got.m.Type == "subscribe":
		return closingError{closeUnauthorized, "Unauthorized"}
	case got.m.Type != "connection_init":
		return closingError{closeBadMessage, "The first message must be connection_init"}
	}

	if !c.known {
		if err := c.authorize(ctx, got.m.Payload); err != nil {
			return err
		}
	}

	return c.write(ctx, message{Type: "connection_ack"})
}

// authorize reads the key in the payload of connection_init.
func (c *socket) authorize(ctx context.Context, payload json.RawMessage) error {
	var given map[string]any
	if len(payload) > 0 && json.Unmarshal(payload, &given) != nil {
		return closingError{closeBadMessage, "The payload of connection_init must be an object"}
	}

	for name, value := range given {
		if text, ok := value.(string); ok && strings.EqualFold(name, "Authorization") {
			c.opened = c.opened.Clone(ctx)
			c.opened.Header.Set("Authorization", text)
		}
	}

	err := c.server.o.Gate.Refusal(c.admit(ctx, 0))
	if err == nil {
		return nil
	}

	if fault.Is(err, fault.UnauthorizedCode) {
		return closingError{closeUnauthorized, "Unauthorized"}
	}

	return closingError{closeTryAgainLater, "Try again in " + seconds(c.server.classify(ctx, err).RetryAfter) + " s"}
}

// admit passes one operation through the gate. extra is its cost beyond one.
func (c *socket) admit(ctx context.Context, extra int) context.Context {
	return c.server.o.Gate.Admit(ctx, c.opened, extra)
}

// beat checks whether the client is still there.
func (c *socket) beat(ctx context.Context, gone context.CancelFunc) {
	alive := time.NewTicker(c.server.o.Heartbeat)
	defer alive.Stop()

	for {
		select {
		case <-ctx.Done():
			return
		case <-alive.C:
		}

		waiting, cancel := context.WithTimeout(ctx, c.server.o.Patience)
		err := c.conn.Ping(waiting)

		cancel()

		if err != nil {
			gone()

			return
		}
	}
}

// listen handles messages until the websocket ends.
func (c *socket) listen(ctx context.Context) error {
	for {
		m, err := c.read(ctx)
		if err != nil {
			return err
		}

		switch m.Type {
		case "subscribe":
			err = c.subscribe(ctx, m)
		case "complete":
			c.ended(m.ID, c.operation(m.ID))
		case "ping":
			err = c.write(ctx, message{Type: "pong", Payload: m.Payload})
		case "pong":
		case "connection_init":
			err = closingError{closeInitialised, "Too many initialisation requests"}
		default:
			err = closingError{closeBadMessage, "Unknown message type"}
		}

		if err != nil {
			return err
		}
	}
}

// subscribe starts an operation.
func (c *socket) subscribe(ctx context.Context, m message) error {
	if m.ID == "" {
		return closingError{closeBadMessage, "subscribe must have an id"}
	}

	if c.operation(m.ID) != nil {
		return closingError{closeDuplicate, "Subscriber for " + printable(m.ID) + " already exists"}
	}

	if c.busy() {
		return c.refuse(ctx, m.ID, nil, fault.BadRequest("This websocket has too many operations in progress. Wait for one to end."))
	}

	ctx, cancel := context.WithCancel(ctx)
	o := &running{cancel}

	c.mu.Lock()
	c.runs[m.ID] = o
	c.mu.Unlock()

	c.operations.Go(func() {
		defer c.ended(m.ID, o)

		if err := c.execute(ctx, m, o); err != nil && ctx.Err() == nil {
			_ = c.refuse(ctx, m.ID, o, err)
		}
	})

	return nil
}

// printable shortens a reason to the 123 bytes that a close frame can hold.
func printable(id string) string {
	if len(id) > 64 { //nolint:mnd // well below
		return "this id"
	}

	return id
}

func (c *socket) operation(id string) *running {
	c.mu.Lock()
	defer c.mu.Unlock()

	return c.runs[id]
}

func (c *socket) busy() bool {
	c.mu.Lock()
	defer c.mu.Unlock()

	return len(c.runs) >= maxOperations
}

// ended forgets an operation and stops it if it still runs.
func (c *socket) ended(id string, o *running) {
	if o == nil {
		return
	}

	o.cancel()
	c.free(id, o)
}

// free allows the client to reuse an id, unless it already names another operation.
func (c *socket) free(id string, o *running) {
	c.mu.Lock()
	defer c.mu.Unlock()

	if c.runs[id] == o {
		delete(c.runs, id)
	}
}

// execute runs one operation as if it were a separate request: it looks up the key and charges the budget each time,
// even if the message is invalid.
func (c *socket) execute(ctx context.Context, m message, o *running) error {
	s := c.server
	in := &incoming{request: &request{header: c.opened.Header}}
	extra := 0

	early := len(m.Payload) <= maxEarly
	if early {
		in.err = in.fromMessage(m.Payload)
		extra = s.price(ctx, in)
	}

	ctx = c.admit(ctx, extra)
	if err := s.o.Gate.Refusal(ctx); err != nil {
		return err //nolint:wrapcheck // a fault
	}

	if !early {
		in.err = in.fromMessage(m.Payload)
	}

	op, err := s.admitted(ctx, in)
	if err != nil {
		return err
	}

	release, err := s.subscribing(ctx, op)
	if err != nil {
		return err
	}

	defer release()

	refused := false

	s.each(ctx, op, mediaJSON.contentType(), func(e event) bool {
		if refused = e.refused != nil; refused {
			_ = c.finish(ctx, o, message{ID: m.ID, Type: "error", Payload: c.server.marshal(ctx, e.refused)})

			return false
		}

		return ctx.Err() == nil && c.write(ctx, message{ID: m.ID, Type: "next", Payload: e.body}) == nil
	})

	if !refused && ctx.Err() == nil {
		_ = c.finish(ctx, o, message{ID: m.ID, Type: "complete"})
	}

	return nil
}

func (c *socket) refuse(ctx context.Context, id string, o *running, err error) error {
	return c.finish(ctx, o, message{ID: id, Type: "error", Payload: c.server.marshal(ctx, c.server.errors(ctx, err))})
}

// finish sends the last message of an operation. The client may reuse the id as soon as it reads the message, so the
// id is freed before sending.
func (c *socket) finish(ctx context.Context, o *running, last message) error {
	c.free(last.ID, o)

	return c.write(ctx, last)
}

func (c *socket) read(ctx context.Context) (message, error) {
	var m message

	kind, text, err := c.conn.Read(ctx)

	switch {
	case err != nil:
		return m, err //nolint:wrapcheck // ends the websocket, whatever it is
	case kind != websocket.MessageText || json.Unmarshal(text, &m) != nil:
		return m, closingError{closeBadMessage, "Messages must be JSON objects"}
	}

	return m, nil
}

// write sends a message. It uses the websocket's context: if an operation ended while its message is written, the
// operation's context would close the websocket.
func (c *socket) write(ctx context.Context, m message) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), c.server.o.Patience)
	defer cancel()

	return c.conn.Write(ctx, websocket.MessageText, c.server.marshal(ctx, m)) //nolint:wrapcheck // ends the websocket
}
