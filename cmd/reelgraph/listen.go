package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/urfave/cli/v3"

	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/webhook"
)

// maxDelivery is the size limit of a delivery, far more than any event.
const maxDelivery = 1 << 20

func listenCommand(a app) *cli.Command {
	return &cli.Command{
		Name:  "listen",
		Usage: "receive webhooks, verify their signatures and print them",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "addr", Value: "127.0.0.1:9000", Usage: "`host:port` to receive on"},
			&cli.StringFlag{Name: "secret", Required: true, Usage: "the endpoint's signing `secret`, whsec_..."},
			&cli.IntFlag{Name: "count", Usage: "stop after `n` verified deliveries; 0 never stops"},
			&cli.StringFlag{Name: "until", Usage: "stop after a verified delivery of this `type`"},
		},
		Action: func(ctx context.Context, c *cli.Command) error {
			if err := webhook.CheckSecret(c.String("secret")); err != nil {
				return fmt.Errorf("--secret: %w", err)
			}

			if kinds := values.EventType("").Values(); c.String("until") != "" && !slices.Contains(kinds, c.String("until")) {
				return fmt.Errorf("--until must be one of %s", strings.Join(kinds, ", "))
			}

			if c.Int("count") < 0 {
				return errors.New("--count must be at least 0")
			}

			return a.listen(ctx, c.String("addr"), &receiver{
				secret: c.String("secret"), until: c.String("until"), left: c.Int("count"), stdout: a.stdout,
			})
		},
	}
}

// webhooksCommand is an alias of listen under the name of its subject.
func webhooksCommand(a app) *cli.Command {
	return &cli.Command{Name: "webhooks", Usage: "receive webhooks", Hidden: true, Commands: []*cli.Command{listenCommand(a)}}
}

// listen receives until the context ends or the requested deliveries have arrived.
func (a app) listen(ctx context.Context, addr string, r *receiver) error {
	ctx, r.stop = context.WithCancel(ctx)
	defer r.stop()

	socket, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil {
		return fmt.Errorf("listen on %s: %w", addr, err)
	}

	fmt.Fprintf(a.stderr, "receiving on http://%s\n", socket.Addr())

	server := &http.Server{Handler: r, ReadTimeout: time.Minute}
	ended := make(chan error, 1)

	go func() { ended <- server.Serve(socket) }()

	<-ctx.Done()

	// Finish the current delivery before the program ends.
	wait, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()

	if err := server.Shutdown(wait); err != nil {
		return fmt.Errorf("stop receiving: %w", err)
	}

	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("receive: %w", err)
	}

	return nil
}

// receiver prints deliveries signed with its secret and rejects everything else.
type receiver struct {
	secret, until string
	stdout        io.Writer
	stop          context.CancelFunc

	mu   sync.Mutex // one line at a time
	left int
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()

	body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, maxDelivery))
	if err != nil {
		http.Error(w, "unreadable", http.StatusBadRequest)

		return
	}

	if err := webhook.Verify(req.Header, body, r.secret, time.Now()); err != nil {
		fmt.Fprintf(r.stdout, "refused: %v\n", err)
		http.Error(w, "signature", http.StatusUnauthorized)

		return
	}

	kind, err := webhook.KindOf(body)
	if err != nil {
		fmt.Fprintf(r.stdout, "refused: %v\n", err)
		http.Error(w, "body", http.StatusBadRequest)

		return
	}

	fmt.Fprintf(r.stdout, "verified %s %s\n", req.Header.Get("Hook-Id"), body)
	w.WriteHeader(http.StatusNoContent)

	r.left--
	if r.left == 0 || r.until == string(kind) {
		r.stop()
	}
}
